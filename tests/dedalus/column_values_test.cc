// What columns can hold: nothing that a run derives is missing, and what follows is said once.
#include "dedalus/column_values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "dedalus/parse.h"
#include "simulate/system.h"
#include "tests/twins/random_program.h"

namespace clew::dedalus {
namespace {

// The codes and places of what is warned about, as in "not-a-node 3:17".
std::string value_warnings(const std::string& text, const std::vector<std::string>& nodes) {
  SourceSet sources;
  Diagnostics errors;
  const FileId file = sources.add("p.ded", text);
  const auto program = check_program({parse(file, sources, errors)}, errors);
  if (!program) return errors.render(sources);
  Diagnostics warnings;
  warn_values(*program, nodes, warnings);
  warnings.sort();
  const std::string rendered = warnings.render(sources);
  std::string found;
  for (size_t at = 0; (at = rendered.find("p.ded:", at)) != std::string::npos; ++at) {
    const size_t end = rendered.find('\n', at);
    const std::string line = rendered.substr(at + 6, end - at - 6);
    if (line.find("warning") == std::string::npos) continue;
    found += (found.empty() ? "" : ", ") + line.substr(line.rfind('[') + 1);
    found.back() = ' ';
    found += line.substr(0, line.find(": "));
  }
  return found;
}

TEST(ColumnValues, WhatNeverHappensIsSaidOnce) {
  struct Row {
    const char* rules;
    const char* warnings;
  };
  const std::string facts = "at(\"a\", \"x\")@1; at(\"b\", \"y\")@1; mode(\"a\", \"fast\")@1;\n";
  const Row table[] = {
      {"got(N, V) :- at(N, V);", ""},
      // E is no node, and what waits for it says nothing.
      {"item(E) :- at(_, E); seen(E) :- item(E); late(E) :- seen(E);", "not-a-node 2:38"},
      {"item(E) :- at(_, E); seen(N, E) :- at(N, E), item(E);", ""},
      {"item(E) :- at(_, E); told(E)@async :- at(_, E);", "not-a-node 2:27"},
      {"told(N)@async :- at(_, _), at(N, _);", ""},
      {"got(N) :- at(N, \"z\");", "never-matches 2:17"},
      {"got(N) :- at(N, \"x\");", ""},
      {"got(N) :- at(N, V), mode(N, V);", "never-matches 2:29"},
      {"got(N) :- at(N, V), V == \"z\";", "never-matches 2:21"},
      {"got(N) :- mode(N, V), V != \"fast\";", "never-matches 2:23"},
      {"got(N) :- at(N, V), V != \"x\";", ""},
      // What is calculated may be anything.
      {"made(N, V + \"z\") :- at(N, V); got(N) :- made(N, \"xz\");", ""},
      {"got(N, C) :- crash(N, C, _);", ""},
      // A word without quotes.
      {"got(N) :- at(N, x);", "bare-string 2:17"},
      {"got(N) :- at(N, _), notin at(N, x);", "bare-string 2:33"},
      {"got(N, x) :- at(N, x);", ""},
      {"got(N) :- at(N, X);", ""},
      {"got(N) :- at(N, value);", ""},
      // Here it makes no difference.
      {"got(N) :- mode(N, fast);", ""},
  };
  for (const Row& row : table) {
    EXPECT_EQ(value_warnings(facts + row.rules, {"a", "b"}), row.warnings) << row.rules;
  }
}

TEST(ColumnValues, NoProtocolIsWarnedAbout) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator("protocols")) {
    if (entry.path().extension() != ".ded") continue;
    SourceSet sources;
    Diagnostics diagnostics;
    const auto program = load_program({entry.path().string()}, sources, diagnostics);
    ASSERT_TRUE(program) << entry.path();
    Diagnostics warnings;
    warn_values(*program, mentioned_nodes(*program), warnings);
    // A part of a program lacks what the others would derive.
    if (program->find(kPre) == nullptr) continue;
    EXPECT_EQ(warnings.render(sources), "");
  }
}

// Every fact of every run is made of values that its columns can hold.
TEST(ColumnValues, NothingThatARunDerivesIsMissing) {
  size_t facts = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    Random random(seed);
    const twins::RandomProgram made = twins::random_program(random);
    SourceSet sources;
    Diagnostics diagnostics;
    const FileId file = sources.add("p.ded", made.text());
    const auto program = check_program({parse(file, sources, diagnostics)}, diagnostics);
    if (!program) continue;
    Scenario scenario = twins::random_scenario(made.nodes, random);
    const ColumnValues values(*program, scenario.nodes);
    FaultModel model{.nodes = scenario.nodes, .eot = scenario.program.eot};
    model.crash_model = scenario.program.crash_model;
    simulate::ProgramSystem system(*program, model);
    const Result<clew::Run> run = system.run(scenario, Detail::kTrace);
    if (!run.ok()) continue;
    for (const std::vector<Fact>& tick : run->facts) {
      for (const Fact& fact : tick) {
        ++facts;
        for (size_t i = 0; i < fact.values.size(); ++i) {
          const ValueSet& known = values.of(program->relation_index.at(fact.relation), i);
          ASSERT_TRUE(known.may_be(to_string(fact.values[i])))
              << "seed " << seed << ", " << to_string(fact) << "\n"
              << made.text();
        }
      }
    }
  }
  EXPECT_GT(facts, 10'000U);
}

}  // namespace
}  // namespace clew::dedalus
