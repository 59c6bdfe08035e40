#include "report/space_time.h"

#include <algorithm>

#include "base/check.h"
#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"
#include "report/arrows.h"
#include "report/layout.h"
#include "report/message_list.h"

namespace clew::report {

namespace {

constexpr Tick kLeastQuietTicks = 3;  // fewer are drawn one by one

// Arrows that are drawn as one: several only if they go from one node to some others, arrive, and
// say the same.
struct Fan {
  size_t from;  // nodes
  std::vector<size_t> to;
  const Arrow* first;
  std::string margin;  // what the right margin says of it

  size_t leftmost() const { return std::min(from, *std::ranges::min_element(to)); }
  size_t rightmost() const { return std::max(from, *std::ranges::max_element(to)); }
};

// Fans side by side with the same margin; in the wide form also some with none.
using Row = std::vector<Fan>;

class Diagram {
 public:
  Diagram(const Run& run, const Arrows& arrows, const Layout& layout);
  std::string draw();

 private:
  using ArrowIterator = std::vector<Arrow>::const_iterator;

  bool stopped() const { return run_.scenario.program.crash_model == CrashModel::kStop; }
  bool wide() const { return layout_.form == Layout::Form::kWide; }

  void draw_names();
  void draw_ticks();
  void draw_tick(Tick tick);
  void draw_quiet(Tick first, Tick last);
  void draw_row(Tick tick, const Row& row);
  void draw_fan(std::string& line, const Fan& fan) const;
  void draw_label(std::string& line, const Arrow& arrow) const;
  void draw_legend();

  char line_at(size_t node, Tick tick) const;
  std::string lines_after(Tick tick) const;
  std::string margin_text(const Arrow& arrow) const;
  size_t tip(const Fan& fan, size_t node) const;
  std::vector<Fan> fans(ArrowIterator begin, ArrowIterator end) const;
  std::vector<Row> arrange(std::vector<Fan> fans) const;
  Tick last_quiet_from(Tick first) const;
  void emit(std::string line);

