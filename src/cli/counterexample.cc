#include "cli/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/check.h"
#include "base/files.h"
#include "cli/replayer.h"
#include "dedalus/symmetry.h"
#include "twin/naive_simulator.h"

namespace clew::cli {

namespace {

// The twin takes long for large runs; beyond this it is given up on, and that is said.
constexpr uint64_t kMostTwinSteps = 200'000'000;

// Its firings, which take a lot of memory, are kept no longer than the explanation needs them.
report::Counterexample explained(Replayer& replayer, const Scenario& scenario) {
  std::optional<Run> bad = replayer.run(scenario);
  CHECK(bad && bad->outcome.kind == Outcome::Kind::kViolated, "{}", to_string(scenario.faults));
  report::Counterexample one;
  one.explanation = replayer.explain(*bad);
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
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
  for (ProgramFile& file : scenario.program) {
    const std::filesystem::path program = std::filesystem::absolute(file.path, error);
    if (error) break;
    file.path = program.lexically_proximate(folder).string();
  }
  if (error) return Error{fmt::format("cannot write {}: {}", path, error.message()), ""};
  return write_file_atomically(path, to_json(scenario));
}

Status show_counterexamples(const ProgramInput& input, const std::string& path,
                            report::CheckReport& report) {
  Status result = Nothing{};
  Replayer replayer(input, report.verdict.model.nodes, report.verdict.model.crash_model);
  for (const FaultSet& faults : report.verdict.counterexamples) {
    Scenario scenario = to_scenario(input, report.verdict.model, faults);
    report::Counterexample one = explained(replayer, scenario);
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
