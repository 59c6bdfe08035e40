// What the kernel reports of a traced thread.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "inject/surface/traced.h"

namespace clew::inject {
namespace {

constexpr int kCallStop = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

pid_t message_of(pid_t thread) {
  unsigned long message = 0;
  return ptrace(PTRACE_GETEVENTMSG, thread, nullptr, &message) == 0 ? static_cast<pid_t>(message)
                                                                    : 0;
}

// Why a stepping thread stops with SIGTRAP: SIGTRAP itself before a handler's first instruction,
// TRAP_TRACE after one instruction; else somebody has sent it.
int trap_code(pid_t thread) {
  siginfo_t info{};
  return ptrace(PTRACE_GETSIGINFO, thread, nullptr, &info) == 0 ? info.si_code : 0;
}

bool is_halting(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

}  // namespace

void Tracer::State::handle(pid_t id, int status) {
  if (!WIFSTOPPED(status)) {
    ended(id, status);
    return;
  }
  if (TracedThread* const thread = adopt(id, 0)) stopped(*thread, status);
}

void Tracer::State::stopped(TracedThread& thread, int status) {
  if (processes.at(thread.process).dying) return;
  if (std::exchange(thread.is_new, false) && gate != nullptr) {
    const bool is_first = thread.process == thread.id;
    gate->began(thread.process, thread.id,
                is_first ? processes.at(thread.process).parent : thread.process);
  }
  const int signal = WSTOPSIG(status);
  switch (status >> 16) {
    case PTRACE_EVENT_SECCOMP:
      before_call(thread);
      return;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
      multiplied(thread);
      return;
    case PTRACE_EVENT_EXEC:
      executed(thread);
      return;
    case PTRACE_EVENT_STOP:
      halted(thread, signal);
      return;
    default:
      break;
  }
  if (signal == kCallStop) {
    after_call(thread);
  } else {
    signalled(thread, signal);
  }
}

// There is a child or a thread more, or there was.
void Tracer::State::multiplied(TracedThread& thread) {
  thread.forks = false;
  const pid_t id = thread.id;
  const pid_t child = message_of(id);
  const auto already = gone.extract(child);
  if (child != 0 && met.erase(child) == 0) adopt(child, id);
  if (!already.empty() && !is_traced(child)) ended(child, already.mapped());
  if (find(id) == &thread) resume(thread);
}

// Of whatever thread executes another program, only that one is left, and it becomes the first:
// to the outside, it has ended in its call, and the first one begins anew.
void Tracer::State::executed(TracedThread& thread) {
  const pid_t id = thread.id;
  const pid_t former = message_of(id);
  if (former != id) thread = {.id = id, .process = id, .root = thread.root};
  thread.interrupted.clear();
  thread.stepping = false;
  TracedProcess& process = processes.at(id);
  std::set<pid_t> others;
  process.threads.swap(others);
  process.threads.insert(id);
  others.erase(id);
  const bool begins = std::exchange(process.starting, false);
  process.executed = true;
  process.shares = false;
  process.calls = 0;
  process.looks_at = TracedProcess().looks_at;
  const auto still_there = [&] { return find(id) == &thread; };  // a watcher may kill it
  for (const pid_t other : others) {
    threads.erase(other);
    watcher->thread_ended(id, other);
  }
  if (begins && still_there()) watcher->process_began(thread.root, id, 0);
  if (still_there()) tell_disarmed(thread);
  if (still_there()) watcher->executes(id);
  if (gate != nullptr) gate->forget(id);
  if (still_there()) resume(thread);
}

void Tracer::State::tell_disarmed(const TracedThread& thread) const {
  const std::string link = fmt::format("/proc/{}/exe", thread.id);
  struct stat program {};
  struct stat process {};
  if (stat(link.c_str(), &program) != 0 ||
      stat(fmt::format("/proc/{}", thread.id).c_str(), &process) != 0) {
    return;
  }
  const bool user = (program.st_mode & S_ISUID) != 0 && program.st_uid != process.st_uid;
  const bool group = (program.st_mode & S_ISGID) != 0 && program.st_gid != process.st_gid;
  const bool armed =
      process.st_uid != 0 && getxattr(link.c_str(), "security.capability", nullptr, 0) > 0;
  if (!user && !group && !armed) return;
  char name[4096];
  const ssize_t size = readlink(link.c_str(), name, sizeof name);
  const std::string path(name, static_cast<size_t>(std::max<ssize_t>(size, 0)));
  watcher->disarmed(thread.root, thread.process, path);
}

void Tracer::State::signalled(TracedThread& thread, int signal) {
  const int code = thread.stepping && signal == SIGTRAP ? trap_code(thread.id) : 0;
  if (code == SIGTRAP || code == TRAP_TRACE) {
    thread.stepping = false;
    const pid_t id = thread.id;
    if (code == SIGTRAP && !thread.interrupted.empty()) entered_handler(thread);
    if (find(id) == &thread) resume(thread);
    return;
  }
  leave_gate(thread);
  note_interruption(thread);
  resume(thread, signal);
}

// A new child or thread before its first instruction, or the whole process stops (SIGSTOP, a
// terminal) until it is told to go on.
void Tracer::State::halted(TracedThread& thread, int signal) {
  note_interruption(thread);
  if (is_halting(signal)) {
    ptrace(PTRACE_LISTEN, thread.id, nullptr, 0L);
  } else {
    resume(thread);
  }
}

void Tracer::State::resume(TracedThread& thread, int signal) {
  if (thread.held || processes.at(thread.process).dying) return;
  const auto request = thread.awaits_exit ? PTRACE_SYSCALL
                       : thread.stepping  ? PTRACE_SINGLESTEP
                                          : PTRACE_CONT;
  // Fails only if it has been killed meanwhile, which is reported soon.
  ptrace(request, thread.id, nullptr, static_cast<long>(signal));
}

void Tracer::State::ended(pid_t id, int status) {
  TracedThread* const thread = find(id);
  if (thread == nullptr) {
    gone[id] = status;
    return;
  }
  strays = strays || thread->forks;
  std::erase_if(deferred, [id](const auto& event) { return event.first == id; });
  const pid_t process = thread->process;
  if (process == id) {
    process_ended(id, status);
    return;
  }
  threads.erase(id);
  processes.at(process).threads.erase(id);
  watcher->thread_ended(process, id);
  if (gate != nullptr) gate->ended(id);
}

void Tracer::State::process_ended(pid_t id, int status) {
  const TracedProcess process = std::move(processes.extract(id).mapped());
  for (const pid_t thread : process.threads) threads.erase(thread);
  last_ended_root = process.root;
  if (!process.starting) watcher->process_ended(process.root, id, status);
  if (gate != nullptr) gate->forget(id);
}

}  // namespace clew::inject
