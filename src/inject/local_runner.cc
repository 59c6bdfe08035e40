#include "inject/local_runner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

#include "base/files.h"
#include "inject/conduct.h"
#include "inject/trees.h"
#include "inject/wire.h"
#include "inject/world.h"

namespace clew::inject {

namespace {

constexpr std::chrono::milliseconds kStopLook{50};
constexpr size_t kMostArrived = 256U << 20U;
constexpr std::chrono::seconds kSpare{30};

// Longer than a run can last by its own limits.
std::chrono::nanoseconds most_of_run(const Target& target) {
  double seconds = target.run_seconds * (3.0 + static_cast<double>(target.facts.size()));
  for (const NodeSpec& node : target.nodes) {
    seconds += target.ready_seconds * (3.0 + static_cast<double>(node.most_restarts));
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::duration<double>(seconds)) +
         kSpare;
}

// What Clew has set for itself is not for the target: signals, and limits.
void forget_own_settings() {
  for (int signal = 1; signal < NSIG; ++signal) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const auto limit : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_CPU, RLIMIT_CORE}) {
    struct rlimit values {};
    if (::getrlimit(limit, &values) != 0) continue;
    values.rlim_cur = limit == RLIMIT_CORE ? 0 : values.rlim_max;
    ::setrlimit(limit, &values);
  }
}

// Until the inner process is gone; ends it as soon as somebody asks for that.
int wait_for_inner(pid_t inner) {
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  int status = 0;
  while (::waitpid(inner, &status, WNOHANG) == 0) {
    const int signal = ::sigwaitinfo(&awaited, nullptr);
    if (signal == SIGTERM) ::kill(inner, SIGKILL);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void tell_trouble(const Descriptor& pipe, const Error& error) {
  Observed seen{.ending = Observed::Ending::kFailed, .trouble = error.message};
  if (!error.remedy.empty()) seen.trouble += "\n" + error.remedy;
  write_all(pipe.number(), encode(seen, ""));
}

std::pair<Descriptor, Descriptor> make_run_pipe() {
  int ends[2] = {-1, -1};
  CHECK(::pipe2(ends, O_CLOEXEC) == 0, "no pipe for a run: errno {}", errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

}  // namespace

LocalRunner::LocalRunner(Target target, Options options)
    : target_(std::move(target)), options_(std::move(options)) {
  if (options_.jobs == 0) options_.jobs = std::max(1U, std::thread::hardware_concurrency());
  if (!target_.isolate) options_.jobs = 1;
}

Result<std::unique_ptr<LocalRunner>> LocalRunner::make(Target target, Options options) {
  std::unique_ptr<LocalRunner> runner(new LocalRunner(std::move(target), std::move(options)));
  if (const std::string& folder = runner->options_.keep_cut; !folder.empty()) {
    runner->keep_cut_ = Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!runner->keep_cut_.valid()) return cannot_write(folder, errno);
  }
  if (!runner->target_.isolate) {
    if (const Status kept = runner->keep_state(); !kept.ok()) return kept.error();
    return runner;
  }
  const std::vector<Warning> missing = missing_for_worlds(runner->target_);
  if (!missing.empty()) return Error{missing.front().what, missing.front().remedy};
  return runner;
}

LocalRunner::~LocalRunner() {
  end_all();
  restore_state();
}

Status LocalRunner::keep_state() {
  std::error_code ignored;
  kept_ = std::make_unique<TemporaryFolder>(std::filesystem::temp_directory_path(ignored).string());
  if (!kept_->valid()) {
    return Error{fmt::format("cannot keep a copy of the state: {}", why_not(errno)),
                 remedy_for(errno)};
  }
  for (size_t i = 0; i < target_.state.size(); ++i) {
    Status copied = copy_tree(target_.state[i], fmt::format("{}/first{}", kept_->path(), i));
    if (!copied.ok()) return copied;
  }
  return Nothing();
}

void LocalRunner::restore_state() const {
  if (!kept_ || !kept_->valid()) return;
  for (size_t i = 0; i < target_.state.size(); ++i) {
    const std::string first = fmt::format("{}/first{}", kept_->path(), i);
    if (empty_folder(target_.state[i]).ok()) {
      [[maybe_unused]] const Status restored = copy_tree(first, target_.state[i]);
    }
  }
}

void LocalRunner::start(uint64_t ticket, const Plan& plan) {
  CHECK(running_.size() < jobs(), "{} runs at a time, and no more", jobs());
  auto [from, to] = make_run_pipe();
  const pid_t clew = ::getpid();
  // What ends a run must not come while our handlers are still those of its process: they would
  // take it for us, and the run would go on. It waits until these are forgotten.
  sigset_t all, own;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &own);
  const pid_t outer = ::fork();
  if (outer != 0) ::sigprocmask(SIG_SETMASK, &own, nullptr);
  CHECK(outer >= 0, "no process for a run: errno {}", errno);
  if (outer == 0) {
    from.close();
    running_.clear();  // its descriptors of other runs
    be_outer(plan, std::move(to), clew);
  }
  ::fcntl(from.number(), F_SETFL, O_NONBLOCK);
  running_.push_back({.ticket = ticket, .outer = outer, .pipe = std::move(from)});
  running_.back().until = Clock::now() + most_of_run(target_);
}

void LocalRunner::be_outer(const Plan& plan, Descriptor pipe, pid_t clew) {
  forget_own_settings();
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &awaited, nullptr);
  ::setsid();
  if (const Status apart = leave(target_); !apart.ok()) {
    tell_trouble(pipe, apart.error());
    ::_exit(0);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // after leave(), which may take it back
  if (::getppid() != clew) ::_exit(1);
  auto [alive, own] = make_run_pipe();  // its other end is ours alone
  const pid_t inner = ::fork();
  if (inner == 0) {
    own.close();
    ::sigprocmask(SIG_UNBLOCK, &awaited, nullptr);
    be_inner(plan, pipe, alive);
  }
  pipe.close();
  const int status = inner < 0 ? 1 : wait_for_inner(inner);
  if (::getppid() != clew && kept_) {
    restore_state();
    std::error_code ignored;
    std::filesystem::remove_all(kept_->path(), ignored);
  }
  ::_exit(status);
}

void LocalRunner::be_inner(const Plan& plan, const Descriptor& pipe, const Descriptor& alive) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  struct pollfd outer {
    alive.number(), POLLIN, 0
  };
  if (::poll(&outer, 1, 0) != 0) ::_exit(1);  // it is gone already
  const Result<World> world = World::build(target_, kept_ ? kept_->path() : "");
  if (!world.ok()) {
    tell_trouble(pipe, world.error());
    ::_exit(0);
  }
  cache_.take_news();  // what Clew knows itself
  const std::string keep_cut =
      keep_cut_.valid() ? fmt::format("/proc/self/fd/{}", keep_cut_.number()) : "";
  const Observed seen = conduct(target_, plan, *world, cache_, keep_cut);
  ::_exit(write_all(pipe.number(), encode(seen, cache_.take_news())) ? 0 : 1);
}

