#include "verify/applies.h"

#include <algorithm>

#include "verify/justify.h"
#include "verify/refusal.h"

namespace clew::verify {

namespace {

// Faults decided one way or the other, until the end of its life.
class Evaluation {
 public:
  Evaluation(const Grounding& grounding, Circuit& circuit)
      : clauses_(circuit.clauses()), faults_(grounding.faults()), before_(clauses_.mark()) {}
  ~Evaluation() { clauses_.undo(before_); }
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  // Exactly these faults, and all that depends on them. False: they are not admissible.
  bool run(const FaultSet& faults) {
    for (const auto& [fault, lit] : faults_) {
      if (!clauses_.assume(faults.contains(fault) ? lit : -lit)) return false;
    }
    return settle();
  }

  // Faults under which the literal may be true, as few as propagation alone can tell.
  std::optional<FaultSet> search(Lit wanted) {
    if (!clauses_.assume(wanted)) return std::nullopt;
    FaultSet chosen;
    for (const auto& [fault, lit] : faults_) {
      const size_t before = clauses_.mark();
      if (clauses_.value(lit) == 0 && !clauses_.assume(-lit)) {
        clauses_.undo(before);
        if (!clauses_.assume(lit)) return std::nullopt;
      }
      if (clauses_.value(lit) > 0) chosen.insert(fault);
    }
    return chosen;
  }

  size_t count_true(const std::vector<Lit>& lits) const {
    return static_cast<size_t>(
        std::ranges::count_if(lits, [&](Lit lit) { return clauses_.value(lit) > 0; }));
  }

 private:
  // What propagation leaves open are facts that hold only each other up. A gate comes after its
  // parts, and a recursion after all that it reads: in this order, what is open is unfounded.
  bool settle() {
    for (Lit variable = 1; variable <= clauses_.variables(); ++variable) {
      if (clauses_.value(variable) == 0 && !clauses_.assume(-variable)) return false;
    }
    return true;
  }

  Propagator& clauses_;
  std::vector<std::pair<Fault, Lit>> faults_;
  size_t before_;
};

size_t count_promised(const FaultSet& faults, Grounding& grounding, Circuit& circuit) {
  Evaluation evaluation(grounding, circuit);
  return evaluation.run(faults) ? evaluation.count_true(grounding.promised()) : 0;
}

}  // namespace

Applies when_applies(Grounding& grounding, Circuit& circuit) {
  Applies result;
  result.without_faults = count_promised({}, grounding, circuit);
  if (result.without_faults > 0) return result;
  const Lit any = circuit.disjunction(grounding.promised());
  const std::optional<FaultSet> found = Evaluation(grounding, circuit).search(any);
  if (found && count_promised(*found, grounding, circuit) > 0) {
    result.faults = found;
    return result;
  }
  const Lit none[] = {-any};
  if (Justifier(circuit).follows(none, {})) {
    throw Refusal{"", 0,
                  "the claim is empty: nothing is promised at the last tick, whatever fails"};
  }
  return result;
}

}  // namespace clew::verify
