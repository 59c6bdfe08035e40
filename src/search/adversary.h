// An Adversary chooses what to try next, and learns from the Runs that come of it.
//
//   std::unique_ptr<Adversary> adversary = make_exhaustive(model, {});
//   for (Proposal next = adversary->propose(); next.tries(); next = adversary->propose()) {
//     Run run = *system.run(complete(scenario_of(model), next.choice), adversary->needs());
//     judge(system.specs(), run);
//     adversary->observe(run);
//   }
//
//   READY --propose: something to try--> WAITING --observe--> READY
//   READY --propose: nothing, stopped--> READY
//
// What violates a Spec is made smaller by asking propose_smaller() until nothing is left. Those
// that choose Faults from a lattice share how that is done: see lattice.h. A strategy over
// schedules derives from Adversary itself.
#pragma once

#include <string>

#include "base/stop.h"
#include "domain/system.h"

namespace clew::search {

struct Proposal {
  enum class Kind {
    kTry,      // try this
    kNothing,  // nothing is left to try
    kStopped,  // the budget is used up
  };
  Kind kind = Kind::kNothing;
  Choice choice{};

  bool tries() const { return kind == Kind::kTry; }
};

// In which way one violation is smaller than another.
enum class Smaller {
  kPart,   // a part of it
  kFewer,  // fewer Faults, whichever
};

class Adversary {
 public:
  virtual ~Adversary() = default;

  // How much of each Run observe() looks at.
  virtual Detail needs() const { return Detail::kVerdict; }
  virtual Proposal propose() = 0;
  // A Run of what was proposed, or one of nobody's choosing, judged.
  virtual void observe(const Run& run) = 0;

  // The next to try if a violation smaller than this one is wanted.
  virtual Proposal propose_smaller(const Choice& violation, Smaller how) = 0;
  // From now on this violation, and what contains it, is of no interest.
  virtual void exclude(const Choice& violation) = 0;

  // Why kNothing of propose() does not prove that nothing violates a Spec; empty if it does.
  virtual std::string why_unsure() const { return ""; }
  virtual size_t clauses() const { return 0; }
  // The share of what is admissible that need not be tried any more, as far as it is known.
  virtual double settled() const { return 0; }
};

}  // namespace clew::search
