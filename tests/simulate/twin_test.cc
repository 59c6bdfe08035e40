// Engine and twin argue: over every protocol under all single faults and many random fault sets,
// and over thousands of random programs. On every fact of every tick, every message and its fate,
// the outcome, and every run-time error they must agree. A disagreement is shrunk before it is
// shown.
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
#include <optional>
#include <tuple>

#include "dedalus/parse.h"
#include "dedalus/print.h"
#include "dedalus/program.h"
#include "simulate/describe.h"
#include "simulate/simulator.h"
#include "tests/twins/naive_simulator.h"
#include "tests/twins/random_program.h"
#include "tests/twins/shrink.h"

namespace clew::simulate {
namespace {

using twins::NaiveRun;
using twins::Subject;

// ---- Comparing ----

std::string to_text(const Message& message) {
  return fmt::format("{}>{}@{} {} {}", message.from, message.to, message.sent_at,
                     to_string(message.fact), to_string(message.fate));
}

std::string to_text(const Fact& fact) { return to_string(fact); }
std::string to_text(const std::string& text) { return text; }
std::string to_text(const Outcome::Goal& goal) {
  return fmt::format("{} {} post", to_string(goal.pre), goal.post ? "with" : "without");
}

// The first item that only one of the two has, each taken in sorted order; repetitions count.
template <class Engine, class Twin>
std::string first_difference(const char* what, const Engine& engine, const Twin& twin) {
  std::vector<std::string> left;
  std::vector<std::string> right;
  for (const auto& item : engine) left.push_back(to_text(item));
  for (const auto& item : twin) right.push_back(to_text(item));
  std::ranges::sort(left);
  std::ranges::sort(right);
  const auto [l, r] = std::ranges::mismatch(left, right);
  if (l == left.end() && r == right.end()) return "";
  if (r == right.end() || (l != left.end() && *l < *r)) {
    return fmt::format("{}: only the engine has {}", what, *l);
  }
  return fmt::format("{}: only the twin has {}", what, *r);
}

std::string compare_runs(const Run& engine, const NaiveRun& twin) {
  if (engine.facts.size() != twin.facts.size()) return "the numbers of ticks differ";
  for (size_t i = 0; i < twin.facts.size(); ++i) {
    const std::string what = fmt::format("facts of tick {}", i + 1);
    std::string found = first_difference(what.c_str(), engine.facts[i], twin.facts[i]);
    if (!found.empty()) return found;
    if (!std::ranges::is_sorted(engine.facts[i])) return what + ": not sorted";
  }
  std::string found = first_difference("messages", engine.messages, twin.messages);
  if (!found.empty()) return found;
  if (!std::ranges::is_sorted(engine.messages, {}, &Message::sent_at)) {
    return "messages are not in the order sent";
  }
  found = first_difference("stray destinations", engine.stray, twin.stray);
  if (!found.empty()) return found;
  found = first_difference("goals", engine.outcome.goals, twin.outcome.goals);
  if (!found.empty()) return found;
  if (engine.outcome.kind == twin.outcome.kind) return "";
  return fmt::format("outcome: {} and {}", to_string(engine.outcome.kind),
                     to_string(twin.outcome.kind));
}

std::string compare_errors(const std::optional<RuntimeError>& engine, const NaiveRun& twin,
                           const SourceSet& sources) {
  if (!engine && !twin.failed_at) return "";
  if (!engine) {
    const twins::Failure& failure = *twin.failures.begin();
    return fmt::format("only the twin fails, at tick {}: {} in `{}`", *twin.failed_at, failure.code,
                       sources.text(failure.span));
  }
  const std::string code = to_diagnostic(*engine).code;
  const std::string shown =
      fmt::format("at tick {}: {} in `{}`", engine->tick, code, sources.text(engine->span));
  if (!twin.failed_at) return "only the engine fails, " + shown;
  if (*twin.failed_at != engine->tick) {
    return fmt::format("the twin fails at tick {}, the engine {}", *twin.failed_at, shown);
  }
  if (twin.failures.contains({code, engine->span})) return "";
  return "the engine fails where the twin does not, " + shown;
}

// ---- Running both ----

struct Loaded {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<dedalus::Program> program;  // nothing if it has errors
};

Loaded load(const std::string& text) {
  Loaded loaded;
  const FileId file = loaded.sources.add("program.ded", text);
  std::vector<dedalus::File> files = {dedalus::parse(file, loaded.sources, loaded.diagnostics)};
  loaded.program = dedalus::check_program(std::move(files), loaded.diagnostics);
  return loaded;
}

// What both were asked, and how often something happened.
struct Tally {
  uint64_t programs = 0;
  uint64_t rejected = 0;  // by the checker
  uint64_t runs = 0;
  uint64_t gave_up = 0;  // too long for the twin
  uint64_t failed = 0;   // with a run-time error
  uint64_t facts = 0;
  uint64_t messages = 0;
  uint64_t lost = 0;
  uint64_t holds = 0;
  uint64_t violated = 0;
  uint64_t reused = 0;  // ticks that the engine took over from the run before

