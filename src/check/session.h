// One check from its bounds to its end: asks the Checker once, for growing bounds (a sweep), or
// many times (the campaigns of the random adversary); then confirms and saves counterexamples, or
// writes the certificate.
//
//   Session session(input, wanted, std::chrono::seconds(120), notes);
//   Ending ending = session.run();
//   to_stdout("{}", report::to_text(ending.report));
//   session.write_runs(session.record(std::move(ending)));
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/budget.h"
#include "check/checker.h"
#include "check/exports.h"
#include "check/notes.h"
#include "check/program_input.h"
#include "domain/work.h"
#include "report/check_report.h"

namespace clew::check {

// What a sweep does by default, once it knows something robust: about a second's work.
inline constexpr Work kDefaultEffort{.ticks = 10'000, .clauses = 30'000};

// What somebody wants to know.
struct Wanted {
  FaultModel model;              // valid; what is swept grows from here
  std::optional<Tick> eot, eff;  // of the model; what is not given is swept
  CheckSettings settings{};
  // A sweep ends after so much; it then works with one thread, so that it always ends alike.
  std::optional<Work> effort{};
  size_t jobs = 1;                           // threads of a sweep
  std::string save;                          // where counterexamples go
  std::string certificate;                   // a folder; empty: none is wanted
  std::vector<std::string> allow_vacuous{};  // promises that need not apply
  bool among_others = false;                 // other promises of the program are checked as well
  Outputs outputs{};

  // No sweep.
  bool fixed() const { return eot && eff; }
};

// How much of its time a check searches: a sweep goes on as long as it may, and so may the search
// for all counterexamples. They leave some for what is wanted of their end.
std::chrono::milliseconds search_length(const Wanted& wanted, std::chrono::milliseconds whole);

// How a check ended.
struct Ending {
  report::CheckReport report;
  // The report answers, or says why there is no answer. If not, the check failed: the program made
  // a mistake in a run (diagnostics), or promises nothing (errors).
  bool answered = true;
  // The user interrupted it before all was done that was wanted.
  bool interrupted = false;
  Diagnostics diagnostics{};
  std::vector<Error> errors{};  // what is wrong, and what could not be written
};

class Session {
 public:
  // `input` outlives this, and makes one promise. The time runs from now on.
  Session(const ProgramInput& input, Wanted wanted, std::chrono::milliseconds length,
          Notes notes = {});

  // Once.
  Ending run();
  // After run(), for other tools: what was tried (the ending's report goes into it), and writing
  // what shows runs.
  report::Record record(Ending&& ending) const;
  std::vector<Error> write_runs(const report::Record& record);
  // Whether what follows the search has to end.
  Stop after_search() const {
    return [this] { return rest_.used_up(); };
  }
  // Other checks came in between: from now on there is so much time for what is left to do.
  void go_on_within(const Budget& rest) { rest_ = rest; }

 private:
  void search(report::CheckReport& report);
  void run_campaigns(report::CheckReport& report);
  void sweep(report::CheckReport& report);
  Verdict check_within_effort(const FaultModel& model);
  Work work();
  bool must_stop();

  void finish(Ending& ending);
  void finish_broken(Ending& ending);
  void finish_robust(Ending& ending);
  void fail_run(Ending& ending) const;
  void find_coverage(Ending& ending);
  Status certify(const FaultModel& model) const;

  const ProgramInput& input_;
  Wanted wanted_;
  const Notes notes_;
  std::shared_ptr<const dedalus::LoweredProgram> lowered_;
  Budget budget_;
  Budget search_;            // the part of it for the search
  Budget rest_;              // what follows the search
  std::string why_ended_{};  // the search, if it did not end by itself
  Progress progress_;
  Checker checker_;
  uint64_t ticks_looked_at_ = 0;  // by the sweep itself
  bool robust_so_far_ = false;
  std::atomic<bool> over_ = false;  // threads that are still at work may stop
};

}  // namespace clew::check
