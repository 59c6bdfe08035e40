// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <filesystem>
#include <fstream>

#include "inject/call.h"
#include "inject/facts.h"
#include "inject/read_facts.h"
#include "inject/regex.h"
#include "inject/target.h"
#include "inject/told.h"
#include "tests/inject/scratch.h"

namespace clew::inject {
namespace {

// example: src/inject/call.h
TEST(InjectExamples, Calls) {
  const CallRow* row = find_call(SYS_pwrite64);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->name, std::string("pwrite64"));
  EXPECT_EQ(row->io, Io::kWrite);
  ASSERT_EQ(row->errors.size(), 5U);
  EXPECT_EQ(error_name(row->errors[0]) + ", " + error_name(row->errors[1]), "EIO, ENOSPC");
}

// example: src/inject/regex.h
TEST(InjectExamples, RegularExpressions) {
  const Result<Regex> added = Regex::make("added (\\w+)");
  std::vector<std::string> groups;
  EXPECT_TRUE(added->matches("added f1", &groups));
  EXPECT_EQ(groups, (std::vector<std::string>{"added f1", "f1"}));
  EXPECT_TRUE(added->occurs_in("12:00 added f1 to log"));
}

// example: src/inject/told.h
TEST(InjectExamples, Told) {
  Result<Fact> fact = read_told("acked(\"w1\", 7)");
  Result<FactTemplate> is = FactTemplate::make("acked(\"$1\", $2)", 2);
  Result<Fact> made = is->fill({"write w1 took 7 ms", "w1", "7"});
  EXPECT_EQ(*made, *fact);
}

// example: src/inject/target.h
TEST(InjectExamples, Target) {
  const ScratchFolder scratch;
  std::filesystem::create_directory("state");
  std::ofstream("lost.ded") << "never lost: said(_, \"lost\", _);\n";
  for (const char* program : {"master", "client"}) {
    std::ofstream(program) << "#!/bin/sh\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }
  std::ofstream("target.toml") << R"toml(
state = "state"
spec = ["lost.ded"]

[[node]]
name = "master"
command = ["./master", "state"]
ready = { line = "ready" }

[workload]
command = ["./client", "add", "f1", "f2"]

[check]
command = ["./master", "--list", "state"]

[[fact]]
from = "workload"
line = "added (\\w+)"
is = 'userFiles("$1")'
)toml";
  Result<Target> target = read_target("target.toml");
  ASSERT_TRUE(target.ok()) << target.error().message;
  EXPECT_EQ(target->nodes.at(0).ready.line, "ready");
}

// example: src/inject/read_facts.h
TEST(InjectExamples, ReadFacts) {
  const ScratchFolder scratch;
  std::ofstream("spec.ded") << "never bad: call(N, \"rename\", _, \"EIO\", _);\n";
  SourceSet sources;
  Diagnostics diagnostics;
  const auto spec =
      microspec::load_microspec({"spec.ded"}, built_in_relations(), sources, diagnostics);
  ASSERT_TRUE(spec) << diagnostics.render(sources);
  const dedalus::Program& program = spec->program();
  ReadFacts reads(program);
  EXPECT_FALSE(reads.relation("said"));
  EXPECT_TRUE(reads.fact({"call", {"n", "rename", "log", "EIO", 7}}));
  EXPECT_FALSE(reads.fact({"call", {"n", "rename", "log", "ok", 7}}));
  EXPECT_TRUE(reads.time());
}

}  // namespace
}  // namespace clew::inject
