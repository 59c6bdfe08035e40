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
  return omission.tick >= 1 && omission.tick < model.end_of_losses() &&
         omission.from != omission.to && is_node(model, omission.from) &&
         is_node(model, omission.to);
}

bool admits_one(const FaultModel& model, const Crash& crash) {
  return crash.tick >= 1 && crash.tick <= model.last_fault() && is_node(model, crash.node);
}

}  // namespace

Tick FaultModel::last_fault() const { return eot - std::max(eventually, 1); }

Tick FaultModel::end_of_losses() const { return std::min(eff, last_fault() + 1); }

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
  std::string text = fmt::format("EOT {}, EFF {}, {} {}", model.eot, model.eff, model.crashes,
                                 model.crashes == 1 ? "crash" : "crashes");
  if (model.eventually > 0) text += fmt::format(", eventually {}", model.eventually);
  return text;
}

namespace {

// What `eventually` asks for.
Status validate_end(const FaultModel& model) {
  if (model.eventually == 0) return Nothing{};
  if (model.eventually < 0 || model.eventually >= model.eot) {
    return Error{
        fmt::format("eventually {} leaves no tick for faults: it must be less than EOT, here {}",
                    model.eventually, model.eot),
        ""};
  }
  const Tick most = model.last_fault() + 1;
  if (model.eff > most) {
    return Error{
        fmt::format("EFF {} leaves less than {} ticks after the last loss, which eventually {} "
                    "asks for",
                    model.eff, model.eventually, model.eventually),
        fmt::format("EFF may be at most {} with EOT {}, or EOT at least {} with EFF {}", most,
                    model.eot, model.eff - 1 + model.eventually, model.eff)};
  }
  return Nothing{};
}

}  // namespace

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
  return validate_end(model);
}

std::vector<Fault> all_faults(const FaultModel& model) {
  std::vector<Fault> all;
  for (Tick tick = 1; tick < model.end_of_losses(); ++tick) {
    for (const NodeName& from : model.nodes) {
      for (const NodeName& to : model.nodes) {
        if (from != to) all.emplace_back(Omission{from, to, tick});
      }
    }
  }
  for (const NodeName& node : model.nodes) {
    for (Tick tick = 1; tick <= model.last_fault() && model.crashes > 0; ++tick) {
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
  for (Tick tick = 1; tick <= model.last_fault() + 1; ++tick) {
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
