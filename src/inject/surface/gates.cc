// Which processes get a gate, and how their threads leave it for a signal.
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include "inject/surface/traced.h"

namespace clew::inject {
namespace {

bool multiplies_by(long call) { return call == SYS_clone || call == SYS_clone3; }

// Of `clone` and `clone3`; nothing: nobody knows.
std::optional<uint64_t> flags_of(pid_t thread, const user_regs_struct& registers) {
  uint64_t flags = registers.rdi;
  if (static_cast<long>(registers.orig_rax) == SYS_clone) return flags;
  if (Tracer::read_memory(thread, registers.rdi, &flags, sizeof flags)) return flags;
  return std::nullopt;
}

// Whether two processes have the same memory thereafter, and both of them run.
bool shares_memory(uint64_t flags) {
  return (flags & CLONE_VM) != 0 && (flags & (CLONE_THREAD | CLONE_VFORK)) == 0;
}

}  // namespace

// While it has one thread, and all that runs in its memory: others could stand where we patch, and
// would have no lane. True: the call stops again, or the thread is gone.
bool Tracer::State::opens_gate(TracedThread& thread, const user_regs_struct& registers) {
  TracedProcess& process = processes.at(thread.process);
  const auto call = static_cast<long>(registers.orig_rax);
  const bool multiplies = multiplies_by(call);
  if (multiplies) {
    const std::optional<uint64_t> flags = flags_of(thread.id, registers);
    process.shares |= !flags || shares_memory(*flags);
  }
  ++process.calls;
  if (process.shares || !process.executed || process.threads.size() != 1 ||
      !thread.interrupted.empty() || !gate->serves(thread.root) || gate->has(thread.process)) {
    return false;
  }
  if (process.calls < process.looks_at && !multiplies) return false;
  process.looks_at = 2 * process.calls;
  const Gate::Opened opened = gate->open(thread.process, thread.id, registers);
  if (opened.ended) {
    ended(thread.id, *opened.ended);
    return true;
  }
  if (opened.again) resume(thread);
  return opened.again;
}

void Tracer::State::leave_gate(TracedThread& thread) const {
  if (gate == nullptr) return;
  const std::optional<StoppedCall> call = gate->leave(thread.root, thread.process, thread.id);
  if (!call) return;
  thread.call = *call;
  thread.action = {.tell_result = true};
  watcher->interrupted(*call);
}

}  // namespace clew::inject
