// A way past the tracer for calls that it knows already. Two stops a call cost some 16
// microseconds; a call that passes the gate costs a fraction of one.
//
// The tracer has one (Tracer's constructor), and gives it to processes. Whoever watches offers what
// may pass, in before(), drains what has passed since, and withdraws offers.
//
// The tracer patches places in the C library of a process where a system call is made: they jump to
// code of ours (gate_code.h). This compares place, descriptor, stack pointer, and the words of the
// stack that decided how the tracer's walk went, with what the tracer has offered. If all are the
// same, it is the same point: it notes the call in a ring that it shares with the tracer, and makes
// it through the one `syscall` that the filter lets pass. Else the call is made where it always
// was, with the registers and stack that it always had, and the tracer sees it there.
//
// A thread has a lane of its own, which only it writes calls to and which the register GS points
// at. A new thread, or child, stops before its first instruction and is given another one, or one
// that is closed for ever. A signal finds no thread in the code of the gate: it is first put back
// to where it came from, and its note is taken back, or to where it goes, with its result.
//
// The memory is shared with the process, which may have overwritten it: a ring that cannot be is
// told as damage, and closed.
#pragma once

#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "inject/surface/gate_ring.h"
#include "inject/surface/gate_sites.h"
#include "inject/surface/maps.h"
#include "inject/surface/stacks.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

class RemoteCalls;

class Gate {
 public:
  explicit Gate(uint32_t last_root);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // For whoever watches.
  // Gives back what was offered in its place before, 0 if nothing was. Nothing: it cannot be.
  std::optional<uint64_t> offer(const StoppedCall& call, const SameStack& same, uint64_t number);
  void withdraw(pid_t thread, uint64_t number);
  void withdraw_all();
  struct Passed : RingNews {
    pid_t thread = 0;
  };
  // In the order in which they began.
  void drain(const std::function<void(const Passed&)>& tell);
  bool is_open() const { return !threads_.empty(); }

  // For the tracer.
  bool serves(uint32_t root) const { return memory_ != nullptr && root <= last_root_; }
  // Gives a process a gate, while its only thread is stopped before a call.
  struct Opened {
    bool again = false;          // it makes that call anew, when it goes on
    std::optional<int> ended{};  // it is gone, with this status
  };
  Opened open(pid_t process, pid_t thread, const user_regs_struct& registers);
  bool has(pid_t process) const { return processes_.contains(process); }
  // Of a thread or child before its first instruction, that has the registers of another one.
  void began(pid_t process, pid_t thread, pid_t parent);
  void ended(pid_t thread);    // its lane is free
  void forget(pid_t process);  // it has another program now, or is gone
  // Of a thread that a signal stops: out of the gate. The call, if it is one that was interrupted
  // and has been noted: the watcher is told (Watcher::interrupted).
  std::optional<StoppedCall> leave(uint32_t root, pid_t process, pid_t thread);

 private:
  struct Site : GateSite {
    uint64_t base = 0;  // of the code that `at` and `call_at` count from
    uint64_t stub = 0, again = 0;
  };
  struct Process {
    std::vector<Site> sites{};  // the first has number 1
    uint64_t stubs = 0, stubs_end = 0;
  };
  struct Thread {
    size_t lane = 0;
    pid_t process = 0;
    RingReader ring{};
    std::map<uint64_t, size_t> offers{};  // entries by number
  };

  GateLane& lane(size_t number) const;
  const std::vector<GateSite>& sites_of(pid_t process, const Mapping& code);
  bool map(RemoteCalls& remote, pid_t thread, uint64_t sp, uint64_t stubs, uint64_t bytes) const;
  static bool patch(pid_t thread, Process& made);
  bool join(pid_t thread, pid_t process);
  void close(Thread& thread) const;

  uint32_t last_root_;
  Descriptor file_;
  char* memory_ = nullptr;
  std::vector<bool> used_;
  std::map<pid_t, std::shared_ptr<Process>> processes_;
  std::map<pid_t, Thread> threads_;
  std::map<std::string, std::vector<GateSite>> known_;  // by module
};

}  // namespace clew::inject
