// One line on a terminal that says how far a check is: in words, once something is known to be
// robust. Silent if the Notes cannot show it. Any thread may call it.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>

#include "check/budget.h"
#include "check/notes.h"
#include "domain/verdict.h"

namespace clew::check {

// "robust so far: 42 ticks, losses in the first 40, 1 crash; Ctrl-C keeps this"
std::string robust_in_words(const FaultModel& model);

class Progress {
 public:
  Progress(const Budget& budget, Notes notes);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // A new stage, such as "grounding"; shown at the next chance.
  void stage(const FaultModel& model, const std::string& what);
  void show(const Verdict& so_far);
  // From now on it is said that these bounds are known to be robust.
  void robust(const FaultModel& model);
  // The share of the FaultSets that need not be tried any more, while a run is being chosen.
  void settle(const FaultModel& model, double share);
  // Called often; draws ten times a second.
  void tick();
  void clear();

 private:
  void draw_if_due();

  const Budget& budget_;
  const Notes notes_;
  const bool enabled_;
  std::mutex mutex_;
  bool drawn_ = false;
  FaultModel model_;
  std::optional<FaultModel> robust_;
  std::string what_;
  std::optional<double> settled_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace clew::check
