// One campaign: runs a target without failures, then under one combination of failures after the
// other, until all within the bounds were tried or the budget is used up.
//
//   Session session(wanted, runner, judging, notes, budget);
//   Result<Report> report = session.run();
//
// 1. Without failures, some times: which points there are, and which are stable. A violation ends
//    it here.
// 2. With lineage: what would cut all that the good outcomes rest on, as long as there is
// something.
// 3. Everything else, single failures first, in the order of Search.
// 4. What violates is made smaller, grouped by cause and replayed as soon as it is found, so that
//    whatever ends the campaign, what was found is whole.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "check/budget.h"
#include "check/notes.h"
#include "domain/scenario.h"
#include "inject/runner.h"
#include "inject/target.h"
#include "service/causes.h"
#include "service/coverage.h"
#include "service/crew.h"
#include "service/guide.h"
#include "service/history.h"
#include "service/judging.h"
#include "service/known.h"
#include "service/progress.h"
#include "service/report.h"
#include "service/search.h"

namespace clew::service {

struct Wanted {
  inject::Target target;      // with what flags say instead of the file
  uint32_t failure_free = 3;  // runs without failures
  uint32_t replays = 5;       // of each cause
  bool lineage = true;        // the lineage adversary proposes first
  bool first = false;         // end with the first violation
  size_t effort = SIZE_MAX;   // end after so many combinations tried
  std::string save{};         // where Scenarios go: NAME.json, NAME.2.json, ...; empty: nowhere
  std::string resume{};       // the history file; empty: none
};

// The target file and the rules as a Scenario names them.
std::vector<ProgramFile> fingerprints(const inject::Target& target);
bool have_changed(const Scenario& scenario, const inject::Target& target);

// What a history is bound to: the target file, rules, programs that the target runs, and settings.
Bound bound_to(const Wanted& wanted);

class Session {
 public:
  // All but `wanted` and `notes` outlive this.
  Session(Wanted wanted, inject::Runner& runner, Judging& judging, check::Notes notes,
          const check::Budget& budget);

  // Once. An Error is the user's or the environment's: the target does not run without failures, a
  // rule fails, a file cannot be written. Whatever ends it early keeps what was found; throws
  // Stopped if it ends before the runs without failures have.
  Result<Report> run();
  // Only the runs without failures: which points there are. `counts` and `groups` stay empty.
  Result<Report> look_around();
  // Runs a saved Scenario `replays` times: one Group, which says in how many runs all failures
  // struck, and in how many of these the promise was violated. The kind is kViolated, kNothing, or,
  // if they never struck, kNoPoint.
  Result<Report> replay(const Scenario& scenario);

 private:
  void begin_report();
  Status open_history();
  Result<Trial> try_without_failures();
  bool must_end();
  uint32_t times_for(const Combination& combination) const;
  Status go_through_all();
  bool is_guiding() const { return guide_ != nullptr; }
  void begin_guiding(const Trial& first);
  void ask_guide();
  bool go_towards(const Combination& wanted);
  Status take_one();
  Status settle(uint32_t item, const Trial& trial);

  Status keep_violation(const Combination& combination, const Trial& trial);
  Result<Cause> find_cause(const Combination& combination, size_t promise);
  Group* find_group(const Combination& combination, size_t promise);
  size_t group_of(const Cause& cause, size_t promise, const Trial& trial);
  std::string sign_of(const Combination& combination, const Trial& trial) const;
  Status replay_rest();
  Status replay_group(size_t index);
  Status tell_group(size_t index, inject::Observed observed);
  void tell_groups();
  Scenario scenario_of(const Group& group) const;
  Status save_groups();

  void note_looks(const Trial& trial);
  void describe_points();
  void count_combinations();
  Result<Report> finish();
  Result<Report> replay_wish(const Wish& wish, size_t promise);

  Wanted wanted_;
  inject::Runner& runner_;
  Judging& judging_;
  check::Notes notes_;
  const check::Budget& budget_;
  Known known_;
  std::optional<History> history_;
  Looker looker_;
  std::unique_ptr<Crew> crew_;
  Search search_;
  Coverage coverage_;
  std::unique_ptr<Guide> guide_;       // as long as it has something to propose
  std::vector<Combination> proposed_;  // by it, waiting for runs of what strikes before
  Progress progress_;
  Report report_;
  std::vector<Look> failure_free_;
  std::deque<uint32_t> under_way_;  // items of the search
  // What is known of combinations, promise by promise.
  std::unordered_map<Combination, std::vector<bool>, CombinationHash> verdicts_;
  struct Grouped {
    Combination combination;
    CauseKey key;
    std::vector<size_t> promises;
    std::string sign;  // what like() compares
  };
  std::vector<Grouped> grouped_;  // as report_.groups
  std::set<uint32_t> failed_;     // items whose runs could not be made
  size_t tried_ = 0;
};

}  // namespace clew::service
