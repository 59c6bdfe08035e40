#include "drive/diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/columns.h"
#include "drive/page.h"

namespace clew::drive {

namespace {

using explore::Tale;
using explore::Told;

constexpr size_t kWidth = 80;
constexpr size_t kLeft = 6;        // columns of the numbers
constexpr size_t kLeastStep = 12;  // columns of a node
constexpr size_t kMostStep = 18;

// `Add` of `Add{amount: 1}`, and whether there are messages more.
std::string short_name(const std::string& messages) {
  std::string name = messages.substr(0, messages.find('{'));
  if (fields_of(messages).size() > 1) name += " ..";
  return name;
}

class Diagram {
 public:
  explicit Diagram(const Tale& tale) : tale_(tale), up_(tale.nodes.size(), true) {
    const size_t room = (kWidth - kLeft - 16) / std::max<size_t>(tale.nodes.size(), 1);
    step_ = std::clamp(room, kLeastStep, kMostStep);
  }

  std::string draw() {
    std::string names = pad_left("step", kLeft) + "  ";
    for (const std::string& node : tale_.nodes) names += pad_right(cut(node, step_ - 1), step_);
    emit(names);
    for (size_t i = 0; i < tale_.moves.size(); ++i) draw_move(i);
    return std::move(text_);
  }

 private:
  size_t column(size_t node) const { return kLeft + 2 + node * step_; }
  size_t number_of(const std::string& name) const {
    return static_cast<size_t>(std::ranges::find(tale_.nodes, name) - tale_.nodes.begin());
  }
  size_t margin() const { return column(tale_.nodes.size()); }

  std::string lines(size_t move) const {
    std::string line(margin(), ' ');
    line.replace(0, kLeft, pad_left(std::to_string(move + 1), kLeft));
    for (size_t i = 0; i < up_.size(); ++i) line[column(i)] = up_[i] ? '|' : ' ';
    return line;
  }

  // Over what is there, from this column on.
  static void put(std::string& line, size_t at, const std::string& words) {
    if (line.size() < at + words.size()) line.resize(at + words.size(), ' ');
    line.replace(at, words.size(), words);
  }

  void draw_move(size_t i) {
    const Told& told = tale_.moves[i];
    const size_t node = number_of(told.node);
    if (told.kind == "restart") up_[node] = true;
    std::string line = lines(i);
    std::string note;
    if (told.kind == "crash") {
      put(line, column(node), "X " + crash_words(told));
      up_[node] = false;
    } else if (told.kind == "restart") {
      put(line, column(node), "o restarts");
    } else if (told.kind == "ask") {
      put(line, column(node), "o " + told.from + ": " + short_name(told.what));
    } else if (told.kind == "fire") {
      put(line, column(node), "o timer " + told.what + (told.fault ? ", early" : ""));
    } else {
      note = draw_arrow(line, told, node);
    }
    if (tale_.broken && i + 1 == tale_.moves.size()) {
      note += note.empty() ? "" : ", ";
      note += tale_.loop ? fmt::format("then {} again", *tale_.loop) : "broken";
    }
    if (!note.empty()) put(line, std::max(line.size(), margin()), " " + note);
    emit(line);
  }

  static std::string crash_words(const Told& told) {
    const size_t comma = told.move.find(", ");
    return comma == std::string::npos ? "crashes" : "crashes" + told.move.substr(comma);
  }

  std::string draw_arrow(std::string& line, const Told& told, size_t to) {
    const bool lost = told.kind == "lose";
    const size_t from = number_of(told.from);
    const std::string name = short_name(told.what);
    if (from == to) {
      put(line, column(to), fmt::format("o gets its own {}", name));
    } else {
      const size_t left = std::min(column(from), column(to)) + 1;
      const size_t right = std::max(column(from), column(to)) - 1;
      for (size_t at = left; at <= right; ++at) line[at] = line[at] == '|' ? '+' : '-';
      const size_t room = step_ - 5;
      const std::string label = " " + cut(name, room) + " ";
      put(line, from < to ? left + 2 : right - 1 - label.size(), label);
      const size_t tip = lost ? (from < to ? right - 2 : left + 2) : (from < to ? right : left);
      line[tip] = lost ? 'x' : from < to ? '>' : '<';
      if (lost) {
        for (size_t at = tip; from < to && at < right; ++at) line[at + 1] = ' ';
        for (size_t at = left; from > to && at < tip; ++at) line[at] = ' ';
      } else {
        line[column(to)] = 'o';
      }
    }
    const std::string sent =
        told.sent_by == 0 ? "sent at the start" : fmt::format("sent at {}", told.sent_by);
    if (lost) return "lost, " + sent;
    return told.kind == "duplicate" ? "a copy, " + sent : sent;
  }

  void emit(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_ += line + '\n';
  }

  const Tale& tale_;
  std::vector<bool> up_;
  size_t step_ = kMostStep;
  std::string text_;
};

}  // namespace

std::string diagram(const Tale& tale) { return Diagram(tale).draw(); }

std::string steps_of_loop(const Tale& tale) {
  return tale.loop == tale.moves.size()
             ? fmt::format("step {}", *tale.loop)
             : fmt::format("steps {} to {}", *tale.loop, tale.moves.size());
}

}  // namespace clew::drive
