// Loop formulas: an atom of a set U of atoms of one loop is true only if some member of U has a
// body that is true and uses no member of U.
#include <algorithm>

#include "base/check.h"
#include "formula/formula.h"

namespace clew::formula {

bool Formula::refute_loops(const Valuation& actual) {
  // The atoms of the first loop in which the solution claims more than is true. What comes before
  // it is as claimed, so that U lacks nothing from there.
  std::vector<Atom> unfounded;
  for (Atom atom = 1; atom < rules_.atoms(); ++atom) {
    const uint32_t loop = rules_.loop_of(atom);
    if (loop == 0 || !claimable_[atom] || actual.holds(literal(atom))) continue;
    if (!solver_.value(variable_of_[atom])) continue;
    if (!unfounded.empty() && rules_.loop_of(unfounded[0]) != loop) break;
    unfounded.push_back(atom);
  }
  if (unfounded.empty()) return false;

  std::vector<int> external;
  for (const Atom atom : unfounded) {
    for (auto id = rules_.first_body(atom); id < rules_.end_body(atom); ++id) {
      const bool internal = std::ranges::any_of(rules_.body(id), [&](Literal literal) {
        return !literal.negative() && std::ranges::binary_search(unfounded, literal.atom());
      });
      if (!internal) external.push_back(encode_body(id));
    }
  }
  std::string reason = "loop";
  for (const Atom atom : unfounded) reason += fmt::format(" {}", variable(atom));
  for (const Atom atom : unfounded) {
    std::vector<int> clause = {-variable(atom)};
    clause.insert(clause.end(), external.begin(), external.end());
    solver_.add(clause);
    if (options_.recorder != nullptr) options_.recorder->clause(clause, reason, 0);
  }
  loop_clauses_ += unfounded.size();
  CHECK(pending_.empty(), "the bodies of what is claimed have clauses already");
  return true;
}

Formula::Answer decide(Formula& formula, const Rules& rules, Literal goal, const Stop& stop) {
  while (true) {
    const Formula::Answer answer = formula.solve({});
    if (answer != Formula::Answer::kFaults || rules.loops() == 0) return answer;
    const FaultSet faults = formula.faults();
    const Valuation actual = evaluate(rules, faults, stop);
    if (actual.holds(goal)) return answer;
    CHECK(formula.refute_loops(actual), "a solution that is none: {}", to_string(faults));
    if (stop && stop()) return Formula::Answer::kStopped;
  }
}

}  // namespace clew::formula
