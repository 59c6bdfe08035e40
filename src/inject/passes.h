// Which calls may pass the gate (surface/gate.h), and what is recorded of those that have.
//
// First of all, whatever has happened, drain(). Of a call that is about to be made, changes()
// first, then offer(): the next one like it may pass.
//
// A call may pass if it would be recorded as the same point, and nothing would fail there. What
// would be recorded of a descriptor can change when it is closed or replaced, when files get other
// names, when sockets get other ends, or threads and processes other names: then what was offered
// is withdrawn, and while such a call is under way nothing is offered. Files and sockets only:
// what is printed must come in one order with the lines that are read.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "inject/recorder.h"
#include "inject/surface/gate.h"

namespace clew::inject {

class Passes {
 public:
  // Null: there is no gate, and nothing is done.
  Passes(Gate* gate, Recorder& recorder) : gate_(gate), recorder_(&recorder) {}

  bool is_on() const { return gate_ != nullptr && !closed_; }
  void close();  // for good

  // Records what has passed. `finish` is told the results of calls that are recorded.
  using Finish = std::function<void(pid_t thread, size_t number, int64_t result)>;
  void drain(const Finish& finish);
  // The recorder's number of a call that has passed, and is now under way otherwise.
  std::optional<size_t> take(pid_t thread);

  // Before a call that is made. True: it changes what others are called until it is done, and its
  // result has to be told to settled().
  bool changes(const StoppedCall& call, const Object& object, const Object& object2);
  void settled(const StoppedCall& call);
  // Of a thread that is in no call any more, whatever has become of its last one.
  void arrived(pid_t thread) { unsettled_.erase(thread); }
  void offer(const StoppedCall& call, const Call& made, const SameStack& same);

  void withdraw_all();
  void withdraw_sockets();
  void withdraw_thread(pid_t thread);
  void forget(pid_t thread);

 private:
  struct Pass {
    pid_t thread = 0, process = 0;
    int descriptor = -1;
    Call call;
  };

  void record(const Gate::Passed& passed, const Finish& finish);
  void withdraw_if(const std::function<bool(const Pass&)>& which);

  Gate* gate_;
  Recorder* recorder_;
  bool closed_ = false;
  bool no_sockets_ = false;   // standard output may be one
  std::vector<Pass> passes_;  // by number, from 1
  std::set<uint64_t> offered_;
  std::map<pid_t, size_t> under_way_;  // the recorder's numbers
  std::set<pid_t> unsettled_;
};

}  // namespace clew::inject
