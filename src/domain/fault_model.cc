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
         model.may_lose(omission.from, omission.to) && is_node(model, omission.from) &&
         is_node(model, omission.to);
}

bool admits_one(const FaultModel& model, const Crash& crash) {
  return crash.tick >= 1 && crash.tick <= model.last_fault() && is_node(model, crash.node) &&
         model.may_crash(crash.node);
}

}  // namespace

Tick FaultModel::last_fault() const { return eot - std::max(eventually, 1); }

Tick FaultModel::end_of_losses() const { return std::min(eff, last_fault() + 1); }

size_t FaultModel::most_crashes() const {
  const auto mortal =
      std::ranges::count_if(nodes, [&](const auto& node) { return may_crash(node); });
  return std::min(static_cast<size_t>(crashes), static_cast<size_t>(mortal));
}

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
  scenario.limits = model.limits;
  return scenario;
}

std::string describe_bounds(const FaultModel& model) {
  std::string text = fmt::format("EOT {}, EFF {}, {} {}", model.eot, model.eff, model.crashes,
                                 model.crashes == 1 ? "crash" : "crashes");
  if (model.eventually > 0) text += fmt::format(", eventually {}", model.eventually);
  if (model.crash_model == CrashModel::kStop) text += ", crash model stop";
  if (!model.limits.empty()) text += fmt::format(", assuming {}", describe(model.limits));
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
        if (model.may_lose(from, to)) all.emplace_back(Omission{from, to, tick});
      }
    }
  }
  for (const NodeName& node : model.nodes) {
    for (Tick tick = 1; tick <= model.last_fault() && model.may_crash(node); ++tick) {
      all.emplace_back(Crash{node, tick});
    }
  }
  return all;
}

namespace {

// log2(2^a + 2^b)
double add_powers(double a, double b) {
  const double larger = std::max(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log2(std::exp2(a - larger) + std::exp2(b - larger));
}

// How many ways there are for a node that loses nothing more once it has crashed, as a multiple of
// those for one that never does; its logarithm.
double prone(const FaultModel& model, double peers) {
  double ways = 1;
  for (Tick tick = 1; tick <= model.last_fault() + 1; ++tick) {
    ways += std::exp2((std::min(tick - 1, model.eff) - model.eff) * peers);
  }
  return std::log2(ways);
}

}  // namespace

std::string combinations(const FaultModel& model) {
  // In logarithms to base 2: the numbers leave every fixed width.
  double log2 = 0;
  std::vector<double> chosen(model.most_crashes() + 1, -INFINITY);  // by how many may crash
  chosen[0] = 0;
  for (const NodeName& node : model.nodes) {
    const auto peers = static_cast<double>(std::ranges::count_if(
        model.nodes, [&](const NodeName& other) { return model.may_lose(node, other); }));
    log2 += model.eff * peers;
    if (!model.may_crash(node)) continue;
    const double ways = prone(model, peers);
    for (size_t k = chosen.size() - 1; k > 0; --k) {
      chosen[k] = add_powers(chosen[k], chosen[k - 1] + ways);
    }
  }
  const double log10 = (log2 + chosen.back()) * std::log10(2.0);
  if (log10 < 300) return fmt::format("{:.2e}", std::pow(10.0, log10));
  const double exponent = std::floor(log10);
  return fmt::format("{:.2f}e+{}", std::pow(10.0, log10 - exponent), exponent);
}

}  // namespace clew
