#include "domain/scenario.h"

#include <algorithm>

#include "base/columns.h"
#include "base/text.h"

namespace clew {

namespace {

constexpr size_t kMostNamesShown = 12;

std::string list_nodes(const std::vector<NodeName>& nodes) {
  const size_t shown = std::min(nodes.size(), kMostNamesShown);
  const auto last = nodes.begin() + static_cast<std::ptrdiff_t>(shown);
  std::string list = fmt::format("{}", fmt::join(nodes.begin(), last, ", "));
  if (shown < nodes.size()) list += fmt::format(" and {} more", nodes.size() - shown);
  return list;
}

Status validate_name(const NodeName& name) {
  if (name.empty()) {
    return Error{"a node of this run has an empty name", "name the nodes with --nodes a,b,c"};
  }
  if (has_control_characters(name) || find_invalid_utf8(name)) {
    return Error{fmt::format("the name of node \"{}\" has characters that cannot be printed",
                             printable(name, 60)),
                 "use letters, digits and punctuation in the names of nodes"};
  }
  return Nothing{};
}

Status validate_nodes(const std::vector<NodeName>& nodes) {
  if (nodes.empty()) {
    return Error{"this run has no nodes", "name some with --nodes a,b,c"};
  }
  if (nodes.size() > kMostNodes) {
    return Error{fmt::format("this run has {} nodes, more than {}", with_thousands(nodes.size()),
                             with_thousands(kMostNodes)),
                 "name fewer nodes with --nodes a,b,c"};
  }
  for (const NodeName& name : nodes) {
    if (Status status = validate_name(name); !status.ok()) return status;
  }
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i - 1] == nodes[i]) {
      return Error{fmt::format("node \"{}\" is named twice", nodes[i]), "name every node once"};
    }
    if (nodes[i - 1] > nodes[i]) {
      return Error{fmt::format("node \"{}\" is named after \"{}\"", nodes[i], nodes[i - 1]),
                   "sort the nodes"};
    }
  }
  return Nothing{};
}

Status validate_eot(Tick eot) {
  if (eot >= 1 && eot <= kMostTicks) return Nothing{};
  return Error{fmt::format("`--eot {}` is not a tick at which a run can end", eot),
               fmt::format("choose a last tick from 1 to {}", with_thousands(kMostTicks))};
}

// `flag` is the fault as it is written on the command line.
Status validate_node(const std::string& flag, const NodeName& node, const Scenario& scenario) {
  const std::vector<NodeName>& nodes = scenario.nodes;
  if (std::binary_search(nodes.begin(), nodes.end(), node)) return Nothing{};
  const std::string shown = printable(node, 60);
  const std::optional<std::string> meant = closest(node, nodes);
  return Error{fmt::format("`{}` names node \"{}\", which is not in this run; nodes: {}", flag,
                           shown, list_nodes(nodes)),
               meant ? fmt::format("did you mean \"{}\"?", *meant)
                     : fmt::format("name one of the nodes, or add \"{}\" with --nodes", shown)};
}

Status validate_tick(const std::string& flag, Tick tick, Tick eot) {
  if (tick >= 1 && tick < eot) return Nothing{};
  if (tick < 1) {
    return Error{fmt::format("`{}` comes too early: the first tick is 1", flag),
                 "choose a tick from 1 on"};
  }
  std::string remedy = fmt::format("end the run later, for example with --eot {}",
                                   std::min(tick, kMostTicks - 1) + 1);
  if (eot > 1) remedy = fmt::format("choose a tick from 1 to {}, or {}", eot - 1, remedy);
  return Error{
      fmt::format("`{}` comes too late: a fault must come before the last tick, {}", flag, eot),
      remedy};
}

Status validate_omission(const Omission& omission, const Scenario& scenario) {
  const std::string flag = "--drop " + printable(to_string(omission));
  if (Status status = validate_node(flag, omission.from, scenario); !status.ok()) return status;
  if (Status status = validate_node(flag, omission.to, scenario); !status.ok()) return status;
  if (omission.from == omission.to) {
    return Error{fmt::format("`{}`: nobody loses a message to itself", flag),
                 "name two different nodes"};
  }
  return validate_tick(flag, omission.tick, scenario.program.eot);
}

Status validate_crashes(const Scenario& scenario) {
  std::vector<const Crash*> by_node;
  for (const Crash& crash : scenario.faults.of<Crash>()) {
    const std::string flag = "--crash " + printable(to_string(crash));
    if (Status status = validate_node(flag, crash.node, scenario); !status.ok()) return status;
    if (Status status = validate_tick(flag, crash.tick, scenario.program.eot); !status.ok())
      return status;
    by_node.push_back(&crash);
  }
  std::sort(by_node.begin(), by_node.end(), [](const Crash* a, const Crash* b) { return *a < *b; });
  for (size_t i = 1; i < by_node.size(); ++i) {
    if (by_node[i - 1]->node != by_node[i]->node) continue;
    return Error{fmt::format("node \"{}\" crashes twice, at ticks {} and {}", by_node[i]->node,
                             by_node[i - 1]->tick, by_node[i]->tick),
                 "keep one of the two crashes: a node does not come back"};
  }
  return Nothing{};
}

}  // namespace

Scenario complete(Scenario base, Choice choice) {
  base.faults = std::move(choice.faults);
  base.schedule = std::move(choice.schedule);
  return base;
}

std::optional<Tick> crash_of(const Scenario& scenario, const NodeName& node) {
  for (const Crash& crash : scenario.faults.of<Crash>()) {
    if (crash.node == node) return crash.tick;
  }
  return std::nullopt;
}

bool has_stopped(const Scenario& scenario, const NodeName& node, Tick tick) {
  if (scenario.program.crash_model != CrashModel::kStop) return false;
  const std::optional<Tick> crash = crash_of(scenario, node);
  return crash && *crash <= tick;
}

Status validate(const Scenario& scenario) {
  if (Status status = validate_nodes(scenario.nodes); !status.ok()) return status;
  if (Status status = validate_eot(scenario.program.eot); !status.ok()) return status;
  for (const Omission& omission : scenario.faults.of<Omission>()) {
    if (Status status = validate_omission(omission, scenario); !status.ok()) return status;
  }
  return validate_crashes(scenario);
}

}  // namespace clew
