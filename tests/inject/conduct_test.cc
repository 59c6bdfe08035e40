// Whole runs: what failures do to processes, and what becomes of them.
#include "inject/conduct.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "inject/outputs.h"
#include "tests/inject/in_world.h"
#include "tests/inject/toys.h"

namespace clew::inject {
namespace {

using Lines = std::vector<std::string>;
using Ending = Observed::Ending;

class ConductTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  }

  // The server that keeps two words, with a failure at its first such call.
  Observed struck(const std::string& failure, const std::string& call, const std::string& object,
                  const std::string& node = "n") {
    const Observed seen = Toys::run(server_);
    return Toys::run(server_, {failure + "@" + point_of(seen, call, object, node)});
  }

  Toys toys_;
  Target server_ = toys_.server({"one", "two"});
};

TEST_F(ConductTest, ARunWithoutFailures) {
  const Observed seen = Toys::run(server_);
  EXPECT_EQ(seen.ending, Ending::kDone) << seen.trouble;
  EXPECT_EQ(story(seen),
            (Lines{"started n", "n: ready", "ready n", "started workload", "workload: one ok",
                   "workload: two ok", "exited workload 0", "started check", "check: one",
                   "check: two", "exited check 0", "stopped n"}));
  EXPECT_EQ(calls_of(seen, "write", "kept"), (Lines{"4", "4"}));
  EXPECT_EQ(calls_of(seen, "fdatasync", "kept"), (Lines{"0", "0"}));
  EXPECT_TRUE(std::filesystem::is_empty(toys_.state()));
}

TEST_F(ConductTest, ACrashBeforeACallAndItsRestart) {
  const Observed seen = struck("crash-before", "write", "kept");
  EXPECT_EQ(seen.reached, std::vector<uint32_t>{0});
  Lines all = story(seen);
  // When the client learns of it is its own business.
  EXPECT_EQ(std::erase(all, "workload: one lost END"), 1U);
  EXPECT_EQ(all,
            (Lines{"started n", "n: ready", "ready n", "started workload", "struck 0", "crashed n",
                   "restarted n", "n: ready", "ready n", "workload: two ok", "exited workload 0",
                   "started check", "check: two", "exited check 0", "stopped n"}));
  EXPECT_EQ(calls_of(seen, "write", "kept"), (Lines{"0 injected unfinished", "4"}));
}

// After a restart all is counted anew, in another life.
TEST_F(ConductTest, APointFailsAgainAfterARestart) {
  const Observed without = Toys::run(server_);
  const std::string point = point_of(without, "write", "kept");
  const Observed seen = Toys::run(
      server_, {"crash-before@" + point, "ENOSPC@" + point + "~2", "EIO@" + point + "~3"});
  EXPECT_EQ(seen.reached.size(), 2U);
  EXPECT_EQ(lines_of(seen, "check"), Lines{});
  EXPECT_EQ(lines_of(seen, "workload").back(), "two failed ENOSPC");
  std::vector<std::pair<uint32_t, uint32_t>> places;
  for (const Happening& one : seen.happenings) {
    const Call* const call = std::get_if<Call>(&one);
    if (call == nullptr || seen.points[call->point].id() != point) continue;
    places.emplace_back(call->life, call->occurrence);
  }
  EXPECT_EQ(places, (std::vector<std::pair<uint32_t, uint32_t>>{{1, 1}, {2, 1}}));
}

TEST_F(ConductTest, ACrashAfterACall) {
  const Observed seen = struck("crash-after", "write", "kept");
  EXPECT_EQ(lines_of(seen, "check"), (Lines{"one", "two"}));
  EXPECT_EQ(calls_of(seen, "write", "kept"), (Lines{"4 injected", "4"}));
  EXPECT_EQ(calls_of(seen, "fdatasync", "kept"), (Lines{"0"}));
}

