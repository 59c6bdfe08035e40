#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"
#include "report/escape.h"
#include "report/layered.h"
#include "report/svg.h"
#include "report/svg_page.h"

namespace clew::report {

namespace {

using Goal = Provenance::Goal;
using Rule = Provenance::Rule;
using Side = Provenance::Side;
using Kind = Provenance::Kind;

constexpr double kLeft = 84;
constexpr double kRight = 28;
constexpr double kGoalHeight = 40;
constexpr double kRuleHeight = 20;
constexpr double kLayerGap = 22;
constexpr double kBandGap = 12;
constexpr double kNodeGap = 26;
constexpr size_t kMostLabel = 46;

const char* side_class(const char* none, const char* good, const char* bad, Side side) {
  return side == Side::kGood ? good : side == Side::kBad ? bad : none;
}

// Causes above, effects below: goals stand in odd layers, rules in even ones. A tick is a band of
// layers.
class Layers {
 public:
  explicit Layers(const Provenance& all) : all_(all), depth_(all.goals.size(), kUnknown) {
    std::map<Tick, size_t> deepest;
    for (size_t i = 0; i < all.goals.size(); ++i) {
      size_t& most = deepest[all.goals[i].tick];
      most = std::max(most, depth(i));
    }
    lower_leaves(deepest);
    size_t next = 0;
    for (const auto& [tick, most] : deepest) {
      first_[tick] = next;
      next += 2 * (most + 1);
    }
    count_ = next;
  }

  size_t of_goal(size_t goal) const {
    return first_.at(all_.goals[goal].tick) + 2 * depth_[goal] + 1;
  }
  size_t of_rule(size_t rule) const { return of_goal(all_.rules[rule].head) - 1; }
  const std::map<Tick, size_t>& first() const { return first_; }
  size_t count() const { return count_; }

 private:
  static constexpr size_t kUnknown = SIZE_MAX;
  static constexpr size_t kAtWork = SIZE_MAX - 1;

  // The longest way within the tick; a goal that rests on itself is cut open.
  size_t depth(size_t goal) {
    if (depth_[goal] == kAtWork) return 0;
    if (depth_[goal] != kUnknown) return depth_[goal];
    look(1 + all_.goals[goal].rules.size());
    depth_[goal] = kAtWork;
    size_t most = 0;
    for (const size_t rule : all_.goals[goal].rules) {
      for (const size_t used : all_.rules[rule].goals) {
        if (all_.goals[used].tick == all_.goals[goal].tick) most = std::max(most, depth(used) + 1);
      }
    }
    return depth_[goal] = most;
  }

  // What rests on nothing stands right above what first needs it.
  void lower_leaves(const std::map<Tick, size_t>& deepest) {
    std::vector<size_t> least(all_.goals.size(), kUnknown);
    for (const Rule& rule : all_.rules) {
      const Goal& head = all_.goals[rule.head];
      for (const size_t goal : rule.goals) {
        const bool same_tick = all_.goals[goal].tick == head.tick;
        const size_t limit = same_tick ? depth_[rule.head] : deepest.at(all_.goals[goal].tick) + 1;
        least[goal] = std::min(least[goal], limit);
      }
    }
    for (size_t i = 0; i < all_.goals.size(); ++i) {
      if (!all_.goals[i].rules.empty()) continue;
      const size_t limit = least[i] == kUnknown ? deepest.at(all_.goals[i].tick) + 1 : least[i];
      depth_[i] = limit == 0 ? 0 : limit - 1;
    }
  }

  const Provenance& all_;
  std::vector<size_t> depth_;
  std::map<Tick, size_t> first_;
  size_t count_ = 0;
};

std::string rule_name(const Rule& rule) {
  if (rule.kind == Kind::kContrary) return "but";
  if (!rule.cut.empty()) {
    std::string why = rule.cut;
    std::ranges::replace(why, '-', ' ');
    return rule.from.empty() ? why
                             : fmt::format("{} \u2192 {} {}", rule.from.front(), rule.to, why);
  }
  if (rule.kind == Kind::kAsync && !rule.from.empty()) {
    return fmt::format("{} \u2192 {}", rule.from.front(), rule.to);
  }
  const size_t slash = rule.where.rfind('/');
  return slash == std::string::npos ? rule.where : rule.where.substr(slash + 1);
}

std::string fact_text(const Goal& goal) { return cut(printable(text_of(goal)), kMostLabel); }

std::string when_text(const Goal& goal) {
  return goal.tick == goal.last ? fmt::format("tick {}", goal.tick)
                                : fmt::format("ticks {} to {}", goal.tick, goal.last);
}

class Drawing {
 public:
  Drawing(const Provenance& all, const std::string& title)
      : all_(all), title_(title), layers_(all) {
    build();
    placement_ = place(graph_, kNodeGap);
    place_layers();
  }