  void add(const NaiveRun& run) {
    ++runs;
    if (run.gave_up) ++gave_up;
    if (run.failed_at) ++failed;
    for (const auto& tick : run.facts) facts += tick.size();
    messages += run.messages.size();
    for (const Message& message : run.messages) lost += message.lost() ? 1U : 0U;
    if (run.outcome.kind == Outcome::Kind::kHolds) ++holds;
    if (run.outcome.kind == Outcome::Kind::kViolated) ++violated;
  }
};

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << fmt::format(
             "{} programs ({} rejected), {} runs ({} given up, {} failed, {} holds, {} violated), "
             "{} facts, {} messages ({} lost), {} ticks reused",
             tally.programs, tally.rejected, tally.runs, tally.gave_up, tally.failed, tally.holds,
             tally.violated, tally.facts, tally.messages, tally.lost, tally.reused);
}

// One program on one simulator, and its twin.
class Argument {
 public:
  Argument(const Loaded& loaded, const Scenario& scenario, SimulatorOptions options,
           uint64_t most_steps)
      : loaded_(loaded),
        simulator_(*loaded.program, scenario.nodes, scenario.crash_model, options),
        most_steps_(most_steps) {}

  // The first difference; empty if they agree, or if the twin gives up.
  std::string over(const Scenario& scenario, Tally& tally) {
    const NaiveRun twin = twins::naive_run(*loaded_.program, scenario, most_steps_);
    tally.add(twin);
    if (twin.gave_up) return "";
    const auto error = simulator_.run(scenario.eot, scenario.faults);
    tally.reused += static_cast<uint64_t>(simulator_.ticks_reused());
    const std::string found = compare_errors(error, twin, loaded_.sources);
    if (!found.empty() || error) return found;
    return compare_runs(describe(simulator_, scenario), twin);
  }

 private:
  const Loaded& loaded_;
  Simulator simulator_;
  uint64_t most_steps_;
};

// A program and the scenarios that one simulator runs in turn.
struct Session {
  std::string text;
  std::vector<Scenario> scenarios;  // with the same nodes and crash model
  SimulatorOptions options;
  uint64_t most_steps = twins::kMostNaiveSteps;
};

// The last scenario's difference, after the others.
std::string last_difference(const Session& session, const Subject& subject) {
  const Loaded loaded = load(subject.text);
  if (!loaded.program) return "";
  Tally ignored;
  Argument argument(loaded, subject.scenario, session.options, session.most_steps);
  for (const Scenario& before : session.scenarios) {
    if (before.nodes == subject.scenario.nodes) argument.over(before, ignored);
  }
  return argument.over(subject.scenario, ignored);
}

// Shrinks what the session's last scenario showed. Most differences need no scenario before it.
std::string complain(Session session) {
  const Subject subject{session.text, session.scenarios.back()};
  session.scenarios.pop_back();
  Session fresh = session;
  fresh.scenarios.clear();
  if (!last_difference(fresh, subject).empty()) session = fresh;
  const Subject small =
      shrink(subject, [&](const Subject& s) { return !last_difference(session, s).empty(); });
  std::string before;
  for (const Scenario& scenario : session.scenarios) {
    before += fmt::format("// after eot {}; {}\n", scenario.eot, to_string(scenario.faults));
  }
  return fmt::format("{}\n{}{}", last_difference(session, small), describe(small), before);
}

// Argues over all scenarios; the shrunk complaint about the first that differs, or nothing.
std::string argue(const Session& session, const Loaded& loaded, Tally& tally) {
  Argument argument(loaded, session.scenarios[0], session.options, session.most_steps);
  Session so_far = session;
  so_far.scenarios.clear();
  for (const Scenario& scenario : session.scenarios) {
    so_far.scenarios.push_back(scenario);
    if (!argument.over(scenario, tally).empty()) return complain(so_far);
  }
  return "";
}

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
  for (Tick tick = 1; tick < scenario.eot; ++tick) {
    for (const NodeName& from : scenario.nodes) {
      all.push_back({{}, {{from, tick}}});
      for (const NodeName& to : scenario.nodes) {
        if (from != to) all.push_back({{{from, to, tick}}, {}});
      }
    }
  }
  return all;
}

