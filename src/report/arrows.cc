#include "report/arrows.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "base/check.h"
#include "base/columns.h"
#include "base/watched.h"

namespace clew::report {

namespace {

size_t index_of(const std::vector<NodeName>& nodes, const NodeName& node) {
  const auto found = std::ranges::lower_bound(nodes, node);
  CHECK(found != nodes.end() && *found == node, "a message of \"{}\", which is no node", node);
  return static_cast<size_t>(found - nodes.begin());
}

// A message and where its arrow belongs.
struct Sent {
  Tick tick;
  size_t from;
  size_t to;
  const Message* message;

  auto key() const { return std::make_tuple(tick, from, to, message->fate); }
};

void name_relations(Arrow& arrow) {
  std::set<std::string_view> seen;
  look(arrow.messages.size());
  for (const Message* message : arrow.messages) {
    const std::string& relation = message->fact.relation;
    if (seen.insert(relation).second) arrow.relations.push_back(relation);
  }
}

// Neighbours with the same key become one arrow.
std::vector<Arrow> merge(const std::vector<Sent>& sorted) {
  std::vector<Arrow> arrows;
  for (size_t i = 0; i < sorted.size(); ++i) {
    look();
    const Sent& sent = sorted[i];
    if (i == 0 || sorted[i - 1].key() != sent.key()) {
      arrows.push_back({sent.from, sent.to, sent.tick, sent.message->fate, {}, {}});
    }
    arrows.back().messages.push_back(sent.message);
  }
  for (Arrow& arrow : arrows) name_relations(arrow);
  return arrows;
}

std::string first_names(const Arrow& arrow, size_t count) {
  const auto first = arrow.relations.begin();
  std::string text =
      fmt::format("{}", fmt::join(first, first + static_cast<std::ptrdiff_t>(count), ", "));
  const size_t left_out = arrow.relations.size() - count;
  return left_out == 0 ? text : fmt::format("{} +{}", text, left_out);
}

}  // namespace

Arrows arrows_of(const Run& run) {
  Arrows arrows;
  std::vector<Sent> drawn;
  const std::vector<NodeName>& nodes = run.scenario.nodes;
  for (const Message& message : run.messages) {
    look();
    if (message.from == message.to) {
      ++arrows.to_self;
    } else if (message.sent_at == run.scenario.program.eot) {
      ++arrows.after_end;
    } else {
      drawn.push_back(
          {message.sent_at, index_of(nodes, message.from), index_of(nodes, message.to), &message});
    }
  }
  std::ranges::stable_sort(drawn, [](const Sent& a, const Sent& b) { return a.key() < b.key(); });
  arrows.all = merge(drawn);
  return arrows;
}

std::string label(const Arrow& arrow, size_t width) {
  std::string best = cut(first_names(arrow, 1), width);
  size_t names = arrow.relations.front().size();
  for (size_t count = 2; count <= arrow.relations.size(); ++count) {
    names += 2 + arrow.relations[count - 1].size();
    if (names > width) break;
    if (const std::string text = first_names(arrow, count); text.size() <= width) best = text;
  }
  return best;
}

size_t least_label_width(const Arrow& arrow) { return first_names(arrow, 1).size(); }

std::string reason(const Arrow& arrow) {
  if (!arrow.lost()) return {};
  std::string words = to_string(arrow.fate);
  std::ranges::replace(words, '-', ' ');
  return words;
}

}  // namespace clew::report
