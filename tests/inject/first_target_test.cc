#include "inject/first_target.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <regex>

#include "dedalus/program.h"
#include "inject/facts.h"
#include "inject/first_look.h"
#include "tests/inject/scratch.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

// A run of one command, told call by call.
struct Play {
  Observed seen;

  Play() { seen.nodes = {"counter"}; }

  Play& call(long number, const std::string& path, int64_t result = 1,
             const std::string& second = "") {
    Call call{.node = 0, .row = find_call(number)};
    call.object = {Object::Kind::kFile, fs::path(path).lexically_proximate(fs::current_path()),
                   path};
    if (!second.empty()) call.object2 = {Object::Kind::kFile, second, second};
    call.result = result;
    call.finished = true;
    call.point = static_cast<uint32_t>(seen.points.size());
    Point point{.node = "counter", .thread = "counter", .call = call.row->name};
    point.object = call.object;
    point.stack = {"main (counter.c:7)"};
    seen.points.push_back(point);
    seen.happenings.emplace_back(call);
    return *this;
  }
  Play& prints(const std::string& text) {
    seen.happenings.emplace_back(Line{"counter", text});
    return *this;
  }
  Play& ends(int status = 0) { return changes(Change::Kind::kExited, status); }
  Play& changes(Change::Kind kind, int number = 0) {
    seen.happenings.emplace_back(Change{kind, "counter", number});
    return *this;
  }
  Play& listens(uint16_t port, const std::string& path = "") {
    seen.listening.push_back({"counter", port, path});
    return *this;
  }
};

class FirstTargetTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories("data/wal");
    fs::create_directories("data/snap");
    fs::create_directories("log");
    std::ofstream("counter.sh") << "#!/bin/sh\n";
    fs::permissions("counter.sh", fs::perms::owner_all);
  }

  std::string at(const std::string& path) const { return here_ + "/" + path; }

  // The state, with paths below the folder.
  Texts state(const Play& run) const {
    Texts state = state_of(command_, look_at(command_, run.seen));
    for (std::string& one : state) one = fs::path(one).lexically_proximate(here_);
    return state;
  }

  // What is written can be read, by whoever will read it.
  Target read_back(const FirstTarget& first) const {
    std::ofstream(command_.file_folder + "/" + command_.rules) << first.rules;
    const std::string path = command_.file_folder + "/target.toml";
    std::ofstream(path) << first.target;
    const Result<Target> target = read_target(path);
    EXPECT_TRUE(target.ok()) << (target.ok() ? "" : target.error().message) << first.target;
    if (!target.ok()) return {};
    const Result<dedalus::GivenRelations> given = relations_of(*target);
    EXPECT_TRUE(given.ok());
    SourceSet sources;
    Diagnostics diagnostics;
    EXPECT_TRUE(dedalus::load_spec(target->spec, *given, sources, diagnostics)) << first.rules;
    return *target;
  }

  FirstTarget written(const Play& one, const Play& two) const {
    return first_target(command_, one.seen, two.seen);
  }

  ScratchFolder scratch_;
  std::string here_ = fs::current_path().string();
  FirstCommand command_{
      .words = {"./counter.sh", "a \"b\"", "tab\t"}, .folder = here_, .file_folder = here_};
};

TEST_F(FirstTargetTest, WhatEndsByItself) {
  const Play run = Play().call(SYS_write, at("data/log")).prints("added 7 to w1").ends();
  const FirstTarget first = written(run, run);
  const Target target = read_back(first);
  EXPECT_EQ(target.state, (Texts{at("data")}));
  ASSERT_EQ(target.nodes.size(), 1U);
  EXPECT_EQ(target.nodes[0].name, "counter");
  EXPECT_EQ(target.nodes[0].command.words, (Texts{at("counter.sh"), "a \"b\"", "tab\t"}));
  EXPECT_TRUE(target.nodes[0].runs_to_end);
  EXPECT_TRUE(target.nodes[0].ready.at_once());
  EXPECT_TRUE(target.renames.empty());
  EXPECT_EQ(first.notes, Texts());
  EXPECT_NE(first.rules.find("promise ends: begins(\"counter\", A)"), std::string::npos);
}

// What is only likely becomes true when the comment signs are taken away.
TEST_F(FirstTargetTest, CommentsAreRulesToBe) {
  const Play run = Play().call(SYS_write, at("data/log")).prints("added 7 to w1").ends();
  FirstTarget first = written(run, run);
  const size_t begin = first.target.find("# [[fact]]");
  ASSERT_NE(begin, std::string::npos);
  const size_t end = first.target.find("\n\n", begin);
  first.target =
      first.target.substr(0, begin) +
      std::regex_replace(first.target.substr(begin, end - begin), std::regex("(^|\n)# "), "$1") +
      first.target.substr(end);
  first.rules =
      std::regex_replace(first.rules, std::regex("\n// (promise (succeeds|says))"), "\n$1");
  const Target target = read_back(first);
  ASSERT_EQ(target.facts.size(), 1U);
  EXPECT_EQ(target.facts[0].line, "added (\\d+) to (\\w+)");
  EXPECT_EQ(target.facts[0].is, "added_told($1, \"$2\")");
  EXPECT_NE(first.rules.find("\npromise succeeds: "), std::string::npos);
  EXPECT_NE(first.rules.find("\npromise says: "), std::string::npos);
}

