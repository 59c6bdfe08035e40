// Runs with firings, for tests: of small programs, of protocols, of random programs.
//
//   Sample sample("p(\"a\")@1; p(X)@next :- p(X);");
//   Run run = *sample.run("a b, eot 3, drop a>b@1");
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "dedalus/parse.h"
#include "dedalus/program.h"
#include "domain/run.h"
#include "microspec/rule_table.h"
#include "simulate/describe.h"
#include "simulate/simulator.h"
#include "tests/twins/language_cases.h"

namespace clew::lineage {

struct Sample {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<dedalus::Program> program;

  Sample() = default;
  explicit Sample(const std::string& text) {
    const FileId file = sources.add("program.ded", text);
    program = dedalus::check_program({dedalus::parse(file, sources, diagnostics)}, diagnostics);
  }

  static Sample protocol(const std::string& path) {
    Sample sample;
    sample.program =
        dedalus::load_program({"protocols/" + path}, sample.sources, sample.diagnostics);
    return sample;
  }

  // Nothing if a rule fails.
  std::optional<Run> run(const Scenario& scenario) const {
    EXPECT_TRUE(program) << diagnostics.render(sources);
    simulate::Simulator simulator(*program, scenario.nodes, scenario.program.crash_model, {});
    if (simulator.run(scenario.program.eot, scenario.faults)) return std::nullopt;
    Run run = simulate::describe(simulator, scenario);
    add_firings(simulator, microspec::make_rule_table(*program, sources), run);
    return run;
  }
  std::optional<Run> run(const std::string& world) const { return run(twins::scenario_of(world)); }
  std::optional<Run> run_without_faults(Scenario scenario) const {
    scenario.faults = {};
    return run(scenario);
  }
};

inline bool holds(const Run& run, const Fact& fact, Tick tick) {
  const std::vector<Fact>& facts = run.facts[static_cast<size_t>(tick - 1)];
  return std::ranges::binary_search(facts, fact);
}

}  // namespace clew::lineage
