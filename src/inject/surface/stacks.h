// The stack of a stopped thread, as text that is the same in every run.
//
//   Stacks stacks(cache);
//   std::vector<std::string> frames = stacks.walk(call);   // innermost first, at most 32
//
// By the call frame information of .eh_frame, else by frame pointers. The rule for a place in a
// module (how to get the caller's registers) and the name of that place (function, file and line by
// DWARF, else module and offset) are found once and kept in a StackCache, which outlives the
// processes and can be sent from one of ours to another. An undefined return address ends the walk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inject/surface/tracer.h"

namespace clew::inject {

// Keyed by a module's path and build id, and the offset in it.
class StackCache {
 public:
  StackCache();
  ~StackCache();
  StackCache(const StackCache&) = delete;
  StackCache& operator=(const StackCache&) = delete;

  // What was learned since the last call, as bytes, and the other way round. What cannot be decoded
  // changes nothing: false.
  std::string take_news();
  bool add_news(const std::string& bytes);

  struct Module;
  std::unique_ptr<std::map<std::string, std::unique_ptr<Module>>> modules;
};

class Stacks {
 public:
  explicit Stacks(StackCache& cache);
  ~Stacks();

  struct Walked {
    std::vector<std::string> frames;
    bool truncated = false;  // it ended where nobody knew how to go on
  };
  Walked walk(const StoppedCall& call);
  void forget(pid_t process);  // it executes another program, is gone, or has mapped modules anew

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clew::inject
