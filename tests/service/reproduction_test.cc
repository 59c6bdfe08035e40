#include "service/reproduction.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/temporary.h"

namespace clew::service {
namespace {

namespace fs = std::filesystem;
using inject::Change;
using inject::Line;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// A target in a folder whose name no shell likes, and a run in which its power was cut.
class ReproductionTest : public testing::Test {
 protected:
  ReproductionTest() : scratch_(fs::temp_directory_path().string()) {
    folder_ = scratch_.path() + "/a b'c";
    here_ = scratch_.path() + "/cause-1";
    fs::create_directories(folder_ + "/deep/state");
    fs::create_directories(here_ + "/state/0");
    write(folder_ + "/beside", "beside\n");
    write(folder_ + "/deep/near", "near\n");
    write(folder_ + "/deep/state/log", "as it is\n");
    write(here_ + "/state/0/log", "as it was left\n");
    target_.path = folder_ + "/target.toml";
    target_.folder = folder_;
    target_.state = {folder_ + "/deep/state"};
    inject::NodeSpec node{.name = "n", .command = shell("exit 7")};
    node.restart = inject::Restart::kNever;
    target_.nodes = {node};
    target_.check = shell("cat deep/state/log deep/near beside; cat \"$1\"");
    target_.check->words.push_back(folder_ + "/deep/state/log");
    group_.plan = {*inject::parse_failure("power-after(none)@0000000a")};
    group_.points = {{.node = "n", .call = "write"}};
    group_.promises = {"kept"};
    group_.observed.emplace();
    happens(Change::Kind::kPowerCut, "n");
    prints({"as it was left", "near", "beside", "as it was left"});
  }

  static inject::CommandSpec shell(const std::string& script) {
    return {.words = {"/bin/sh", "-c", script, "sh"}};
  }
  void happens(Change::Kind kind, const std::string& who) {
    group_.observed->happenings.emplace_back(Change{kind, who, 0});
  }
  void prints(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      group_.observed->happenings.emplace_back(Line{"check", line});
    }
  }

  // What the script says, and how it ends.
  std::pair<std::string, int> run() const {
    write(here_ + "/run.sh", run_script(target_, group_));
    write(here_ + "/expected.txt", expected(*group_.observed));
    const std::string output = scratch_.path() + "/output";
    const std::string line = "sh '" + here_ + "/run.sh' > '" + output + "' 2>&1";
    const int status = std::system(line.c_str());
    return {text_of(output), WIFEXITED(status) ? WEXITSTATUS(status) : -1};
  }

  TemporaryFolder scratch_;
  std::string folder_, here_;
  inject::Target target_;
  Group group_;
};

TEST_F(ReproductionTest, TheCheckAlone) {
  const auto [said, status] = run();
  EXPECT_EQ(said,
            "the check printed:\nas it was left\nnear\nbeside\nas it was left\n"
            "in 10 of 10 runs it printed the same as in the run that violated kept\n");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text_of(folder_ + "/deep/state/log"), "as it is\n");
}

TEST_F(ReproductionTest, NotAsItWas) {
  write(here_ + "/state/0/log", "otherwise\n");
  const auto [said, status] = run();
  EXPECT_NE(said.find("in 0 of 10 runs"), std::string::npos) << said;
  EXPECT_EQ(status, 1);
}

TEST_F(ReproductionTest, TheNodeEndsBeforeTheCheck) {
  target_.nodes[0].restart = inject::Restart::kAtOnce;
  target_.nodes[0].runs_to_end = true;
  target_.nodes[0].command = shell("echo \"$WORD\" > deep/state/log");
  target_.nodes[0].command.environment = {{"WORD", "it's $new"}};
  target_.check = shell("cat deep/state/log");
  group_.observed->happenings.resize(1);
  prints({"it's $new"});
  EXPECT_EQ(run().second, 0) << run().first;
}

TEST_F(ReproductionTest, TheNodeIsReadyThenTheWorkloadThenTheCheck) {
  target_.nodes[0].restart = inject::Restart::kAtOnce;
  target_.nodes[0].command = shell("echo n > deep/state/log; echo it is ready; exec sleep 100");
  target_.nodes[0].ready.line = "is\\s+ready";
  target_.workload = shell("echo w >> deep/state/log");
  target_.check = shell("cat deep/state/log");
  group_.observed->happenings.resize(1);
  happens(Change::Kind::kStarted, "workload");
  prints({"n", "w"});
  EXPECT_EQ(run().second, 0) << run().first;
}

