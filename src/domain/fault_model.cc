#include "domain/fault_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clew {

namespace {

bool is_node(const FaultModel& model, const NodeName& name) {
  return std::ranges::binary_search(model.nodes, name);
}

bool admits_one(const FaultModel& model, const Omission& omission) {
  return omission.tick >= 1 && omission.tick < std::min(model.eff, model.eot) &&
         omission.from != omission.to && is_node(model, omission.from) &&
         is_node(model, omission.to);
}

bool admits_one(const FaultModel& model, const Crash& crash) {
  return crash.tick >= 1 && crash.tick < model.eot && is_node(model, crash.node);
}

}  // namespace

bool FaultModel::admits(const FaultSet& faults) const {
  const auto is_admitted = [&](const auto& fault) { return admits_one(*this, fault); };
  for (const Fault& fault : faults) {
    if (!std::visit(is_admitted, fault)) return false;
  }
  // Sorted by node.
  const auto crashed = faults.of<Crash>();
  for (size_t i = 1; i < crashed.size(); ++i) {
    if (crashed[i - 1].node == crashed[i].node) return false;
  }
  return crashed.size() <= static_cast<size_t>(crashes);
}

Scenario scenario_of(const FaultModel& model) {
  Scenario scenario;
  scenario.nodes = model.nodes;
  scenario.program.eot = model.eot;
  scenario.program.crash_model = model.crash_model;
  return scenario;
}

std::string describe_bounds(const FaultModel& model) {
  return fmt::format("EOT {}, EFF {}, {} {}", model.eot, model.eff, model.crashes,
                     model.crashes == 1 ? "crash" : "crashes");
}

Status validate(const FaultModel& model) {
  if (model.eot < 1 || model.eot > kMostTicks) {
    return Error{fmt::format("EOT must be from 1 to {}, not {}", kMostTicks, model.eot), ""};
  }
  if (model.eff < 0 || model.eff > model.eot) {
    return Error{
        fmt::format(
            "EFF must be from 0 to EOT, here {}, not {}: messages are lost at ticks before EFF",
            model.eot, model.eff),
        ""};
  }
  if (model.crashes < 0) {
    return Error{fmt::format("the number of crashes must not be negative: {}", model.crashes), ""};
  }
  return Nothing{};
}

std::vector<Fault> all_faults(const FaultModel& model) {
  std::vector<Fault> all;
  for (Tick tick = 1; tick < std::min(model.eff, model.eot); ++tick) {
    for (const NodeName& from : model.nodes) {
      for (const NodeName& to : model.nodes) {
        if (from != to) all.emplace_back(Omission{from, to, tick});
      }
    }
  }
  for (const NodeName& node : model.nodes) {
    for (Tick tick = 1; tick < model.eot && model.crashes > 0; ++tick) {
      all.emplace_back(Crash{node, tick});
    }
  }
  return all;
}

std::string combinations(const FaultModel& model) {
  // In logarithms to base 2: the numbers leave every fixed width.
  auto nodes = static_cast<double>(model.nodes.size());
  double peers = nodes - 1;
  double free = model.eff * peers;
  int crashes = std::min(model.crashes, static_cast<int>(model.nodes.size()));
  double log2 = free * (nodes - crashes);
  double prone = 1;  // as a multiple of 2^free: never crashes, or crashes at tick t
  for (Tick tick = 1; tick <= model.eot; ++tick) {
    prone += std::exp2(std::min(tick - 1, model.eff) * peers - free);
  }
  for (int i = 0; i < crashes; ++i) {
    log2 += free + std::log2(prone) + std::log2((nodes - i) / (i + 1.0));
  }
  double log10 = log2 * std::log10(2.0);
  if (log10 < 300) return fmt::format("{:.2e}", std::pow(10.0, log10));
  double exponent = std::floor(log10);
  return fmt::format("{:.2f}e+{}", std::pow(10.0, log10 - exponent), exponent);
}

}  // namespace clew
