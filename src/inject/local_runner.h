// Runs a target on this machine: each run in a world of its own, several at a time.
//
//   Result<std::unique_ptr<LocalRunner>> runner = LocalRunner::make(target, {.jobs = 2});
//   (*runner)->start(1, {});
//   Finished done = (*runner)->next();
//
// For each run there are two processes of ours. The inner one is the first of its world, the tracer
// of all in it; when it is gone, so is everything. The outer one waits for it and ends it when
// Clew wants that, or is gone:
//
//   Clew --fork--> outer: leave() --fork--> inner: World::build, conduct() --pipe--> Clew
//     |  SIGTERM, or the end of Clew ---^  |  SIGKILL, or the end of outer --^
//
// start() forks: it is called by one thread, which lives as long as the runner. With
// `isolate = false` there is one run at a time, in the real state folders. These are put back when
// the runner goes, and also if Clew is killed meanwhile.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/stop.h"
#include "base/temporary.h"
#include "inject/runner.h"
#include "inject/surface/stacks.h"
#include "inject/target.h"

namespace clew::inject {

class LocalRunner : public Runner {
 public:
  struct Options {
    size_t jobs = 0;  // 0: as many as there are processors
    Stop stop{};      // ends all runs, by Stopped out of next()
    // A folder that is there: gets the state folders as 0, 1, ... as the first power cut of a run
    // has left them. For one run.
    std::string keep_cut{};
  };
  // An Error says what this machine does not permit, and what still works.
  static Result<std::unique_ptr<LocalRunner>> make(Target target, Options options);
  ~LocalRunner() override;  // ends all runs
  LocalRunner(const LocalRunner&) = delete;
  LocalRunner& operator=(const LocalRunner&) = delete;

  size_t jobs() const override { return options_.jobs; }
  void start(uint64_t ticket, const Plan& plan) override;
  Finished next() override;

 private:
  using Clock = std::chrono::steady_clock;

  struct Run {
    uint64_t ticket = 0;
    pid_t outer = 0;
    Descriptor pipe{};
    std::string bytes{};
    Clock::time_point until{};
    bool late = false;
  };

  LocalRunner(Target target, Options options);

  Status keep_state();
  void restore_state() const;
  [[noreturn]] void be_outer(const Plan& plan, Descriptor pipe, pid_t clew);
  [[noreturn]] void be_inner(const Plan& plan, const Descriptor& pipe, const Descriptor& alive);
  void read(Run& run, bool& ended);
  void end_all();
  Finished finish(Run run);

  Target target_;
  Options options_;
  StackCache cache_;
  std::vector<Run> running_;
  Descriptor keep_cut_;                    // of the world outside, where it can be written
  std::unique_ptr<TemporaryFolder> kept_;  // the state as it was, without isolation
};

}  // namespace clew::inject
