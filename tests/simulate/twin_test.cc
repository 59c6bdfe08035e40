// Engine and twin argue: over every protocol under all single faults and many random fault sets,
// over the language's examples, and over thousands of random programs. On every fact of every tick,
// every firing, every message and its fate, the outcome, and every run-time error they must agree.
// A disagreement is shrunk before it is shown.
//
//   CLEW_LONG_TESTS=600   goes on with further random programs for that many seconds
//   CLEW_TWIN_SEED=17     argues over the random program of that seed alone
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "dedalus/parse.h"
#include "dedalus/print.h"
#include "dedalus/program.h"
#include "tests/simulate/argument.h"
#include "tests/twins/effort.h"
#include "tests/twins/language_cases.h"
#include "tests/twins/random_program.h"

namespace clew::simulate {
namespace {

// ---- Protocols ----

std::vector<std::string> protocol_paths() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("protocols")) {
    if (entry.path().extension() == ".ded") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

// With what it includes, as one text.
std::string protocol_text(const std::string& path) {
  SourceSet sources;
  Diagnostics diagnostics;
  std::string text;
  for (const dedalus::File& file : dedalus::load_files({path}, sources, diagnostics)) {
    for (const dedalus::Clause& clause : file.clauses) {
      if (clause.kind != dedalus::Clause::Kind::kInclude) text += dedalus::print(clause) + "\n";
    }
  }
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.render(sources);
  return text;
}

std::vector<FaultSet> single_faults(const Scenario& scenario) {
  std::vector<FaultSet> all = {{}};
  for (Tick tick = 1; tick < scenario.program.eot; ++tick) {
    for (const NodeName& from : scenario.nodes) {
      all.push_back({Crash{from, tick}});
      for (const NodeName& to : scenario.nodes) {
        if (from != to) all.push_back({Omission{from, to, tick}});
      }
    }
  }
  return all;
}

// The failure-free run, all single faults, and many random ones.
std::vector<Scenario> protocol_scenarios(const Scenario& scenario, Random& random) {
  std::vector<Scenario> all;
  std::vector<FaultSet> single = single_faults(scenario);
  for (size_t i = 0; i < single.size(); i += twins::kSlowBuild ? 5 : 1) {
    all.push_back(scenario);
    all.back().faults = single[i];
  }
  for (uint64_t i = 0; i < twins::effort(60); ++i) {
    all.push_back(twins::random_scenario(scenario.nodes, random));
    all.back().program.crash_model = scenario.program.crash_model;
  }
  return all;
}

class ProtocolTwinTest : public testing::TestWithParam<std::string> {};

TEST_P(ProtocolTwinTest, EngineAndTwinAgree) {
  const Loaded loaded = load(protocol_text(GetParam()));
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  Random random(1);
  Tally tally{.programs = 1};
  for (const CrashModel model : {CrashModel::kSilent, CrashModel::kStop}) {
    Scenario scenario;
    scenario.nodes = mentioned_nodes(*loaded.program);
    if (scenario.nodes.empty()) scenario.nodes = {"a", "b"};
    scenario.program.eot = 5;
    scenario.program.crash_model = model;
    const Session session{std::string(loaded.sources.text(FileId{0})),
                          protocol_scenarios(scenario, random),
                          {},
                          100'000'000};
    EXPECT_EQ(argue(session, loaded, tally), "");
  }
  std::cout << tally << "\n";
  EXPECT_EQ(tally.gave_up, 0U);
}

std::string protocol_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return fmt::format("{}_{}", name, info.index);
}

INSTANTIATE_TEST_SUITE_P(Protocols, ProtocolTwinTest, testing::ValuesIn(protocol_paths()),
                         protocol_name);

// ---- The language's examples ----

class LanguageTwinTest : public testing::TestWithParam<twins::LanguageCase> {};

TEST_P(LanguageTwinTest, EngineAndTwinAgree) {
  Session session;
  session.text = GetParam().program;
  session.scenarios = {twins::scenario_of(GetParam().world)};
  const Loaded loaded = load(session.text);
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  Tally tally;
  EXPECT_EQ(argue(session, loaded, tally), "");
  EXPECT_EQ(tally.gave_up, 0U);
}

std::string case_name(const testing::TestParamInfo<twins::LanguageCase>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Language, LanguageTwinTest, testing::ValuesIn(twins::language_cases()),
                         case_name);

// ---- Random programs ----

std::string argue_over_seed(uint64_t seed, Tally& tally) {
  Random random(seed);
  const twins::RandomProgram program = twins::random_program(random);
  ++tally.programs;
  const Loaded loaded = load(program.text());
  if (!loaded.program) {
    ++tally.rejected;
    return "";
  }
  const auto is_mixed = [](const Diagnostic& one) { return one.code == "wrong-comparison"; };
  tally.mixed += std::ranges::any_of(loaded.diagnostics.all(), is_mixed) ? 1 : 0;
  Session session;
  session.text = program.text();
  session.options.lineage = random.chance(0.5);
  for (int i = 0; i < 3; ++i) {
    session.scenarios.push_back(twins::random_scenario(program.nodes, random));
    session.scenarios.back().program.crash_model = session.scenarios[0].program.crash_model;
  }
  return argue(session, loaded, tally);
}

// Stops after a few disagreements: more of them rarely say more.
void argue_over_seeds(uint64_t first, uint64_t count, double seconds, Tally& tally) {
  const auto begin = std::chrono::steady_clock::now();
  int complaints = 0;
  for (uint64_t seed = first; seed < first + count && complaints < 3; ++seed) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (spent.count() > seconds) break;
    const std::string complaint = argue_over_seed(seed, tally);
    if (complaint.empty()) continue;
    ++complaints;
    ADD_FAILURE() << "seed " << seed << ": " << complaint;
  }
  std::cout << tally << "\n";
}

