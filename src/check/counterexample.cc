#include "check/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <future>
#include <map>
#include <set>

#include "base/check.h"
#include "base/text.h"
#include "check/budget.h"
#include "check/replayer.h"
#include "check/scenario_file.h"
#include "dedalus/symmetry.h"
#include "twin/confirm.h"
#include "twin/naive_simulator.h"

namespace clew::check {

namespace {

// The twin takes long for large runs; beyond this it is given up on, and that is said.
constexpr uint64_t kMostTwinSteps = 200'000'000;

// The twin has to come to the same end.
void confirm(const ProgramInput& input, const Scenario& scenario) {
  twin::NaiveRun twin = twin::naive_run(
      input.program, scenario, {.most_steps = kMostTwinSteps, .firings = false, .trace = false});
  if (twin::confirm(twin, scenario) == twin::Confirmation::kTooLarge) {
    fmt::print(stderr, "note: the run is too large for a second, independent replay\n");
  }
}

NodeName image_of(const NodeName& node, const std::vector<NodeName>& nodes,
                  const dedalus::NodeSymmetry::Permutation& permutation) {
  const auto at = std::ranges::lower_bound(nodes, node);
  return nodes[permutation[static_cast<size_t>(at - nodes.begin())]];
}

FaultSet renamed(const FaultSet& faults, const std::vector<NodeName>& nodes,
                 const dedalus::NodeSymmetry::Permutation& permutation) {
  const auto image = [&](const NodeName& node) { return image_of(node, nodes, permutation); };
  FaultSet result;
  for (const Omission& omission : faults.of<Omission>()) {
    result.insert(Omission{image(omission.from), image(omission.to), omission.tick});
  }
  for (const Crash& crash : faults.of<Crash>()) {
    result.insert(Crash{image(crash.node), crash.tick});
  }
  return result;
}

Limits renamed(const Limits& limits, const std::vector<NodeName>& nodes,
               const dedalus::NodeSymmetry::Permutation& permutation) {
  const auto image = [&](const NodeName& node) { return image_of(node, nodes, permutation); };
  Limits result;
  for (const NodeName& node : limits.reliable_nodes) result.reliable_nodes.insert(image(node));
  for (const NodeName& node : limits.no_crash) result.no_crash.insert(image(node));
  for (const Link& link : limits.reliable_links) {
    result.reliable_links.insert({image(link.from), image(link.to)});
  }
  return result;
}

// Counterexamples that are the same up to renaming nodes share a group.
std::vector<size_t> groups_of(const ProgramInput& input, const Verdict& verdict) {
  std::vector<size_t> result(verdict.counterexamples.size(), 0);
  if (result.size() < 2) return result;
  const std::vector<NodeName>& nodes = verdict.model.nodes;
  dedalus::NodeSymmetry symmetry(input.program, nodes);
  std::map<std::string, size_t> groups;
  for (size_t i = 0; i < result.size(); ++i) {
    std::string first;
    for (const auto& permutation : symmetry.permutations()) {
      if (renamed(verdict.model.limits, nodes, permutation) != verdict.model.limits) continue;
      std::string text = to_string(renamed(verdict.counterexamples[i].faults, nodes, permutation));
      if (first.empty() || text < first) first = std::move(text);
    }
    result[i] = groups.try_emplace(first, groups.size()).first->second;
  }
  return result;
}

Run replayed(Replayer& replayer, const Scenario& scenario) {
  std::optional<Run> run = replayer.run_without_firings(scenario);
  CHECK(run && run->outcome().kind == Outcome::Kind::kViolated, "{}", to_string(scenario.faults));
  return std::move(*run);
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
  Scenario scenario = scenario_of(model);
  scenario.program.files = input.files;
  scenario.program.inputs = input.inputs;
  scenario.faults = faults;
  return scenario;
}

Status show_counterexamples(const ProgramInput& input,
                            std::shared_ptr<const dedalus::LoweredProgram> program,
                            const std::string& path, report::CheckReport& report) {
  Status result = Nothing{};
  const Verdict& verdict = report.verdict;
  const std::vector<size_t> groups = groups_of(input, verdict);
  Replayer replayer(input, std::move(program));
  std::set<size_t> explained;
  size_t unconfirmed = 0;
  for (size_t i = 0; i < verdict.counterexamples.size(); ++i) {
    const Scenario scenario = to_scenario(input, verdict.model, verdict.counterexamples[i].faults);
    report::Counterexample one;
    one.run = replayed(replayer, scenario);
    one.group = groups[i];
    // The twin takes as long as the explanation, and needs nothing of it.
    std::future<void> confirmed;
    if (Budget::interrupted()) {
      ++unconfirmed;
    } else {
      confirmed = std::async(std::launch::async, confirm, std::cref(input), std::cref(scenario));
    }
    if (explained.insert(one.group).second) one.explanation = replayer.explain(one.run);
    if (confirmed.valid()) confirmed.get();
    one.scenario = numbered(path, i);
    Status saved = save_scenario(scenario, one.scenario);
    if (!saved.ok()) {
      one.scenario.clear();
      result = saved;
    }
    report.counterexamples.push_back(std::move(one));
  }
  if (unconfirmed > 0) {
    fmt::print(stderr,
               "note: interrupted, so {} had no second, independent replay, and explanations may "
               "be missing\n",
               count_noun(unconfirmed, "counterexample"));
  }
  return result;
}

}  // namespace clew::check