  std::string draw() {
    body_ += svg_text(24, 30, "heading", title_);
    draw_bands();
    for (size_t i = 0; i < links_.size(); ++i) draw_edge(i);
    for (size_t i = 0; i < all_.rules.size(); ++i) draw_rule(i);
    for (size_t i = 0; i < all_.goals.size(); ++i) draw_goal(i);
    const double height = draw_key();
    const std::string description = fmt::format(
        "{} and {}, causes above their effects, in rows by tick.",
        count_noun(all_.goals.size(), "goal"), count_noun(all_.rules.size(), "rule application"));
    return page_text(SvgPage{width(), height, title_, description, std::move(body_)});
  }

 private:
  // An edge of the graph, and the rule that it belongs to.
  struct Link {
    size_t rule;
    bool to_head;
  };

  double width() const {
    const double heading = 48 + 9 * static_cast<double>(count_code_points(printable(title_)));
    return std::max({kLeft + placement_.width + kRight, heading, 640.0});
  }
  size_t rule_node(size_t rule) const { return all_.goals.size() + rule; }

  void build() {
    for (size_t i = 0; i < all_.goals.size(); ++i) {
      const double text = std::max(label_width(fact_text(all_.goals[i])),
                                   6.2 * static_cast<double>(when_text(all_.goals[i]).size()));
      graph_.nodes.push_back({layers_.of_goal(i), text + 24});
    }
    for (size_t i = 0; i < all_.rules.size(); ++i) {
      const auto letters = static_cast<double>(count_code_points(rule_name(all_.rules[i])));
      graph_.nodes.push_back({layers_.of_rule(i), letters * 6.1 + 18});
    }
    for (size_t i = 0; i < all_.rules.size(); ++i) {
      const Rule& rule = all_.rules[i];
      add_edge(rule_node(i), rule.head, {i, true});
      for (const size_t goal : rule.goals) add_edge(goal, rule_node(i), {i, false});
    }
  }

  // Causes are above, except where something rests on itself.
  void add_edge(size_t upper, size_t lower, Link link) {
    if (graph_.nodes[upper].layer > graph_.nodes[lower].layer) std::swap(upper, lower);
    graph_.edges.push_back({upper, lower});
    links_.push_back(link);
  }

  void place_layers() {
    double y = 56;
    size_t layer = 0;
    for (auto band = layers_.first().begin(); band != layers_.first().end(); ++band) {
      const auto next = std::next(band);
      const size_t end = next == layers_.first().end() ? layers_.count() : next->second;
      const double top = y;
      const bool any_rule = has_rules(band->second);
      if (!any_rule) y += kBandGap - kRuleHeight;  // no room is needed for rules
      for (; layer < end; ++layer) {
        const double height = layer % 2 == 0 ? kRuleHeight : kGoalHeight;
        y += kLayerGap / (layer % 2 == 0 ? 2 : 1);
        middle_.push_back(y + height / 2);
        y += height;
      }
      y += kBandGap;
      bands_.emplace_back(band->first, top, y);
    }
    bottom_ = y;
  }

  bool has_rules(size_t layer) const {
    for (size_t i = 0; i < all_.rules.size(); ++i) {
      look();
      if (layers_.of_rule(i) == layer) return true;
    }
    return false;
  }

  void draw_bands() {
    bool filled = true;
    for (const auto& [tick, top, bottom] : bands_) {
      if (filled) {
        body_ += fmt::format(
            "  <rect class=\"band\" x=\"0\" y=\"{:.1f}\" width=\"100%\" height=\"{:.1f}\"/>\n", top,
            bottom - top);
      }
      filled = !filled;
      body_ += svg_text(kLeft - 24, (top + bottom) / 2 + 4, "tick", fmt::format("tick {}", tick));
    }
  }

  double x(size_t node) const { return kLeft + placement_.x[node]; }
  double y(size_t node) const { return middle_[graph_.nodes[node].layer]; }
  double half_height(size_t node) const {
    return node < all_.goals.size() ? kGoalHeight / 2 : kRuleHeight / 2;
  }

