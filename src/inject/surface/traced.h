// What the Tracer knows of the threads and processes it traces, and what it does with each stop of
// one. How a thread goes through a call:
//
//   RUNNING --seccomp: before()--> kGo --> RUNNING, or IN CALL --exit: after()--> RUNNING
//                                  kFail, kGive --> RUNNING, with a result
//                                  kKill --> HELD, until it is killed
//   IN CALL --exit: a signal came--> INTERRUPTED --the same call again--> IN CALL
//                                                --the handler will give it EINTR: after()-->
//                                                RUNNING
#pragma once

#include <sys/ptrace.h>
#include <sys/user.h>

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "inject/surface/alarm.h"
#include "inject/surface/filter.h"
#include "inject/surface/gate.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

// A call that a signal ended before it had a result (the kernel says ERESTARTSYS and the like).
struct Interrupted {
  StoppedCall call;
  Action action;
  bool restarts = false;  // its handler runs, and the call is made again thereafter
};

struct TracedThread {
  pid_t id = 0;
  pid_t process = 0;
  uint32_t root = 0;

  StoppedCall call{};  // the last one, and what becomes of it
  Action action{};
  bool awaits_exit = false;                // stops again when the call has its result
  std::optional<uint64_t> count_before{};  // an argument that was changed, and is put back
  bool forks = false;                      // in a call that may have made a child
  std::vector<Interrupted> interrupted{};  // innermost last
  bool stepping = false;                   // into a signal's handler
  bool held = false;
  bool is_new = false;  // it has not stopped yet
};

struct TracedProcess {
  uint32_t root = 0;
  pid_t parent = 0;
  bool starting = false;  // a command before its exec: what it does is ours, and not told
  bool dying = false;     // killed by the Tracer
  bool executed = false;  // its memory is its own
  bool shares = false;    // or has become that of another process, too
  uint32_t calls = 0;     // since it executed
  uint32_t looks_at = 8;  // so many, whether it can have a gate
  std::set<pid_t> threads{};
};

struct Tracer::State {
  State(Watcher& the_watcher, Gate* the_gate);

  // events.cc: what is reported of a thread.
  void handle(pid_t id, int status);
  void stopped(TracedThread& thread, int status);
  void ended(pid_t id, int status);
  void process_ended(pid_t id, int status);
  void multiplied(TracedThread& thread);
  void executed(TracedThread& thread);
  void tell_disarmed(const TracedThread& thread) const;
  void signalled(TracedThread& thread, int signal);
  void halted(TracedThread& thread, int signal);
  void resume(TracedThread& thread, int signal = 0);

  // family.cc: who belongs to whom.
  TracedThread* find(pid_t id);
  TracedThread* adopt(pid_t id, pid_t parent_thread);
  TracedThread& add_thread(pid_t id, pid_t process);
  TracedThread& add_process(pid_t id, uint32_t root, pid_t parent, bool starting);
  std::optional<uint32_t> root_of(pid_t process, pid_t parent) const;
  void adopt_strays();
  bool is_traced(pid_t id) const;

  // calls.cc: calls.
  void before_call(TracedThread& thread);
  void act(TracedThread& thread, user_regs_struct registers);
  void skip_call(TracedThread& thread, user_regs_struct registers, int64_t result);
  void refuse(TracedThread& thread, user_regs_struct registers, StopReason reason);
  void after_call(TracedThread& thread);
  bool restarts(TracedThread& thread, const StoppedCall& call);
  void note_interruption(TracedThread& thread);
  void entered_handler(TracedThread& thread);

  // gates.cc: who may go past us.
  bool opens_gate(TracedThread& thread, const user_regs_struct& registers);
  void leave_gate(TracedThread& thread) const;

  // tracer.cc: waiting.
  std::optional<std::pair<pid_t, int>> wait_until(Time deadline);
  void check_thread() const;
  void kill_root(uint32_t root);
  void send_kill(uint32_t root);
  bool is_of(pid_t id, uint32_t root);

  Watcher* watcher;  // never null
  Gate* gate;        // null: none
  pid_t owner;
  Alarm alarm;
  std::map<pid_t, TracedThread> threads;
  std::map<pid_t, TracedProcess> processes;
  std::set<pid_t> met;        // stopped before their parent said so, which it will, if it lives
  std::map<pid_t, int> gone;  // likewise, but ended; with their status
  std::deque<std::pair<pid_t, int>> deferred;  // of others, while some are killed
  uint32_t last_ended_root = 0;
  bool strays = false;  // somebody ended in a call that may have made a child
};

}  // namespace clew::inject
