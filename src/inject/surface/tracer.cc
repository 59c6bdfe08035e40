#include "inject/surface/tracer.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "inject/surface/launch.h"
#include "inject/surface/traced.h"

namespace clew::inject {
namespace {

constexpr unsigned long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP |
                                   PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                                   PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

// What this thread traces, and no children of other threads.
constexpr int kMine = __WALL | __WNOTHREAD;

// For the end of a Tracer, when the real one may be half gone.
class Nobody : public Watcher {
  Action before(const StoppedCall&) override { return {.kind = Action::Kind::kKill}; }
  int64_t after(const StoppedCall&, int64_t result) override { return result; }
  void process_began(uint32_t, pid_t, pid_t) override {}
  void thread_began(uint32_t, pid_t, pid_t) override {}
  void executes(pid_t) override {}
  void thread_ended(pid_t, pid_t) override {}
  void process_ended(uint32_t, pid_t, int) override {}
  void refused(uint32_t, pid_t, const char*) override {}
  void disarmed(uint32_t, pid_t, const std::string&) override {}
};

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

}  // namespace

Tracer::State::State(Watcher& the_watcher, Gate* the_gate)
    : watcher(&the_watcher), gate(the_gate), owner(this_thread()) {}

void Tracer::State::check_thread() const {
  CHECK(this_thread() == owner, "a Tracer is used by the thread that made it");
}

// Nothing: not until then. Whoever waits has somebody to wait for.
std::optional<std::pair<pid_t, int>> Tracer::State::wait_until(Time deadline) {
  while (true) {
    const bool late = std::chrono::steady_clock::now() >= deadline;
    if (!late) alarm.set(deadline);
    int status = 0;
    const pid_t id = waitpid(-1, &status, kMine | (late ? WNOHANG : 0));
    if (id > 0) return std::pair(id, status);
    CHECK(id == 0 || errno == EINTR, "waitpid: {}", strerror(errno));
    if (late) {
      alarm.stop();
      return std::nullopt;
    }
    alarm.rang();
  }
}

void Tracer::State::send_kill(uint32_t root) {
  for (auto& [id, process] : processes) {
    if (process.root == root && !process.dying) {
      process.dying = true;
      ::kill(id, SIGKILL);
    }
  }
}

bool Tracer::State::is_of(pid_t id, uint32_t root) {
  const TracedThread* const thread = adopt(id, 0);
  return thread == nullptr || thread->root == root;
}

// What happens to others meanwhile is kept for later.
void Tracer::State::kill_root(uint32_t root) {
  const auto left = [&] {
    return std::ranges::any_of(processes, [&](const auto& one) { return one.second.root == root; });
  };
  while (true) {
    send_kill(root);
    if (!left() && strays) adopt_strays();
    if (!left()) return;
    send_kill(root);
    int status = 0;
    const pid_t id = waitpid(-1, &status, kMine);
    CHECK(id > 0 || errno == EINTR, "waitpid: {}", strerror(errno));
    if (id <= 0) continue;
    if (is_of(id, root)) {
      handle(id, status);
    } else {
      deferred.emplace_back(id, status);
    }
  }
}

Tracer::Tracer(Watcher& watcher, Gate* gate) : state_(std::make_unique<State>(watcher, gate)) {}

Tracer::~Tracer() {
  Nobody nobody;
  state_->watcher = &nobody;
  while (!state_->processes.empty()) state_->kill_root(state_->processes.begin()->second.root);
}

Result<pid_t> Tracer::start(const TracedCommand& command, uint32_t root) {
  state_->check_thread();
  const bool gated = state_->gate != nullptr && state_->gate->serves(root);
  Launch launch(command, kOptions, gated);
  const pid_t id = launch.process();
  if (id < 0) return launch.trouble();
  state_->add_process(id, root, 0, true);
  launch.go();
  const auto is_starting = [&] {
    const auto found = state_->processes.find(id);
    return found != state_->processes.end() && found->second.starting;
  };
  bool executed = false;
  while (is_starting()) {
    int status = 0;
    const pid_t changed = waitpid(id, &status, kMine);
    CHECK(changed == id || errno == EINTR, "waitpid: {}", strerror(errno));
    if (changed != id) continue;
    executed = status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8);
    state_->handle(id, status);
  }
  if (!executed) return launch.trouble();
  return id;
}

Tracer::Next Tracer::step(Time deadline) {
  state_->check_thread();
  if (!state_->deferred.empty()) {
    const auto [id, status] = state_->deferred.front();
    state_->deferred.pop_front();
    state_->handle(id, status);
    return Next::kEvent;
  }
  if (state_->threads.empty() && state_->strays) state_->adopt_strays();
  if (state_->threads.empty()) return Next::kNobody;
  const auto event = state_->wait_until(deadline);
  if (!event) return Next::kTime;
  state_->handle(event->first, event->second);
  return Next::kEvent;
}

void Tracer::kill(uint32_t root) {
  state_->check_thread();
  state_->kill_root(root);
}

size_t Tracer::count(uint32_t root) const {
  return static_cast<size_t>(
      std::ranges::count(state_->processes, root, [](const auto& one) { return one.second.root; }));
}

bool Tracer::read_memory(pid_t thread, uint64_t address, void* to, size_t size) {
  const iovec local{to, size};
  const iovec remote{reinterpret_cast<void*>(address), size};
  return process_vm_readv(thread, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

// Also where the process itself may only read, like texts of its program.
bool Tracer::write_memory(pid_t thread, uint64_t address, const void* from, size_t size) {
  const iovec local{const_cast<void*>(from), size};
  const iovec remote{reinterpret_cast<void*>(address), size};
  const auto wanted = static_cast<ssize_t>(size);
  if (process_vm_writev(thread, &local, 1, &remote, 1, 0) == wanted) return true;
  const Descriptor memory(open(fmt::format("/proc/{}/mem", thread).c_str(), O_WRONLY | O_CLOEXEC));
  return memory.valid() &&
         pwrite(memory.number(), from, size, static_cast<off_t>(address)) == wanted;
}

std::optional<std::string> Tracer::read_text(pid_t thread, uint64_t address, size_t most) {
  constexpr uint64_t kPageBytes = 4096;
  std::string text;
  while (text.size() < most) {
    char part[kPageBytes];
    const size_t size = std::min<size_t>(kPageBytes - address % kPageBytes, most - text.size());
    if (!read_memory(thread, address, part, size)) return std::nullopt;
    const size_t length = strnlen(part, size);
    text.append(part, length);
    if (length < size) return text;
    address += size;
  }
  return std::nullopt;
}

}  // namespace clew::inject