TEST_F(FirstTargetTest, AServerOnAPort) {
  const Play run = Play()
                       .call(SYS_write, at("data/log"))
                       .listens(7001)
                       .listens(7000)
                       .changes(Change::Kind::kHung);
  const FirstTarget first = written(run, run);
  const Target target = read_back(first);
  EXPECT_EQ(target.nodes[0].ready.port, 7000);
  EXPECT_FALSE(target.nodes[0].runs_to_end);
  EXPECT_NE(first.rules.find("promise comesUp: "), std::string::npos);
}

TEST_F(FirstTargetTest, AServerAtAPath) {
  const Play run = Play()
                       .call(SYS_write, at("data/log"))
                       .listens(0, at("log/socket"))
                       .changes(Change::Kind::kHung);
  const Target target = read_back(written(run, run));
  EXPECT_EQ(target.nodes[0].ready.file, at("log/socket"));
  EXPECT_EQ(target.state, (Texts{at("data"), at("log")}));
}

TEST_F(FirstTargetTest, AServerOnAPortThatNobodyHasChosen) {
  const Play run = Play().listens(40000).prints("7: listening (all)").changes(Change::Kind::kHung);
  const FirstTarget first = written(run, run);
  const Target target = read_back(first);
  EXPECT_EQ(target.nodes[0].ready.port, 0);
  EXPECT_EQ(target.nodes[0].ready.line, "7: listening \\(all\\)");
  EXPECT_TRUE(target.state.empty());
  EXPECT_EQ(first.notes.size(), 3U);
}

TEST_F(FirstTargetTest, AServerThatSaysNothing) {
  const Play run = Play().call(SYS_read, at("data/log")).changes(Change::Kind::kHung);
  const FirstTarget first = written(run, run);
  const Target target = read_back(first);
  EXPECT_TRUE(target.nodes[0].ready.at_once());
  EXPECT_EQ(first.rules.find("promise comesUp"), std::string::npos);
  EXPECT_NE(first.rules.find("\nnever dies"), std::string::npos);
}

TEST_F(FirstTargetTest, TheFileLiesElsewhere) {
  command_.file_folder = at("log");
  command_.rules = "first.ded";
  const Play run = Play().call(SYS_write, at("data/log")).ends();
  const Target target = read_back(written(run, run));
  EXPECT_EQ(target.state, (Texts{at("data")}));
  EXPECT_EQ(target.nodes[0].command.words[0], at("counter.sh"));
  EXPECT_EQ(target.nodes[0].command.folder, here_);
}

TEST_F(FirstTargetTest, WhichFolders) {
  const auto write = [&](const std::string& path) { return Play().call(SYS_write, at(path)); };
  EXPECT_EQ(state(write("data/wal/1")), (Texts{"data/wal"}));
  EXPECT_EQ(state(write("data/wal/1").call(SYS_write, at("data/snap/1"))), (Texts{"data"}));
  EXPECT_EQ(state(write("data/wal/1").call(SYS_write, at("log/1"))), (Texts{"data/wal", "log"}));
  EXPECT_EQ(state(write("data/new/deep/1")), (Texts{"data"}));
  EXPECT_EQ(state(write("file")), (Texts{"."}));
  EXPECT_EQ(state(write("data/1").call(SYS_mkdir, at("new"), 0)), (Texts{"."}));
  EXPECT_EQ(state(Play().call(SYS_rename, at("data/1"), 0, at("log/1"))), (Texts{"."}));
  EXPECT_EQ(state(Play().call(SYS_rename, at("data/wal/1"), 0, at("data/snap/1"))),
            (Texts{"data"}));
  EXPECT_EQ(state(Play().call(SYS_write, at("data/1"), -EIO)), Texts());
  EXPECT_EQ(state(Play().call(SYS_read, at("data/1"))), Texts());
  EXPECT_EQ(state(Play().call(SYS_openat, at("counter.sh"), 3)), Texts());
  EXPECT_EQ(state(Play().call(SYS_openat, at("data/lock"), 3)), (Texts{"data"}));
  EXPECT_EQ(state(Play().call(SYS_write, "/dev/null")), Texts());
}

TEST_F(FirstTargetTest, WritesElsewhere) {
  command_.folder = at("data");
  const Play run =
      Play().call(SYS_openat, at("log/x"), -EROFS).call(SYS_openat, "/dev/x", -EROFS).ends();
  EXPECT_EQ(folders_refused(command_, run.seen), (Texts{at("log")}));
  EXPECT_EQ(state(run), Texts());
  command_.more = {at("log")};
  EXPECT_EQ(state(Play().call(SYS_write, at("log/x"))), (Texts{"log"}));
  command_.words = {"../counter.sh"};
  const Result<Target> target = target_to_watch(command_);
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->state, (Texts{at("data"), at("log")}));
  command_.more = {here_};
  EXPECT_EQ(target_to_watch(command_)->state, (Texts{here_}));
}

