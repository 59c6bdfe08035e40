// Keeps an exploration in a file, as `clew` asks for it: {"path": ..., "head": ...,
// "milliseconds": ...} (program.h).
// It loads what is there if that is of the same head, which is what comes next.
//
// The file has what an engine has (checkpoint.h), and before that what else is counted: handlers,
// by whose number `clew` names one that ends the process, and how often promises applied.
//
// Saving takes a fiftieth of the time at most.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "explore/checkpoint.h"
#include "explore/cluster.h"
#include "explore/promises.h"

namespace clew::explore {

// What is counted besides.
struct Counts {
  std::function<uint64_t()> handlers;
  std::function<void(uint64_t)> set_handlers;
  Promises* promises = nullptr;
};

class Keeper {
 public:
  using Say = std::function<void(const nlohmann::json& progress)>;

  Keeper(const nlohmann::json& question, Counts counts, Say say);

  // Throws a Mistake if the file has something that cannot be.
  template <class Engine>
  void load(Engine& engine) {
    std::optional<Loader> in = open();
    if (in && !(load_counts(*in) && engine.load(*in))) refuse();
  }
  template <class Engine>
  void save(const Engine& engine) {
    if (path_.empty()) return;
    write([&](Saver& out) { engine.save(out); });
  }
  template <class Engine>
  void save_if_due(const Engine& engine) {
    if (!path_.empty() && Clock::now() >= due_) save(engine);
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<Loader> open() const;
  bool load_counts(Loader& in) const;
  [[noreturn]] void refuse() const;
  void write(const std::function<void(Saver&)>& save_engine);

  std::string path_;  // empty: nobody wants it
  std::string head_;
  std::chrono::milliseconds before_{0};
  Counts counts_;
  Say say_;
  Clock::time_point since_ = Clock::now(), due_;
};

}  // namespace clew::explore
