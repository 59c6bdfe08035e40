// The end of `clew check`, for people and for programs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/run.h"
#include "domain/verdict.h"
#include "domain/work.h"
#include "explain/explanation.h"

namespace clew::report {

// A minimal counterexample.
struct Counterexample {
  Run run;               // its facts may be left out
  std::string scenario;  // the file it was saved as; empty if it was not
  size_t group = 0;      // counterexamples that are alike up to renaming nodes share a group
  // The violation is not there any more if the run lasts until this tick, or somewhat longer.
  std::optional<Tick> gone_at{};
  explain::Explanation explanation{};
};

// Repeated random campaigns.
struct CampaignStats {
  size_t count = 0;
  size_t found = 0;  // campaigns that saw a violation
  double mean_executions = 0;
  double mean_seconds = 0;
};

// What a robust verdict covers.
struct Coverage {
  size_t without_faults = 0;         // what was promised in the run without faults: tuples of `pre`
  size_t in_any_run = 0;             // in some admissible run
  bool counted_all = true;           // otherwise there may be more
  std::vector<std::string> never{};  // where rules stand that promise nothing in any admissible run
  bool known = true;                 // that the others do
};

struct CheckReport {
  std::string promise = "spec";  // its name
  std::string pre = "pre";       // what tells when it applies
  bool among_others = false;     // the program makes other promises, too
  std::optional<Coverage> coverage{};
  Verdict verdict;
  std::string adversary;
  double seconds = 0;
  bool swept = false;        // the bounds were found by a sweep
  bool cut_short = false;    // there was no time for more
  bool interrupted = false;  // by the user
  // What a sweep had done when it ended because that was enough.
  std::optional<Work> effort{};
  // A sweep found that the run without faults is violated, up to this EOT, the last it looked at.
  std::optional<Tick> violated_until{};
  std::vector<Verdict> steps{};  // of the sweep
  std::vector<Counterexample> counterexamples{};
  std::optional<CampaignStats> campaigns{};
  std::string certificate{};           // the folder it was written to
  std::optional<size_t> max_faults{};  // larger FaultSets were not considered
};

// The worst verdict of several promises. Requires one.
Verdict::Kind worst_of(std::span<const CheckReport* const> reports);

// The verdict in one line, without a newline.
std::string headline(const CheckReport& report);
// Ends in a newline. Says nothing that depends on how fast the machine is, except how far a sweep
// got, and what there was no time to draw (base/watched.h).
std::string to_text(const CheckReport& report);
std::string to_text(std::span<const CheckReport* const> reports);  // of several promises
// docs/formats/check.md
std::string to_json(const CheckReport& report);
std::string to_json(std::span<const CheckReport* const> reports);

}  // namespace clew::report
