// Whether a part of a walk is a loop that breaks something: seen afresh, from the worlds alone.
#include <fmt/format.h>

#include <algorithm>

#include "explore/fairness.h"
#include "explore/walk.h"

namespace clew::explore {

namespace {

// Why the moves do not lead back to where they begin, or not without faults.
std::string no_circle(Runner& runner, const std::vector<Move>& path,
                      const std::vector<World>& worlds, size_t begin) {
  for (size_t i = begin; i < path.size(); ++i) {
    if (path[i].must() && !path[i].early) continue;
    return fmt::format("step {} ({}) does not happen again and again", i + 1,
                       runner.print(path[i]));
  }
  if (worlds[begin] != worlds.back()) return "it does not lead back to where it begins";
  const bool rests = std::all_of(worlds.begin() + static_cast<std::ptrdiff_t>(begin), worlds.end(),
                                 [&](const World& world) { return world == worlds.back(); });
  return rests ? "nothing happens in it" : "";
}

bool holds_in(Runner& runner, const Property& property, const World& world) {
  const WorldStates is(runner, world);
  return property.holds(is, is);
}

}  // namespace

LoopVerdict judge_loop(Runner& runner, const std::vector<Move>& path,
                       const std::vector<World>& worlds, size_t begin) {
  LoopVerdict verdict{.no_loop = no_circle(runner, path, worlds, begin)};
  if (!verdict.no_loop.empty()) return verdict;
  Fairness fairness(runner);
  std::vector<Move> due;
  for (size_t i = begin; i < path.size(); ++i) {
    runner.due(worlds[i], due);
    fairness.visit(worlds[i], due);
  }
  for (size_t i = begin; i < path.size(); ++i) fairness.take(path[i].input);
  if (const std::vector<Move> starved = fairness.starved(); !starved.empty()) {
    verdict.no_loop =
        fmt::format("sooner or later something else happens ({})", runner.print(starved.front()));
    return verdict;
  }
  verdict.never_fire = fairness.never_fire();
  verdict.no_loop = "no property is about what goes on for ever";
  for (const Property& property : runner.cluster().properties()) {
    if (property.kind != Property::Kind::kEventually) continue;
    const auto holds_at = [&](const World& world) { return holds_in(runner, property, world); };
    if (std::any_of(worlds.begin() + static_cast<std::ptrdiff_t>(begin), worlds.end(), holds_at)) {
      verdict.no_loop = fmt::format("\"{}\" holds in it", property.name);
    } else if (!verdict.broken) {
      verdict.broken = property.name;
    }
  }
  if (verdict.broken) verdict.no_loop.clear();
  return verdict;
}

}  // namespace clew::explore
