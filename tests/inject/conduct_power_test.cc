// Whole runs in which the power goes: what was not synced is lost, in part or as a whole.
#include <gtest/gtest.h>

#include <algorithm>

#include "inject/local_runner.h"
#include "tests/inject/in_world.h"
#include "tests/inject/toys.h"

namespace clew::inject {
namespace {

using Kept = std::vector<std::string>;

class ConductPowerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  }

  Observed cut(const std::string& failure, const std::string& call) {
    const Observed seen = Toys::run(server_);
    Observed then = Toys::run(server_, {failure + "@" + point_of(seen, call, "kept")});
    EXPECT_EQ(then.trouble, "");
    EXPECT_EQ(then.reached, std::vector<uint32_t>{0});
    return then;
  }

  Toys toys_;
  Target server_ = toys_.server({"one", "two"});
};

TEST_F(ConductPowerTest, WhatIsNotSyncedIsLost) {
  const Observed seen = cut("power-before(none)", "fdatasync");
  EXPECT_EQ(story(seen)[4], "struck 0");
  EXPECT_EQ(story(seen)[5], "power cut n");
  EXPECT_EQ(lines_of(seen, "check"), Kept{"two"});
}

TEST_F(ConductPowerTest, OrAllOfItIsThere) {
  const Observed seen = cut("power-before(all)", "fdatasync");
  EXPECT_EQ(lines_of(seen, "check"), (Kept{"one", "two"}));
}

// The file was made, and its folder never synced.
TEST_F(ConductPowerTest, ASyncOfTheFileDoesNotKeepItsName) {
  const Observed seen = cut("power-after(none)", "fdatasync");
  EXPECT_EQ(lines_of(seen, "check"), Kept{"two"});
  EXPECT_EQ(lines_of(cut("power-after(all)", "fdatasync"), "check"), (Kept{"one", "two"}));
}

TEST_F(ConductPowerTest, AFileThatWasThereKeepsItsName) {
  ASSERT_EQ(write_text(toys_.state() + "/kept", "zero\n"), "ok");
  EXPECT_EQ(lines_of(cut("power-after(none)", "fdatasync"), "check"), (Kept{"zero", "one", "two"}));
  EXPECT_EQ(lines_of(cut("power-before(none)", "fdatasync"), "check"), (Kept{"zero", "two"}));
  EXPECT_EQ(text_of(toys_.state() + "/kept"), "zero\n");
}

// Linux forgets that it has still to be written, so that a second sync is content.
TEST_F(ConductPowerTest, WhatASyncHasFailedToWriteIsLostThoughTheNextOneSucceeds) {
  ASSERT_EQ(write_text(toys_.state() + "/kept", "zero\n"), "ok");
  const std::string point = point_of(Toys::run(server_), "fdatasync", "kept");
  const Observed then = Toys::run(server_, {"EIO@" + point, "power-after(none)@" + point + "#2"});
  EXPECT_EQ(then.reached, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(lines_of(then, "check"), (Kept{"zero", std::string(4, '\0') + "two"}));
}

TEST_F(ConductPowerTest, TheOtherCrashStatesAreNamed) {
  const Observed seen = cut("power-before(none)", "fdatasync");
  ASSERT_EQ(seen.crash_states.size(), 1U);
  const std::vector<std::string>& others = seen.crash_states[0];
  EXPECT_NE(std::ranges::find(others, "all"), others.end());
  EXPECT_EQ(std::ranges::find(others, "none"), others.end());
  for (const std::string& keeps : others) {
    const Observed then = cut("power-before(" + keeps + ")", "fdatasync");
    EXPECT_EQ(then.crash_states.size(), 1U) << keeps;
  }
}

// In the real folders, one run after the other.
TEST_F(ConductPowerTest, WithoutIsolationToo) {
  Target target = toys_.shell("echo one > state/kept; echo ready; sleep 100", "true");
  target.check = Toys::shell_command("cat state/kept || echo lost");
  target.nodes[0].restart = Restart::kNever;
  target.isolate = false;
  const Observed seen = Toys::run(target);
  EXPECT_EQ(lines_of(seen, "check"), Kept{"one"});
  const auto made = LocalRunner::make(target, {.jobs = 1});
  ASSERT_TRUE(made.ok());
  for (uint64_t i = 0; i < 2; ++i) {
    (*made)->start(i, {*parse_failure("power-after(none)@" + point_of(seen, "write", "kept"))});
    const Observed then = (*made)->next().observed;
    EXPECT_EQ(then.trouble, "");
    EXPECT_EQ(lines_of(then, "check").back(), "lost");
  }
}

TEST_F(ConductPowerTest, OnlyTheNodesOwnFilesGoBack) {
  server_.nodes.push_back(
      {.name = "other",
       .command = Toys::shell_command("mkdir state/other; echo x > "
                                      "state/other/file; echo ready; sleep 100"),
       .ready = {.line = "ready"}});
  server_.nodes[0].command = Toys::toy_command({"serve", "7000", toys_.state() + "/mine/kept"});
  server_.nodes[0].files = {toys_.state() + "/mine"};
  server_.check = Toys::shell_command("cat state/mine/kept state/other/file");
  ASSERT_TRUE(Toys::make_folder(toys_.state() + "/mine"));
  const Observed seen = Toys::run(server_);
  const Observed then =
      Toys::run(server_, {"power-before(none)@" + point_of(seen, "fdatasync", "mine/kept")});
  EXPECT_EQ(lines_of(then, "check"), (Kept{"two", "x"}));
}

}  // namespace
}  // namespace clew::inject
