#include "tests/inject/stopped.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/check.h"

namespace clew::inject {

namespace {

// Of a thread that has stopped for no reason of its own.
int signal_for(int status) {
  const int signal = WSTOPSIG(status);
  const bool traced = signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP;
  return traced ? 0 : signal;
}

}  // namespace

Stopped::Stopped(const std::vector<std::string>& words) : process_(::fork()) {
  if (process_ == 0) {
    ::ptrace(PTRACE_TRACEME, 0, 0, 0);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  begin();
}

Stopped::Stopped(const std::function<void()>& work) : process_(::fork()) {
  if (process_ == 0) {
    ::ptrace(PTRACE_TRACEME, 0, 0, 0);
    ::raise(SIGSTOP);
    work();
    ::_exit(0);
  }
  begin();
}

void Stopped::begin() {
  int status = 0;
  CHECK(::waitpid(process_, &status, 0) == process_);
  CHECK(WIFSTOPPED(status), "it could not be started");
  constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE;
  CHECK(::ptrace(PTRACE_SETOPTIONS, process_, 0, kOptions) == 0);
  at_ = process_;
}

Stopped::~Stopped() {
  ::kill(process_, SIGKILL);
  // Its threads first: it is only gone when they are.
  for (pid_t gone = 0; gone != process_;) {
    gone = ::waitpid(-1, nullptr, __WALL);
    if (gone < 0 && errno != EINTR) return;
  }
}

bool Stopped::is_at_entry(pid_t thread, int status, long number) {
  if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80)) return false;
  struct __ptrace_syscall_info info {};
  ::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
  return info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == static_cast<uint64_t>(number);
}

std::optional<StoppedCall> Stopped::next(long number) {
  ::ptrace(PTRACE_SYSCALL, at_, 0, 0);
  while (true) {
    int status = 0;
    const pid_t thread = ::waitpid(-1, &status, __WALL);
    if (thread < 0) return std::nullopt;
    if (!WIFSTOPPED(status)) {
      if (thread == process_) return std::nullopt;
      continue;
    }
    if (is_at_entry(thread, status, number)) {
      at_ = thread;
      user_regs_struct registers{};
      ::ptrace(PTRACE_GETREGS, thread, 0, &registers);
      return StoppedCall{.process = process_,
                         .thread = thread,
                         .row = find_call(number),
                         .arguments = {registers.rdi, registers.rsi, registers.rdx, registers.r10,
                                       registers.r8, registers.r9},
                         .pc = registers.rip,
                         .sp = registers.rsp,
                         .bp = registers.rbp};
    }
    ::ptrace(PTRACE_SYSCALL, thread, 0, signal_for(status));
  }
}

int64_t Stopped::result() {
  ::ptrace(PTRACE_SYSCALL, at_, 0, 0);
  int status = 0;
  CHECK(::waitpid(at_, &status, __WALL) == at_);
  user_regs_struct registers{};
  ::ptrace(PTRACE_GETREGS, at_, 0, &registers);
  return static_cast<int64_t>(registers.rax);
}

}  // namespace clew::inject
