#include "tests/explore/reach.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/stateful.h"

namespace clew::explore {

namespace {

std::string without_budgets(Runner& runner, World world) {
  const size_t size = runner.cluster().size();
  world[size] = world[size + 1] = 0;
  return runner.encode(world);
}

}  // namespace

Reach everything(const Cluster& cluster, size_t most_states) {
  Stateful engine(cluster,
                  {.symmetry = false, .most_states = most_states, .stop = {}, .threads = 1});
  const Exploration found = engine.run();
  Reach result{
      .violated = found.violation.has_value(), .done = found.complete, .states = found.states};
  for (const uint32_t id : engine.terminals()) {
    result.ends.insert(without_budgets(engine.runner(), engine.worlds()[id]));
  }
  return result;
}

Reach reached(const Cluster& cluster, const StrategyOptions& strategy,
              const ReachOptions& options) {
  Runner runner(cluster);
  PathRunner paths(runner,
                   {.order = options.order, .faults = strategy.faults, .longest = options.longest});
  const std::unique_ptr<Strategy> asked = make_strategy(runner, strategy);
  Random random(strategy.seed);
  Reach result;
  while (result.paths < options.most_paths && !result.violated) {
    const std::optional<Plan> plan = asked->next();
    result.done = !plan;
    if (!plan) break;
    const Path& path = paths.run(*plan, &random, asked->guide());
    ++result.paths;
    for (const size_t end : path.ends) {
      result.ends.insert(without_budgets(runner, path.worlds[end]));
    }
    result.violated = path.broken.has_value();
    asked->observe(path);
  }
  return result;
}

std::string missing(const Reach& all, const Reach& found) {
  if (found.violated) return all.violated || !all.done ? "" : "but there is no violation";
  if (all.violated) return "a violation";
  const auto lost = std::ranges::count_if(
      all.ends, [&](const std::string& end) { return !found.ends.contains(end); });
  return lost == 0 ? "" : fmt::format("{} of {} ends", lost, all.ends.size());
}

}  // namespace clew::explore
