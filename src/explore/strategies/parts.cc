#include "explore/strategies/parts.h"

#include <algorithm>

namespace clew::explore {

namespace {

struct Preset {
  std::string_view name;
  Parts parts;
};

constexpr Parts kFlyMc{.mirror = Mirror::kNodes,
                       .independence = Sets::kObserved,
                       .increments = true,
                       .crash_independence = true,
                       .parallel = true,
                       .caching = true};

constexpr Parts with_network(Parts parts) {
  parts.mirror = Mirror::kWorlds;
  return parts;
}

constexpr Preset kPresets[] = {
    {"modist", {}},
    {"bounded", {.bounded = true}},
    {"random-dpor", {.random_every = 50}},
    {"br-dpor", {.bounded = true, .random_every = 50}},
    {"samc", {.local = true, .crash_message = true, .recovery = true}},
    {"flymc", kFlyMc},
    {"flymc-net", with_network(kFlyMc)},
};

struct Switch {
  std::string_view name;
  void (*on)(Parts&);
};

constexpr Switch kSwitches[] = {
    {"bounded", [](Parts& parts) { parts.bounded = true; }},
    {"random", [](Parts& parts) { parts.random_every = 50; }},
    {"local", [](Parts& parts) { parts.local = true; }},
    {"crash-message", [](Parts& parts) { parts.crash_message = true; }},
    {"recovery", [](Parts& parts) { parts.recovery = true; }},
    {"symmetry", [](Parts& parts) { parts.mirror = Mirror::kNodes; }},
    {"symmetry-net", [](Parts& parts) { parts.mirror = Mirror::kWorlds; }},
    {"postpone", [](Parts& parts) { parts.postpone = true; }},
    {"independence", [](Parts& parts) { parts.independence = Sets::kObserved; }},
    {"analysed", [](Parts& parts) { parts.independence = Sets::kAnalysed; }},
    {"increments", [](Parts& parts) { parts.increments = true; }},
    {"crash-independence", [](Parts& parts) { parts.crash_independence = true; }},
    {"parallel", [](Parts& parts) { parts.parallel = true; }},
    {"caching", [](Parts& parts) { parts.caching = true; }},
};

}  // namespace

std::optional<Parts> parts_of(std::string_view strategy) {
  const auto* found = std::ranges::find(kPresets, strategy, &Preset::name);
  if (found == std::end(kPresets)) return std::nullopt;
  return found->parts;
}

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names{"dfs", "random"};
    for (const Preset& preset : kPresets) names.emplace_back(preset.name);
    names.emplace_back("novelty");
    return names;
  }();
  return kNames;
}

bool is_exhaustive(std::string_view strategy) { return strategy == "dfs" || strategy == "novelty"; }

std::optional<std::string> switch_on(Parts& parts, std::string_view list) {
  while (!list.empty()) {
    const std::string_view name = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    const auto* found = std::ranges::find(kSwitches, name, &Switch::name);
    if (found == std::end(kSwitches)) return std::string(name);
    found->on(parts);
  }
  return std::nullopt;
}

}  // namespace clew::explore
