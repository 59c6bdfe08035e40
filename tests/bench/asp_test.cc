// Clingo and the simulator argue: under every admissible fault set, the answer set program has one
// model, and that shows exactly the facts of the run. Over the language's examples, random programs
// and the broadcasts, with time as a variable and unrolled. For the broadcasts also the goal:
// the models are the fault sets that violate the spec.
//
//   CLEW_ASP_SEED=17     argues over the random program of that seed alone
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "base/files.h"
#include "bench/asp/names.h"
#include "bench/asp/translate.h"
#include "simulate/describe.h"
#include "simulate/system.h"
#include "tests/simulate/argument.h"
#include "tests/twins/language_cases.h"
#include "tests/twins/random_program.h"

namespace clew::asp {
namespace {

using Atoms = std::set<std::string>;
using Models = std::set<Atoms>;

// ---- Clingo's side ----

std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* pipe = popen(command.c_str(), "r");
  CHECK(pipe != nullptr);
  std::array<char, 65536> buffer{};
  while (const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), n);
  }
  pclose(pipe);
  return output;
}

Models models_of(const std::string& program) {
  std::string path = fmt::format("{}/clew_asp_test.{}.lp", testing::TempDir(), getpid());
  CHECK(write_file_atomically(path, program).ok());
  std::string output = output_of(fmt::format("clingo 0 --outf=2 --time-limit=60 {}", path));
  std::remove(path.c_str());
  nlohmann::json answer = nlohmann::json::parse(output, nullptr, false);
  CHECK(!answer.is_discarded(), "clingo (Debian package gringo) gave no answer: {}", output);
  Models models;
  for (const auto& witness : answer["Call"][0].value("Witnesses", nlohmann::json::array())) {
    models.insert(witness["Value"].get<Atoms>());
  }
  const bool complete = answer["Models"]["More"] == "no";
  EXPECT_TRUE(complete) << "clingo ran out of time";
  return models;
}

// ---- The simulator's side ----

struct FaultSets {
  const Options& options;
  std::vector<FaultSet> all;

  explicit FaultSets(const Options& bounds) : options(bounds) { choose_crash(0, {}); }

  void choose_crash(size_t node, const FaultSet& chosen) {
    if (node == options.nodes.size()) return choose_omission(0, 1, chosen);
    choose_crash(node + 1, chosen);
    if (static_cast<int>(chosen.of<Crash>().size()) == options.crashes) return;
    for (Tick tick = 1; tick < options.eot; ++tick) {
      FaultSet more = chosen;
      more.insert(Crash{options.nodes[node], tick});
      choose_crash(node + 1, more);
    }
  }

  void choose_omission(size_t link, Tick tick, const FaultSet& chosen) {
    const size_t nodes = options.nodes.size();
    if (link == nodes * nodes) return choose_omission(0, tick + 1, chosen);
    if (tick >= std::min(options.eff, options.eot)) {
      all.push_back(chosen);
      return;
    }
    choose_omission(link + 1, tick, chosen);
    if (link / nodes == link % nodes) return;
    FaultSet more = chosen;
    more.insert(Omission{options.nodes[link / nodes], options.nodes[link % nodes], tick});
    choose_omission(link + 1, tick, more);
  }
};

Atoms fault_atoms(const FaultSet& faults) {
  Atoms atoms;
  for (const auto& [from, to, tick] : faults.of<Omission>()) {
    atoms.insert(fmt::format("omission({},{},{})", string_text(from), string_text(to), tick));
  }
  for (const auto& [node, tick] : faults.of<Crash>()) {
    atoms.insert(fmt::format("crash_at({},{})", string_text(node), tick));
  }
  return atoms;
}

std::string atom_of(const Fact& fact, Tick tick) {
  std::vector<std::string> args;
  for (const Datum& value : fact.values) {
    const auto* text = std::get_if<std::string>(&value);
    // Clingo's JSON shows strings without the escapes that its programs have.
    args.push_back(text != nullptr ? fmt::format("\"{}\"", *text) : to_string(value));
  }
  args.push_back(std::to_string(tick));
  return call(Names(Names::Case::kLower, own_predicates())[fact.relation], args);
}

bool fits(const Fact& fact) {
  return std::ranges::all_of(fact.values, [](const Datum& value) {
    const auto* integer = std::get_if<int64_t>(&value);
    return integer == nullptr || std::abs(*integer) <= INT32_MAX;
  });
}

// The models that clingo should find; nothing if some run fails or leaves 32 bits.
std::optional<Models> expected_models(const dedalus::Program& program, const Options& options) {
  simulate::Simulator simulator(program, options.nodes, options.model, {.lineage = false});
  Models models;
  for (const FaultSet& faults : FaultSets(options).all) {
    if (simulator.run(options.eot, faults)) return std::nullopt;
    Atoms atoms = fault_atoms(faults);
    Scenario scenario;
    scenario.program.eot = options.eot;
    scenario.program.crash_model = options.model;
    scenario.nodes = options.nodes;
    scenario.faults = faults;
    const Run run = describe(simulator, scenario);
    if (options.all_facts) {
      for (Tick tick = 1; tick <= options.eot; ++tick) {
        for (const Fact& fact : run.facts[static_cast<size_t>(tick - 1)]) {
          if (!fits(fact)) return std::nullopt;
          if (fact.relation != dedalus::kCrash) atoms.insert(atom_of(fact, tick));
        }
      }
    } else if (run.outcome().kind != Outcome::Kind::kViolated) {
      continue;
    }
    models.insert(std::move(atoms));
  }
  return models;
}

