#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"
#include "report/arrows.h"
#include "report/escape.h"
#include "report/story.h"
#include "report/svg.h"
#include "report/svg_page.h"
#include "report/wrap.h"

namespace clew::report {

namespace {

constexpr double kFirstLine = 72;  // where the first node's line is
constexpr double kTop = 24;
constexpr double kLeastStep = 150;
constexpr double kMostStep = 240;
constexpr double kLeastRow = 52;
constexpr double kMostRow = 150;
constexpr double kGapRow = 40;
constexpr double kLostEnd = 0.82;  // a lost message ends near its receiver, not near another node
constexpr size_t kMostRows = 200;
constexpr size_t kMostArrows = 4000;
constexpr size_t kTextWidth = 26;
constexpr size_t kMostTold = 6;
constexpr double kLeastNote = 420;  // a note may be so wide, even if the diagram is not

struct Box {
  double left;
  double top;
  double right;
  double bottom;

  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

class SvgDiagram {
 public:
  explicit SvgDiagram(const Run& run)
      : run_(run), arrows_(arrows_of(run)), told_(tell_faults(run)) {
    choose_step();
    choose_rows();
  }

  std::string draw() {
    draw_heading();
    const double top = y_;
    place_rows();
    draw_partitions();
    draw_rows();
    for (size_t i = 0; i < run_.scenario.nodes.size(); ++i) draw_node(i, top);
    for (const Arrow& arrow : arrows_.all) {
      if (shown(arrow.tick) && shown(arrow.tick + 1)) draw_arrow(arrow);
    }
    for (const Arrow& arrow : arrows_.all) {
      if (shown(arrow.tick) && shown(arrow.tick + 1)) draw_label(arrow);
    }
    body_ += labels_;
    draw_ending();
    return page_text(SvgPage{width(), y_ + 12, title(), description(), std::move(body_)});
  }

 private:
  double x(size_t node) const { return left_ + static_cast<double>(node) * step_; }
  bool shown(Tick tick) const { return rows_.contains(tick); }
  double width() const { return std::max(x(run_.scenario.nodes.size() - 1) + margin_, wide_); }

  void choose_step() {
    double longest = 0;
    double name = 0;
    for (const Arrow& arrow : arrows_.all) {
      look();
      longest = std::max(longest, label_width(label(arrow, kTextWidth)));
    }
    for (const NodeName& node : run_.scenario.nodes) {
      name = std::max(name, note_width(short_name(node)));
    }
    step_ = std::clamp(std::max(longest + 44, name + 48), kLeastStep, kMostStep);
    margin_ = std::max(80.0, name / 2 + 24);
    left_ = std::max(kFirstLine, name / 2 + 36);
  }

  static std::string short_name(const NodeName& node) { return cut(node, 24); }

  std::string title() const { return "Space-time diagram: " + faults_in_words(); }

  std::string faults_in_words() const {
    return told_.empty() ? "no faults" : fmt::format("{}", fmt::join(told_, "; "));
  }

  std::string description() const {
    return fmt::format(
        "{} from tick 1 to tick {}, {}. Lost messages are dashed and end in a cross.",
        count_noun(run_.scenario.nodes.size(), "node"), run_.scenario.program.eot,
        count_noun(arrows_.all.size(), "arrow"));
  }

  // The ticks with something to see, and those around them.
  void choose_rows() {
    std::vector<Tick> busy = {1, run_.scenario.program.eot};
    size_t count = 0;
    for (const Arrow& arrow : arrows_.all) {
      if (++count > kMostArrows) break;
      busy.push_back(arrow.tick);
      busy.push_back(arrow.tick + 1);
    }
    for (const Crash& crash : run_.scenario.faults.of<Crash>()) busy.push_back(crash.tick);
    std::ranges::sort(busy);
    busy.erase(std::unique(busy.begin(), busy.end()), busy.end());
    for (size_t i = 0; i < busy.size() && rows_.size() < kMostRows; ++i) {
      // A single tick takes no more room than saying that it is left out.
      if (i > 0 && busy[i] == busy[i - 1] + 2) rows_[busy[i] - 1] = 0;
      rows_[busy[i]] = 0;
    }
    last_ = rows_.rbegin()->first;
  }

  void draw_heading() {
    y_ = kTop;
    for (size_t i = 0; i < told_.size() && i < kMostTold; ++i) {
      const bool more = i + 1 == kMostTold && told_.size() > kMostTold;
      note("heading", more ? fmt::format("and {} more", told_.size() - i) : told_[i]);
    }
    if (told_.empty()) note("heading", "no faults");
    y_ += 18;
  }

  // As many lines as the text needs at about the width of the diagram.
  void note(const char* kind, const std::string& text) {
    const bool heading = std::string_view(kind) == "heading";
    const double letter = heading ? 9 : 7.2;
    const auto room = static_cast<size_t>(std::max(width() - 48, kLeastNote) / letter);
    std::istringstream lines(wrap(printable(text, 1000), "", "", room));
    double left = 24;
    for (std::string line; std::getline(lines, line); left = 40) {
      body_ += svg_text(left, y_, kind, line);
      wide_ = std::max(wide_, left + 24 + letter * static_cast<double>(count_code_points(line)));
      y_ += heading ? 21 : 20;
    }
  }

