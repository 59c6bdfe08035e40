// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "microspec/microspec.h"
#include "microspec/recorded.h"

namespace clew::microspec {
namespace {

// A folder of its own, for as long as it lives.
class ScratchFolder {
 public:
  ScratchFolder() : before_(std::filesystem::current_path()) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "clew-microspec-XXXXXX").string();
    CHECK(mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    std::filesystem::current_path(folder_);
  }
  ~ScratchFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

 private:
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

// example: src/microspec/microspec.h
TEST(MicrospecExamples, AMicroSpec) {
  using Run = clew::Run;
  const ScratchFolder scratch;
  std::ofstream("durable.ded") << "seen(W)@next :- acked(W);\n"
                                  "seen(W)@next :- seen(W);\n"
                                  "always durable: seen(W) implies log(_, W);\n";
  SourceSet sources;
  Diagnostics diagnostics;
  Run run;
  run.facts = {{{"acked", {"w1"}}}, {{"log", {"b", "w1"}}}, {}};
  run.scenario.program.eot = 3;
  const dedalus::GivenRelations given = {{"acked", 1}, {"log", 2}};
  const std::vector<std::string> paths = {"durable.ded"};
  std::optional<MicroSpec> spec = load_microspec(paths, given, sources, diagnostics);
  ASSERT_TRUE(spec) << diagnostics.render(sources);
  Judge judge(*spec);
  const Status judged = judge.judge(run, Detail::kVerdict);
  ASSERT_TRUE(judged.ok());
  EXPECT_EQ(run.outcome().kind, Outcome::Kind::kViolated);
  EXPECT_EQ(run.outcome().goals.at(0).tick, 3);
}

// example: src/microspec/recorded.h
TEST(MicrospecExamples, WhatWasRecorded) {
  using Run = clew::Run;
  const std::string text =
      "{\"tick\": 1, \"relation\": \"acked\", \"values\": [\"w1\"]}\n"
      "{\"tick\": 2, \"relation\": \"log\", \"values\": [\"b\", 7]}\n"
      "{\"relation\": \"lost\", \"columns\": 2}\n"
      "{\"ticks\": 5}\n";
  Result<Recorded> recorded = read_recorded(text);
  ASSERT_TRUE(recorded.ok());
  const dedalus::GivenRelations expected = {{"acked", 1}, {"log", 2}, {"lost", 2}};
  EXPECT_EQ(recorded->relations, expected);
  Run run = to_run(*std::move(recorded));
  EXPECT_EQ(run.facts.size(), 5U);
}

}  // namespace
}  // namespace clew::microspec
