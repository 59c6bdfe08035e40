#include "service/crew.h"

#include <algorithm>
#include <set>

#include "base/check.h"

namespace clew::service {

namespace {

using inject::Observed;

// Nothing is gained by another run.
bool is_enough(const Observed& seen, const inject::Plan& plan) {
  const bool ran = seen.ending == Observed::Ending::kDone || seen.ending == Observed::Ending::kHung;
  return ran && std::set(seen.reached.begin(), seen.reached.end()).size() == plan.size();
}

}  // namespace

Crew::Crew(inject::Runner& runner, Looker& looker, History* history, Stop stop)
    : runner_(runner), looker_(looker), history_(history), stop_(std::move(stop)) {}

Crew::Task Crew::task_of(Wish wish) {
  CHECK(wish.times > 0, "no run is wished for");
  Task task{std::move(wish), {}};
  task.jobs.resize(task.wish.times);
  return task;
}

void Crew::wish(Wish wish) { tasks_.push_back(task_of(std::move(wish))); }

Result<Trial> Crew::take() {
  CHECK(!tasks_.empty(), "nothing is wished for");
  return finish(tasks_.begin());
}

Result<Trial> Crew::now(Wish wish) {
  tasks_.push_front(task_of(std::move(wish)));
  return finish(tasks_.begin());
}

Result<Trial> Crew::finish(Tasks::iterator task) {
  const bool known = history_ != nullptr && history_->knows_next();
  if (!known) run_until_done(*task);
  Result<Trial> trial = known ? history_->next(task->wish) : look_at(*task);
  tasks_.erase(task);
  if (!trial.ok()) return trial;
  if (!known && history_ != nullptr) history_->add(*trial);
  runs_ += trial->runs();
  return trial;
}

Result<Trial> Crew::look_at(Task& task) {
  Trial trial{task.wish, {}};
  for (Job& job : task.jobs) {
    Result<Look> look = looker_.look(task.wish.plan, *job.observed);
    if (!look.ok()) return look.error();
    look->runs = job.runs;
    const bool keeps = task.wish.keep && !trial.kept && look->violates(*task.wish.keep);
    if (keeps) trial.kept = std::move(job.observed);
    trial.looks.push_back(*std::move(look));
  }
  return trial;
}

std::optional<Observed> Crew::show(const inject::Plan& plan, uint32_t promise, uint32_t most) {
  for (uint32_t i = 0; i < most; ++i) {
    tasks_.push_front(task_of({.plan = plan, .times = 1, .keep = promise}));
    run_until_done(tasks_.front());
    Result<Trial> trial = look_at(tasks_.front());
    tasks_.pop_front();
    if (!trial.ok()) return std::nullopt;
    if (trial->kept) return std::move(trial->kept);
  }
  return std::nullopt;
}

void Crew::run_until_done(const Task& task) {
  const auto done = [](const Job& job) { return job.observed.has_value(); };
  while (!std::ranges::all_of(task.jobs, done)) {
    if (stop_ && stop_()) throw Stopped();
    start_some();
    collect();
  }
}

// Those that were wished for first come first.
void Crew::start_some() {
  for (Task& task : tasks_) {
    for (size_t job = 0; job < task.jobs.size(); ++job) {
      if (running_.size() >= runner_.jobs()) return;
      if (!task.jobs[job].running && !task.jobs[job].observed) start(task, job);
    }
  }
}

void Crew::start(Task& task, size_t job) {
  ++task.jobs[job].runs;
  task.jobs[job].running = true;
  running_.emplace(++ticket_, std::pair(&task, job));
  runner_.start(ticket_, task.wish.plan);
}

void Crew::collect() {
  inject::Finished finished = runner_.next();
  const auto at = running_.find(finished.ticket);
  CHECK(at != running_.end(), "nobody has started run {}", finished.ticket);
  const auto [task, number] = at->second;
  running_.erase(at);
  Job& job = task->jobs[number];
  job.running = false;
  if (!is_enough(finished.observed, task->wish.plan) && job.runs < kMostAttempts) {
    start(*task, number);
  } else {
    job.observed = std::move(finished.observed);
  }
}

}  // namespace clew::service