TEST_F(ConductTest, AnErrorOnce) {
  const Observed seen = struck("ENOSPC", "write", "kept");
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"one failed ENOSPC", "two ok"}));
  EXPECT_EQ(lines_of(seen, "check"), (Lines{"two"}));
  EXPECT_EQ(calls_of(seen, "write", "kept"), (Lines{"-28 injected", "4"}));
}

TEST_F(ConductTest, AnErrorThatLasts) {
  const Observed seen = struck("EIO!", "write", "kept");
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"one failed EIO", "two failed EIO"}));
  EXPECT_EQ(calls_of(seen, "write", "kept"), (Lines{"-5 injected", "-5 injected"}));
  EXPECT_EQ(seen.reached, std::vector<uint32_t>{0});
}

TEST_F(ConductTest, TheSecondTime) {
  const Observed first = Toys::run(server_);
  const Observed seen = Toys::run(server_, {"EIO@" + point_of(first, "fdatasync", "kept") + "#2"});
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"one ok", "two failed EIO"}));
}

TEST_F(ConductTest, HalfOfAWrite) {
  const Observed seen = struck("short", "write", "kept");
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"one ok", "two ok"}));
  EXPECT_EQ(calls_of(seen, "write", "kept"), (Lines{"2 injected", "2", "4"}));
}

TEST_F(ConductTest, HalfOfAWriteAndACrash) {
  const Observed seen = struck("torn", "write", "kept");
  EXPECT_EQ(lines_of(seen, "check"), (Lines{"ontwo"}));
  EXPECT_EQ(calls_of(seen, "write", "kept"), (Lines{"2 injected", "4"}));
}

TEST_F(ConductTest, OneBitOfWhatIsWritten) {
  const Observed seen = struck("corrupt", "write", "kept");
  EXPECT_EQ(lines_of(seen, "check"), (Lines{"onu", "two"}));
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"one ok", "two ok"}));
}

TEST_F(ConductTest, OneBitOfWhatIsRead) {
  Target target = toys_.shell("read a < state/in; echo $a; echo ready; sleep 100", "true");
  ASSERT_EQ(write_text(toys_.state() + "/in", "abcdefgh\n"), "ok");
  const Observed seen = Toys::run(target);
  const Observed then = Toys::run(target, {"corrupt@" + point_of(seen, "read", "in")});
  EXPECT_EQ(lines_of(seen, "n"), (Lines{"abcdefgh", "ready"}));
  ASSERT_EQ(then.reached.size(), 1U);
  EXPECT_NE(lines_of(then, "n"), lines_of(seen, "n"));
}

TEST_F(ConductTest, AFailureWhosePointIsNeverReached) {
  const Observed seen = Toys::run(server_, {"EIO@00000001"});
  EXPECT_TRUE(seen.reached.empty());
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"one ok", "two ok"}));
}

TEST_F(ConductTest, TwoFailures) {
  const Observed first = Toys::run(server_);
  const Observed seen =
      Toys::run(server_, {"EIO@" + point_of(first, "write", "kept"),
                          "crash-before@" + point_of(first, "fdatasync", "kept")});
  EXPECT_EQ(seen.reached, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"one failed EIO", "two lost END"}));
  EXPECT_EQ(lines_of(seen, "check"), (Lines{"two"}));
}

TEST_F(ConductTest, AWorkloadThatHangsIsAnOutcome) {
  Target target = toys_.shell("echo ready; sleep 1000", "echo here; sleep 1000");
  target.run_seconds = 1;
  target.check = Toys::shell_command("echo checked");
  const Observed seen = Toys::run(target);
  EXPECT_EQ(seen.ending, Ending::kHung);
  EXPECT_EQ(story(seen), (Lines{"started n", "n: ready", "ready n", "started workload",
                                "workload: here", "hung workload", "started check",
                                "check: checked", "exited check 0", "stopped n"}));
  EXPECT_NE(seen.trouble.find("the workload has not ended (/bin/sh -c echo here; sleep 1000): "),
            std::string::npos)
      << seen.trouble;
  EXPECT_NE(seen.trouble.find("sleep in clock_nanosleep"), std::string::npos) << seen.trouble;
}