// The failure-free run, all single faults, and many random ones.
std::vector<Scenario> protocol_scenarios(Scenario scenario, Random& random) {
  std::vector<Scenario> all;
  for (const FaultSet& faults : single_faults(scenario)) {
    all.push_back(scenario);
    all.back().faults = faults;
  }
  for (int i = 0; i < 60; ++i) {
    all.push_back(twins::random_scenario(scenario.nodes, random));
    all.back().crash_model = scenario.crash_model;
  }
  return all;
}

class ProtocolTwinTest : public testing::TestWithParam<std::string> {};

TEST_P(ProtocolTwinTest, EngineAndTwinAgree) {
  const Loaded loaded = load(protocol_text(GetParam()));
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  Random random(1);
  Tally tally;
  for (const CrashModel model : {CrashModel::kSilent, CrashModel::kStop}) {
    Scenario scenario;
    scenario.nodes = mentioned_nodes(*loaded.program);
    if (scenario.nodes.empty()) scenario.nodes = {"a", "b"};
    scenario.eot = 5;
    scenario.crash_model = model;
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
  Session session;
  session.text = program.text();
  session.options.lineage = random.chance(0.5);
  for (int i = 0; i < 3; ++i) {
    session.scenarios.push_back(twins::random_scenario(program.nodes, random));
    session.scenarios.back().crash_model = session.scenarios[0].crash_model;
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

constexpr uint64_t kSeeds = 3'000;

TEST(RandomTwinTest, EngineAndTwinAgree) {
  Tally tally;
  if (const char* seed = std::getenv("CLEW_TWIN_SEED")) {
    argue_over_seeds(std::strtoull(seed, nullptr, 10), 1, 1e9, tally);
    return;
  }
  argue_over_seeds(1, kSeeds, 1e9, tally);
  if (testing::Test::HasFailure()) return;
  // The argument is worth something only if the programs are programs and do something.
  EXPECT_LT(tally.rejected * 10, tally.programs);
  EXPECT_LT(tally.gave_up * 20, tally.runs);
  EXPECT_GT(tally.failed * 100, tally.runs);
  EXPECT_LT(tally.failed * 5, tally.runs);
  EXPECT_GT(tally.facts, tally.runs * 20);
  EXPECT_GT(tally.messages, tally.runs * 2);
  EXPECT_GT(tally.lost * 20, tally.messages);
  EXPECT_GT(tally.holds * 50, tally.runs);
  EXPECT_GT(tally.violated * 50, tally.runs);
  EXPECT_GT(tally.reused, 0U);
}

TEST(RandomTwinTest, EngineAndTwinAgreeForLonger) {
  const char* seconds = std::getenv("CLEW_LONG_TESTS");
  if (seconds == nullptr) GTEST_SKIP() << "set CLEW_LONG_TESTS to a number of seconds";
  Tally tally;
  argue_over_seeds(kSeeds + 1, UINT64_MAX / 2, std::strtod(seconds, nullptr), tally);
}

}  // namespace
}  // namespace clew::simulate
