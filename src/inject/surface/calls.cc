// What happens to a thread that stops before or after a call. The simple account: it is asked what
// becomes of the call, registers are changed accordingly, and it goes on. What that omits is calls
// that signals interrupt. The kernel ends them with ERESTARTSYS, which no program ever sees: either
// the call is made again, at once or when the handler is done, or the handler's frame says EINTR.
// So a thread with such a call is stepped into its handler, where the frame tells which it is.
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>

#include "inject/surface/traced.h"

namespace clew::inject {
namespace {

constexpr uint64_t kSyscallBytes = 2;  // the length of the instruction
constexpr size_t kMostInterrupted = 8;

// The kernel's own: ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK.
bool is_interruption(int64_t result) {
  return result == -512 || result == -513 || result == -514 || result == -516;
}

bool read_registers(pid_t thread, user_regs_struct& registers) {
  return ptrace(PTRACE_GETREGS, thread, nullptr, &registers) == 0;
}

// Fails only if the thread has been killed meanwhile, which is reported soon.
void write_registers(pid_t thread, const user_regs_struct& registers) {
  ptrace(PTRACE_SETREGS, thread, nullptr, &registers);
}

unsigned long long& argument(user_regs_struct& registers, int which) {
  unsigned long long* const places[] = {&registers.rdi, &registers.rsi, &registers.rdx,
                                        &registers.r10, &registers.r8,  &registers.r9};
  return *places[which];
}

StoppedCall call_of(const TracedThread& thread, user_regs_struct registers) {
  StoppedCall call{.root = thread.root,
                   .process = thread.process,
                   .thread = thread.id,
                   .row = find_call(static_cast<long>(registers.orig_rax)),
                   .pc = registers.rip,
                   .sp = registers.rsp,
                   .bp = registers.rbp};
  for (int i = 0; i < 6; ++i) call.arguments[static_cast<size_t>(i)] = argument(registers, i);
  return call;
}

bool is_same(const StoppedCall& a, const StoppedCall& b) {
  return a.row == b.row && a.pc == b.pc && a.sp == b.sp && a.arguments == b.arguments;
}

bool makes_process(const CallRow& row) {
  return row.number == SYS_fork || row.number == SYS_vfork || row.number == SYS_clone ||
         row.number == SYS_clone3;
}

// Nobody may hide a child from us.
void clear_untraced(const StoppedCall& call, user_regs_struct& registers) {
  constexpr uint64_t kUntraced = CLONE_UNTRACED;
  if (call.row->number == SYS_clone) registers.rdi &= ~kUntraced;
  uint64_t flags = 0;  // the first member of clone_args
  if (call.row->number == SYS_clone3 &&
      Tracer::read_memory(call.thread, call.arguments[0], &flags, sizeof flags) &&
      (flags & kUntraced) != 0) {
    flags &= ~kUntraced;
    Tracer::write_memory(call.thread, call.arguments[0], &flags, sizeof flags);
  }
}

// With EPIPE the kernel sends SIGPIPE, unless the caller asks it not to.
bool sends_pipe_signal(const StoppedCall& call) {
  switch (call.row->number) {
    case SYS_sendto:
    case SYS_sendmmsg:
      return (call.arguments[3] & MSG_NOSIGNAL) == 0;
    case SYS_sendmsg:
      return (call.arguments[2] & MSG_NOSIGNAL) == 0;
    default:
      return call.row->io == Io::kWrite || call.row->io == Io::kCopy;
  }
}

}  // namespace

void Tracer::State::before_call(TracedThread& thread) {
  user_regs_struct registers{};
  unsigned long reason = 0;
  thread.stepping = false;
  if (processes.at(thread.process).starting) {
    resume(thread);
    return;
  }
  if (!read_registers(thread.id, registers) ||
      ptrace(PTRACE_GETEVENTMSG, thread.id, nullptr, &reason) != 0) {
    return;
  }
  if (static_cast<StopReason>(reason) == StopReason::kNamed) {
    watcher->named(thread.process, thread.id);
    if (find(thread.id) == &thread) resume(thread);
    return;
  }
  if (static_cast<StopReason>(reason) != StopReason::kInTable) {
    refuse(thread, registers, static_cast<StopReason>(reason));
    return;
  }
  const StoppedCall call = call_of(thread, registers);
  CHECK(call.row != nullptr, "the filter stops at call {}", registers.orig_rax);
  if (gate != nullptr && opens_gate(thread, registers)) return;
  if (!restarts(thread, call)) {
    thread.call = call;
    const pid_t id = thread.id;
    const Action action = watcher->before(call);
    if (find(id) != &thread || processes.at(thread.process).dying) return;  // it has been killed
    thread.action = action;
  }
  act(thread, registers);
}

void Tracer::State::act(TracedThread& thread, user_regs_struct registers) {
  const CallRow& row = *thread.call.row;
  const Action& action = thread.action;
  switch (action.kind) {
    case Action::Kind::kKill:
      thread.held = true;
      return;
    case Action::Kind::kGive:
      skip_call(thread, registers, action.number);
      return;
    case Action::Kind::kFail:
      if (action.number == EPIPE && sends_pipe_signal(thread.call)) {
        syscall(SYS_tgkill, thread.process, thread.id, SIGPIPE);
      }
      if (row.io != Io::kClose) {
        skip_call(thread, registers, -action.number);
        return;
      }
      thread.awaits_exit = true;
      break;
    case Action::Kind::kGo:
      thread.awaits_exit = action.tell_result;
      if (action.count && row.count >= 0) {
        thread.awaits_exit = true;
        thread.count_before = argument(registers, row.count);
        argument(registers, row.count) = *action.count;
        write_registers(thread.id, registers);
      }
      break;
  }
  thread.forks = makes_process(row);
  if (thread.forks) {
    clear_untraced(thread.call, registers);
    write_registers(thread.id, registers);
  }
  resume(thread);
}

void Tracer::State::skip_call(TracedThread& thread, user_regs_struct registers, int64_t result) {
  registers.orig_rax = static_cast<unsigned long long>(-1);
  registers.rax = static_cast<unsigned long long>(result);
  write_registers(thread.id, registers);
  resume(thread);
}

void Tracer::State::refuse(TracedThread& thread, user_regs_struct registers, StopReason reason) {
  const char* name = refused_name(static_cast<long>(registers.orig_rax));
  if (reason == StopReason::k32Bit) name = "32-bit calls";
  if (reason == StopReason::kX32) name = "x32 calls";
  const pid_t id = thread.id;
  watcher->refused(thread.root, thread.process, name);
  if (find(id) != &thread || processes.at(thread.process).dying) return;
  skip_call(thread, registers, -ENOSYS);
}

void Tracer::State::after_call(TracedThread& thread) {
  user_regs_struct registers{};
  thread.awaits_exit = false;
  thread.forks = false;
  if (!read_registers(thread.id, registers)) return;
  const auto result = static_cast<int64_t>(registers.rax);
  if (thread.count_before) {
    argument(registers, thread.call.row->count) = *thread.count_before;
    thread.count_before.reset();
    write_registers(thread.id, registers);
  }
  if (thread.action.kind == Action::Kind::kFail) {
    registers.rax = static_cast<unsigned long long>(-thread.action.number);
    write_registers(thread.id, registers);
  } else if (is_interruption(result)) {
    note_interruption(thread);
  } else if (thread.action.tell_result) {
    const pid_t id = thread.id;
    const int64_t given = watcher->after(thread.call, result);
    if (find(id) != &thread || processes.at(thread.process).dying) return;
    if (given != result) {
      registers.rax = static_cast<unsigned long long>(given);
      write_registers(thread.id, registers);
    }
  }
  resume(thread);
}

// A call at the same place, with the same arguments and stack, while one is interrupted: that one,
// and whatever was interrupted in handlers since has been left by a jump.
bool Tracer::State::restarts(TracedThread& thread, const StoppedCall& call) {
  for (size_t i = thread.interrupted.size(); i-- > 0;) {
    if (is_same(thread.interrupted[i].call, call)) {
      thread.call = thread.interrupted[i].call;
      thread.action = thread.interrupted[i].action;
      thread.interrupted.resize(i);
      return true;
    }
  }
  return false;
}

// Called wherever a thread stops on its way out of a call, whether that was awaited or not.
void Tracer::State::note_interruption(TracedThread& thread) {
  user_regs_struct registers{};
  if (thread.call.row == nullptr || !read_registers(thread.id, registers)) return;
  const StoppedCall call = call_of(thread, registers);
  if (!is_interruption(static_cast<int64_t>(registers.rax)) || !is_same(call, thread.call)) return;
  std::vector<Interrupted>& all = thread.interrupted;
  if (all.empty() || all.back().restarts || !is_same(all.back().call, call)) {
    if (all.size() == kMostInterrupted) all.erase(all.begin());
    all.push_back({.call = thread.call, .action = thread.action});
  }
  thread.stepping = true;
}

// The first instruction of a handler: its frame says what becomes of the interrupted call.
void Tracer::State::entered_handler(TracedThread& thread) {
  user_regs_struct registers{};
  if (!read_registers(thread.id, registers)) return;
  constexpr size_t kContext = 8;  // after the address that the handler returns to
  const uint64_t saved = registers.rsp + kContext + offsetof(ucontext_t, uc_mcontext.gregs);
  const auto address = [&](int which) { return saved + 8 * static_cast<uint64_t>(which); };
  uint64_t pc = 0;
  int64_t result = 0;
  Interrupted& last = thread.interrupted.back();
  if (!read_memory(thread.id, address(REG_RIP), &pc, sizeof pc) ||
      !read_memory(thread.id, address(REG_RAX), &result, sizeof result)) {
    return;
  }
  if (pc == last.call.pc - kSyscallBytes) {
    last.restarts = true;
  } else if (last.action.tell_result) {
    const pid_t id = thread.id;
    const StoppedCall call = last.call;
    const int64_t given = watcher->after(call, result);
    if (find(id) != &thread || processes.at(thread.process).dying) return;
    if (given != result) write_memory(thread.id, address(REG_RAX), &given, sizeof given);
    thread.interrupted.pop_back();
  } else {
    thread.interrupted.pop_back();
  }
}

}  // namespace clew::inject