constexpr uint64_t kSeeds = twins::effort(3'000);
constexpr double kMostSeconds = 60;  // seldom reached, except under sanitizers on a busy machine

// The argument is worth something only if the programs are programs and do something.
void expect_substance(const Tally& tally) {
  EXPECT_LT(tally.rejected * 10, tally.programs);
  EXPECT_LT(tally.gave_up * 20, tally.runs);
  EXPECT_GT(tally.failed * 100, tally.runs);
  EXPECT_LT(tally.failed * 5, tally.runs);
  EXPECT_GT(tally.facts, tally.runs * 20);
  EXPECT_GT(tally.firings, tally.runs * 5);
  EXPECT_GT(tally.messages, tally.runs * 2);
  EXPECT_GT(tally.lost * 30, tally.messages);
  EXPECT_GT(tally.holds * 50, tally.runs);
  EXPECT_GT(tally.violated * 50, tally.runs);
  EXPECT_GT(tally.in_vain, 3U);
  EXPECT_GT(tally.all_stopped * 50, tally.runs);
  EXPECT_GT(tally.mixed * 300, tally.programs);
  EXPECT_GT(tally.reused, 0U);
}

TEST(RandomTwinTest, EngineAndTwinAgree) {
  Tally tally;
  if (const char* seed = std::getenv("CLEW_TWIN_SEED")) {
    argue_over_seeds(std::strtoull(seed, nullptr, 10), 1, kMostSeconds, tally);
    return;
  }
  argue_over_seeds(1, kSeeds, kMostSeconds, tally);
  EXPECT_GT(tally.programs, 50U);
  if (tally.programs == kSeeds && !twins::kSlowBuild) expect_substance(tally);
  if (const char* seconds = std::getenv("CLEW_LONG_TESTS")) {
    argue_over_seeds(kSeeds + 1, UINT64_MAX / 2, std::strtod(seconds, nullptr), tally);
  }
}

}  // namespace
}  // namespace clew::simulate
