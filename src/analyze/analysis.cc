#include "analyze/analysis.h"

#include <algorithm>

namespace clew::analyze {

namespace {

using node::Footprint;

HandlerSets sets_of(const Program& program, const NodeClass& node, const Handler& handler) {
  HandlerSets sets{.kind = handler.kind,
                   .input = handler.input,
                   .place = handler.functions.empty() ? Place() : handler.functions.front().place(),
                   .records = {},
                   .notes = {}};
  if (!node.opaque.empty()) {
    State all;
    all.everything();
    sets.records.push_back({{}, all.footprint, true, false});
    return sets;
  }
  Walker walker(program, node);
  for (State& path : walker.walk(handler)) {
    Footprint predicted = path.predicted();
    predicted.disk &= node.durable();
    sets.records.push_back({std::move(path.guards), predicted, path.sends, path.crash_path});
  }
  sets.notes = walker.notes();
  return sets;
}

}  // namespace

Footprint HandlerSets::all() const {
  Footprint all;
  for (const Record& record : records) all = node::joined(all, record.sets);
  return all;
}

std::vector<std::string> NodeSets::names(uint64_t bits) const {
  std::vector<std::string> result;
  for (size_t i = 0; i < fields.size(); ++i) {
    if ((bits >> std::min<size_t>(i, 63) & 1U) != 0) result.push_back(fields[i].name);
  }
  return result;
}

Footprint NodeSets::of_crash_paths() const {
  Footprint all;
  for (const HandlerSets& handler : handlers) {
    for (const Record& record : handler.records) {
      if (record.crash_path) all = node::joined(all, record.sets);
    }
  }
  return all;
}

Analysis analyze(const Parsed& parsed) {
  const Program program(parsed);
  Analysis analysis;
  for (const NodeClass& node : program.nodes()) {
    NodeSets sets{.name = node.name,
                  .place = node.place,
                  .opaque = node.opaque,
                  .fields = node.fields,
                  .handlers = {}};
    for (const Handler& handler : node.handlers) {
      sets.handlers.push_back(sets_of(program, node, handler));
    }
    analysis.nodes.push_back(std::move(sets));
  }
  return analysis;
}

}  // namespace clew::analyze
