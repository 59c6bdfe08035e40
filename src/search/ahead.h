// Checks bounds that a sweep will probably come to while it is still busy with others.
//
//   Ahead ahead(2, check);
//   Verdict verdict = ahead.get(model, next_bounds);   // meanwhile others begin with the next
#pragma once

#include <functional>
#include <future>
#include <list>
#include <vector>

#include "domain/verdict.h"

namespace clew::search {

class Ahead {
 public:
  using Check = std::function<Verdict(const FaultModel&)>;

  // `check` is called by `jobs` threads at a time and must end soon once the budget is used up.
  Ahead(size_t jobs, Check check) : jobs_(jobs), check_(std::move(check)) {}

  // The verdict for `model`. Other threads begin with what `next` says comes after it.
  Verdict get(const FaultModel& model, const std::function<FaultModel(const FaultModel&)>& next);

 private:
  struct Task {
    FaultModel model;
    std::future<Verdict> verdict;
  };

  bool is_known(const FaultModel& model) const;

  size_t jobs_;
  Check check_;
  std::list<Task> tasks_;
};

}  // namespace clew::search
