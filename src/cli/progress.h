// One line on a terminal that says how far a check is. Silent if stderr is not a terminal.
#pragma once

#include <chrono>
#include <string>

#include "cli/budget.h"
#include "domain/verdict.h"

namespace clew::cli {

class Progress {
 public:
  Progress(const Budget& budget, bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // A new stage, such as "grounding"; shown at the next chance.
  void stage(const FaultModel& model, const std::string& what);
  void show(const Verdict& so_far);
  // Called often; draws ten times a second.
  void tick();
  void clear();

 private:
  void draw();

  const Budget& budget_;
  bool enabled_;
  bool drawn_ = false;
  std::string bounds_;
  std::string what_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace clew::cli
