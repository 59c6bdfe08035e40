// The stack of a stopped thread, as text that is the same in every run.
//
//   Stacks stacks(cache);
//   const Stacks::Walked walked = stacks.walk(call);
//   walked.frames;                     // innermost first, at most 32
//
// By the call frame information of .eh_frame, read from the memory of the process, else by frame
// pointers. The rule for a place in a module (how to get the caller's registers) and the names of
// that place (module_file.h) are found once and kept in a StackCache, which outlives the processes
// and can be sent from one of ours to another. An undefined return address ends the walk. Nothing
// that a process or its files contain does more harm than that the walk ends, or a name is missing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "inject/surface/tracer.h"

namespace clew::inject {

// Keyed by a module's name and build id, and the offset in it.
class StackCache {
 public:
  StackCache();
  ~StackCache();
  StackCache(const StackCache&) = delete;
  StackCache& operator=(const StackCache&) = delete;

  // What was learned since the last call, as bytes, and the other way round. What cannot be decoded
  // changes nothing: false.
  std::string take_news() const;
  bool add_news(const std::string& bytes) const;

  struct Module;
  std::unique_ptr<std::map<std::string, std::unique_ptr<Module>>> modules;
};

// What a walk depended on, besides where it began and what is mapped: if that is as it was, and the
// call is made at the same place with the same stack pointer, the stack has the same frames. In
// order, each of these words lies in a frame that the ones before it determine.
struct StackWord {
  uint64_t address = 0, value = 0;
};
struct SameStack {
  bool is_known = true;  // false: it depended on something else
  bool uses_bp = false;  // on RBP as it was at the call
  std::vector<StackWord> words{};
};

class Stacks {
 public:
  explicit Stacks(StackCache& cache);
  ~Stacks();

  struct Walked {
    std::vector<std::string> frames;
    bool truncated = false;  // it ended where nobody knew how to go on
    SameStack same{};
  };
  Walked walk(const StoppedCall& call);
  void forget(pid_t process);  // it executes another program, is gone, or has mapped modules anew

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clew::inject