  void place_rows() {
    std::map<Tick, size_t> busy;
    for (const Arrow& arrow : arrows_.all) ++busy[arrow.tick];
    y_ += 42;
    Tick before = 0;
    for (auto& [tick, y] : rows_) {
      if (before != 0 && tick != before + 1) y_ += kGapRow;
      if (before != 0 && tick == before + 1) {
        const auto at = busy.find(before);
        const double arrows = at == busy.end() ? 0 : static_cast<double>(at->second);
        y_ += arrows == 0 ? kLeastRow * 0.62 : std::min(kLeastRow + 9 * arrows, kMostRow);
      }
      y = y_;
      before = tick;
    }
  }

  // Where a partition begins and ends, on the page.
  std::optional<std::pair<double, double>> extent(const Partition& partition) const {
    const auto first = rows_.lower_bound(partition.first);
    auto last = rows_.upper_bound(partition.last + 1);
    if (first == rows_.end() || first->first > partition.last || last == rows_.begin()) {
      return std::nullopt;
    }
    return std::make_pair(first->second, (--last)->second);
  }

  void draw_partitions() {
    for (const Partition& partition : partitions_of(run_)) {
      const auto place = extent(partition);
      if (!place) continue;
      const std::vector<NodeName>& nodes = run_.scenario.nodes;
      for (size_t i = 0; i < nodes.size();) {
        const auto inside = [&](size_t node) {
          const auto& group = partition.group;
          return std::ranges::find(group, nodes[node]) != group.end();
        };
        size_t end = i;
        while (end < nodes.size() && inside(end)) ++end;
        if (end > i) draw_island(i, end - 1, *place, partition.one_way);
        i = std::max(end, i + 1);
      }
    }
  }

  void draw_island(size_t first, size_t last, std::pair<double, double> place, bool one_way) {
    const double left = x(first) - step_ * 0.34;
    const double right = x(last) + step_ * 0.34;
    body_ += fmt::format(
        "  <rect class=\"cut\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "rx=\"10\"><title>{}</title></rect>\n",
        left, place.first - 16, right - left, place.second - place.first + 22,
        one_way ? "a one-way partition" : "a partition");
  }

  void draw_rows() {
    const double right = x(run_.scenario.nodes.size() - 1) + 24;
    Tick before = 0;
    double above = 0;
    for (const auto& [tick, y] : rows_) {
      if (before != 0 && tick != before + 1) {
        body_ += svg_text(left_ - 18, (above + y) / 2 + 4, "tick", "\u22ee");
      }
      body_ += fmt::format(
          "  <line class=\"row\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
          left_ - 12, y, right, y);
      body_ += svg_text(left_ - 18, y + 4, "tick", fmt::format("{}", tick));
      before = tick;
      above = y;
    }
  }

  void draw_node(size_t index, double top) {
    const NodeName& node = run_.scenario.nodes[index];
    const double at = x(index);
    const std::optional<Tick> crash = crash_of(run_.scenario, node);
    const double bottom = rows_.rbegin()->second;
    const double death = crash && shown(*crash) ? rows_.at(*crash) : bottom;
    line("line", at, top + 8, at, death);
    if (death < bottom) line("dead", at, death, at, bottom);
    const double half = std::max(note_width(short_name(node)) / 2 + 12, 20.0);
    body_ += fmt::format(
        "  <rect class=\"head\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"26\" "
        "rx=\"13\"/>\n",
        at - half, top - 14, 2 * half);
    body_ += svg_text(at, top + 4, "name", short_name(node));
    for (const auto& [tick, y] : rows_) {
      look();
      if (crash && tick >= *crash) break;
      body_ +=
          fmt::format("  <circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.5\"/>\n", at, y);
    }
    if (crash && shown(*crash)) {
      draw_cross(at, death, 6);
      labels_ += svg_text(at + 12, death - 6, "bad-mark", "crashed");
    }
  }

  void line(const char* kind, double x1, double y1, double x2, double y2) {
    body_ += fmt::format(
        "  <line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind,
        x1, y1, x2, y2);
  }

  void draw_cross(double at_x, double at_y, double size) {
    line("cross", at_x - size, at_y - size, at_x + size, at_y + size);
    line("cross", at_x - size, at_y + size, at_x + size, at_y - size);
  }

  void draw_arrow(const Arrow& arrow) {
    look(1 + arrow.messages.size());
    const auto [x1, y1] = along(arrow, 0);
    const auto [x2, y2] = along(arrow, 1);
    const double length = std::hypot(x2 - x1, y2 - y1);
    const double end = arrow.lost() ? kLostEnd : 1 - 5 / length;
    const auto [end_x, end_y] = along(arrow, end);
    body_ += fmt::format("  <g><title>{}</title>\n", xml(printable(tell(arrow), 1000)));
    const auto [tail_x, tail_y] = along(arrow, arrow.lost() ? end : end - 8 / length);
    line(arrow.lost() ? "lost" : "sent", x1, y1, tail_x, tail_y);
    if (arrow.lost()) {
      draw_cross(end_x, end_y, 5);
      taken_[arrow.tick].push_back({end_x - 6, end_y - 6, end_x + 6, end_y + 6});
    } else {
      draw_tip(end_x, end_y, (x2 - x1) / length, (y2 - y1) / length);
    }
    body_ += "  </g>\n";
  }

