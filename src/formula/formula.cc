#include "formula/formula.h"

#include <algorithm>

#include "base/check.h"

namespace clew::formula {

Formula::Formula(const Rules& rules, Options options)
    : rules_(rules), options_(std::move(options)) {
  if (options_.stop) solver_.set_stop(options_.stop);
  if (options_.proof != nullptr) solver_.trace_proof(*options_.proof);
  grow();
  if (!options_.asks) {
    int goal = to_solver(rules_.goal());
    need(rules_.goal());
    add({&goal, 1}, "goal", 0);
  }
  work();
}

void Formula::grow() {
  CHECK(rules_.atoms() >= variable_of_.size() && rules_.bodies() >= known_.size(),
        "{} atoms and {} bodies, after {} and {}", rules_.atoms(), rules_.bodies(),
        variable_of_.size(), known_.size());
  variable_of_.resize(rules_.atoms());
  claimable_.resize(rules_.atoms());
  deniable_.resize(rules_.atoms());
  body_variable_.resize(rules_.bodies());
  known_.resize(rules_.bodies());
  encoded_.resize(rules_.bodies());
  for (; requirements_ < rules_.requirements().size(); ++requirements_) {
    watch_.look();
    std::vector<int> clause;
    for (const Literal literal : rules_.requirements()[requirements_]) {
      clause.push_back(to_solver(literal));
      need_both(literal);
    }
    add(clause, "fault-model", 0);
  }
}

// Faults that cannot happen if the atom is false.
void Formula::deny(Atom atom) {
  if (rules_.is_fault(atom)) denied_.push_back(atom);
  const bool defined = atom != 0 && !rules_.is_fault(atom);
  for (auto at = rules_.first_body(atom); defined && at < rules_.end_body(atom); ++at) {
    const std::span<const Literal> body = rules_.body(at);
    if (body.size() == 1 && !body[0].negative()) denied_.push_back(body[0].atom());
  }
}

void Formula::ask(const Question& question) {
  CHECK(options_.asks && knows_all_, "a question to a Formula that does not ask, or learn all");
  grow();
  settled_ = 0;
  asked_.clear();
  denied_.clear();
  auto assume = [&](Literal literal) {
    need(literal);
    asked_.push_back(to_solver(literal));
  };
  assume(question.goal);
  for (const Literal literal : question.assumed) {
    assume(literal);
    if (literal.negative()) deny(literal.atom());
  }
  std::ranges::sort(denied_);
  work();
  solver_.simplify_again();
}

int Formula::variable(Atom atom) {
  int& variable = variable_of_[atom];
  if (variable != 0) return variable;
  variable = options_.recorder != nullptr ? recorded_variable(atom)
                                          : solver_.new_variable(rules_.is_fault(atom));
  if (atom == 0) add({&variable, 1}, "true", 0);
  return variable;
}

// For a certificate: what the atom is made of gets its variables first.
int Formula::recorded_variable(Atom atom) {
  Recorder& recorder = *options_.recorder;
  if (rules_.is_fault(atom) || rules_.is_named(atom)) {
    const int variable = solver_.new_variable();
    recorder.stands_for(variable, atom);
    return variable;
  }
  std::vector<int> literals;
  const Rules::BodyId first = rules_.first_body(atom);
  const bool single = atom != 0 && rules_.end_body(atom) == first + 1;
  for (auto at = first; atom != 0 && !single && at < rules_.end_body(atom); ++at) {
    literals.push_back(body_literal(at));
  }
  for (const Literal literal : single ? rules_.body(first) : std::span<const Literal>()) {
    literals.push_back(to_solver(literal));
  }
  const int variable = solver_.new_variable();
  if (single || atom == 0) {
    recorder.all_of(variable, literals);
  } else {
    recorder.any_of(variable, literals);
  }
  return variable;
}

// The variable of a body, or its only literal.
int Formula::body_literal(Rules::BodyId id) {
  const std::span<const Literal> body = rules_.body(id);
  if (body.size() == 1) return to_solver(body[0]);
  int& variable = body_variable_[id];
  if (variable != 0) return variable;
  std::vector<int> literals;
  literals.reserve(body.size());
  for (const Literal literal : body) literals.push_back(to_solver(literal));
  variable = solver_.new_variable();
  if (options_.recorder != nullptr) options_.recorder->all_of(variable, literals);
  return variable;
}

int Formula::to_solver(Literal literal) {
  const int var = variable(literal.atom());
  return literal.negative() ? -var : var;
}

void Formula::add(std::span<const int> clause, const char* kind, Atom about) {
  solver_.add(clause);
  if (options_.recorder == nullptr) return;
  options_.recorder->clause(clause, kind, about);
}

void Formula::need(Literal literal) {
  const Atom atom = literal.atom();
  if (atom == 0 || rules_.is_fault(atom)) return;
  std::vector<bool>& needed = literal.negative() ? deniable_ : claimable_;
  if (needed[atom]) return;
  needed[atom] = true;
  pending_.push_back(literal);
}

void Formula::need_both(Literal literal) {
  need(literal);
  need(!literal);
}

void Formula::work() {
  while (!pending_.empty()) {
    // Before the next one: what has been begun is finished, so that work can go on later.
    watch_.look(10);
    const Literal literal = pending_.back();
    pending_.pop_back();
    if (literal.negative()) {
      encode_firings(literal.atom());
    } else {
      encode_claim(literal.atom());
    }
  }
}

// A variable or literal that, when true, makes the whole body true.
int Formula::encode_body(Rules::BodyId id) {
  const std::span<const Literal> body = rules_.body(id);
  for (const Literal literal : body) need(literal);
  const int variable = body_literal(id);
  if (body.size() == 1 || encoded_[id]) return variable;
  encoded_[id] = true;
  for (const Literal literal : body) {
    const int clause[] = {-variable, to_solver(literal)};
    add(clause, "body", 0);
  }
  return variable;
}

void Formula::encode_claim(Atom atom) {
  const Rules::BodyId first = rules_.first_body(atom);
  const Rules::BodyId end = rules_.end_body(atom);
  const int var = variable(atom);
  if (end - first == 1) {
    for (const Literal literal : rules_.body(first)) {
      need(literal);
      const int clause[] = {-var, to_solver(literal)};
      add(clause, "support", atom);
    }
    return;
  }
  std::vector<int> clause = {-var};
  for (Rules::BodyId id = first; id < end; ++id) {
    clause.push_back(encode_body(id));
  }
  add(clause, "support", atom);
}

void Formula::encode_firing(Atom head, Rules::BodyId id) {
  clause_.assign(1, variable(head));
  for (const Literal literal : rules_.body(id)) {
    need(!literal);
    clause_.push_back(-to_solver(literal));
  }
  add(clause_, "firing", head);
}

void Formula::encode_firings(Atom atom) {
  const bool complete = knows_all_ || !rules_.is_named(atom);
  for (auto id = rules_.first_body(atom); id < rules_.end_body(atom); ++id) {
    if (complete || known_[id]) encode_firing(atom, id);
  }
}

void Formula::learn_all() {
  CHECK(!knows_all_);
  knows_all_ = true;
  for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
    watch_.look();
    if (!deniable_[atom] || !rules_.is_named(atom)) continue;
    for (auto id = rules_.first_body(atom); id < rules_.end_body(atom); ++id) {
      if (!known_[id]) encode_firing(atom, id);
    }
  }
  work();
}

