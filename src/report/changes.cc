#include "report/changes.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"

namespace clew::report {

namespace {

constexpr size_t kMostNameWidth = 10;  // longer names stand on a line of their own

struct Change {
  std::vector<std::string> appeared;
  std::vector<std::string> disappeared;
};

class Changes {
 public:
  Changes(const Run& run, const std::vector<std::string>& relations);
  std::string write();

 private:
  using ByNode = std::map<size_t, Change>;  // `elsewhere` is the node after the last

  bool wanted(const Fact& fact) const {
    return relations_.empty() || relations_.count(fact.relation) > 0;
  }
  size_t node_of(const Fact& fact) const;
  ByNode compare(const std::vector<Fact>& before, const std::vector<Fact>& after) const;
  void write_node(size_t node, const Change& change);
  void write_quiet(Tick first, Tick last);

  const Run& run_;
  const std::vector<NodeName>& nodes_;
  const std::set<std::string> relations_;
  size_t name_width_ = 1;
  std::string text_;
};

Changes::Changes(const Run& run, const std::vector<std::string>& relations)
    : run_(run), nodes_(run.scenario.nodes), relations_(relations.begin(), relations.end()) {
  for (const NodeName& node : nodes_) {
    const size_t width = count_code_points(node);
    if (width <= kMostNameWidth) name_width_ = std::max(name_width_, width);
  }
}

size_t Changes::node_of(const Fact& fact) const {
  const auto* name = fact.values.empty() ? nullptr : std::get_if<std::string>(&fact.values[0]);
  if (name == nullptr) return nodes_.size();
  const auto found = std::ranges::lower_bound(nodes_, *name);
  const bool is_node = found != nodes_.end() && *found == *name;
  return is_node ? static_cast<size_t>(found - nodes_.begin()) : nodes_.size();
}

// Both are sorted: one walk along the two finds what only one of them has.
Changes::ByNode Changes::compare(const std::vector<Fact>& before,
                                 const std::vector<Fact>& after) const {
  ByNode changes;
  auto old = before.begin();
  auto now = after.begin();
  while (old != before.end() || now != after.end()) {
    look();
    const bool gone = now == after.end() || (old != before.end() && *old < *now);
    const bool came = !gone && (old == before.end() || *now < *old);
    const Fact& fact = gone ? *old : *now;
    if ((gone || came) && wanted(fact)) {
      Change& change = changes[node_of(fact)];
      const std::string shown = to_string(fact);
      (came ? change.appeared : change.disappeared).push_back(printable(shown, shown.size()));
    }
    if (!came) ++old;
    if (!gone) ++now;
  }
  return changes;
}

void Changes::write_node(size_t node, const Change& change) {
  const std::string name = node == nodes_.size() ? "elsewhere" : nodes_[node];
  const std::string indent(name_width_ + 4, ' ');
  std::string lead = "  " + pad_right(name, name_width_) + "  ";
  if (count_code_points(name) > name_width_) {
    text_ += "  " + name + '\n';
    lead = indent;
  }
  const auto write_facts = [&](const std::vector<std::string>& facts, const char* sign) {
    if (facts.empty()) return;
    look(facts.size());
    text_ += flow(facts, lead + sign, indent + sign) + '\n';
    lead = indent;
  };
  write_facts(change.appeared, "+ ");
  write_facts(change.disappeared, "- ");
}

void Changes::write_quiet(Tick first, Tick last) {
  if (first > last) return;
  text_ += first == last ? fmt::format("tick {}: nothing changed\n", first)
                         : fmt::format("ticks {}-{}: nothing changed\n", first, last);
}

std::string Changes::write() {
  const std::vector<Fact> nothing;
  Tick quiet_from = 1;
  Tick tick = 1;
  for (const std::vector<Fact>& facts : run_.facts) {
    const auto index = static_cast<size_t>(tick) - 1;
    const ByNode changes = compare(index == 0 ? nothing : run_.facts[index - 1], facts);
    if (!changes.empty()) {
      write_quiet(quiet_from, tick - 1);
      quiet_from = tick + 1;
      text_ += fmt::format("tick {}\n", tick);
      for (const auto& [node, change] : changes) write_node(node, change);
    }
    ++tick;
  }
  write_quiet(quiet_from, tick - 1);
  return std::move(text_);
}

}  // namespace

std::string changes(const Run& run, const std::vector<std::string>& relations) {
  return Changes(run, relations).write();
}

}  // namespace clew::report
