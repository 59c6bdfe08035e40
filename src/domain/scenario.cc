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

Status validate_name(const NodeName& name, std::string_view prefix) {
  if (name.empty()) {
    return Error{"a node of this run has an empty name",
                 fmt::format("name the nodes with {}nodes a,b,c", prefix)};
  }
  if (has_control_characters(name) || find_invalid_utf8(name)) {
    return Error{fmt::format("the name of node \"{}\" has characters that cannot be printed",
                             printable(name, 60)),
                 "use letters, digits and punctuation in the names of nodes"};
  }
  return Nothing{};
}

Status validate_nodes(const std::vector<NodeName>& nodes, std::string_view prefix) {
  if (nodes.empty()) {
    return Error{"this run has no nodes", fmt::format("name some with {}nodes a,b,c", prefix)};
  }
  if (nodes.size() > kMostNodes) {
    return Error{fmt::format("this run has {} nodes, more than {}", with_thousands(nodes.size()),
                             with_thousands(kMostNodes)),
                 fmt::format("name fewer nodes with {}nodes a,b,c", prefix)};
  }
  for (const NodeName& name : nodes) {
    if (Status status = validate_name(name, prefix); !status.ok()) return status;
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

Status validate_eot(Tick eot, std::string_view prefix) {
  if (eot >= 1 && eot <= kMostTicks) return Nothing{};
  return Error{fmt::format("`{}eot {}` is not a tick at which a run can end", prefix, eot),
               fmt::format("choose a last tick from 1 to {}", with_thousands(kMostTicks))};
}

// A fault, and how the user has written it.
struct Written {
  const Scenario& scenario;
  std::string_view prefix;  // of the names of flags or keys
  std::string fault;

  Status validate_node(const NodeName& node) const {
    const std::vector<NodeName>& nodes = scenario.nodes;
    if (std::ranges::binary_search(nodes, node)) return Nothing{};
    const std::string shown = printable(node, 60);
    const std::optional<std::string> meant = closest(node, nodes);
    return Error{
        fmt::format("`{}` names node \"{}\", which is not in this run; nodes: {}", fault, shown,
                    list_nodes(nodes)),
        meant ? fmt::format("did you mean \"{}\"?", *meant)
              : fmt::format("name one of the nodes, or add \"{}\" with {}nodes", shown, prefix)};
  }

  Status validate_tick(Tick tick) const {
    const Tick eot = scenario.program.eot;
    if (tick >= 1 && tick < eot) return Nothing{};
    if (tick < 1) {
      return Error{fmt::format("`{}` comes too early: the first tick is 1", fault),
                   "choose a tick from 1 on"};
    }
    std::string remedy = fmt::format("end the run later, for example with {}eot {}", prefix,
                                     std::min(tick, kMostTicks - 1) + 1);
    if (eot > 1) remedy = fmt::format("choose a tick from 1 to {}, or {}", eot - 1, remedy);
    return Error{
        fmt::format("`{}` comes too late: a fault must come before the last tick, {}", fault, eot),
        remedy};
  }

  Status validate(const Omission& omission) const {
    if (Status status = validate_node(omission.from); !status.ok()) return status;
    if (Status status = validate_node(omission.to); !status.ok()) return status;
    if (omission.from == omission.to) {
      return Error{fmt::format("`{}`: nobody loses a message to itself", fault),
                   "name two different nodes"};
    }
    return validate_tick(omission.tick);
  }

  Status validate(const Crash& crash) const {
    if (Status status = validate_node(crash.node); !status.ok()) return status;
    return validate_tick(crash.tick);
  }
};

Status validate_limits(const Scenario& scenario, std::string_view prefix) {
  const auto known = [&](const std::string& limit, const NodeName& node) {
    return Written{scenario, prefix, fmt::format("{}{}", prefix, printable(limit))}.validate_node(
        node);
  };
  for (const NodeName& node : scenario.limits.reliable_nodes) {
    if (Status status = known("reliable " + node, node); !status.ok()) return status;
  }
  for (const Link& link : scenario.limits.reliable_links) {
    for (const NodeName& node : {link.from, link.to}) {
      if (Status status = known("reliable " + to_string(link), node); !status.ok()) return status;
    }
  }
  for (const NodeName& node : scenario.limits.no_crash) {
    if (Status status = known("no-crash " + node, node); !status.ok()) return status;
  }
  return Nothing{};
}

// Sorted by node, then by tick.
Status validate_one_crash_each(const Scenario& scenario) {
  const auto crashes = scenario.faults.of<Crash>();
  for (size_t i = 1; i < crashes.size(); ++i) {
    if (crashes[i - 1].node != crashes[i].node) continue;
    return Error{fmt::format("node \"{}\" crashes twice, at ticks {} and {}", crashes[i].node,
                             crashes[i - 1].tick, crashes[i].tick),
                 "keep one of the two crashes: a node does not come back"};
  }
  return Nothing{};
}

}  // namespace

FaultSet beyond_limits(const Scenario& scenario) {
  FaultSet beyond;
  for (const Omission& omission : scenario.faults.of<Omission>()) {
    if (!scenario.limits.may_lose(omission.from, omission.to)) beyond.insert(omission);
  }
  for (const Crash& crash : scenario.faults.of<Crash>()) {
    if (!scenario.limits.may_crash(crash.node)) beyond.insert(crash);
  }
  return beyond;
}

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

Status validate(const Scenario& scenario, std::string_view prefix) {
  if (Status status = validate_nodes(scenario.nodes, prefix); !status.ok()) return status;
  if (Status status = validate_eot(scenario.program.eot, prefix); !status.ok()) return status;
  for (const Fault& fault : scenario.faults) {
    const Written written{scenario, prefix,
                          fmt::format("{}{}", prefix, printable(to_string(fault)))};
    Status status = std::visit([&](const auto& kind) { return written.validate(kind); }, fault);
    if (!status.ok()) return status;
  }
  if (Status status = validate_limits(scenario, prefix); !status.ok()) return status;
  return validate_one_crash_each(scenario);
}

}  // namespace clew