TEST_F(ConductTest, WhoeverHangsWithoutFailuresIsNamed) {
  Target target = toys_.shell("echo ready; mkfifo state/f; cat < state/f", "true");
  target.run_seconds = 1;
  target.workload.reset();
  target.nodes[0].runs_to_end = true;
  EXPECT_EQ(Toys::run(target).trouble,
            "node n has not ended (/bin/sh -c echo ready; mkfifo state/f; cat < state/f): "
            "sh stands in openat of state/f");
  target.nodes[0].command = Toys::shell_command("echo ready; while :; do :; done");
  EXPECT_EQ(Toys::run(target).trouble,
            "node n has not ended (/bin/sh -c echo ready; while :; do :; done): "
            "sh stands in no call: it computes");
  target.nodes[0].command = Toys::shell_command("echo ready");
  target.check = Toys::shell_command("mkfifo state/p; exec 3<> state/p; read x <&3");
  const std::string trouble = Toys::run(target).trouble;
  EXPECT_TRUE(trouble.starts_with("the check has not ended (/bin/sh -c mkfifo state/p;"))
      << trouble;
  EXPECT_TRUE(trouble.find("): sh stands in read of /") != std::string::npos) << trouble;
  target.check = Toys::shell_command("true");
  FactRule rule{.command = {"/bin/sleep", "1000"}, .line = "x", .is = "x()"};
  target.facts = {rule};
  EXPECT_EQ(
      Toys::run(target).trouble,
      "an extractor command has not ended (/bin/sleep 1000): sleep stands in clock_nanosleep");
}

TEST_F(ConductTest, ANodeThatEndsByItselfIsRestarted) {
  const Target target = toys_.shell(
      "echo ready; while ! test -e state/go; do sleep 0.01; done; "
      "test -e state/again && sleep 1000; echo > state/again; exit 3",
      "echo > state/go; while ! test -e state/again; do sleep 0.01; "
      "done; sleep 0.1");
  const Observed seen = Toys::run(target);
  EXPECT_EQ(story(seen),
            (Lines{"started n", "n: ready", "ready n", "started workload", "exited n 3",
                   "restarted n", "n: ready", "ready n", "exited workload 0", "stopped n"}));
}

TEST_F(ConductTest, RestartsAreLimitedAndNeverMeansNever) {
  Target target = toys_.shell("echo ready",
                              "while test $(wc -l < state/starts) -lt 3; do sleep "
                              "0.01; done; sleep 0.1");
  target.nodes[0].command = Toys::shell_command("echo x >> state/starts; echo ready");
  target.nodes[0].most_restarts = 2;
  const Lines all = story(Toys::run(target));
  // Two while the workload runs, and one for the check.
  EXPECT_EQ(std::ranges::count(all, "restarted n"), 3);
  target.nodes[0].restart = Restart::kNever;
  target.workload = Toys::shell_command("sleep 0.1");
  EXPECT_EQ(std::ranges::count(story(Toys::run(target)), "restarted n"), 0);
}

TEST_F(ConductTest, AfterTheWorkload) {
  server_.nodes[0].restart = Restart::kAfterWorkload;
  server_.workload = Toys::toy_command({"ask", "7000", "one"});
  const Observed seen = struck("crash-after", "fdatasync", "kept");
  EXPECT_EQ(story(seen),
            (Lines{"started n", "n: ready", "ready n", "started workload", "struck 0", "crashed n",
                   "workload: one lost END", "exited workload 0", "restarted n", "n: ready",
                   "ready n", "started check", "check: one", "exited check 0", "stopped n"}));
}

TEST_F(ConductTest, ANodeInTheBackground) {
  Target target = toys_.shell(
      "(while true; do sleep 0.01; test -e state/ask && echo yes > "
      "state/answer; done) & echo ready",
      "echo > state/ask; while ! test -e state/answer; do sleep 0.01; done; "
      "echo answered");
  const Observed seen = Toys::run(target);
  EXPECT_EQ(seen.ending, Ending::kDone);
  EXPECT_EQ(lines_of(seen, "workload"), (Lines{"answered"}));
  EXPECT_EQ(story(seen).back(), "stopped n");
}

