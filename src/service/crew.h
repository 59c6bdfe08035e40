// Makes Trials, several runs at a time, and gives them back in the order in which they were wished
// for.
//
//   Crew crew(runner, looker, nullptr, stop);
//   crew.wish({.plan = first}), crew.wish({.plan = second});
//   Result<Trial> trial = crew.take();                     // of `first`, whichever run ends first
//   Result<Trial> replays = crew.now({.plan = first, .times = 5});      // before `second`
//
// A run in which some failure was never reached, or that could not be made, is made again, twice.
// Observed runs are looked at when they are taken, in their order, so that whatever gets numbers
// then gets the same ones whatever the number of jobs. A History that knows a Trial already gives
// it: as long as it does, nothing is run.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/stop.h"
#include "inject/runner.h"
#include "service/history.h"
#include "service/look.h"
#include "service/trial.h"

namespace clew::service {

inline constexpr uint32_t kMostAttempts = 3;

class Crew {
 public:
  // All outlive this; `history` may be null.
  Crew(inject::Runner& runner, Looker& looker, History* history, Stop stop);

  void wish(Wish wish);
  size_t wished() const { return tasks_.size(); }
  // Requires that something is wished for. An Error if a run cannot be judged, or if the history is
  // about another campaign. Throws Stopped.
  Result<Trial> take();
  Result<Trial> now(Wish wish);
  // Runs the plan until it violates the promise, at most so many times; no history hears of it.
  std::optional<inject::Observed> show(const inject::Plan& plan, uint32_t promise, uint32_t most);

  size_t runs() const { return runs_; }  // of all Trials taken
  size_t started() const { return ticket_; }

 private:
  // One of the runs of a Trial.
  struct Job {
    uint32_t runs = 0;
    bool running = false;
    std::optional<inject::Observed> observed{};
  };
  struct Task {
    Wish wish;
    std::vector<Job> jobs;
  };
  using Tasks = std::list<Task>;

  static Task task_of(Wish wish);
  Result<Trial> finish(Tasks::iterator task);
  Result<Trial> look_at(Task& task);
  void run_until_done(const Task& task);
  void start_some();
  void start(Task& task, size_t job);
  void collect();

  inject::Runner& runner_;
  Looker& looker_;
  History* history_;
  Stop stop_;
  Tasks tasks_;
  std::map<uint64_t, std::pair<Task*, size_t>> running_;  // by ticket
  uint64_t ticket_ = 0;
  size_t runs_ = 0;
};

}  // namespace clew::service