  const Run& run_;
  const Arrows& arrows_;
  const Layout& layout_;
  const std::vector<NodeName>& nodes_;
  std::vector<Tick> crash_ticks_;  // by node; 0 if it does not crash
  std::vector<Tick> busy_;         // ticks with a crash or an arrow's end, sorted
  std::vector<std::string> names_;
  std::string text_;
};

Diagram::Diagram(const Run& run, const Arrows& arrows, const Layout& layout)
    : run_(run),
      arrows_(arrows),
      layout_(layout),
      nodes_(run.scenario.nodes),
      crash_ticks_(nodes_.size(), 0),
      busy_({1, run.scenario.program.eot}),
      names_(short_names(layout, nodes_)) {
  for (const Crash& crash : run.scenario.faults.of<Crash>()) {
    const auto at = std::ranges::lower_bound(nodes_, crash.node);
    CHECK(at != nodes_.end() && *at == crash.node, "\"{}\" crashes but is no node", crash.node);
    crash_ticks_[static_cast<size_t>(at - nodes_.begin())] = crash.tick;
    busy_.push_back(crash.tick);
  }
  for (const Arrow& arrow : arrows.all) {
    busy_.push_back(arrow.tick);
    busy_.push_back(arrow.tick + 1);
  }
  std::ranges::sort(busy_);
  busy_.erase(std::unique(busy_.begin(), busy_.end()), busy_.end());
}

std::string Diagram::draw() {
  draw_names();
  draw_ticks();
  draw_legend();
  return std::move(text_);
}

void Diagram::emit(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text_ += line;
  text_ += '\n';
}

void Diagram::draw_names() {
  std::string line = pad_left("tick", layout_.left - 2) + "  ";
  for (const std::string& name : names_) line += pad_right(name, layout_.step);
  emit(line);
}

void Diagram::draw_ticks() {
  auto arrow = arrows_.all.begin();
  for (Tick tick = 1; tick <= run_.scenario.program.eot; ++tick) {
    const Tick last_quiet = last_quiet_from(tick);
    if (last_quiet - tick + 1 >= kLeastQuietTicks) {
      draw_quiet(tick, last_quiet);
      tick = last_quiet;
      continue;
    }
    look(nodes_.size());
    draw_tick(tick);
    const auto begin = arrow;
    while (arrow != arrows_.all.end() && arrow->tick == tick) ++arrow;
    for (const Row& row : arrange(fans(begin, arrow))) draw_row(tick, row);
  }
}

// The end of the quiet stretch that begins at `first`; first - 1 if `first` is busy.
Tick Diagram::last_quiet_from(Tick first) const {
  const auto next = std::ranges::lower_bound(busy_, first);
  return next == busy_.end() ? first - 1 : *next - 1;
}

void Diagram::draw_quiet(Tick first, Tick last) {
  emit(pad_left("...", layout_.left - 2) +
       fmt::format("  (ticks {} to {}: no messages between nodes)", first, last));
}

// The line of a node between ticks: `|` while it lives, then `:` or nothing.
char Diagram::line_at(size_t node, Tick tick) const {
  if (crash_ticks_[node] == 0 || tick < crash_ticks_[node]) return '|';
  return stopped() ? ' ' : ':';
}

void Diagram::draw_tick(Tick tick) {
  std::string line = pad_left(std::to_string(tick), layout_.left - 2);
  std::vector<std::string> crashed;
  for (size_t node = 0; node < nodes_.size(); ++node) {
    line.resize(layout_.line_of(node), ' ');
    if (crash_ticks_[node] == tick) {
      line += wide() ? "X crashed" : "X";
      crashed.push_back(nodes_[node]);
    } else {
      line += line_at(node, tick) == '|' ? 'o' : line_at(node, tick);
    }
  }
  if (!wide() && !crashed.empty()) {
    line.resize(layout_.margin, ' ');
    const std::string who = fmt::format("{}", fmt::join(crashed, ", "));
    const bool fits = count_code_points(who) + 8 <= layout_.margin_room();
    line += (fits ? who : count_noun(crashed.size(), "node")) + " crashed";
  }
  emit(line);
}

std::string Diagram::lines_after(Tick tick) const {
  std::string line(layout_.line_of(nodes_.size() - 1) + 1, ' ');
  for (size_t node = 0; node < nodes_.size(); ++node) {
    line[layout_.line_of(node)] = line_at(node, tick);
  }
  return line;
}

std::string Diagram::margin_text(const Arrow& arrow) const {
  const size_t room = layout_.margin_room();
  const std::string why = reason(arrow);
  if (wide()) return why.size() + 6 <= room && !why.empty() ? "lost: " + why : why;
  if (why.empty()) return label(arrow, room);
  const size_t names = least_label_width(arrow) + 2;
  for (const std::string& lost : {"lost: " + why, why}) {
    if (names + lost.size() <= room) return label(arrow, room - lost.size() - 2) + "  " + lost;
  }
  return label(arrow, room - 6) + "  lost";
}

// In the narrow form what one node tells many is one Fan, since there may be very many.
std::vector<Fan> Diagram::fans(ArrowIterator begin, ArrowIterator end) const {
  std::vector<Fan> fans;
  for (auto arrow = begin; arrow != end; ++arrow) {
    look(1 + fans.size());
    const std::string margin = margin_text(*arrow);
    const auto joins = [&](const Fan& fan) {
      return !wide() && !arrow->lost() && !fan.first->lost() && fan.from == arrow->from &&
             fan.margin == margin;
    };
    const auto fan = std::ranges::find_if(fans, joins);
    if (fan == fans.end()) {
      fans.push_back({arrow->from, {arrow->to}, &*arrow, margin});
    } else {
      fan->to.push_back(arrow->to);
    }
  }
  return fans;
}

// First fit: a Fan goes into the first row that has its columns free and says the same of it.
std::vector<Row> Diagram::arrange(std::vector<Fan> fans) const {
  std::vector<Row> rows;
  for (Fan& fan : fans) {
    look(1 + rows.size());
    const auto apart = [&](const Fan& other) {
      return fan.rightmost() < other.leftmost() || other.rightmost() < fan.leftmost();
    };
    const auto fits = [&](const Row& row) {
      const bool says_same = row.front().margin == fan.margin || (wide() && fan.margin.empty());
      return says_same && std::ranges::all_of(row, apart);
    };
    const auto row = std::ranges::find_if(rows, fits);
    if (row == rows.end()) {
      rows.push_back({std::move(fan)});
    } else {
      row->push_back(std::move(fan));
    }
  }
  return rows;
}

void Diagram::draw_row(Tick tick, const Row& row) {
  std::string line = lines_after(tick);
  look(1 + line.size());
  for (const Fan& fan : row) draw_fan(line, fan);
  line.resize(layout_.margin, ' ');
  emit(line + row.front().margin);
}

// Where an arrow to `node` ends: beside its line, or well before it if it is lost.
size_t Diagram::tip(const Fan& fan, size_t node) const {
  if (node == fan.from) return layout_.line_of(node);
  const size_t gap = !fan.first->lost() ? 1 : wide() ? 3 : 2;
  return fan.from < node ? layout_.line_of(node) - gap : layout_.line_of(node) + gap;
}

void Diagram::draw_fan(std::string& line, const Fan& fan) const {
  const std::string lines = line;
  const size_t last = tip(fan, fan.rightmost());
  for (size_t at = tip(fan, fan.leftmost()); at <= last; ++at) {
    line[at] = lines[at] == ' ' ? '-' : '+';
  }
  for (const size_t node : fan.to) {
    line[layout_.line_of(node)] = lines[layout_.line_of(node)];
    line[tip(fan, node)] = fan.first->lost() ? 'x' : fan.from < node ? '>' : '<';
  }
  const size_t start = layout_.line_of(fan.from);
  line[start] = wide() ? lines[start] : '*';
  if (wide()) draw_label(line, *fan.first);
}

// Beside the sender, after three dashes if there is room for them.
void Diagram::draw_label(std::string& line, const Arrow& arrow) const {
  const size_t room = layout_.step - kAroundLabel;
  const std::string text = ' ' + label(arrow, room) + ' ';
  const size_t dashes = text.size() - 2 < room ? 3 : 2;
  const size_t start = layout_.line_of(arrow.from);
  const size_t at = arrow.from < arrow.to ? start + 1 + dashes : start - dashes - text.size();
  line.replace(at, text.size(), text);
}

void Diagram::draw_legend() {
  std::vector<std::string> key;
  if (!wide() && !arrows_.all.empty()) key.emplace_back("* sender");
  const auto lost = [](const Arrow& arrow) { return arrow.lost(); };
  if (std::ranges::any_of(arrows_.all, lost)) key.emplace_back("--x lost");
  if (!run_.scenario.faults.of<Crash>().empty() && !stopped()) {
    key.emplace_back(": crashed, so unheard by the others");
  }
  if (!key.empty()) text_ += flow(key, "key:  ", "      ", kPageWidth) + '\n';
  std::vector<std::string> cut_names;
  for (size_t node = 0; node < nodes_.size(); ++node) {
    if (names_[node] != nodes_[node]) cut_names.push_back(names_[node] + " = " + nodes_[node]);
  }
  if (!cut_names.empty()) text_ += flow(cut_names, "names:  ", "        ", kPageWidth) + '\n';
}

std::string not_drawn(const Run& run, const Arrows& arrows) {
  std::string text;
  if (arrows.to_self > 0) {
    text += arrows.to_self == 1 ? "Not shown: 1 message from a node to itself.\n"
                                : fmt::format("Not shown: {} from nodes to themselves.\n",
                                              count_noun(arrows.to_self, "message"));
  }
  if (arrows.after_end > 0) {
    text += fmt::format("Not shown: {} sent at tick {}, the last: too late to arrive.\n",
                        count_noun(arrows.after_end, "message"), run.scenario.program.eot);
  }
  if (!run.stray.empty()) {
    text += flow(run.stray, "No such node, so nothing was sent to:  ", "    ", kPageWidth) + '\n';
  }
  return text;
}

}  // namespace

std::string space_time(const Run& run) {
  CHECK(!run.scenario.nodes.empty(), "a run without nodes");
  const Arrows arrows = arrows_of(run);
  const Layout layout = choose_layout(run, arrows);
  const std::string body = layout.form == Layout::Form::kList ? message_list(run, arrows)
                                                              : Diagram(run, arrows, layout).draw();
  return body + not_drawn(run, arrows);
}

}  // namespace clew::report