// ---- The argument ----

struct Tally {
  int programs = 0;
  int refused = 0;
  int failed = 0;
  size_t models = 0;
};

std::string first_of(const Models& a, const Models& b) {
  for (const Atoms& atoms : a) {
    if (!b.contains(atoms)) return fmt::format("{}", fmt::join(atoms, " "));
  }
  return "nothing";
}

void argue(const dedalus::Program& program, const Options& options, Tally& tally) {
  ++tally.programs;
  Diagnostics diagnostics;
  auto text = translate(program, options, diagnostics);
  if (!text) {
    ++tally.refused;
    return;
  }
  std::optional<Models> expected = expected_models(program, options);
  if (!expected) {
    ++tally.failed;
    return;
  }
  tally.models += expected->size();
  const Models found = models_of(*text);
  EXPECT_TRUE(found == *expected) << *text << "\nonly clingo: " << first_of(found, *expected)
                                  << "\nonly the simulator: " << first_of(*expected, found);
}

TEST(AspTest, AgreesOnTheLanguagesExamples) {
  Tally tally;
  for (const twins::LanguageCase& test : twins::language_cases()) {
    SCOPED_TRACE(test.name);
    const Scenario scenario = twins::scenario_of(test.world);
    Options options{.nodes = scenario.nodes,
                    .eot = scenario.program.eot,
                    .model = scenario.program.crash_model};
    options.eff = scenario.faults.of<Omission>().empty() ? 1 : 2;
    options.crashes = scenario.faults.of<Crash>().empty() ? 0 : 2;
    options.all_facts = true;
    const simulate::Loaded loaded = simulate::load(test.program);
    for (const bool unroll : {false, true}) {
      options.unroll = unroll;
      argue(*loaded.program, options, tally);
    }
  }
  EXPECT_LT(tally.refused, 60);
  EXPECT_GT(tally.models, 200U);
}

// At most a few hundred fault sets.
Options random_bounds(const std::vector<NodeName>& nodes, Random& random) {
  Options options{.nodes = nodes};
  options.eot = static_cast<Tick>(random.uniform_in(1, 4));
  constexpr std::array<Tick, 5> kMostEff = {0, 4, 3, 2, 1};
  options.eff = static_cast<Tick>(random.uniform_in(1, kMostEff.at(nodes.size())));
  options.crashes = static_cast<int>(random.uniform_below(options.eff > 1 ? 2 : 3));
  options.model = random.chance(0.5) ? CrashModel::kStop : CrashModel::kSilent;
  options.unroll = random.chance(0.3);
  options.all_facts = random.chance(0.8);
  return options;
}

void argue_over_seed(uint64_t seed, Tally& tally) {
  SCOPED_TRACE(fmt::format("CLEW_ASP_SEED={}", seed));
  Random random(seed);
  const twins::RandomProgram program = twins::random_program(random);
  const simulate::Loaded loaded = simulate::load(program.text());
  if (loaded.program) argue(*loaded.program, random_bounds(program.nodes, random), tally);
}

constexpr uint64_t kSeeds = 1'000;

TEST(AspTest, AgreesOnRandomPrograms) {
  Tally tally;
  if (const char* seed = std::getenv("CLEW_ASP_SEED")) {
    return argue_over_seed(std::strtoull(seed, nullptr, 10), tally);
  }
  for (uint64_t seed = 1; seed <= kSeeds && !HasFailure(); ++seed) argue_over_seed(seed, tally);
  std::cout << fmt::format("{} programs, {} refused, {} failed, {} models\n", tally.programs,
                           tally.refused, tally.failed, tally.models);
  EXPECT_GT(tally.programs - tally.refused - tally.failed, 200);
  EXPECT_GT(tally.models, 3'000U);
}

TEST(AspTest, KeepsStringsAndTheirOrder) {
  const simulate::Loaded loaded = simulate::load(
      R"(p("a", "\")@1; p("a", "\n")@1; p("a", "Z")@1; p("a", "a b")@1; p("a", "a")@1; p("a", "é")@1;
         p("a", 7)@1; q(X, N, M) :- p(X, N), p(X, M), N < M; r(X, min<N>, max<N>) :- p(X, N);)");
  ASSERT_TRUE(loaded.program);
  Tally tally;
  argue(*loaded.program, {.nodes = {"a"}, .all_facts = true}, tally);
  EXPECT_EQ(tally.models, 1U);
}

TEST(AspTest, FindsTheFaultSetsThatBreakTheBroadcasts) {
  Tally tally;
  for (const char* name : {"simple", "retry", "redun", "ack", "classic"}) {
    for (const CrashModel model : {CrashModel::kSilent, CrashModel::kStop}) {
      SourceSet sources;
      Diagnostics diagnostics;
      const std::string path = fmt::format("protocols/broadcast/{}_deliv.ded", name);
      auto program = dedalus::load_program({path}, sources, diagnostics);
      ASSERT_TRUE(program);
      Options options{.nodes = {"a", "b", "c"}, .eot = 4, .eff = 2, .crashes = 2, .model = model};
      argue(*program, options, tally);
      options.unroll = true;
      options.eff = 3;
      options.crashes = 0;
      argue(*program, options, tally);
    }
  }
  EXPECT_EQ(tally.programs, 20);
  EXPECT_EQ(tally.refused, 0);
  EXPECT_GT(tally.models, 5000U);
}

}  // namespace
}  // namespace clew::asp
