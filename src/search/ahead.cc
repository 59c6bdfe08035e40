#include "search/ahead.h"

#include <algorithm>
#include <system_error>

namespace clew::search {

bool Ahead::is_known(const FaultModel& model) const {
  return std::ranges::any_of(tasks_, [&](const Task& task) { return task.model == model; });
}

Verdict Ahead::get(const FaultModel& model,
                   const std::function<FaultModel(const FaultModel&)>& next) {
  FaultModel likely = model;
  for (size_t i = 1; i < jobs_; ++i) {
    likely = next(likely);
    if (is_known(likely)) continue;
    try {
      tasks_.push_back({likely, std::async(std::launch::async, check_, likely)});
    } catch (const std::system_error&) {
      break;  // there is no room for another thread
    }
  }
  auto task = std::ranges::find_if(tasks_, [&](const Task& t) { return t.model == model; });
  if (task == tasks_.end()) return check_(model);
  Verdict verdict = task->verdict.get();
  tasks_.erase(task);
  return verdict;
}

}  // namespace clew::search