bool Formula::learn(Atom head, Rules::BodyId id) {
  if (knows_all_ || known_[id]) return false;
  known_[id] = true;
  if (deniable_[head]) encode_firing(head, id);
  work();
  return true;
}

void Formula::learn_instead(Atom head, std::span<const Literal> literals) {
  clause_.assign(1, variable(head));
  for (const Literal literal : literals) {
    need(!literal);
    clause_.push_back(-to_solver(literal));
  }
  add(clause_, "firing", head);
  work();
}

void Formula::check_no_question() const {
  CHECK(!options_.asks, "a clause that would outlive its question");
}

void Formula::insist(const FaultSet& faults) {
  check_no_question();
  for (const Atom atom : rules_.faults()) {
    if (!faults.contains(rules_.fault_of(atom))) continue;
    int fault = variable(atom);
    add({&fault, 1}, "asked for", 0);
  }
}

void Formula::demand(const FaultSet& faults) {
  check_no_question();
  std::vector<int> clause;
  for (const Atom atom : rules_.faults()) {
    if (faults.contains(rules_.fault_of(atom))) clause.push_back(variable(atom));
  }
  add(clause, "asked for", 0);
}

void Formula::exclude_exactly(const FaultSet& faults) {
  check_no_question();
  std::vector<int> clause;
  for (const Atom atom : rules_.faults()) {
    const bool happens = faults.contains(rules_.fault_of(atom));
    clause.push_back(happens ? -variable(atom) : variable(atom));
  }
  add(clause, "excluded", 0);
}

