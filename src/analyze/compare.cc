#include "analyze/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clew::analyze {

namespace {

std::set<Touch> touches_of(const NodeSets& node, const HandlerSets& handler) {
  std::set<Touch> result;
  const node::Footprint all = handler.all();
  const std::pair<const char*, uint64_t> sets[] = {
      {"read", all.reads}, {"update", all.updates}, {"send", all.sends}, {"disk", all.disk}};
  for (const auto& [name, bits] : sets) {
    for (const std::string& field : node.names(bits)) {
      result.insert({node.name, handler.kind, handler.input, name, field});
    }
  }
  return result;
}

}  // namespace

std::set<Touch> touches(const Analysis& analysis) {
  std::set<Touch> result;
  for (const NodeSets& node : analysis.nodes) {
    for (const HandlerSets& handler : node.handlers) result.merge(touches_of(node, handler));
  }
  return result;
}

std::vector<std::string> never_observed(const Analysis& analysis, const std::set<Touch>& observed) {
  std::vector<std::string> lines;
  for (const NodeSets& node : analysis.nodes) {
    if (!node.opaque.empty()) continue;
    for (const HandlerSets& handler : node.handlers) {
      std::vector<std::string> missing;
      for (const Touch& touch : touches_of(node, handler)) {
        const bool others = touch.field == NodeField::kOthers;
        if (!others && !observed.contains(touch)) missing.push_back(touch.set + " " + touch.field);
      }
      if (missing.empty()) continue;
      lines.push_back(fmt::format("{} {}{}{}: {}", node.name, handler.kind,
                                  handler.input.empty() ? "" : " ", handler.input,
                                  fmt::join(missing, ", ")));
    }
  }
  return lines;
}

}  // namespace clew::analyze
