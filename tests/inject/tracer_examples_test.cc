// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <cerrno>

#include "inject/surface/alarm.h"
#include "inject/surface/filter.h"
#include "inject/surface/launch.h"
#include "inject/surface/tracer.h"

namespace clew::inject {
namespace {

// Counts calls by name.
class Counter : public Watcher {
 public:
  Action before(const StoppedCall& call) override {
    ++counts[call.row->name];
    return {};
  }
  int64_t after(const StoppedCall&, int64_t result) override { return result; }
  void process_began(uint32_t, pid_t, pid_t) override {}
  void thread_began(uint32_t, pid_t, pid_t) override {}
  void executes(pid_t) override {}
  void thread_ended(pid_t, pid_t) override {}
  void process_ended(uint32_t, pid_t, int) override {}
  void refused(uint32_t, pid_t, const char*) override {}
  void disarmed(uint32_t, pid_t, const std::string&) override {}

  std::map<std::string, int> counts;
};

// example: src/inject/surface/tracer.h
TEST(TracerExamples, Tracer) {
  Counter watcher;
  const TracedCommand command{.words = {"echo", "hello"}, .environment = {}, .folder = "/"};
  const Tracer::Time deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  Tracer tracer(watcher);
  const Result<pid_t> process = tracer.start(command, 0);
  ASSERT_TRUE(process.ok());
  while (tracer.step(deadline) == Tracer::Next::kEvent) {
  }
  EXPECT_EQ(watcher.counts["write"], 1);
  EXPECT_EQ(watcher.counts["exit_group"], 1);
}

// example: src/inject/surface/alarm.h
TEST(TracerExamples, Alarm) {
  const pid_t child = fork();
  if (child == 0) {
    while (true) pause();
  }
  const Alarm::Time deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
  Alarm alarm;
  alarm.set(deadline);
  bool rang = false;
  int status = 0;
  if (waitpid(-1, &status, __WALL) < 0 && errno == EINTR) rang = true;
  EXPECT_TRUE(rang);
  EXPECT_GE(std::chrono::steady_clock::now(), deadline);
  alarm.stop();
  kill(child, SIGKILL);
  EXPECT_EQ(waitpid(child, &status, 0), child);
}

// example: src/inject/surface/filter.h
TEST(TracerExamples, Filter) {
  const std::vector<sock_filter> filter = make_filter(false);
  EXPECT_GT(filter.size(), 2 * all_calls().size());
  EXPECT_LE(filter.size(), size_t{BPF_MAXINSNS});
}

// Lets a traced process go on until it ends.
void let_run(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, __WALL) == process && WIFSTOPPED(status)) {
    ptrace(PTRACE_CONT, process, nullptr, nullptr);
  }
}

// example: src/inject/surface/launch.h
TEST(TracerExamples, Launch) {
  const TracedCommand command{.words = {"/nowhere"}, .environment = {}, .folder = "/"};
  const unsigned long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP;
  Launch launch(command, options, false);
  launch.go();
  let_run(launch.process());
  EXPECT_EQ(launch.trouble().message, "cannot run `/nowhere`: No such file or directory");
}

}  // namespace
}  // namespace clew::inject
