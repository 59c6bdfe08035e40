#include "formula/solver.h"

#include <cadical.hpp>
#include <utility>

#include "base/check.h"

namespace clew::formula {

namespace {

// Most questions need fewer; to make the clauses simpler takes longer than these, and up to a tenth
// of a second where all the rest takes a hundredth.
constexpr size_t kFewConflicts = 1000;

}  // namespace

struct Solver::Cadical : CaDiCaL::Terminator, CaDiCaL::Learner {
  CaDiCaL::Solver solver;
  Stop stop;

  size_t learned = 0;

  bool terminate() override { return stop && stop(); }
  bool learning(int) override {
    ++learned;
    return false;  // it is enough to count them
  }
  void learn(int) override {}
};

Solver::Solver() : cadical_(std::make_unique<Cadical>()) {
  // What is hard mostly has no solution; and what these find or keep costs more than it saves.
  cadical_->solver.configure("unsat");
  cadical_->solver.set("probe", 0);
  cadical_->solver.set("vivify", 0);
  cadical_->solver.set("subsume", 0);
  cadical_->solver.set("chrono", 0);
  cadical_->solver.set("quiet", 1);
  cadical_->solver.set("phase", 0);
  cadical_->solver.connect_learner(cadical_.get());
}

Solver::~Solver() = default;

void Solver::trace_proof(std::FILE& file) {
  CHECK(clauses_ == 0, "a proof without the first {} clauses", clauses_);
  traces_ = true;
  cadical_->solver.set("binary", 0);
  CHECK(cadical_->solver.trace_proof(&file, "proof"), "no proof");
}

int Solver::new_variable(bool first) {
  given_.push_back(0);
  first_.push_back(first && !traces_);
  return ++variables_;
}

void Solver::check_known(int literal) const {
  CHECK(literal != 0 && std::abs(literal) <= variables_, "literal {}", literal);
}

void Solver::add(std::span<const int> clause) {
  for (const int literal : clause) {
    check_known(literal);
    waiting_.push_back(literal);
  }
  waiting_.push_back(0);
  ++clauses_;
}

void Solver::flush() {
  const int known = given_variables_;
  for (const bool first : {false, true}) {
    for (int variable = known + 1; variable <= variables_; ++variable) {
      auto at = static_cast<size_t>(variable);
      if (first_[at] == first) given_[at] = ++given_variables_;
    }
  }
  for (const int literal : waiting_) cadical_->solver.add(given(literal));
  waiting_.clear();
}

Solver::Answer Solver::solve(std::span<const int> assumptions, std::span<const int> clause) {
  for (const int literal : assumptions) check_known(literal);
  for (const int literal : clause) check_known(literal);
  flush();
  std::optional<size_t> limit = std::exchange(limit_, std::nullopt);
  const bool easy = limit && *limit <= kFewConflicts;
  if (simplified_ || easy) return search(assumptions, clause, limit);
  const Answer answer = search(assumptions, clause, kFewConflicts);
  if (answer != Answer::kLimited) return answer;
  // Eliminates most variables: the many that only stand for a part of a definition.
  simplified_ = true;
  cadical_->solver.limit("preprocessing", 1);
  return search(assumptions, clause, limit);
}

Solver::Answer Solver::search(std::span<const int> assumptions, std::span<const int> clause,
                              std::optional<size_t> limit) {
  CaDiCaL::Solver& solver = cadical_->solver;
  for (const int literal : assumptions) solver.assume(given(literal));
  for (const int literal : clause) solver.constrain(given(literal));
  if (!clause.empty()) solver.constrain(0);
  if (limit) solver.limit("conflicts", static_cast<int>(*limit));
  switch (solver.solve()) {
    case 10:
      answer_ = Answer::kSatisfiable;
      break;
    case 20:
      answer_ = Answer::kUnsatisfiable;
      break;
    default:
      answer_ = limit && !cadical_->terminate() ? Answer::kLimited : Answer::kStopped;
  }
  return *answer_;
}

size_t Solver::learned() const { return cadical_->learned; }

bool Solver::failed(int assumption) {
  CHECK(answer_ == Answer::kUnsatisfiable, "failed() although there may be a solution");
  check_known(assumption);
  return cadical_->solver.failed(given(assumption));
}

bool Solver::value(int variable) {
  CHECK(answer_ == Answer::kSatisfiable, "value() without a solution");
  check_known(variable);
  // One that was in no clause yet when the answer was found.
  if (given(variable) == 0) return false;
  return cadical_->solver.val(given(variable)) > 0;
}

void Solver::set_stop(Stop stop) {
  cadical_->stop = std::move(stop);
  cadical_->solver.connect_terminator(cadical_.get());
}

}  // namespace clew::formula