TEST_F(FirstTargetTest, NamesThatDiffer) {
  struct Row {
    std::string one, two, pattern, becomes;
  };
  const std::vector<Row> rows = {
      {"data/job-17.x", "data/job-4.x", "job-[0-9]+\\.x", "job-*.x"},
      {"data/job-a7", "data/job-4", "job-[0-9A-Za-z]+", "job-*"},
      {"run-1/log", "run-2/log", "run-[0-9]+", "run-*"},
      {"data/a1", "data/b2", "", ""},          // nothing that both have
      {"run-1/log-1", "run-2/log-2", "", ""},  // two differences
      {"data/job-1", "data/job_1", "", ""},
      {"data/$-1", "data/$-2", "", ""},
  };
  for (const Row& row : rows) {
    const Play one = Play().call(SYS_write, at("log/same")).call(SYS_write, at(row.one));
    const Play two = Play().call(SYS_write, at("log/same")).call(SYS_write, at(row.two));
    const std::vector<Rename> renames = renames_between(one.seen, two.seen);
    ASSERT_EQ(renames.size(), row.pattern.empty() ? 0U : 1U) << row.one;
    if (renames.empty()) continue;
    EXPECT_EQ(renames[0].pattern, row.pattern);
    EXPECT_EQ(renames[0].becomes, row.becomes);
    const Target target = read_back(written(Play(one).ends(), Play(two).ends()));
    ASSERT_EQ(target.renames.size(), 1U);
    EXPECT_EQ(target.renames[0].pattern, row.pattern);
  }
}

TEST_F(FirstTargetTest, WhatDoesNotGoWell) {
  const auto told = [&](const Play& run) {
    const Status fine = went_well(command_, run.seen);
    return fine.ok() ? "fine" : fine.error().message;
  };
  const Play run = Play().call(SYS_write, at("data/log")).prints("half done");
  EXPECT_EQ(told(Play(run).ends()), "fine");
  EXPECT_EQ(told(Play(run).changes(Change::Kind::kHung)), "fine");
  EXPECT_EQ(told(Play(run).ends(3)),
            "./counter.sh ended with status 3, although nothing failed; the last that it printed: "
            "half done");
  EXPECT_EQ(told(Play().changes(Change::Kind::kKilled, 11)),
            "./counter.sh was ended by signal 11 (Segmentation fault), although nothing failed; it "
            "printed nothing");
  EXPECT_EQ(told(Play().ends()), "./counter.sh made no call that could fail");
  Play stuck;
  stuck.seen.ending = Observed::Ending::kCannotStart;
  stuck.seen.trouble = "node counter cannot be started\nmend it";
  EXPECT_EQ(told(stuck), "node counter cannot be started");
}

TEST_F(FirstTargetTest, WhatCannotBeWatched) {
  const auto told = [&] {
    const Result<Target> target = target_to_watch(command_);
    return target.ok() ? "fine" : target.error().message;
  };
  EXPECT_EQ(told(), "fine");
  command_.words = {"./missing"};
  EXPECT_EQ(told(), at("missing") + " cannot be run: there is no such file or folder");
  command_.words = {"no-such-program-anywhere"};
  EXPECT_EQ(told(), "there is no program `no-such-program-anywhere` in PATH");
  command_.words = {"./counter.sh", "\xff"};
  EXPECT_EQ(told(), "? is not UTF-8, which a target file is");
  command_ = {.words = {"sh"}, .folder = "/", .file_folder = here_};
  EXPECT_EQ(told(), "the current folder is all of the disk, and no run can have a copy of it");
}

// example: src/inject/first_target.h
TEST_F(FirstTargetTest, Example) {
  const std::string here = here_;
  const Play run = Play().call(SYS_write, at("data/log")).ends();
  const Observed &one = run.seen, &two = run.seen;
  const FirstCommand command{.words = {"./counter.sh"}, .folder = here, .file_folder = here};
  const Result<Target> watched = target_to_watch(command);
  ASSERT_TRUE(watched.ok());
  EXPECT_EQ(watched->state, Texts{here});
  const Status fine = went_well(command, one);
  EXPECT_TRUE(fine.ok());
  const FirstTarget first = first_target(command, one, two);
  EXPECT_NE(first.target.find("state = \"data\""), std::string::npos);
}

// example: src/inject/first_look.h
TEST_F(FirstTargetTest, ExampleOfALook) {
  const FirstCommand& command = command_;
  const Observed one = Play().call(SYS_write, at("data/job-1")).ends().seen;
  const Observed two = Play().call(SYS_write, at("data/job-22")).ends().seen;
  const FirstLook look = look_at(command, one);
  EXPECT_TRUE(look.ends);
  EXPECT_EQ(state_of(command, look), Texts{at("data")});
  EXPECT_EQ(renames_between(one, two).front().pattern, "job-[0-9]+");
}

}  // namespace
}  // namespace clew::inject
