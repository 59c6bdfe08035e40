#include "verify/clauses.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/columns.h"
#include "base/text.h"

namespace clew::verify {

namespace {

constexpr std::string_view kGoal = "goal";
constexpr int64_t kMostNumber = std::numeric_limits<Lit>::max() / 2;

}  // namespace

ClauseChecker::ClauseChecker(const Claim& claim, Grounding& grounding, Circuit& circuit,
                             Proof& proof)
    : claim_(claim),
      grounding_(grounding),
      circuit_(circuit),
      proof_(proof),
      justifier_(circuit),
      meanings_(1) {}

void ClauseChecker::check(std::string_view text) {
  if (const std::optional<size_t> invalid = find_invalid_utf8(text)) {
    const auto lines =
        std::count(text.begin(), text.begin() + static_cast<int64_t>(*invalid), '\n');
    throw Refusal{kClausesFile, static_cast<size_t>(lines) + 1, "this is not valid UTF-8"};
  }
  Lines line(kClausesFile, text);
  while (line.next()) {
    if (line.skip("v ")) {
      variable(line);
    } else if (line.skip("d ")) {
      definition(line);
    } else if (line.skip("c ")) {
      clause(line);
    } else {
      line.refuse("a line must begin with `v `, `d ` or `c `");
    }
  }
  if (!text.empty() && text.back() != '\n') line.refuse("the file does not end in a line end");
}

// ---- Variables ----

void ClauseChecker::expect_next_number(Lines& line) {
  const int64_t number = line.integer(1, kMostNumber);
  const auto expected = static_cast<int64_t>(meanings_.size());
  if (number == expected) return;
  line.refuse(fmt::format("variable {} comes where variable {} is expected", number, expected));
}

void ClauseChecker::variable(Lines& line) {
  expect_next_number(line);
  const Meaning found = meaning(line);
  if (!line.rest().empty()) {
    line.refuse(fmt::format("`{}` is too much", printable(line.rest(), 60)));
  }
  meanings_.push_back(found);
  proof_.add_variable();
}

ClauseChecker::Meaning ClauseChecker::meaning(Lines& line) {
  if (line.skip("omission ")) {
    const NodeName from = line.quoted();
    line.expect(" ");
    const NodeName to = line.quoted();
    line.expect(" ");
    const auto tick = static_cast<Tick>(line.integer(1, claim_.model.eot));
    return {grounding_.omission(from, to, tick), false, {}};
  }
  if (line.skip("crash ")) {
    const NodeName node = line.quoted();
    line.expect(" ");
    const auto tick = static_cast<Tick>(line.integer(1, claim_.model.eot));
    return {grounding_.crash(node, tick), false, {}};
  }
  if (line.skip("fact ")) return fact(line);
  if (line.skip("part ")) return part(line);
  line.refuse("a variable is an omission, a crash, a fact or a part");
}

ClauseChecker::Meaning ClauseChecker::fact(Lines& line) {
  auto tick = static_cast<Tick>(line.integer(1, claim_.model.eot));
  const std::string name(line.rest().substr(0, line.rest().find_first_of("@(")));
  const auto relation = claim_.program->relation_index.find(name);
  if (relation == claim_.program->relation_index.end()) {
    line.refuse(fmt::format("the program has no relation `{}`", printable(name, 60)));
  }
  line.expect(name);
  // p@2 at any tick is what a rule that reads p(...)@2 sees: p at tick 2.
  if (line.skip("@")) tick = static_cast<Tick>(line.digits(tick));
  const std::vector<Datum> values = line.tuple();
  const uint32_t arity = claim_.program->relations[relation->second].arity;
  if (values.size() != arity) {
    line.refuse(fmt::format("`{}` has {} columns, not {}", name, arity, values.size()));
  }
  const std::optional<FactId> id = grounding_.find(relation->second, tick, values);
  return {id ? *grounding_.at(*id).lit : kFalse, true, id};
}

ClauseChecker::Meaning ClauseChecker::part(Lines& line) {
  const auto tick = static_cast<Tick>(line.integer(1, claim_.model.eot));
  const auto rules = static_cast<int64_t>(claim_.program->rules.size());
  const auto rule = static_cast<size_t>(line.integer(0, rules - 1));
  return {grounding_.part(tick, rule, line.tuple()), false, {}};
}

void ClauseChecker::definition(Lines& line) {
  expect_next_number(line);
  const bool conjunction = line.skip("and");
  if (!conjunction) line.expect("or");
  if (!line.rest().empty()) line.expect(" ");
  const std::vector<Lit> parts = line.literals(most());
  const Lit lit =
      conjunction ? circuit_.conjunction(meant(parts)) : circuit_.disjunction(meant(parts));
  meanings_.push_back({lit, false, {}});
  proof_.add_variable();
  const Lit sign = conjunction ? 1 : -1;
  const Lit defined = sign * most();
  std::vector<Lit> all = {defined};
  for (const Lit part : parts) {
    proof_.add({-defined, sign * part});
    all.push_back(-sign * part);
  }
  proof_.add(all);
}

Lit ClauseChecker::meant(Lit lit) const {
  const Lit meaning = meanings_[static_cast<size_t>(std::abs(lit))].lit;
  return lit > 0 ? meaning : -meaning;
}

std::vector<Lit> ClauseChecker::meant(const std::vector<Lit>& lits) const {
  std::vector<Lit> result;
  result.reserve(lits.size());
  for (const Lit lit : lits) result.push_back(meant(lit));
  return result;
}

// ---- Clauses ----

void ClauseChecker::clause(Lines& line) {
  const std::vector<Lit> lits = line.clause(most());
  const std::vector<Lit> own = meant(lits);
  if (line.skip("loop ")) {
    loop(line, lits, own);
  } else if (line.rest() == kGoal) {
    goal(line, own);
  } else if (!justifier_.follows(own, {})) {
    line.refuse(fmt::format("the clause does not follow ({})", printable(line.rest(), 120)));
  } else {
    circuit_.require(own);
  }
  proof_.add(lits);
  ++clauses_;
}

// Only such a clause may rely on the violation, and no other clause may rely on it: the others are
// true of every run within the bounds.
void ClauseChecker::goal(Lines& line, std::vector<Lit> own) {
  const Lit violated[] = {grounding_.violation()};
  if (!justifier_.follows(own, violated)) line.refuse("the clause does not follow from the goal");
  own.push_back(-grounding_.violation());
  circuit_.require(own);
}

// An unfounded set: as long as the clause is false, every firing of its members either uses one of
// them or is false itself. Facts that hold only each other up are false; so the fact that the
// clause denies is, and the clause is true.
void ClauseChecker::loop(Lines& line, const std::vector<Lit>& clause,
                         const std::vector<Lit>& meant) {
  const std::vector<Lit> set = line.literals(most());
  const bool denies = std::ranges::any_of(
      clause, [&](Lit lit) { return std::ranges::find(set, -lit) != set.end(); });
  if (!denies) line.refuse("the clause denies no fact of its loop");
  std::vector<FactId> members;
  std::optional<Tick> tick;
  for (Lit lit : set) {
    if (lit < 0 || !meanings_[static_cast<size_t>(lit)].is_fact) {
      line.refuse(fmt::format("{} in the loop is not a fact", lit));
    }
    const std::optional<FactId> fact = meanings_[static_cast<size_t>(lit)].fact;
    if (!fact) continue;
    if (tick && *tick != grounding_.at(*fact).tick) line.refuse("the loop spans several ticks");
    tick = grounding_.at(*fact).tick;
    members.push_back(*fact);
  }
  std::ranges::sort(members);
  for (const Lit lit : set) check_member(line, lit, members, meant);
}

void ClauseChecker::check_member(Lines& line, Lit member, const std::vector<FactId>& members,
                                 const std::vector<Lit>& meant) {
  const std::optional<FactId> id = meanings_[static_cast<size_t>(member)].fact;
  if (!id) return;
  const PossibleFact& fact = grounding_.at(*id);
  const auto refuted = [&](Lit firing) {
    const Lit given[] = {firing};
    return justifier_.follows(meant, given);
  };
  const auto circular = [&](const RecursiveFiring& firing) {
    return std::ranges::any_of(
        firing.used, [&](FactId used) { return std::ranges::binary_search(members, used); });
  };
  bool covered = true;
  if (fact.firings.empty()) covered = refuted(*fact.lit);
  for (const RecursiveFiring& firing : fact.firings) {
    covered = covered && (circular(firing) || refuted(firing.holds));
  }
  if (!covered) {
    line.refuse(fmt::format("{} has a firing that neither uses the loop nor is covered", member));
  }
}

}  // namespace clew::verify
