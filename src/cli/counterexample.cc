#include "cli/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/check.h"
#include "base/files.h"
#include "dedalus/symmetry.h"
#include "lineage/explain.h"
#include "simulate/describe.h"
#include "simulate/simulator.h"
#include "twin/naive_simulator.h"

namespace clew::cli {

namespace {

// The twin takes long for large runs; beyond this it is given up on, and that is said.
constexpr uint64_t kMostTwinSteps = 200'000'000;

// Replays, one after the other, with firings.
class Replay {
 public:
  Replay(const ProgramInput& input, const FaultModel& model)
      : input_(input), simulator_(input.program, model.nodes, model.crash_model, {}) {}

  std::optional<Run> run(const Scenario& scenario) {
    if (simulator_.run(scenario.eot, scenario.faults)) return std::nullopt;
    Run run = simulate::describe(simulator_, scenario);
    run.firings = simulate::describe_firings(simulator_, input_.sources);
    return run;
  }

 private:
  const ProgramInput& input_;
  simulate::Simulator simulator_;
};

// Its firings, which take a lot of memory, are kept no longer than the explanation needs them.
report::Counterexample explained(const ProgramInput& input, Replay& replay, const Run& good,
                                 const Scenario& scenario) {
  std::optional<Run> bad = replay.run(scenario);
  CHECK(bad && bad->outcome.kind == Outcome::Kind::kViolated, "{}", to_string(scenario.faults));
  report::Counterexample one;
  auto other = [&](const FaultSet& faults) {
    Scenario changed = scenario;
    changed.faults = faults;
    return replay.run(changed);
  };
  one.explanation = lineage::explain(good, *bad, {&input.program, other});
  bad->firings.clear();
  bad->firings.shrink_to_fit();
  one.run = std::move(*bad);
  return one;
}

// The twin has to come to the same end.
void confirm(const ProgramInput& input, const Scenario& scenario) {
  twins::NaiveRun twin = twins::naive_run(input.program, scenario, kMostTwinSteps);
  if (twin.gave_up) {
    fmt::print(stderr, "note: the run is too large for a second, independent replay\n");
    return;
  }
  CHECK(twin.outcome.kind == Outcome::Kind::kViolated, "the twin disagrees about {}",
        to_string(scenario.faults));
}

FaultSet renamed(const FaultSet& faults, const std::vector<NodeName>& nodes,
                 const dedalus::NodeSymmetry::Permutation& permutation) {
  auto image = [&](const NodeName& node) {
    auto at = std::ranges::lower_bound(nodes, node);
    return nodes[permutation[static_cast<size_t>(at - nodes.begin())]];
  };
  FaultSet result;
  for (const Omission& omission : faults.omissions) {
    result.omissions.push_back({image(omission.from), image(omission.to), omission.tick});
  }
  for (const Crash& crash : faults.crashes) {
    result.crashes.push_back({image(crash.node), crash.tick});
  }
  result.normalize();
  return result;
}

// Counterexamples that are the same up to renaming nodes share a group.
void group(const ProgramInput& input, report::CheckReport& report) {
  if (report.counterexamples.size() < 2) return;
  const std::vector<NodeName>& nodes = report.verdict.model.nodes;
  dedalus::NodeSymmetry symmetry(input.program, nodes);
  std::map<std::string, size_t> groups;
  for (report::Counterexample& one : report.counterexamples) {
    std::string first;
    for (const auto& permutation : symmetry.permutations()) {
      std::string text = to_string(renamed(one.run.scenario.faults, nodes, permutation));
      if (first.empty() || text < first) first = std::move(text);
    }
    one.group = groups.try_emplace(first, groups.size()).first->second;
  }
}

std::string numbered(const std::string& path, size_t index) {
  if (index == 0) return path;
  std::filesystem::path file(path);
  std::string name =
      fmt::format("{}.{}{}", file.stem().string(), index + 1, file.extension().string());
  return (file.parent_path() / name).string();
}

}  // namespace

Scenario to_scenario(const ProgramInput& input, const FaultModel& model, const FaultSet& faults) {
  Scenario scenario;
  scenario.program = input.files;
  scenario.inputs = input.inputs;
  scenario.nodes = model.nodes;
  scenario.eot = model.eot;
  scenario.crash_model = model.crash_model;
  scenario.faults = faults;
  return scenario;
}

Status save_scenario(Scenario scenario, const std::string& path) {
  std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  for (ProgramFile& file : scenario.program) {
    file.path = std::filesystem::absolute(file.path).lexically_proximate(folder).string();
  }
  return write_file_atomically(path, to_json(scenario));
}

Status show_counterexamples(const ProgramInput& input, const std::string& path,
                            report::CheckReport& report) {
  Status result = Nothing{};
  if (report.verdict.counterexamples.empty()) return result;
  Replay replay(input, report.verdict.model);
  const std::optional<Run> good = replay.run(to_scenario(input, report.verdict.model, {}));
  CHECK(good, "the run without faults has failed");
  for (const FaultSet& faults : report.verdict.counterexamples) {
    Scenario scenario = to_scenario(input, report.verdict.model, faults);
    report::Counterexample one = explained(input, replay, *good, scenario);
    confirm(input, scenario);
    one.scenario = numbered(path, report.counterexamples.size());
    Status saved = save_scenario(scenario, one.scenario);
    if (!saved.ok()) {
      one.scenario.clear();
      result = saved;
    }
    report.counterexamples.push_back(std::move(one));
  }
  group(input, report);
  return result;
}

}  // namespace clew::cli
