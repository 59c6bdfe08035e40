// An Adversary chooses which faults to try next.
//
//   std::unique_ptr<Adversary> adversary = make_symbolic(rules, {});
//   while (true) {
//     Proposal next = adversary->propose({});
//     if (next.kind != Proposal::Kind::kFaults) break;
//     adversary->observe(next.faults, *system.run(next.faults));
//   }
//
//   READY --propose: faults--> WAITING --observe--> READY
//   READY --propose: nothing, stopped--> READY
//
// A proposal under a Scope is one of its own: `below` asks for a proper subset of faults that are
// known to violate the Spec, which is how counterexamples are made minimal.
#pragma once

#include <functional>
#include <memory>

#include "domain/fault_model.h"
#include "domain/run.h"
#include "formula/formula.h"

namespace clew::search {

using formula::Scope;

struct Proposal {
  enum class Kind {
    kFaults,   // try these
    kNothing,  // nothing is left to try
    kStopped,  // the budget is used up
  };
  Kind kind = Kind::kNothing;
  FaultSet faults{};
};

class Adversary {
 public:
  virtual ~Adversary() = default;
  virtual Proposal propose(const Scope& scope) = 0;
  virtual void observe(const FaultSet& faults, Outcome::Kind outcome) = 0;
  // From now on nothing that includes these faults is of interest.
  virtual void exclude(const FaultSet& faults) = 0;
  // Whether kNothing proves that nothing in the Scope violates the Spec.
  virtual bool is_sure() const { return true; }
  virtual size_t clauses() const { return 0; }
  // The share of admissible FaultSets that need not be tried any more, as far as it is known.
  virtual double settled() const { return 0; }
};

// How the lineage adversary reads that a firing relied on something absent.
enum class Negation {
  kExact,         // whatever could make it appear is in the Formula
  kIgnore,        // it stays absent
  kSurrogate,     // it stays absent as long as something blocks each firing that nearly happened
  kConservative,  // it stays absent as long as all true facts stay that it depends on negatively
};

using Stop = std::function<bool()>;

// The forward and backward steps of the paper: runs teach the Formula which supports exist.
std::unique_ptr<Adversary> make_lineage(const formula::Rules& rules, Stop stop);
// The same with a treatment of negation other than kExact, run by run as the paper's prototype.
std::unique_ptr<Adversary> make_published(const formula::Rules& rules, Negation negation,
                                          Stop stop);
// Knows all supports beforehand: whatever it proposes violates the Spec.
std::unique_ptr<Adversary> make_symbolic(const formula::Rules& rules, Stop stop);
// Every admissible FaultSet, by size.
std::unique_ptr<Adversary> make_exhaustive(const FaultModel& model, Stop stop);
// The paper's baseline: each omission with probability one half, and so many crashes, at random.
std::unique_ptr<Adversary> make_random(const FaultModel& model, uint64_t seed, Stop stop);

}  // namespace clew::search
