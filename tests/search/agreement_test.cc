// All adversaries argue: over the protocols with all bounds small enough to enumerate, and over
// thousands of random programs.
//
//   CLEW_LONG_TESTS=600       goes on with further random programs for that many seconds
//   CLEW_AGREEMENT_SEED=17    only the random program of that seed
#include "tests/search/agreement.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "tests/search/random_spec.h"
#include "tests/simulate/argument.h"
#include "tests/twins/effort.h"
#include "tests/twins/random_program.h"

namespace clew::search {
namespace {

std::ostream& operator<<(std::ostream& out, const AgreementTally& tally) {
  return out << fmt::format(
             "{} checks, {} fault sets, {} broken, {} robust, {} counterexamples, {} not ground, "
             "{} with loops, {} lineage runs\n",
             tally.checks, tally.fault_sets, tally.broken, tally.robust, tally.counterexamples,
             tally.ungrounded, tally.with_loops, tally.lineage_executions);
}

// So few FaultSets that all can be run.
bool is_small(const FaultModel& model, double most) {
  auto nodes = static_cast<double>(model.nodes.size());
  double sets = std::exp2(nodes * (nodes - 1) * std::max(0, std::min(model.eff, model.eot) - 1));
  double crash = 1;
  for (int i = 0; i < model.crashes; ++i) crash *= 1 + nodes * (model.eot - 1);
  return sets * crash <= most;
}

std::vector<FaultModel> small_models(const std::vector<NodeName>& nodes, double most) {
  std::vector<FaultModel> all;
  for (Tick eot = 2; eot <= 8; ++eot) {
    for (Tick eff = 0; eff < eot; ++eff) {
      for (int crashes = 0; crashes <= 2; ++crashes) {
        for (CrashModel crash_model : {CrashModel::kSilent, CrashModel::kStop}) {
          FaultModel model{nodes, eot, eff, crashes, crash_model};
          bool repeats = eff == 1 || (crashes == 0 && crash_model == CrashModel::kStop);
          if (!repeats && is_small(model, most)) all.push_back(model);
        }
      }
    }
  }
  return all;
}

std::vector<std::string> protocol_paths() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("protocols")) {
    if (entry.path().extension() == ".ded") paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  return paths;
}

class ProtocolAgreementTest : public testing::TestWithParam<std::string> {};

TEST_P(ProtocolAgreementTest, AllSmallBounds) {
  SourceSet sources;
  Diagnostics diagnostics;
  auto program = dedalus::load_program({GetParam()}, sources, diagnostics);
  ASSERT_TRUE(program) << diagnostics.render(sources);
  std::vector<NodeName> nodes = dedalus::mentioned_nodes(*program);
  if (nodes.empty() || program->find("pre") == nullptr) return;
  AgreementTally tally;
  double most =
      std::getenv("CLEW_LONG_TESTS") != nullptr ? 3e5 : static_cast<double>(twins::effort(1500));
  for (const FaultModel& model : small_models(nodes, most)) {
    ASSERT_EQ(disagreement(*program, model, tally), "") << describe_bounds(model);
  }
  EXPECT_EQ(tally.ungrounded, 0U);
  std::cout << tally;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = std::filesystem::path(info.param).replace_extension().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ProtocolAgreementTest, testing::ValuesIn(protocol_paths()),
                         test_name);

FaultModel random_model(std::vector<NodeName> nodes, Random& random) {
  std::ranges::sort(nodes);
  FaultModel model{std::move(nodes), 1, 0, 0, CrashModel::kSilent};
  do {
    model.eot = static_cast<Tick>(random.uniform_in(1, 6));
    model.eff = static_cast<Tick>(random.uniform_in(0, model.eot));
    model.crashes = static_cast<int>(random.uniform_in(0, 3));
    model.crash_model = random.chance(0.5) ? CrashModel::kStop : CrashModel::kSilent;
    const bool leaves_time = model.eot > 1 && random.chance(0.3);
    model.eventually =
        leaves_time ? static_cast<Tick>(random.uniform_in(1, model.eot - 1)) : Tick{0};
  } while (!is_small(model, 600));
  model.limits = twins::random_limits(model.nodes, random);
  return model;
}

void agree_on(uint64_t seed, AgreementTally& tally) {
  Random random(seed);
  twins::RandomProgram program = twins::random_program(random);
  FaultModel model = random_model(program.nodes, random);
  std::string text = program.text();
  if (random.chance(0.8)) {
    text = without_spec(program);
    simulate::Loaded bare = simulate::load(text);
    if (!bare.program) return;
    text += random_spec(facts_to_promise(*bare.program, model), random);
  }
  simulate::Loaded loaded = simulate::load(text);
  if (!loaded.program) return;
  ASSERT_EQ(disagreement(*loaded.program, model, tally), "")
      << "seed " << seed << ", " << describe_bounds(model) << ", nodes "
      << fmt::format("{}", fmt::join(model.nodes, ",")) << ", " << to_string(model.crash_model)
      << "\n"
      << text;
}

// r@2, which nobody sees by that name, is part of the recursion.
TEST(RandomAgreementTest, OverARecursionThroughATick) {
  const simulate::Loaded loaded = simulate::load(R"(
      r("b", 0)@1; p("a", 1)@1; node("b", "a")@1; node("a", "a")@1;
      node(C0, C1)@next :- node(C0, C1); r(C0, C1)@next :- r(C0, C1);
      p(X, Y) :- r(X, Y); r(X, Y) :- node("b", X), p(_, Y); r("b", X) :- r("b", X), u(Y, Z, N);
      u(Z, Z, N) :- node(X, Y), r(Z, N)@2;
      pre("1") :- u("a", "a", 0); post("1") :- u("a", "a", 1);)");
  ASSERT_TRUE(loaded.program);
  AgreementTally tally;
  const FaultModel model{{"a", "b"}, 3, 0, 1, CrashModel::kStop};
  EXPECT_EQ(disagreement(*loaded.program, model, tally), "");
  EXPECT_EQ(tally.with_loops, 1U);
}

TEST(RandomAgreementTest, OverRandomPrograms) {
  AgreementTally tally;
  if (const char* seed = std::getenv("CLEW_AGREEMENT_SEED")) {
    agree_on(std::strtoull(seed, nullptr, 10), tally);
    return;
  }
  constexpr uint64_t kSeeds = twins::effort(3000);
  for (uint64_t seed = 1; seed <= kSeeds && !HasFatalFailure(); ++seed) agree_on(seed, tally);
  const char* longer = std::getenv("CLEW_LONG_TESTS");
  auto end = std::chrono::steady_clock::now() +
             std::chrono::seconds(longer == nullptr ? 0 : std::atoi(longer));
  for (uint64_t seed = kSeeds + 1; std::chrono::steady_clock::now() < end && !HasFatalFailure();
       ++seed) {
    agree_on(seed, tally);
  }
  std::cout << tally;
  EXPECT_GT(tally.broken, kSeeds / 30);
  EXPECT_GT(tally.robust, kSeeds / 30);
}

}  // namespace
}  // namespace clew::search
