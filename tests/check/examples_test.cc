// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "base/streams.h"
#include "check/certificate_folder.h"
#include "check/coverage.h"
#include "check/output_folder.h"
#include "check/promises.h"
#include "check/replayer.h"
#include "check/session.h"

namespace clew::check {
namespace {

// A folder of its own for each test, removed afterwards.
class CheckExamples : public testing::Test {
 protected:
  CheckExamples()
      : path_(testing::TempDir() + fmt::format("clew_check_examples_{}", getpid())),
        input_(*read_program({"protocols/broadcast/simple_deliv.ded"})) {}
  ~CheckExamples() override { std::filesystem::remove_all(path_); }

  // Within bounds that leave nothing to go wrong.
  Wanted without_faults() const {
    Wanted wanted;
    wanted.model = {.nodes = {"a", "b", "c"}, .eot = 4, .eff = 0, .crashes = 0};
    wanted.eot = 4;
    wanted.eff = 0;
    wanted.certificate = path_;
    return wanted;
  }

  std::string path_;
  ProgramInput input_;
};

// example: src/check/certificate_folder.h
TEST_F(CheckExamples, ACertificate) {
  const std::string& path = path_;
  const Notes notes;
  Session session(input_, without_faults(), std::chrono::seconds(120));
  ASSERT_TRUE(session.run().errors.empty());
  Result<CertificateFolder> folder = open_certificate(path);
  ASSERT_TRUE(folder.ok() && !folder->refusal);
  auto input = read_program(folder->inputs, notes);
  Result<verify::Verification> seen = verify_certificate(*folder, *input);
  ASSERT_TRUE(seen.ok());
  EXPECT_FALSE(seen->refusal);
}

// example: src/check/notes.h
TEST_F(CheckExamples, WhatIsSaid) {
  const std::vector<std::string> paths = {"protocols/broadcast/simple_deliv.ded"};
  const Notes notes{.write = write_stderr, .shows_progress = isatty(STDERR_FILENO) != 0};
  std::optional<ProgramInput> input = read_program(paths, notes);
  EXPECT_TRUE(input);
}

// example: src/check/output_folder.h
TEST_F(CheckExamples, AFolder) {
  const std::string& path = path_;
  const std::string text = "digraph {}\n";
  std::filesystem::create_directories(path);
  ASSERT_TRUE(write_file_atomically(path + "/run_1_spacetime.dot", "of an earlier time").ok());
  OutputFolder folder(path, {"run_*_spacetime.dot", "counterexample_*_spacetime.dot"});
  Status made = folder.begin();
  if (made.ok()) made = folder.write("run_0_spacetime.dot", text);
  if (made.ok()) made = folder.finish();
  EXPECT_TRUE(made.ok());
  EXPECT_EQ(*read_file(path + "/run_0_spacetime.dot", 100), text);
  EXPECT_FALSE(std::filesystem::exists(path + "/run_1_spacetime.dot"));
}

// example: src/check/replayer.h
TEST_F(CheckExamples, AReplay) {
  using Run = clew::Run;
  const ProgramInput& input = input_;
  Scenario scenario = scenario_of(without_faults().model);
  scenario.faults.insert(Omission{"a", "b", 1});
  Replayer replayer(input, scenario.nodes, scenario.program.crash_model);
  std::optional<Run> bad = replayer.run_without_firings(scenario);
  ASSERT_TRUE(bad);
  EXPECT_EQ(replayer.explain(*bad).summary.front(),
            "post(\"a\", \"data\") does not hold because of missing(\"b\", \"data\").");
}

// example: src/check/session.h
TEST_F(CheckExamples, ACheck) {
  const ProgramInput& input = input_;
  const Wanted wanted = without_faults();
  const Notes notes;
  Session session(input, wanted, std::chrono::seconds(120), notes);
  Ending ending = session.run();
  to_stdout("{}", report::to_text(ending.report));
  EXPECT_TRUE(ending.answered);
  EXPECT_TRUE(session.write_runs(session.record(std::move(ending))).empty());
}

// example: src/check/promises.h
TEST_F(CheckExamples, AllPromises) {
  const ProgramInput& input = input_;
  Wanted wanted = without_faults();
  wanted.certificate.clear();
  const Notes notes;
  Result<std::vector<std::string>> names = choose_promises(input.program, {});
  PromiseChecks checks(input, wanted, *names, notes);
  checks.run(std::chrono::seconds(120));
  to_stdout("{}", report::to_text(checks.reports()));
  EXPECT_EQ(checks.all().size(), 1U);
  EXPECT_EQ(checks.reports().front()->verdict.kind, Verdict::Kind::kRobust);
  EXPECT_TRUE(checks.write_outputs().empty());
}

// example: src/check/coverage.h
TEST_F(CheckExamples, WhatIsCovered) {
  const ProgramInput& input = input_;
  const FaultModel model = without_faults().model;
  const std::function<bool()> stop = [] { return false; };
  const report::Coverage coverage = cover(input, model, stop);
  if (!coverage.never.empty()) {
    FAIL() << coverage.never.front();
  }
  EXPECT_EQ(coverage.without_faults, 3U);
  EXPECT_EQ(coverage.in_any_run, 3U);
}

}  // namespace
}  // namespace clew::check
