// Each promise of a program by itself: its own search, verdict and counterexamples.
//
//   Result<std::vector<std::string>> names = choose_promises(input.program, {});   // all
//   PromiseChecks checks(input, wanted, *names, notes);
//   checks.run(std::chrono::seconds(120));
//   to_stdout("{}", report::to_text(checks.reports()));
//   checks.write_outputs();                            // last
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "check/budget.h"
#include "check/notes.h"
#include "check/program_input.h"
#include "check/session.h"

namespace clew::check {

// The names of the promises that are to be checked: those wanted, or all. An Error if there is
// nothing to check, or if a name is none.
Result<std::vector<std::string>> choose_promises(const dedalus::Program& program,
                                                 const std::vector<std::string>& wanted);

struct PromiseCheck {
  std::unique_ptr<const ProgramInput> input;  // the program with this promise alone
  std::unique_ptr<Session> session{};
  Ending ending{};
};

class PromiseChecks {
 public:
  // Requires names of promises, at least one. `wanted` is for all of them; where there are several,
  // counterexamples are saved under names of their own, and certificates in folders of their own.
  PromiseChecks(const ProgramInput& input, Wanted wanted, const std::vector<std::string>& names,
                Notes notes = {});

  // One after the other, each with an equal share of the time that is left.
  void run(std::chrono::milliseconds length);
  const std::vector<PromiseCheck>& all() const { return checks_; }
  // Of those that have an answer; until write_outputs().
  std::vector<const report::CheckReport*> reports() const;
  // Whether what follows the searches has to end.
  Stop after_search() const { return checks_.back().session->after_search(); }

  // Writes what is wanted for other tools, which takes the reports; gives back all that failed. Of
  // several promises, each has a folder of its own in those that show runs, and the page shows all
  // of them.
  std::vector<Error> write_outputs();

 private:
  bool several() const { return checks_.size() > 1; }

  Wanted wanted_;
  const Notes notes_;
  Budget whole_{std::chrono::milliseconds(0)};
  std::vector<PromiseCheck> checks_;
};

}  // namespace clew::check
