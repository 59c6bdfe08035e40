// A run with a gate is the same run as one without: the same points, calls, results, in the same
// order. The tracer alone is the slow, obvious twin.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "tests/inject/in_world.h"
#include "tests/inject/toys.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

std::string gated(bool is_static) {
  return fs::read_symlink("/proc/self/exe").parent_path() /
         (is_static ? "inject_gated_static" : "inject_gated");
}

Target scene(const Toys& toys, const std::string& name, int count, bool is_static) {
  Target target = toys.shell("", "");
  target.nodes[0].command.words = {gated(is_static), name, toys.state(), std::to_string(count)};
  target.nodes[0].ready = {};
  target.nodes[0].runs_to_end = true;
  target.nodes[0].restart = Restart::kNever;
  target.workload.reset();
  target.run_seconds = 60;
  return target;
}

// But for numbers of processes and descriptors, which the kernel gives to whoever comes first.
std::string text_of(const Observed& seen, const Call& call) {
  const bool is_number =
      call.result >= 0 && (call.row->io == Io::kProcess || call.row->io == Io::kOpen);
  return fmt::format("{} {}#{} {} {} {}+{} = {}{}", call.row->name, seen.points[call.point].id(),
                     call.occurrence, call.object.name, call.object2.name, call.offset, call.size,
                     is_number ? 0 : call.result, call.finished ? "" : " unfinished");
}

// Of each thread, what it did, in order.
std::map<std::string, std::string> threads_of(const Observed& seen) {
  std::map<std::string, std::string> threads;
  for (const Happening& one : seen.happenings) {
    if (const Call* const call = std::get_if<Call>(&one)) {
      threads[fmt::format("{} {}.{}", call->node, call->process, call->thread)] +=
          text_of(seen, *call) + "\n";
    }
  }
  return threads;
}

std::set<std::string> ids_of(const Observed& seen) {
  std::set<std::string> ids;
  for (const Point& point : seen.points) ids.insert(point.id());
  return ids;
}

struct Pair {
  Observed without, with;
};

Pair run_both(Target target, const std::vector<std::string>& failures = {}) {
  Pair both;
  both.without = Toys::run(target, failures);
  target.gate = true;
  both.with = Toys::run(target, failures);
  EXPECT_EQ(both.without.trouble, "");
  EXPECT_EQ(both.with.trouble, "");
  EXPECT_EQ(both.without.passed, 0U);
  return both;
}

class Gates : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no worlds on this machine";
  }
  Toys toys_;
};

INSTANTIATE_TEST_SUITE_P(Gate, Gates, testing::Bool(),
                         [](const auto& which) { return which.param ? "Static" : "Dynamic"; });

TEST_P(Gates, CallsThatComeAgain) {
  const Pair both = run_both(scene(toys_, "writes", 200, GetParam()));
  EXPECT_EQ(threads_of(both.with), threads_of(both.without));
  EXPECT_EQ(story(both.with), story(both.without));
  EXPECT_EQ(ids_of(both.with), ids_of(both.without));
  EXPECT_EQ(warnings_of(both.with), warnings_of(both.without));
  EXPECT_GT(both.with.passed, 1000U);
}

TEST_P(Gates, DescriptorsAndNamesThatChange) {
  const Pair both = run_both(scene(toys_, "names", 40, GetParam()));
  EXPECT_EQ(threads_of(both.with), threads_of(both.without));
  EXPECT_GT(both.with.passed, 50U);
}

TEST_P(Gates, WhatIsPrintedComesInOneOrderWithCalls) {
  const Pair both = run_both(scene(toys_, "stdio", 100, GetParam()));
  const auto all = [](const Observed& seen) {
    std::vector<std::string> texts;
    for (const Happening& one : seen.happenings) {
      if (const Call* const call = std::get_if<Call>(&one)) texts.push_back(text_of(seen, *call));
      if (const Line* const line = std::get_if<Line>(&one)) texts.push_back(line->text);
    }
    return texts;
  };
  const std::vector<std::string> with = all(both.with), without = all(both.without);
  ASSERT_EQ(with.size(), without.size());
  for (size_t i = 0; i < with.size(); ++i) EXPECT_EQ(with[i], without[i]) << i;
  EXPECT_GT(both.with.passed, 50U);
}

TEST_P(Gates, Threads) {
  const Pair both = run_both(scene(toys_, "threads", 50, GetParam()));
  EXPECT_EQ(ids_of(both.with), ids_of(both.without));
  // Which thread begins first is not said.
  const auto sorted = [](const Observed& seen) {
    std::vector<std::string> all;
    for (const auto& [thread, calls] : threads_of(seen)) all.push_back(calls);
    std::ranges::sort(all);
    return all;
  };
  EXPECT_EQ(sorted(both.with), sorted(both.without));
  EXPECT_GT(both.with.passed, 400U);
}

TEST_P(Gates, ChildrenAndOtherPrograms) {
  const Pair both = run_both(scene(toys_, "forks", 60, GetParam()));
  EXPECT_EQ(threads_of(both.with), threads_of(both.without));
  EXPECT_EQ(story(both.with), story(both.without));
  EXPECT_GT(both.with.passed, 500U);
}

