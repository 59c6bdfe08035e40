// What a campaign has found, for people and for programs.
//
//   Result<Report> report = session.run();
//   report->kind == Report::Kind::kViolated;
//   for (const Group& group : report->groups) ...      // one for each cause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/judged.h"
#include "domain/scenario.h"
#include "inject/failure.h"
#include "inject/observed.h"

namespace clew::service {

// A failure point, and how the runs without failures showed it.
struct PointSeen {
  inject::Point point;
  std::string id;
  uint32_t runs = 0;  // without failures, that showed it; 0: it appears only after a failure
  // How often it was reached, in the run without failures with the fewest, and with the most.
  uint32_t fewest = 0, most = 0;
  size_t ids = 0;  // what can go wrong there

  // Each run without failures showed it equally often.
  bool stable() const { return fewest == most && fewest > 0; }
};

// Combinations of so many failures: each counts at one place.
struct Count {
  size_t failures = 1;
  size_t tried = 0;        // all failures struck, and the run was judged
  size_t violating = 0;    // of these
  size_t covered = 0;      // by the rule of docs/inject-coverage.md
  size_t not_reached = 0;  // some failure did not strike, however often it was tried
  size_t failed = 0;       // the run could not be made
  size_t left = 0;         // known, and not tried: the campaign ended before
  size_t unlikely = 0;     // of these, what would have come last
};

// Violations with one cause: failures that are enough, none of which can be left out.
struct Group {
  inject::Plan plan;                    // minimal, in the order of Plan; empty: it needs no failure
  std::vector<inject::Point> points{};  // of each failure of the plan
  std::vector<std::string> promises{};  // that it violates, in the order of the Report
  // Leaving out each failure was tried. False if the campaign ended before, or if a part of the
  // plan could not be tried.
  bool minimal = true;
  // The first group that is like it: failures at the same nodes, and the same promises about the
  // same things violated. Probably one mistake, so that it may be told in short. Such a group is
  // replayed when everything was tried.
  std::optional<size_t> like{};
  size_t violations = 1;              // combinations tried that this is enough for
  std::vector<inject::Plan> alike{};  // the first of them, without `plan`
  static constexpr size_t kMostAlike = 20;
  // k of n: so many runs of the plan, and in how many some promise of `promises` was violated.
  uint32_t replays = 0, violated = 0;
  // A run that violates: what happened, its facts and Outcomes, with Firings, and why. Nothing if
  // no run violated any more, or if there was no time.
  std::optional<inject::Observed> observed{};
  std::optional<Run> run{};
  std::vector<check::Broken> broken{};
  Scenario scenario{};  // replays it
  std::string saved{};  // the file; empty if it was not
};

struct Report {
  enum class Kind {
    kViolated,  // exit code 10
    kNothing,   // nothing within these bounds violates: exit code 0. It never says more.
    kBudget,    // nothing was found, and the campaign ended before all was tried: exit code 20
    kVacuous,   // no promise applied to any run in which a failure struck: exit code 2
    kNoPoint,   // there is no failure point, or no failure ever struck: exit code 2
  };

  struct Promise {
    std::string name;
    size_t applied = 0;   // to so many runs
    size_t tested = 0;    // of these, in so many a failure struck
    size_t violated = 0;  // in so many
  };

  Kind kind = Kind::kNothing;
  std::string target;             // path of the target file
  std::vector<NodeName> nodes{};  // in the order of the target file
  std::vector<Promise> promises{};
  uint32_t most_failures = 1;       // of one run
  uint32_t occurrences = 1;         // of a point: the first so many
  uint32_t failure_free = 0;        // runs
  std::vector<PointSeen> points{};  // in the order in which they were first seen
  size_t ids = 0;                   // of all points, whichever time they are reached
  std::vector<Count> counts{};      // by failures, from 1 on
  size_t runs = 0;                  // of the target, whatever for
  std::vector<Group> groups{};      // in the order found
  size_t hung = 0;                  // combinations tried whose run did not end by itself
  // With Wanted::lineage: so many combinations were tried because the lineage adversary proposed
  // them, or for the sake of what it proposed. `nothing_left`: it knew of nothing more to cut,
  // which proves nothing, since error paths do what no lineage shows. Neither: no run without
  // failures showed what its outcome rests on.
  size_t lineage_tried = 0;
  bool nothing_left = false;
  std::vector<inject::Warning> warnings{};  // sorted, distinct
  std::string why_ended{};                  // before all was tried; empty: it was not
  bool interrupted = false;                 // by the user
  std::string resumed{};                    // the history file that it went on from
  double seconds = 0;                       // for people; of all runs of this history

  size_t tried() const;  // combinations, of any size
};

}  // namespace clew::service