TEST_F(ConductTest, AForkBombIsBounded) {
  Target target =
      toys_.shell("echo ready; bomb() { bomb | bomb & }; bomb; sleep 1000", "sleep 0.2");
  target.processes = 20;
  target.run_seconds = 1;
  const Observed seen = Toys::run(target);
  ASSERT_FALSE(seen.warnings.empty());
  EXPECT_EQ(seen.warnings[0].what, "n wants more than 20 processes and threads: no more are made");
  EXPECT_EQ(story(seen).back(), "stopped n");
}

TEST_F(ConductTest, WhoUsesTooMuchMemoryIsKilled) {
  Target target = toys_.shell("", "sleep 0.5");
  target.nodes[0].command = Toys::toy_command({"eat", "200"});
  target.nodes[0].ready.line = "full";
  target.nodes[0].restart = Restart::kNever;
  target.memory = 64U << 20U;
  const Observed seen = Toys::run(target);
  const Lines all = story(seen);
  EXPECT_NE(std::ranges::find(all, "killed n 9"), all.end());
  EXPECT_EQ(warnings_of(seen),
            (Lines{"the run needs more than 64 MiB of memory: what has most was killed"}));
}

TEST_F(ConductTest, WritesOutsideOfTheStateAreSaid) {
  const Target target =
      toys_.shell("echo ready; echo x > /etc/clew-outside; sleep 100", "sleep 0.05");
  const Observed seen = Toys::run(target);
  EXPECT_EQ(warnings_of(seen), (Lines{"n writes outside of its state: /etc/clew-outside"}));
  EXPECT_FALSE(std::filesystem::exists("/etc/clew-outside"));
}

TEST_F(ConductTest, AnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root becomes somebody else";
  Target target = toys_.shell("echo ready; sleep 100", "id -un; echo $HOME");
  target.workload->user = "daemon";
  EXPECT_EQ(lines_of(Toys::run(target), "workload"), (Lines{"daemon", "/usr/sbin"}));
  target.workload->user = "nobody-of-this-name";
  EXPECT_EQ(Toys::run(target).trouble,
            "workload cannot be started: there is no user nobody-of-this-name\ncorrect `user`");
}

TEST_F(ConductTest, ACommandThatCannotStart) {
  Target target = toys_.shell("echo ready; sleep 100", "true");
  target.nodes[0].command.words = {"/nowhere/server"};
  const Observed seen = Toys::run(target);
  EXPECT_EQ(seen.ending, Ending::kCannotStart);
  EXPECT_TRUE(seen.trouble.starts_with("node n cannot be started: ")) << seen.trouble;
  Target other = toys_.shell("echo ready; sleep 100", "true");
  other.workload->words = {"/nowhere/client"};
  const Observed then = Toys::run(other);
  EXPECT_EQ(then.ending, Ending::kCannotStart);
  EXPECT_TRUE(then.trouble.starts_with("workload cannot be started: ")) << then.trouble;
}

TEST_F(ConductTest, ANodeThatDoesNotGetReady) {
  Target target = toys_.shell("echo wrong; sleep 100", "true");
  target.ready_seconds = 0.1;
  const Observed seen = Toys::run(target);
  EXPECT_EQ(seen.ending, Ending::kCannotStart);
  EXPECT_TRUE(
      seen.trouble.starts_with("node n is not ready after 0.1 s; the last that it printed: "
                               "wrong"))
      << seen.trouble;
  const Target ends = toys_.shell("echo bad option >&2; exit 4", "true");
  const Observed then = Toys::run(ends);
  EXPECT_EQ(then.ending, Ending::kCannotStart);
  EXPECT_TRUE(
      then.trouble.starts_with("node n ended (status 4) before it was ready; the last that "
                               "it printed: bad option"))
      << then.trouble;
}

