#include "report/layout.h"

#include <algorithm>
#include <set>

#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"

namespace clew::report {

namespace {

constexpr size_t kLeastWide = 12;
constexpr size_t kMostWide = 32;
constexpr size_t kUsualWide = 15;
constexpr size_t kLeastNarrow = 4;
constexpr size_t kMostNarrow = 12;
constexpr size_t kLeastMargin = 16;
constexpr size_t kUsualMargin = 36;
constexpr size_t kGap = 3;  // between the last line and the margin

// What the diagram has to hold, in columns.
struct Needs {
  size_t name = 0;
  size_t label = 0;        // no shorter without cutting a name
  size_t whole_label = 0;  // with all names
  size_t reason = 0;
  size_t margin = 0;       // label and reason in one line, or a crash
  size_t last_column = 0;  // what is written from the last line on
};

Needs measure(const Run& run, const Arrows& arrows) {
  Needs needs;
  const std::vector<NodeName>& nodes = run.scenario.nodes;
  for (const NodeName& node : nodes) {
    needs.name = std::max(needs.name, count_code_points(node));
  }
  for (const Arrow& arrow : arrows.all) {
    look(1 + arrow.relations.size());
    const size_t least = least_label_width(arrow);
    const size_t why = reason(arrow).size();
    needs.label = std::max(needs.label, least);
    needs.whole_label = std::max(needs.whole_label, label(arrow, kPageWidth).size());
    needs.reason = std::max(needs.reason, why);
    needs.margin = std::max(needs.margin, least + (why == 0 ? 0 : why + 2));
  }
  const auto crashes = run.scenario.faults.of<Crash>();
  if (!crashes.empty()) {
    needs.margin = std::max(needs.margin, count_noun(crashes.size(), "node").size() + 8);
  }
  needs.last_column = std::min<size_t>(count_code_points(nodes.back()), kUsualWide);
  for (const Crash& crash : crashes) {
    if (crash.node == nodes.back()) needs.last_column = std::max<size_t>(needs.last_column, 9);
    needs.margin = std::max(needs.margin, count_code_points(crash.node) + 8);
  }
  return needs;
}

bool try_wide(const Needs& needs, size_t gaps, Layout& layout) {
  const size_t reasons = needs.reason == 0 ? 0 : needs.reason + kGap;
  const size_t after = std::max(reasons + 1, needs.last_column);
  const size_t room = (kPageWidth - layout.left - after) / gaps;
  if (room < std::max(needs.label + kAroundLabel, kLeastWide)) return false;
  const size_t wish = std::max({needs.whole_label + kAroundLabel, needs.name + 2, kUsualWide});
  layout.form = Layout::Form::kWide;
  layout.step = std::min({wish, room, kMostWide});
  return true;
}

bool try_narrow(const Needs& needs, size_t gaps, Layout& layout) {
  const size_t room = kPageWidth - layout.left - 1 - kGap;
  if (room < kLeastMargin + gaps * kLeastNarrow) return false;
  const size_t step = (room - std::min(needs.margin, kUsualMargin)) / gaps;
  const size_t most = std::clamp(needs.name + 1, kLeastNarrow + 2, kMostNarrow);
  layout.form = Layout::Form::kNarrow;
  layout.step = std::clamp(step, kLeastNarrow, most);
  return true;
}

std::string last_code_points(const std::string& text, size_t count) {
  const size_t all = count_code_points(text);
  return text.substr(first_code_points(text, all - std::min(all, count)).size());
}

}  // namespace

Layout choose_layout(const Run& run, const Arrows& arrows) {
  Layout layout;
  layout.left = std::max<size_t>(4, std::to_string(run.scenario.program.eot).size()) + 2;
  const size_t gaps = run.scenario.nodes.size() - 1;
  if (gaps == 0) {
    layout.form = Layout::Form::kWide;
  } else {
    const Needs needs = measure(run, arrows);
    if (!try_wide(needs, gaps, layout) && !try_narrow(needs, gaps, layout)) return layout;
  }
  layout.margin = layout.line_of(gaps) + 1 + kGap;
  return layout;
}

std::vector<std::string> short_names(const Layout& layout, const std::vector<NodeName>& nodes) {
  using Shorten = std::string (*)(const NodeName&, size_t room, size_t number);
  // The ends of names often tell them apart where the beginnings do not; numbers always do.
  const Shorten ways[] = {
      [](const NodeName& name, size_t room, size_t) { return cut(name, room); },
      [](const NodeName& name, size_t room, size_t) {
        return "~" + last_code_points(name, room - 1);
      },
      [](const NodeName& name, size_t room, size_t number) {
        const std::string end = fmt::format("~{}", number);
        return std::string(first_code_points(name, room - std::min(room, end.size()))) + end;
      },
  };
  std::vector<std::string> names;
  for (const Shorten shorten : ways) {
    names.clear();
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool last = i + 1 == nodes.size();
      const size_t room = last ? kPageWidth - layout.line_of(i) : layout.step - 1;
      const bool fits = count_code_points(nodes[i]) <= room;
      names.push_back(fits ? nodes[i] : shorten(nodes[i], room, i + 1));
    }
    if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) break;
  }
  return names;
}

}  // namespace clew::report
