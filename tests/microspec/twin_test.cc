// MicroSpec argues with two others over thousands of random programs: with the twin, over every
// fact, firing, goal and error of rules over given facts; and with the simulator, over what it says
// of the promises of a program whose Run is judged by these promises alone.
//
//   CLEW_LONG_TESTS=600   goes on with further random programs for that many seconds
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>

#include "dedalus/parse.h"
#include "microspec/microspec.h"
#include "simulate/describe.h"
#include "tests/simulate/argument.h"
#include "tests/simulate/difference.h"
#include "tests/twins/effort.h"
#include "tests/twins/random_program.h"

namespace clew::microspec {
namespace {

using dedalus::Clause;
using dedalus::GivenRelations;
using dedalus::TimeSuffix;

struct Count {
  uint64_t seeds = 0;
  uint64_t programs = 0;
  uint64_t rejected = 0;
  uint64_t gave_up = 0;
  uint64_t failed = 0;
  uint64_t holds = 0;
  uint64_t violated = 0;
  uint64_t vacuous = 0;
  uint64_t derived = 0;  // facts
  uint64_t carried = 0;  // from one tick to the next

  void add(const Run& run) {
    for (const Outcome& outcome : run.outcomes) {
      holds += outcome.kind == Outcome::Kind::kHolds ? 1 : 0;
      violated += outcome.kind == Outcome::Kind::kViolated ? 1 : 0;
      vacuous += outcome.kind == Outcome::Kind::kVacuous ? 1 : 0;
    }
  }
};

std::ostream& operator<<(std::ostream& out, const Count& count) {
  return out << count.programs << " programs, " << count.rejected << " rejected, " << count.gave_up
             << " given up, " << count.failed << " failed, " << count.holds << " hold, "
             << count.violated << " violated, " << count.vacuous << " vacuous, " << count.derived
             << " facts derived, " << count.carried << " carried on";
}

std::string told(const std::vector<Outcome>& outcomes) {
  std::string text;
  for (const Outcome& outcome : outcomes) {
    text += fmt::format("{} {} {} {} {}\n", outcome.spec, to_string(outcome.kind), outcome.pre,
                        outcome.post, outcome.every_tick);
    for (const Outcome::Goal& goal : outcome.goals) {
      text += fmt::format("  {}@{} {}\n", to_string(goal.pre), goal.tick, goal.post);
    }
  }
  return text;
}

// ---- With the twin ----

Datum value_of(const dedalus::Term& term) {
  if (term.kind == dedalus::Term::Kind::kString) return term.text;
  return term.integer;
}

// Clauses of a random program that may stand in a spec, and a Run of what it gives.
struct Split {
  std::vector<dedalus::File> spec{1};
  GivenRelations given;
  Run run;
};

bool has_constants(const Clause& fact) {
  return std::ranges::all_of(fact.head.args, [](const dedalus::Term& term) {
    return term.kind == dedalus::Term::Kind::kString || term.kind == dedalus::Term::Kind::kInteger;
  });
}

class Splitter {
 public:
  Splitter(dedalus::File file, Random& random) : random_(random) {
    for (Clause& clause : file.clauses) take(std::move(clause));
  }

  Split run() {
    const auto ticks = static_cast<size_t>(random_.uniform_below(6) + 1);
    split_.run.scenario.program.eot = static_cast<Tick>(ticks);
    split_.run.facts.resize(ticks);
    for (const Clause& clause : split_.spec[0].clauses) note_reads(clause);
    for (const Clause& fact : facts_) give(fact);
    for (uint64_t i = random_.uniform_below(3); i > 0; --i) {
      put({dedalus::kCrash, {"a", random_.chance(0.5) ? "a" : "b", int64_t{1}}});
    }
    for (std::vector<Fact>& facts : split_.run.facts) {
      std::ranges::sort(facts);
      facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    }
    return std::move(split_);
  }

 private:
  void take(Clause clause) {
    const bool sends = clause.head.time.kind == TimeSuffix::Kind::kAsync;
    if (clause.kind == Clause::Kind::kLimits || sends) return;
    if (clause.kind == Clause::Kind::kFact) {
      facts_.push_back(std::move(clause));
      return;
    }
    if (clause.kind == Clause::Kind::kRule) derived_.insert(clause.head.relation);
    split_.spec[0].clauses.push_back(std::move(clause));
  }