TEST_F(ReproductionTest, AWorkloadThatWasDoneIsNotDoneAgain) {
  target_.workload = shell("echo w >> deep/state/log");
  target_.check = shell("cat deep/state/log");
  group_.observed->happenings.clear();
  happens(Change::Kind::kStarted, "workload");
  happens(Change::Kind::kExited, "workload");
  happens(Change::Kind::kPowerCut, "n");
  prints({"as it was left"});
  EXPECT_EQ(run().second, 0) << run().first;
  EXPECT_EQ(read_me(target_, group_, {}).find("while the workload ran"), std::string::npos);
  group_.observed->happenings.erase(group_.observed->happenings.begin() + 1);
  EXPECT_NE(read_me(target_, group_, {}).find("while the workload ran"), std::string::npos);
}

TEST_F(ReproductionTest, WhatNeedsTheInjector) {
  EXPECT_EQ(why_not_ready_made(target_, group_), std::nullopt);
  const auto why = [&](const std::function<void(inject::Target&, Group&)>& change) {
    inject::Target target = target_;
    Group group = group_;
    change(target, group);
    return why_not_ready_made(target, group).value_or("ready-made");
  };
  EXPECT_EQ(why([](auto&, auto& group) { group.plan.push_back(group.plan[0]); }),
            "it is no single power cut");
  EXPECT_EQ(why([](auto&, auto& group) { group.plan = {*inject::parse_failure("EIO@0000000a")}; }),
            "it is no single power cut");
  EXPECT_EQ(why([](auto&, auto& group) { group.observed.reset(); }),
            "no run violated the promise again");
  EXPECT_EQ(why([](auto& target, auto&) { target.nodes.push_back(target.nodes[0]); }),
            "what the other nodes know is in no file");
  EXPECT_EQ(why([](auto& target, auto&) { target.check.reset(); }), "the target has no check");
  EXPECT_EQ(why([](auto& target, auto&) { target.check->user = "nobody"; }),
            "a command runs as another user");
  EXPECT_EQ(why([](auto& target, auto&) { target.state = {"/elsewhere"}; }),
            "state lies outside of the folder of the target");
  const std::string text = read_me(target_, group_, "it is no single power cut");
  EXPECT_NE(text.find("since it is no single power cut"), std::string::npos);
  EXPECT_NE(text.find("on copies of their state"), std::string::npos);
  target_.isolate = false;
  EXPECT_EQ(read_me(target_, group_, "x").find("on copies of their state"), std::string::npos);
}

// The script gives the injector words with blanks and quotes as they are.
TEST_F(ReproductionTest, TheInjector) {
  write(here_ + "/run.sh", injector_script(target_, {"rules/it's.ded", "rules/b c.ded"}));
  write(here_ + "/injector", "#!/bin/sh\nprintf '<%s>' \"$@\"\n");
  fs::permissions(here_ + "/injector", fs::perms::owner_all);
  const std::string output = scratch_.path() + "/output";
  const auto run = [&](const std::string& more) {
    return std::system(("sh '" + here_ + "/run.sh' " + more + " > '" + output + "' 2>&1").c_str());
  };
  EXPECT_EQ(run(""), 0);
  EXPECT_EQ(text_of(output), "<" + here_ + "/scenario.json><" + here_ + "/target.toml><" +
                                 target_.path + "><" + here_ + "/rules/it's.ded><" + here_ +
                                 "/rules/b c.ded>");
  EXPECT_EQ(run(scratch_.path()), 0);
  EXPECT_NE(text_of(output).find("<" + scratch_.path() + "/target.toml>"), std::string::npos);
  EXPECT_NE(run("/nowhere"), 0);
  EXPECT_NE(text_of(output).find("there is no /nowhere"), std::string::npos);
}

// example: src/service/reproduction.h
TEST_F(ReproductionTest, Example) {
  const inject::Target& target = target_;
  const Group& group = group_;
  std::string written;
  const auto write = [&](const std::string& script, const std::string& text = "") {
    written = script + text;
  };
  if (!why_not_ready_made(target, group)) {
    write(run_script(target, group), expected(*group.observed));
  } else {
    write(injector_script(target, {"rules/kept.ded"}));
  }
  EXPECT_TRUE(written.starts_with("#!/bin/sh\n"));
  EXPECT_TRUE(written.ends_with("as it was left\nnear\nbeside\nas it was left\n"));
}

}  // namespace
}  // namespace clew::service