// Of a storm nobody can say when it comes; but each round makes the same calls.
void expect_whole_rounds(const Observed& seen, int count) {
  std::map<std::string, int> made;
  for (const Happening& one : seen.happenings) {
    const Call* const call = std::get_if<Call>(&one);
    if (call == nullptr || call->object.name != "stormy") continue;
    EXPECT_TRUE(call->finished) << text_of(seen, *call);
    EXPECT_GE(call->result, 0) << text_of(seen, *call);
    ++made[call->row->name];
  }
  const int rounds = made["openat"];
  EXPECT_GT(rounds, 0);
  EXPECT_EQ(made["fdatasync"], rounds * count);
  EXPECT_EQ(made["pread64"], rounds * count * 2);
  EXPECT_EQ(made["pwrite64"], rounds * (count + 2 * ((count + 2) / 3)));
  EXPECT_EQ(made["write"], rounds * count);
  EXPECT_EQ(made["read"], rounds * count);
  EXPECT_EQ(made["close"], rounds);
}

TEST_P(Gates, AStormOfSignals) {
  for (const std::string name : {"storm", "writing-storm"}) {
    const Pair both = run_both(scene(toys_, name, 50, GetParam()));
    expect_whole_rounds(both.without, 50);
    expect_whole_rounds(both.with, 50);
    EXPECT_EQ(lines_of(both.with, "n"), lines_of(both.without, "n"));
    EXPECT_EQ(story(both.with), story(both.without));
    EXPECT_GT(both.with.passed, 100U);
  }
}

// Each byte is received once, and what was interrupted is told as such.
TEST_P(Gates, CallsThatAreInterrupted) {
  for (const std::string name : {"waits", "restarts"}) {
    const Pair both = run_both(scene(toys_, name, 100, GetParam()));
    for (const Observed* seen : {&both.without, &both.with}) {
      int received = 0;
      for (const Happening& one : seen->happenings) {
        const Call* const call = std::get_if<Call>(&one);
        if (call == nullptr || std::string_view(call->row->name) != "recvfrom") continue;
        EXPECT_TRUE(call->finished);
        const bool interrupted = call->result == -EINTR && name == "waits";
        EXPECT_TRUE(call->result == 1 || interrupted) << call->result;
        received += call->result == 1 ? 1 : 0;
      }
      EXPECT_EQ(received, 100) << name;
    }
    EXPECT_EQ(story(both.with), story(both.without));
    EXPECT_GT(both.with.passed, 50U);
  }
}

TEST_P(Gates, ThreadsThatJumpOutOfACallOrAreCancelledInOne) {
  for (const std::string name : {"jumps", "cancels"}) {
    const Pair both = run_both(scene(toys_, name, 20, GetParam()));
    EXPECT_EQ(story(both.with), story(both.without)) << name;
    EXPECT_EQ(ids_of(both.with), ids_of(both.without)) << name;
    EXPECT_GT(both.with.passed, 50U);
  }
}

TEST_P(Gates, AProcessThatIsKilledLeavesItsCalls) {
  const Pair both = run_both(scene(toys_, "dies", 20, GetParam()));
  EXPECT_EQ(story(both.with), story(both.without));
  int unfinished = 0;
  for (const Happening& one : both.with.happenings) {
    const Call* const call = std::get_if<Call>(&one);
    if (call != nullptr && call->process == 1 && !call->finished) ++unfinished;
  }
  EXPECT_LE(unfinished, 1);
  EXPECT_GT(both.with.passed, 100U);
}

// Where something is to fail, the call stops, and what it does is the same.
TEST_P(Gates, FailuresStrikeTheSame) {
  const Target target = scene(toys_, "writes", 60, GetParam());
  const Observed plain = Toys::run(target);
  const std::string sync = point_of(plain, "fdatasync", "written");
  const std::string first = point_of(plain, "pwrite64", "written");
  const std::string last = point_of(plain, "read", "written");
  for (const std::string& failure :
       {"EIO@" + sync + "#40", "crash-before@" + first + "#30", "crash-after@" + last + "#50",
        "short@" + last + "#7", "EIO!@" + sync + "#5", "power-after(none)@" + sync + "#20"}) {
    if (!parse_failure(failure).ok()) {
      ADD_FAILURE() << failure;
      continue;
    }
    const Pair both = run_both(target, {failure});
    EXPECT_EQ(both.with.reached.size(), 1U) << failure;
    EXPECT_EQ(both.with.reached, both.without.reached) << failure;
    EXPECT_EQ(threads_of(both.with), threads_of(both.without)) << failure;
    EXPECT_EQ(story(both.with), story(both.without)) << failure;
    EXPECT_EQ(both.with.crash_states, both.without.crash_states) << failure;
    EXPECT_GT(both.with.passed, 0U) << failure;
  }
}

}  // namespace
}  // namespace clew::inject