  void note_reads(const Clause& clause) {
    for (const auto* body : {&clause.body, &clause.implied}) {
      for (const dedalus::Literal& literal : *body) {
        const std::string& name = literal.atom.relation;
        if (literal.kind == dedalus::Literal::Kind::kCondition || derived_.contains(name)) continue;
        if (name == dedalus::kCrash) continue;
        split_.given[name] = static_cast<uint32_t>(literal.atom.args.size());
      }
    }
  }

  // What rules derive, too, stays with them.
  void give(const Clause& fact) {
    const std::string& name = fact.head.relation;
    if (derived_.contains(name)) {
      split_.spec[0].clauses.push_back(fact);
      return;
    }
    const bool fits = split_.given.contains(name) && has_constants(fact) &&
                      split_.given[name] == fact.head.args.size();
    if (!fits) return;
    Fact one{name, {}};
    for (const dedalus::Term& arg : fact.head.args) one.values.push_back(value_of(arg));
    for (uint64_t i = random_.uniform_below(3) + 1; i > 0; --i) put(one);
  }

  void put(Fact fact) {
    const size_t tick = random_.uniform_below(split_.run.facts.size());
    split_.run.facts[tick].push_back(std::move(fact));
  }

  Random& random_;
  Split split_;
  std::vector<Clause> facts_;
  std::set<std::string> derived_;
};

// The facts of the Run as if they stood in the program: that is all the twin knows of Runs.
dedalus::Program with_facts(dedalus::Program program, const Run& run) {
  for (size_t i = 0; i < run.facts.size(); ++i) {
    for (const Fact& fact : run.facts[i]) {
      Clause clause;
      clause.head.relation = fact.relation;
      clause.head.time = {TimeSuffix::Kind::kAt, static_cast<int64_t>(i + 1), {}};
      for (const Datum& datum : fact.values) {
        dedalus::Term& term = clause.head.args.emplace_back();
        const auto* text = std::get_if<std::string>(&datum);
        term.kind = text != nullptr ? dedalus::Term::Kind::kString : dedalus::Term::Kind::kInteger;
        if (text != nullptr) term.text = *text;
        if (text == nullptr) term.integer = std::get<int64_t>(datum);
      }
      program.facts.push_back(std::move(clause));
    }
  }
  return program;
}

// The first difference; empty if they agree.
std::string argue_with_twin(uint64_t seed, Count& count) {
  Random random(seed);
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId id = sources.add("spec.ded", twins::random_program(random).text());
  ++count.programs;
  Split split = Splitter(dedalus::parse(id, sources, diagnostics), random).run();
  std::optional<dedalus::Program> program =
      dedalus::check_spec(std::move(split.spec), split.given, diagnostics);
  if (!program) {
    ++count.rejected;
    return "";
  }
  const twin::NaiveRun twin =
      twin::naive_run(with_facts(*program, split.run), split.run.scenario, {});
  if (twin.gave_up) {
    ++count.gave_up;
    return "";
  }
  const MicroSpec spec(*std::move(program), sources);
  Judge judge(spec);
  Run whole = split.run;
  const bool done = judge.judge(whole, Detail::kLineage).ok();
  const std::string wrong = simulate::compare_errors(judge.error(), twin, sources);
  count.failed += done ? 0 : 1;
  if (!wrong.empty() || !done) return wrong;
  for (const std::vector<Fact>& facts : whole.facts) count.derived += facts.size();
  for (const Firing& firing : whole.firings) {
    count.carried += whole.rule(firing).kind == Rule::Kind::kNext ? 1 : 0;
  }
  count.add(whole);
  const std::string difference = simulate::compare_runs(whole, twin);
  if (!difference.empty()) return difference;
  const std::string firings = simulate::compare_firings(whole, twin);
  if (!firings.empty()) return firings;
  Run verdict = split.run;
  if (!judge.judge(verdict, Detail::kVerdict).ok()) return "a verdict fails";
  return told(verdict.outcomes) == told(whole.outcomes) ? "" : "a verdict differs";
}

// ---- With the simulator ----

bool is_promise(const std::string& clause) {
  return clause.starts_with("promise ") || clause.starts_with("always ") ||
         clause.starts_with("never ");
}

// What the program's own promises say, and what they say as a spec of its Run. `pre` and `post` are
// rules that fire at nodes, which a spec has none of: they are left to the program.
std::string argue_with_simulator(uint64_t seed, Count& count) {
  Random random(seed);
  const twins::RandomProgram random_program = twins::random_program(random);
  std::string promises;
  for (const std::string& clause : random_program.clauses) {
    if (is_promise(clause)) promises += clause + "\n";
  }
  if (promises.empty()) return "";
  const simulate::Loaded loaded = simulate::load(random_program.text());
  ++count.programs;
  if (!loaded.program) {
    ++count.rejected;
    return "";
  }
  const Scenario scenario = twins::random_scenario(random_program.nodes, random);
  simulate::Simulator simulator(*loaded.program, scenario.nodes, scenario.program.crash_model, {});
  if (simulator.run(scenario.program.eot, scenario.faults)) {
    ++count.failed;
    return "";
  }
  Run run = simulate::describe(simulator, scenario);
  std::vector<Outcome> expected = run.outcomes;
  std::erase_if(expected, [](const Outcome& one) { return one.spec == dedalus::kSpec; });
  GivenRelations given;
  std::set<std::string> of_promises;
  for (const dedalus::RelationInfo& relation : loaded.program->relations) {
    if (relation.placeless) of_promises.insert(relation.name);
    if (!relation.placeless) given[relation.name] = relation.arity;
  }
  for (std::vector<Fact>& facts : run.facts) {
    std::erase_if(facts, [&](const Fact& fact) { return of_promises.contains(fact.relation); });
  }
  SourceSet sources;
  Diagnostics diagnostics;
  std::vector<dedalus::File> files;
  files.push_back(dedalus::parse(sources.add("spec.ded", promises), sources, diagnostics));
  std::optional<dedalus::Program> program =
      dedalus::check_spec(std::move(files), given, diagnostics);
  if (!program) {  // what no fact of the program could be may be given by a Run
    ++count.rejected;
    return "";
  }
  Judge judge(MicroSpec(*std::move(program), sources));
  run.outcomes.clear();
  if (const Status done = judge.judge(run, Detail::kVerdict); !done.ok()) {
    return done.error().message;
  }
  count.add(run);
  if (told(run.outcomes) == told(expected)) return "";
  return fmt::format("the program says\n{}the spec says\n{}", told(expected), told(run.outcomes));
}

// ---- Thousands of times ----

using Argue = std::string (*)(uint64_t seed, Count& count);

void argue_over(Argue argue, uint64_t first, uint64_t seeds, double seconds, Count& count) {
  const auto begin = std::chrono::steady_clock::now();
  int complaints = 0;
  for (uint64_t seed = first; seed < first + seeds && complaints < 3; ++seed) {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (spent.count() > seconds) break;
    ++count.seeds;
    const std::string complaint = argue(seed, count);
    if (complaint.empty()) continue;
    ++complaints;
    Random random(seed);
    ADD_FAILURE() << "seed " << seed << ": " << complaint << "\n"
                  << twins::random_program(random).text();
  }
  std::cout << count << "\n";
}

constexpr uint64_t kSpecs = twins::effort(3'000);
constexpr double kAtMost = 60;  // seldom reached, except under sanitizers on a busy machine

void argue_long(Argue argue, uint64_t seeds, Count& count) {
  argue_over(argue, 1, seeds, kAtMost, count);
  EXPECT_GT(count.programs, 20U);
  if (count.seeds == seeds && !twins::kSlowBuild) {
    EXPECT_LT(count.rejected * 4, count.programs);
    EXPECT_LT(count.gave_up * 20, count.programs);
    EXPECT_GT(count.holds * 20, count.programs);
    EXPECT_GT(count.violated * 20, count.programs);
    EXPECT_GT(count.vacuous * 20, count.programs);
  }
  if (const char* seconds = std::getenv("CLEW_LONG_TESTS")) {
    argue_over(argue, seeds + 1, UINT64_MAX / 2, std::strtod(seconds, nullptr), count);
  }
}

TEST(MicroSpecTwinTest, SaysWhatTheTwinSays) {
  Count count;
  argue_long(argue_with_twin, kSpecs, count);
  if (count.seeds < kSpecs || twins::kSlowBuild) return;
  EXPECT_GT(count.failed * 100, count.programs);
  EXPECT_GT(count.derived, count.programs * 5);
  EXPECT_GT(count.carried, count.programs);
}

TEST(MicroSpecTwinTest, SaysWhatTheSimulatorSaysOfTheSamePromises) {
  Count count;
  argue_long(argue_with_simulator, 4 * kSpecs, count);  // a quarter of them make promises
}

}  // namespace
}  // namespace clew::microspec
