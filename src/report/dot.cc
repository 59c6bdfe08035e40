#include "report/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "base/columns.h"
#include "base/watched.h"
#include "report/arrows.h"
#include "report/escape.h"

namespace clew::report {

namespace {

using Side = Provenance::Side;
using Kind = Provenance::Kind;

constexpr size_t kLabelWidth = 40;

// `text` as an id: plain where possible, since not every reader of DOT takes quotes off.
std::string id(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '_');
  };
  return std::ranges::all_of(text, is_plain) ? text : dot(text);
}

std::string event_id(const NodeName& node, Tick tick) {
  return id(fmt::format("node_{}_{}", node, tick));
}

std::string timeline(const Run& run, const NodeName& node) {
  const std::optional<Tick> crash = crash_of(run.scenario, node);
  std::string text = fmt::format("  {} [label={}, group={}, shape=box, style=bold];\n",
                                 id("proc_" + node), dot(node), dot(node));
  std::string line = "  " + id("proc_" + node);
  for (Tick tick = 1; tick <= run.scenario.program.eot; ++tick) {
    look();
    const bool crashed = crash && *crash <= tick;
    const std::string shown =
        crash && *crash == tick ? fmt::format("{} crashed", tick) : fmt::format("{}", tick);
    text += fmt::format("  {} [label={}, group={}{}];\n", event_id(node, tick), dot(shown),
                        dot(node), crashed ? ", color=red, fontcolor=red, style=dashed" : "");
    line += " -> " + event_id(node, tick);
  }
  return text + line + " [weight=8, arrowhead=none, color=gray60];\n";
}

std::string rows(const Run& run) {
  // What keeps the nodes in their order, too.
  std::string text = "  { rank=same;";
  const char* before = " ";
  for (const NodeName& node : run.scenario.nodes) {
    text += before + id("proc_" + node);
    before = " -> ";
  }
  text += run.scenario.nodes.size() > 1 ? " [style=invis]; }\n" : "; }\n";
  for (Tick tick = 1; tick <= run.scenario.program.eot; ++tick) {
    look(run.scenario.nodes.size());
    text += "  { rank=same;";
    for (const NodeName& node : run.scenario.nodes) text += ' ' + event_id(node, tick) + ';';
    text += " }\n";
  }
  return text;
}

std::string message_edge(const Run& run, const Arrow& arrow) {
  look();
  const NodeName& from = run.scenario.nodes[arrow.from];
  const NodeName& to = run.scenario.nodes[arrow.to];
  std::string shown = label(arrow, kLabelWidth);
  if (arrow.lost()) shown += fmt::format(" (lost: {})", reason(arrow));
  return fmt::format(
      "  {} -> {} [label={}, constraint=false, {}];\n", event_id(from, arrow.tick),
      event_id(to, arrow.tick + 1), dot(shown),
      arrow.lost() ? "style=dashed, color=red, fontcolor=red, arrowhead=tee" : "style=solid");
}

std::string goal_line(const Provenance& all, size_t number, bool is_root) {
  look();
  const Provenance::Goal& goal = all.goals[number];
  std::string style = goal.absent ? "dashed" : "solid";
  std::string colour;
  if (goal.side == Side::kGood) colour = ", color=red, fontcolor=red";
  if (goal.side == Side::kBad) colour = ", color=blue, fontcolor=blue";
  if (is_root) style += ",bold";
  return fmt::format("  goal{} [label={}, style={}{}];\n", number,
                     dot(printable(text_of(goal) + when(goal))), dot(style), colour);
}

// What a rule is called in a diagram: its head, and where it stands.
std::string rule_label(const Provenance::Rule& rule, const Provenance::Goal& head) {
  if (rule.kind == Kind::kContrary) return "but there is";
  const size_t colon = rule.where.rfind(':');
  const size_t slash = rule.where.rfind('/', colon);
  std::string text = head.relation;
  if (rule.kind == Kind::kNext) text += "@next";
  if (rule.kind == Kind::kAsync) {
    text += "@async";
    if (!rule.from.empty()) text += fmt::format(" {} to {}", rule.from.front(), rule.to);
  }
  if (!rule.where.empty()) {
    text += '\n' + rule.where.substr(slash == std::string::npos ? 0 : slash + 1);
  }
  if (!rule.cut.empty()) text += fmt::format("\ncut: {}", rule.cut);
  return text;
}

std::string rule_lines(const Provenance& all, size_t number) {
  const Provenance::Rule& rule = all.rules[number];
  look(1 + rule.goals.size());
  const bool cut = !rule.cut.empty();
  const char* colour = rule.side == Side::kGood  ? ", color=red, fontcolor=red"
                       : rule.side == Side::kBad ? ", color=blue, fontcolor=blue"
                                                 : "";
  std::string text =
      fmt::format("  rule{} [label={}, shape=box, fontsize=10{}{}];\n", number,
                  dot(rule_label(rule, all.goals[rule.head])), cut ? ", style=bold" : "", colour);
  const char* line = rule.kind == Kind::kAsync      ? "style=dashed"
                     : rule.kind == Kind::kContrary ? "style=dotted"
                                                    : "style=solid";
  text += fmt::format("  goal{} -> rule{} [{}{}];\n", rule.head, number, line,
                      rule.side == Side::kGood  ? ", color=red"
                      : rule.side == Side::kBad ? ", color=blue"
                                                : "");
  for (const size_t goal : rule.goals) {
    text += fmt::format("  rule{} -> goal{};\n", number, goal);
  }
  return text;
}

}  // namespace

std::string space_time_dot(const Run& run) {
  std::string text =
      "digraph spacetime {\n"
      "  rankdir=TB;\n"
      "  node [shape=plaintext, fontname=\"Helvetica\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10];\n";
  for (const NodeName& node : run.scenario.nodes) text += timeline(run, node);
  text += rows(run);
  for (const Arrow& arrow : arrows_of(run).all) text += message_edge(run, arrow);
  return text + "}\n";
}

std::string provenance_dot(const Provenance& provenance) {
  std::string text =
      "digraph dataflow {\n"
      "  node [shape=ellipse, fontname=\"Helvetica\"];\n"
      "  edge [fontname=\"Helvetica\"];\n";
  if (!provenance.roots.empty()) {
    text += "  { rank=same;";
    for (const size_t root : provenance.roots) text += fmt::format(" goal{};", root);
    text += " }\n";
  }
  std::vector<bool> is_root(provenance.goals.size());
  for (const size_t root : provenance.roots) is_root[root] = true;
  for (size_t i = 0; i < provenance.goals.size(); ++i) {
    text += goal_line(provenance, i, is_root[i]);
  }
  for (size_t i = 0; i < provenance.rules.size(); ++i) text += rule_lines(provenance, i);
  if (provenance.left_out > 0) {
    text += fmt::format("  more [label=\"{} goals are not followed further\", shape=note];\n",
                        provenance.left_out);
  }
  return text + "}\n";
}

}  // namespace clew::report
