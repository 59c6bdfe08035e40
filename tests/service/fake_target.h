// A target that is simulated: a program of steps, each a call at a point, with what it does when
// the call fails. No processes; the same plan gives the same run, unless a step is fickle.
//
//   FakeTarget fake;
//   fake.steps = {{.point = "a"}, {.point = "b", .error_path = {{.point = "c"}}}};
//   fake.bugs = {{.failures = {"EIO@b"}}};                    // by the name of the point
//   FakeRunner runner(fake, 2, 1);                            // 2 jobs that end in any order
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "inject/runner.h"
#include "inject/target.h"
#include "service/judging.h"

namespace clew::service {

struct FakeStep {
  std::string point;                   // also the file that the call is about
  std::vector<FakeStep> error_path{};  // what follows if the call fails
  bool gives_up = false;               // and after that nothing of what comes after this step
  std::vector<FakeStep> recovery{};    // what follows if the node is killed here
  bool stays_down = false;             // and nothing after that
  double fickle = 0;                   // so often the step is left out
  inject::Io io = inject::Io::kWrite;
  std::string node = "n";
  std::string tells{};  // a fact, if the call does not fail
};

struct FakeTarget {
  // If all of these struck, or, of no failures, always, the promise is violated.
  struct Bug {
    std::vector<std::string> failures{};  // as printed, with the point's name for its id
    uint32_t promise = 0;
    double fickle = 0;  // so often it does not show
  };

  std::vector<FakeStep> steps;
  std::vector<Bug> bugs{};
  size_t promises = 1;
  std::set<uint32_t> vacuous{};
  bool restarts = false;              // a node that was killed begins another life
  std::vector<std::string> states{};  // crash states of every power cut, `none` included
  inject::Observed::Ending ending = inject::Observed::Ending::kDone;  // without failures
  std::string hangs_at{};                                             // a failure: then it hangs
  std::string cannot_run{};                                           // a failure: no run is made

  inject::Observed run(const inject::Plan& plan, uint64_t seed) const;
};

// Of `steps` and all that may follow.
std::map<std::string, inject::Point> points_of(const FakeTarget& fake);
inject::Point fake_point(const std::string& name, const std::string& node = "n",
                         inject::Io io = inject::Io::kWrite);
// `EIO@b#2` with the id of the point `b`.
inject::Failure fake_failure(const std::string& text);
inject::Plan fake_plan(const std::vector<std::string>& texts);
// The other way round, for people.
std::string in_names(const inject::Plan& plan, const FakeTarget& fake);

// A Target that goes with it.
inject::Target target_of(const FakeTarget& fake, uint32_t most_failures);

class FakeRunner : public inject::Runner {
 public:
  // Which run ends first depends on `seed`.
  FakeRunner(const FakeTarget& fake, size_t jobs, uint64_t seed)
      : fake_(fake), jobs_(jobs), random_(seed) {}

  size_t jobs() const override { return jobs_; }
  void start(uint64_t ticket, const inject::Plan& plan) override;
  inject::Finished next() override;

  std::vector<inject::Plan> started{};
  std::optional<size_t> stops_after{};  // so many runs: then next() throws

 private:
  const FakeTarget& fake_;
  size_t jobs_;
  Random random_;
  std::vector<std::pair<uint64_t, inject::Plan>> running_;
  std::map<std::string, uint64_t> times_;  // that a plan was run
};

// By the facts that the target tells: `violated(0)`, `vacuous(1)`.
class FakeJudging : public Judging {
 public:
  explicit FakeJudging(size_t promises);

  const std::vector<std::string>& promises() const override { return names_; }
  Result<Run> judge(const inject::Plan& plan, const inject::Observed& seen, Detail detail) override;
  std::vector<check::Broken> explain(const Run& run) override;

  std::string error{};  // judging fails with it

 private:
  std::vector<std::string> names_;
};

// Every fake plan of at most so many failures of those given that strikes as a whole, by trying.
std::set<inject::Plan> all_that_strike(const FakeTarget& fake,
                                       const std::vector<inject::Failure>& failures, size_t most);
// All failures that may strike in some run under at most so many of them.
std::vector<inject::Failure> all_failures(const FakeTarget& fake, const inject::Target& target,
                                          size_t most);

// A target with steps, error paths and recoveries of any shape, and some bugs.
FakeTarget random_target(Random& random, uint32_t points, bool fickle);

}  // namespace clew::service