TEST_F(ConductTest, ReadyByFileAndByPort) {
  Target target =
      toys_.shell("sleep 0.05; echo > state/up; sleep 100", "test -e state/up && echo up");
  target.nodes[0].ready = {.file = "state/up"};
  EXPECT_EQ(lines_of(Toys::run(target), "workload"), (Lines{"up"}));
  server_.nodes[0].ready = {.port = 7000};
  EXPECT_EQ(lines_of(Toys::run(server_), "workload"), (Lines{"one ok", "two ok"}));
}

TEST_F(ConductTest, FactsThatAreTold) {
  const Target target = toys_.shell("echo ready; echo 'up(1)' >&$CLEW_FACTS; sleep 100",
                                    "sleep 0.05; echo 'asked(\"a\")' >&9");
  const Observed seen = Toys::run(target);
  const Lines all = story(seen);
  EXPECT_NE(std::ranges::find(all, "n tells up(1)"), all.end());
  EXPECT_NE(std::ranges::find(all, "workload tells asked(\"a\")"), all.end());
}

TEST_F(ConductTest, WhatExtractorsPrintAndFilesHold) {
  server_.facts.push_back({.from = "workload", .line = "(.*) ok", .is = "acked(\"$1\")"});
  server_.facts.push_back(
      {.command = {"/bin/sh", "-c", "wc -l < state/kept"}, .line = "(.*)", .is = "n($1)"});
  server_.facts.push_back({.file = "state/kept", .line = "(.*)", .is = "kept(\"$1\")"});
  const Observed seen = Toys::run(server_);
  using Pair = std::pair<uint32_t, std::string>;
  EXPECT_EQ(seen.extracted, (std::vector<Pair>{{1, "2\n"}, {2, "one\ntwo\n"}}));
}

TEST_F(ConductTest, LinesAreWholeAndLimited) {
  const Target target = toys_.shell(
      "echo ready; sleep 100", "printf a; printf 'b\\n'; printf end; head -c 3000000 /dev/zero");
  const Observed seen = Toys::run(target);
  const Lines lines = lines_of(seen, "workload");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "ab");
  EXPECT_TRUE(lines[1].starts_with("end"));
  EXPECT_LE(lines[1].size(), Outputs::kMostLine);
  EXPECT_EQ(warnings_of(seen).size(), 2U);
}

TEST_F(ConductTest, TryAgainIsNoOccurrence) {
  Target target = toys_.shell("", "sleep 0.05");
  target.nodes[0].command = Toys::toy_command({"again"});
  target.nodes[0].ready = {};
  target.nodes[0].restart = Restart::kNever;
  const Observed seen = Toys::run(target);
  EXPECT_EQ(lines_of(seen, "n"), (Lines{"EAGAIN", "EAGAIN", "read"}));
  std::vector<uint32_t> occurrences;
  std::string point;
  for (const Happening& one : seen.happenings) {
    const Call* const call = std::get_if<Call>(&one);
    if (call == nullptr || call->row->io != Io::kRead || call->node != 0) continue;
    occurrences.push_back(call->occurrence);
    point = seen.points[call->point].id();
  }
  EXPECT_EQ(occurrences, std::vector<uint32_t>{1});
  EXPECT_EQ(lines_of(Toys::run(target, {"EINTR@" + point}), "n"),
            (Lines{"EAGAIN", "EAGAIN", "EINTR"}));
}

TEST_F(ConductTest, TwentyRunsShowTheSamePoints) {
  const Observed first = Toys::run(server_);
  for (int i = 0; i < 20; ++i) {
    const Observed seen = Toys::run(server_);
    std::vector<std::string> ids, expected;
    for (const Point& point : seen.points) ids.push_back(point.id());
    for (const Point& point : first.points) expected.push_back(point.id());
    std::ranges::sort(ids);
    std::ranges::sort(expected);
    EXPECT_EQ(ids, expected);
  }
}

}  // namespace
}  // namespace clew::inject
