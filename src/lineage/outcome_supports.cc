#include "lineage/outcome_supports.h"

#include "base/watched.h"
#include "lineage/supports.h"

namespace clew::lineage {

namespace {

std::vector<EventId> deliveries_of(const Run& run) {
  std::vector<EventId> by_message(run.messages.size());
  for (EventId id = 0; id < run.trace.size(); ++id) {
    const Event& event = run.trace[id];
    if (event.kind == Event::Kind::kDeliver) by_message[event.message] = id;
  }
  return by_message;
}

}  // namespace

std::vector<Support> outcome_supports(const Graph& graph) {
  const Run& run = graph.run();
  if (run.outcome().kind != Outcome::Kind::kHolds) return {};
  const auto points = static_cast<uint32_t>(graph.point_count());
  Demand demand;
  demand.ways.resize(points + 1);
  for (PointId point = 0; point < points; ++point) {
    look(1 + graph.steps_of(point).size());
    if (graph.is_given(point)) demand.ways[point].emplace_back();
    for (const uint32_t i : graph.steps_of(point)) {
      const Graph::Step& step = graph.steps()[i];
      demand.ways[point].push_back({step.used, step.messages});
    }
  }
  Demand::Way all;
  for (const Outcome::Goal& goal : run.outcome().goals) {
    all.nodes.push_back(graph.find(run.outcome().kept(goal), goal.tick));
  }
  demand.ways[points].push_back(std::move(all));
  const std::vector<EventId> delivery = deliveries_of(run);
  std::vector<Support> supports = minimal_sets(demand, points).sets;
  for (Support& support : supports) {
    for (EventId& element : support) element = delivery[element];
  }
  return supports;
}

}  // namespace clew::lineage