void Formula::exclude(const FaultSet& faults) {
  check_no_question();
  std::vector<int> clause;
  for (const Atom atom : rules_.faults()) {
    if (faults.contains(rules_.fault_of(atom))) clause.push_back(-variable(atom));
  }
  add(clause, "excluded", 0);
}

// The literal that says: at most `count` faults.
int Formula::at_most(size_t count) {
  CHECK(!options_.asks, "the counter does not grow with the Rules");
  // A counter over all faults: counter_[k] is true if at least k + 1 are.
  if (counter_.size() <= count) {
    std::vector<int> row(count + 1, 0);
    for (const Atom fault : rules_.faults()) {
      watch_.look(10 * row.size());
      std::vector<int> next;
      for (size_t k = 0; k <= count; ++k) next.push_back(solver_.new_variable());
      for (size_t k = 0; k <= count; ++k) {
        if (row[k] != 0) solver_.add({-row[k], next[k]});
        if (k == 0) solver_.add({-variable(fault), next[0]});
        if (k > 0 && row[k - 1] != 0) solver_.add({-row[k - 1], -variable(fault), next[k]});
      }
      row = next;
    }
    counter_ = row;
  }
  return -counter_[count];
}

std::vector<int> Formula::assumptions(const Scope& scope) {
  std::vector<int> all = asked_;
  if (scope.at_most && *scope.at_most < rules_.faults().size()) {
    all.push_back(at_most(*scope.at_most));
  }
  for (const Atom atom : rules_.faults()) {
    const bool out = scope.below && !scope.below->contains(rules_.fault_of(atom));
    if (out) all.push_back(-variable(atom));
  }
  return all;
}

Formula::Answer Formula::solve(const Scope& scope) {
  std::vector<int> clause;
  if (scope.below) {
    for (const Atom atom : rules_.faults()) {
      if (scope.below->contains(rules_.fault_of(atom))) clause.push_back(-variable(atom));
    }
    if (clause.empty()) return Answer::kNone;
  }
  settled_ = 0;
  std::vector<int> assumed = assumptions(scope);
  // A proof has to be of one piece.
  if (options_.proof == nullptr) solver_.limit_next(options_.easy);
  Solver::Answer answer = solver_.solve(assumed, clause);
  if (answer == Solver::Answer::kLimited) answer = solve_by_parts(std::move(assumed), clause);
  switch (answer) {
    case Solver::Answer::kSatisfiable:
      return Answer::kFaults;
    case Solver::Answer::kUnsatisfiable:
      settled_ = 1;
      return Answer::kNone;
    default:
      return Answer::kStopped;
  }
}

FaultSet Formula::faults() {
  std::vector<Fault> faults;
  for (const Atom atom : rules_.faults()) {
    // Faults that the goal does not depend on have no variable.
    const bool happens = variable_of_[atom] != 0 && solver_.value(variable_of_[atom]);
    if (happens) faults.push_back(rules_.fault_of(atom));
  }
  return FaultSet(std::move(faults));
}

}  // namespace clew::formula
