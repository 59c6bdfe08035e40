#include "domain/fault_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "domain/scenario.h"

namespace clew {

bool FaultModel::admits(const FaultSet& faults) const {
  auto known = [&](const NodeName& node) {
    return std::binary_search(nodes.begin(), nodes.end(), node);
  };
  for (const Omission& omission : faults.omissions) {
    if (omission.tick < 1 || omission.tick >= eff || omission.tick >= eot) return false;
    if (omission.from == omission.to || !known(omission.from) || !known(omission.to)) return false;
  }
  std::vector<NodeName> crashed;
  for (const Crash& crash : faults.crashes) {
    if (crash.tick < 1 || crash.tick >= eot || !known(crash.node)) return false;
    crashed.push_back(crash.node);
  }
  std::sort(crashed.begin(), crashed.end());
  bool once_each = std::adjacent_find(crashed.begin(), crashed.end()) == crashed.end();
  return once_each && crashed.size() <= static_cast<size_t>(crashes);
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

FaultSet all_faults(const FaultModel& model) {
  FaultSet all;
  for (Tick tick = 1; tick < std::min(model.eff, model.eot); ++tick) {
    for (const NodeName& from : model.nodes) {
      for (const NodeName& to : model.nodes) {
        if (from != to) all.omissions.push_back({from, to, tick});
      }
    }
  }
  for (const NodeName& node : model.nodes) {
    for (Tick tick = 1; tick < model.eot && model.crashes > 0; ++tick) {
      all.crashes.push_back({node, tick});
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

size_t size(const FaultSet& faults) { return faults.omissions.size() + faults.crashes.size(); }

bool includes(const FaultSet& b, const FaultSet& a) {
  return std::includes(b.omissions.begin(), b.omissions.end(), a.omissions.begin(),
                       a.omissions.end()) &&
         std::includes(b.crashes.begin(), b.crashes.end(), a.crashes.begin(), a.crashes.end());
}

}  // namespace clew