  // A point of the arrow, from 0 where it begins to 1 where it ends.
  std::pair<double, double> along(const Arrow& arrow, double part) const {
    const double x1 = x(arrow.from);
    const double y1 = rows_.at(arrow.tick);
    return {x1 + (x(arrow.to) - x1) * part, y1 + (rows_.at(arrow.tick + 1) - y1) * part};
  }

  void draw_tip(double at_x, double at_y, double dx, double dy) {
    constexpr double kLong = 10;
    constexpr double kHalf = 4.5;
    const double back_x = at_x - dx * kLong;
    const double back_y = at_y - dy * kLong;
    body_ += fmt::format(
        "  <path class=\"sent-tip\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n", at_x,
        at_y, back_x - dy * kHalf, back_y + dx * kHalf, back_x + dy * kHalf, back_y - dx * kHalf);
  }

  // Where the label disturbs no other, and no line of a node if that can be had; the nearer to the
  // middle the better.
  void draw_label(const Arrow& arrow) {
    const std::string text = label(arrow, kTextWidth);
    const double half = label_width(text) / 2 + 3;
    const double most = arrow.lost() ? kLostEnd - 0.08 : 0.86;
    const double middle = arrow.lost() ? 0.45 : 0.5;
    const auto box_at = [&](double part) {
      const auto [at_x, at_y] = along(arrow, part);
      return Box{at_x - half, at_y - 8, at_x + half, at_y + 8};
    };
    std::optional<Box> best;
    for (const bool strict : {true, false}) {
      for (int step = 0; step <= 24 && !best; ++step) {
        const int away = (step + 1) / 2;
        const double part = middle + 0.03 * (step % 2 == 0 ? away : -away);
        if (part < 0.14 || part > most) continue;
        const Box box = box_at(part);
        if (is_free(box, arrow.tick) && (!strict || !on_line(box))) best = box;
      }
    }
    if (!best) best = box_at(middle);
    taken_[arrow.tick].push_back(*best);
    labels_ += svg_text((best->left + best->right) / 2, best->top + 12,
                        arrow.lost() ? "label bad" : "label", text);
  }

  bool is_free(const Box& box, Tick tick) {
    const std::vector<Box>& taken = taken_[tick];
    look(1 + taken.size());
    return std::ranges::none_of(taken, [&](const Box& b) { return b.meets(box); });
  }

  bool on_line(const Box& box) const {
    const double right = std::floor((box.right - left_) / step_);
    const double left = std::floor((box.left - left_) / step_);
    return right != left && right >= 0;
  }

  std::string tell(const Arrow& arrow) const {
    std::string text = fmt::format("tick {}, {} to {}", arrow.tick, run_.scenario.nodes[arrow.from],
                                   run_.scenario.nodes[arrow.to]);
    if (arrow.lost()) text += ", lost: " + reason(arrow);
    for (const Message* message : arrow.messages) text += "; " + to_string(message->fact);
    return text;
  }

  void draw_ending() {
    y_ += 34;
    if (last_ < run_.scenario.program.eot) {
      note("note",
           fmt::format("Ticks {} to {} are not shown.", last_ + 1, run_.scenario.program.eot));
    }
    size_t missing = 0;
    for (const Outcome::Goal& goal : run_.outcome().goals) {
      if (goal.post || ++missing > 3) continue;
      note("bad", fmt::format("{} holds at tick {}, but is not in {}", to_string(goal.pre),
                              goal.tick, run_.outcome().post));
    }
    if (missing > 3) {
      note("bad", fmt::format("and {} more", missing - 3));
    }
    if (run_.outcome().kind == Outcome::Kind::kHolds) {
      const Outcome& outcome = run_.outcome();
      const std::string when = outcome.every_tick
                                   ? "At every tick"
                                   : fmt::format("At tick {}, the last", run_.scenario.program.eot);
      note("good", fmt::format("{}, all that is in {} is in {}.", when, outcome.pre, outcome.post));
    }
  }

  const Run& run_;
  Arrows arrows_;
  std::vector<std::string> told_;
  double step_ = kLeastStep;
  double left_ = kFirstLine;
  double margin_ = 80;
  double wide_ = 0;              // what notes need
  double y_ = kTop;              // where to go on
  std::map<Tick, double> rows_;  // shown ticks, and where
  Tick last_ = 1;
  std::map<Tick, std::vector<Box>> taken_;  // by labels
  std::string body_;
  std::string labels_;  // over everything else
};

}  // namespace

std::string space_time_svg(const Run& run) { return SvgDiagram(run).draw(); }

}  // namespace clew::report
