#include "inject/surface/remote_calls.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace clew::inject {
namespace {

constexpr int kRemoteStop = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD
constexpr uint64_t kCallInstructionBytes = 2;

void set_arguments(user_regs_struct& registers, const RemoteCalls::Arguments& arguments) {
  registers.rdi = arguments[0];
  registers.rsi = arguments[1];
  registers.rdx = arguments[2];
  registers.r10 = arguments[3];
  registers.r8 = arguments[4];
  registers.r9 = arguments[5];
}

}  // namespace

RemoteCalls::RemoteCalls(pid_t process, pid_t thread, const user_regs_struct& registers)
    : process_(process), thread_(thread), first_(registers) {
  constexpr uint64_t kAll = ~uint64_t{0};
  ptrace(PTRACE_GETSIGMASK, thread_, sizeof signals_, &signals_);
  ptrace(PTRACE_SETSIGMASK, thread_, sizeof kAll, &kAll);
}

bool RemoteCalls::set(const user_regs_struct& registers) const {
  return ptrace(PTRACE_SETREGS, thread_, nullptr, &registers) == 0;
}

// Where it stops next, before or after a call.
RemoteCalls::Stop RemoteCalls::next() {
  while (true) {
    int status = 0;
    if (ptrace(PTRACE_SYSCALL, thread_, nullptr, 0L) != 0 && errno != ESRCH) return Stop::kGone;
    while (waitpid(thread_, &status, __WALL) < 0) {
      if (errno != EINTR) return Stop::kGone;
    }
    if (!WIFSTOPPED(status)) {
      ended_ = status;
      return Stop::kGone;
    }
    const int signal = WSTOPSIG(status);
    if (signal == kRemoteStop) {
      inside_ = !inside_;
      return inside_ ? Stop::kEntered : Stop::kLeft;
    }
    // The filter's stop comes between the two. SIGSTOP and faults cannot be blocked.
    if (status >> 16 == 0) kept_.push_back(signal);
  }
}

std::optional<int64_t> RemoteCalls::call(long number, const Arguments& arguments) {
  if (ended_) return std::nullopt;
  user_regs_struct registers = first_;
  set_arguments(registers, arguments);
  if (inside_) {
    registers.orig_rax = static_cast<unsigned long long>(number);
  } else {
    registers.orig_rax = static_cast<unsigned long long>(-1);
    registers.rax = static_cast<unsigned long long>(number);
    registers.rip -= kCallInstructionBytes;
  }
  if (!set(registers)) return std::nullopt;
  if (!inside_ && next() != Stop::kEntered) return std::nullopt;
  if (next() != Stop::kLeft) return std::nullopt;
  if (ptrace(PTRACE_GETREGS, thread_, nullptr, &registers) != 0) return std::nullopt;
  return static_cast<int64_t>(registers.rax);
}

void RemoteCalls::end() {
  if (ended_ || has_ended_) return;
  has_ended_ = true;
  if (inside_) call(SYS_getpid, {});
  user_regs_struct registers = first_;
  registers.rip -= kCallInstructionBytes;
  registers.rax = first_.orig_rax;
  registers.orig_rax = static_cast<unsigned long long>(-1);
  set(registers);
  ptrace(PTRACE_SETSIGMASK, thread_, sizeof signals_, &signals_);
  for (const int signal : kept_) syscall(SYS_tgkill, process_, thread_, signal);
}

}  // namespace clew::inject
