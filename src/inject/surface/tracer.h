// The complete surface: every call of call.h that a command or anything it starts makes, in any
// thread, also of static programs, stops here before it is made and, if wanted, after it.
//
//   Tracer tracer(watcher);
//   const Result<pid_t> process = tracer.start(command, 0);   // 0: what the watcher calls it
//   while (tracer.step(deadline) == Tracer::Next::kEvent) {
//   }
//
// Seccomp lets all other calls pass at full speed (SECCOMP_RET_TRACE for those of the table);
// io_uring and Linux AIO, which would bypass it, and the calls of 32-bit programs fail with ENOSYS,
// and the watcher is told so. Only what the Tracer started, and what came of that, is ever touched.
// All of it is killed with the Tracer (PTRACE_O_EXITKILL), however that ends.
//
// A call that a signal interrupts and that the kernel makes again counts once: before() is not
// called again, and after() is told the last result. Without `tell_result` this holds as long as
// the signal reaches the thread that was interrupted.
//
// ptrace belongs to a thread: a Tracer is used by the thread that made it, which has no other
// children meanwhile. It needs a /proc of the tracer's own pid namespace.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "inject/call.h"

namespace clew::inject {

struct StoppedCall {
  uint32_t root = 0;  // which command it came of
  pid_t process = 0;  // as the Tracer sees them
  pid_t thread = 0;
  const CallRow* row = nullptr;
  std::array<uint64_t, 6> arguments{};
  uint64_t pc = 0, sp = 0, bp = 0;
};

// What becomes of a call.
struct Action {
  enum class Kind {
    kGo,    // it is made
    kFail,  // it is not made, and returns `-number`. EPIPE comes with SIGPIPE, as from the kernel;
            // close is made nevertheless, since Linux frees the descriptor whatever it returns
    kGive,  // it is not made, and returns `number`
    kKill,  // it is not made, and the watcher kills what it wants to (Tracer::kill)
  };
  Kind kind = Kind::kGo;
  int64_t number = 0;
  std::optional<uint64_t> count{};  // of kGo: instead of the argument `count` of its row
  bool tell_result = false;         // of kGo: after() is called
};

class Gate;

class Watcher {
 public:
  virtual ~Watcher() = default;

  virtual Action before(const StoppedCall& call) = 0;
  // Whatever it gives back is the result that the process sees. Never called for a thread that ends
  // in its call, or that leaves it by a jump out of a signal's handler, or that is not the first
  // one and executes another program, which then goes on as the first thread.
  virtual int64_t after(const StoppedCall& call, int64_t result) = 0;

  // Also of a command, just before it executes(): its parent is 0.
  virtual void process_began(uint32_t root, pid_t process, pid_t parent) = 0;
  virtual void thread_began(uint32_t root, pid_t process, pid_t thread) = 0;  // but the first
  virtual void executes(pid_t process) = 0;  // another program now: maps and names are new
  // `status` as waitpid gives it.
  virtual void thread_ended(pid_t process, pid_t thread) = 0;
  virtual void process_ended(uint32_t root, pid_t process, int status) = 0;
  // `call` failed with ENOSYS: "io_uring_setup", "io_submit", "32-bit calls", ...
  virtual void refused(uint32_t root, pid_t process, const char* call) = 0;
  // A program that is set-user-id, set-group-id or has capabilities runs without these.
  virtual void disarmed(uint32_t root, pid_t process, const std::string& program) = 0;

  // With a gate: a thread calls itself something else.
  virtual void named(pid_t /*process*/, pid_t /*thread*/) {}
  // A call that has passed the gate was interrupted: what becomes of it, after() tells.
  virtual void interrupted(const StoppedCall& /*call*/) {}
};

struct TracedCommand {
  std::vector<std::string> words;        // the first is looked for in PATH of `environment`
  std::vector<std::string> environment;  // NAME=value
  std::string folder;
  std::optional<uid_t> user{};
  std::optional<gid_t> group{};
  int input = -1, output = -1, errors = -1;  // descriptors; -1: /dev/null
  static constexpr int kFacts = 9;
  int facts = -1;  // becomes the descriptor kFacts, if it is one
};

class Tracer {
 public:
  // With a gate (gate.h), the watcher offers and drains it.
  explicit Tracer(Watcher& watcher, Gate* gate = nullptr);
  ~Tracer();  // kills what is left
  Tracer(const Tracer&) = delete;
  Tracer& operator=(const Tracer&) = delete;

  using Time = std::chrono::steady_clock::time_point;

  // In a process group of its own. An Error if it cannot be started, with execve's reason.
  Result<pid_t> start(const TracedCommand& command, uint32_t root);

  enum class Next { kEvent, kTime, kNobody };
  // Handles one thing that happens. kTime: nothing did until then. kNobody: nothing is traced.
  Next step(Time deadline);

  // Of a command and all that came of it; waits until they are gone.
  void kill(uint32_t root);
  size_t count(uint32_t root) const;  // of its processes

  // Of a stopped process (a thread's memory is its process').
  static bool read_memory(pid_t thread, uint64_t address, void* to, size_t size);
  static bool write_memory(pid_t thread, uint64_t address, const void* from, size_t size);
  static std::optional<std::string> read_text(pid_t thread, uint64_t address, size_t most = 4096);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clew::inject