Finished LocalRunner::next() {
  CHECK(!running_.empty(), "nothing runs that could end");
  while (true) {
    std::vector<pollfd> waiting;
    waiting.reserve(running_.size());
    for (const Run& run : running_) waiting.push_back({run.pipe.number(), POLLIN, 0});
    ::poll(waiting.data(), waiting.size(), static_cast<int>(kStopLook.count()));
    if (options_.stop && options_.stop()) {
      end_all();
      throw Stopped();
    }
    for (size_t i = 0; i < running_.size(); ++i) {
      bool ended = false;
      if (waiting[i].revents != 0) read(running_[i], ended);
      running_[i].late = Clock::now() > running_[i].until;
      if (!ended && !running_[i].late) continue;
      Run run = std::move(running_[i]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      return finish(std::move(run));
    }
  }
}

void LocalRunner::read(Run& run, bool& ended) {
  std::array<char, 65536> bytes{};
  while (true) {
    const ssize_t count = ::read(run.pipe.number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    if (count == 0 || run.bytes.size() > kMostArrived) {
      ended = true;
      return;
    }
    run.bytes.append(bytes.data(), static_cast<size_t>(count));
  }
}

Finished LocalRunner::finish(Run run) {
  if (run.late) ::kill(run.outer, SIGTERM);
  int status = 0;
  while (::waitpid(run.outer, &status, 0) < 0 && errno == EINTR) {
  }
  Finished done{.ticket = run.ticket, .observed = {}};
  std::optional<Arrived> arrived = decode(run.bytes);
  if (arrived) {
    cache_.add_news(arrived->news);
    done.observed = std::move(arrived->observed);
    return done;
  }
  done.observed.ending = Observed::Ending::kFailed;
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  done.observed.trouble =
      run.late ? "the run did not end by its own limits"
      : code > 128
          ? fmt::format("the process that ran it was ended by signal {}", code - 128)
          : fmt::format("the process that ran it ended with status {}, and told nothing", code);
  return done;
}

void LocalRunner::end_all() {
  for (const Run& run : running_) ::kill(run.outer, SIGTERM);
  for (const Run& run : running_) {
    while (::waitpid(run.outer, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  running_.clear();
}

}  // namespace clew::inject
