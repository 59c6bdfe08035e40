#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <set>
#include <thread>

#include "inject/local_runner.h"
#include "tests/inject/in_world.h"
#include "tests/inject/toys.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Processes that have this word in their command.
size_t count_processes(const std::string& word) {
  size_t count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (text_of(entry.path().string() + "/cmdline").find(word) != std::string::npos) ++count;
  }
  return count;
}

bool comes_true(const std::function<bool()>& what) {
  for (int i = 0; i < 2000; ++i) {
    if (what()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

class RunnerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  }

  // Of this test alone, in the commands of its processes.
  static std::string mark() {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    return std::string("clew-mark-") + info->name() + "-" + std::to_string(::getpid());
  }

  Target long_target() {
    const std::string forever = "echo ready; : " + mark() + "; sleep 1000; :";
    Target target = toys_.shell(forever, forever);
    target.run_seconds = 1000;
    return target;
  }

  Toys toys_;
};

TEST_F(RunnerTest, SeveralRunsAtATime) {
  Target target = toys_.shell("echo ready; sleep 100", "echo here");
  const auto runner = LocalRunner::make(target, {.jobs = 3});
  ASSERT_TRUE(runner.ok());
  EXPECT_EQ((*runner)->jobs(), 3U);
  std::set<uint64_t> tickets;
  for (uint64_t ticket = 10; ticket < 13; ++ticket) (*runner)->start(ticket, {});
  for (int i = 0; i < 3; ++i) {
    const Finished done = (*runner)->next();
    tickets.insert(done.ticket);
    EXPECT_EQ(lines_of(done.observed, "workload"), std::vector<std::string>{"here"});
  }
  EXPECT_EQ(tickets, (std::set<uint64_t>{10, 11, 12}));
}

TEST_F(RunnerTest, NothingIsLeftOfARun) {
  const std::string mounts = text_of("/proc/self/mountinfo");
  const Target target = toys_.shell("echo ready; : " + mark() + "; sleep 1000; :",
                                    "sh -c 'sleep 1000; : " + mark() + "' & echo done");
  const Observed seen = Toys::run(target);
  EXPECT_EQ(lines_of(seen, "workload"), std::vector<std::string>{"done"});
  EXPECT_EQ(count_processes(mark()), 0U);
  EXPECT_EQ(text_of("/proc/self/mountinfo"), mounts);
  EXPECT_TRUE(fs::is_empty(toys_.state()));
}

TEST_F(RunnerTest, AStopEndsAllRuns) {
  bool stop = false;
  const auto runner = LocalRunner::make(long_target(), {.jobs = 2, .stop = [&] { return stop; }});
  ASSERT_TRUE(runner.ok());
  (*runner)->start(1, {});
  (*runner)->start(2, {});
  ASSERT_TRUE(comes_true([] { return count_processes(mark()) >= 4; }));
  stop = true;
  EXPECT_THROW((*runner)->next(), Stopped);
  EXPECT_EQ(count_processes(mark()), 0U);
}

TEST_F(RunnerTest, ARunnerThatGoesEndsItsRuns) {
  {
    const auto runner = LocalRunner::make(long_target(), {.jobs = 1});
    ASSERT_TRUE(runner.ok());
    (*runner)->start(1, {});
    ASSERT_TRUE(comes_true([] { return count_processes(mark()) >= 2; }));
  }
  EXPECT_EQ(count_processes(mark()), 0U);
}

// Before it has forgotten the handlers of whoever began it, which do not end anything.
TEST_F(RunnerTest, ARunThatHasJustBegunIsEnded) {
  struct sigaction counts {
  }, before{};
  counts.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGTERM, &counts, &before), 0);
  for (int i = 0; i < 50; ++i) {
    auto runner = LocalRunner::make(long_target(), {});
    ASSERT_TRUE(runner.ok());
    (*runner)->start(1, {});
    runner->reset();
  }
  ::sigaction(SIGTERM, &before, nullptr);
  EXPECT_TRUE(comes_true([&] { return count_processes(mark()) == 0; }));
}

TEST_F(RunnerTest, NothingIsLeftWhenClewIsKilled) {
  const Target target = long_target();
  const std::string wanted = mark();
  const pid_t clew = ::fork();
  if (clew == 0) {
    const auto runner = LocalRunner::make(target, {.jobs = 2});
    (*runner)->start(1, {});
    (*runner)->start(2, {});
    while (true) ::pause();
  }
  EXPECT_TRUE(comes_true([&] { return count_processes(wanted) >= 4; }));
  ::kill(clew, SIGKILL);
  ::waitpid(clew, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return count_processes(wanted) == 0; }));
  EXPECT_TRUE(fs::is_empty(toys_.state()));
}

TEST_F(RunnerTest, WhoRunsItIsKilled) {
  const auto runner = LocalRunner::make(long_target(), {.jobs = 1});
  ASSERT_TRUE(runner.ok());
  (*runner)->start(1, {});
  ASSERT_TRUE(comes_true([] { return count_processes(mark()) >= 2; }));
  // The outer one is our child, and the inner one its.
  const std::string self = std::to_string(::getpid());
  const std::string outer = text_of("/proc/" + self + "/task/" + self + "/children");
  const std::string number = outer.substr(0, outer.find(' '));
  const std::string inner = text_of("/proc/" + number + "/task/" + number + "/children");
  ::kill(std::stoi(inner), SIGKILL);
  const Finished done = (*runner)->next();
  EXPECT_EQ(done.observed.ending, Observed::Ending::kFailed);
  EXPECT_EQ(done.observed.trouble, "the process that ran it was ended by signal 9");
  EXPECT_EQ(count_processes(mark()), 0U);
}

// Without namespaces: in the real folders, which are put back.
TEST(RunnerWithoutIsolation, RunsInTheRealFoldersAndPutsThemBack) {
  const Toys toys;
  ASSERT_EQ(write_text(toys.state() + "/log", "first"), "ok");
  Target target =
      toys.shell("echo ready; sleep 100", "cat state/log; echo; echo other > state/log");
  target.isolate = false;
  {
    const auto runner = LocalRunner::make(target, {.jobs = 4});
    ASSERT_TRUE(runner.ok());
    EXPECT_EQ((*runner)->jobs(), 1U);
    for (uint64_t i = 0; i < 2; ++i) {
      (*runner)->start(i, {});
      const Observed seen = (*runner)->next().observed;
      EXPECT_EQ(seen.trouble, "");
      EXPECT_EQ(lines_of(seen, "workload"), std::vector<std::string>{"first"});
    }
    EXPECT_EQ(text_of(toys.state() + "/log"), "other\n");
  }
  EXPECT_EQ(text_of(toys.state() + "/log"), "first");
}

}  // namespace
}  // namespace clew::inject