  void draw_edge(size_t index) {
    look(1 + placement_.bends[index].size());
    const LayeredGraph::Edge& edge = graph_.edges[index];
    const Rule& rule = all_.rules[links_[index].rule];
    double from_x = x(edge.upper);
    double from_y = y(edge.upper) + half_height(edge.upper);
    std::string path = fmt::format("M{:.1f} {:.1f}", from_x, from_y);
    const auto curve_to = [&](double to_x, double to_y) {
      const double middle = (from_y + to_y) / 2;
      path += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from_x, middle, to_x,
                          middle, to_x, to_y);
      from_x = to_x;
      from_y = to_y;
    };
    size_t layer = graph_.nodes[edge.upper].layer;
    for (const double bend : placement_.bends[index]) {
      ++layer;
      curve_to(kLeft + bend, middle_[layer] - 8);
      curve_to(kLeft + bend, middle_[layer] + 8);
    }
    curve_to(x(edge.lower), y(edge.lower) - half_height(edge.lower));
    std::string kind = "edge";
    kind += side_class("", " edge-good", " edge-bad", edge_side(links_[index], edge));
    if (rule.kind == Kind::kAsync && links_[index].to_head) kind += " message";
    if (rule.kind == Kind::kContrary) kind += " contrary";
    body_ += fmt::format("  <path class=\"{}\" d=\"{}\"/>\n", kind, path);
  }

  // What only one run has is drawn as such; what a rule used is drawn as the fact that it is.
  Side edge_side(const Link& link, const LayeredGraph::Edge& edge) const {
    if (link.to_head || all_.rules[link.rule].kind == Kind::kContrary) {
      return all_.rules[link.rule].side;
    }
    return all_.goals[std::min(edge.upper, edge.lower)].side;
  }

  void draw_rule(size_t index) {
    look();
    const Rule& rule = all_.rules[index];
    const size_t node = rule_node(index);
    const double wide = graph_.nodes[node].width;
    const bool cut = !rule.cut.empty();
    std::string tip = rule.text.empty() ? "it was absent in the one run, but is there in the other"
                                        : fmt::format("{} ({})", rule.text, rule.where);
    if (cut) tip += fmt::format("; in this run: {}", rule.cut);
    body_ += fmt::format(
        "  <g><title>{}</title>\n  <rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.0f}\" rx=\"10\"/>\n",
        xml(printable(tip, 1000)), cut ? "rule-cut" : "rule", x(node) - wide / 2,
        y(node) - kRuleHeight / 2, wide, kRuleHeight);
    body_ += svg_text(x(node), y(node) + 4, cut ? "rule-cut-name" : "rule-name", rule_name(rule));
    body_ += "  </g>\n";
  }

  void draw_goal(size_t index) {
    look(1 + all_.roots.size());
    const Goal& goal = all_.goals[index];
    const double wide = graph_.nodes[index].width;
    const bool root = std::ranges::find(all_.roots, index) != all_.roots.end();
    std::string kind = side_class("goal", "goal-good", "goal-bad", goal.side);
    if (goal.absent) kind += " absent";
    body_ += fmt::format(
        "  <g><title>{}</title>\n  <rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.0f}\" rx=\"7\"{}/>\n",
        xml(printable(text_of(goal) + when(goal) + tell_side(goal), 1000)), kind,
        x(index) - wide / 2, y(index) - kGoalHeight / 2, wide, kGoalHeight,
        root ? " style=\"stroke-width:2.6\"" : "");
    body_ += svg_text(x(index), y(index) - 2, "fact", fact_text(goal));
    body_ += svg_text(x(index), y(index) + 13, "rule-name", when_text(goal));
    body_ += "  </g>\n";
  }

  static std::string tell_side(const Goal& goal) {
    return side_class("", ", only in the run without faults", ", only in this run", goal.side);
  }

  double draw_key() {
    double y = bottom_ + 26;
    const auto line = [&](const char* kind, const std::string& text) {
      body_ += svg_text(24, y, kind, text);
      y += 20;
    };
    const bool compared =
        std::ranges::any_of(all_.goals, [](const Goal& goal) { return goal.side != Side::kBoth; });
    if (compared) {
      line("note", "Red: only in the run without faults. Blue: only in this run. Grey: in both.");
      line("note", "A filled red mark is where a fault struck.");
    }
    line("note", "Dashed lines are messages, dashed boxes are absences.");
    if (all_.left_out > 0) {
      line("note", fmt::format("{} not followed any further.",
                               all_.left_out == 1 ? "1 goal is"
                                                  : fmt::format("{} goals are", all_.left_out)));
    }
    return y + 4;
  }

  const Provenance& all_;
  const std::string& title_;
  Layers layers_;
  LayeredGraph graph_;  // goals, then rules
  std::vector<Link> links_;
  Placement placement_;
  std::vector<double> middle_;  // of each layer
  std::vector<std::tuple<Tick, double, double>> bands_;
  double bottom_ = 0;
  std::string body_;
};

}  // namespace

std::string lineage_svg(const Provenance& provenance, const std::string& title) {
  return Drawing(provenance, title).draw();
}

}  // namespace clew::report
