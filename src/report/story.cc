#include "report/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/watched.h"

namespace clew::report {

namespace {

using Group = std::vector<NodeName>;

// Groups of at most this many nodes are all tried; with more nodes only the obvious ones are.
constexpr size_t kFewNodes = 12;

enum class Way { kBoth, kOut, kIn };  // of messages between a group and the others

// What happened in a tick, or in several ones alike.
struct Episode {
  Tick first = 1;
  Tick last = 1;
  Group cut;                        // a partition: these from the others
  Way way = Way::kBoth;             // which messages the partition loses
  std::vector<Omission> omissions;  // otherwise
};

bool contains(const Group& group, const NodeName& node) {
  return std::ranges::find(group, node) != group.end();
}

class Teller {
 public:
  explicit Teller(const Run& run) : run_(run), nodes_(run.scenario.nodes) {}

  std::vector<std::string> tell() {
    std::vector<std::pair<Tick, std::string>> told;
    for (const Episode& entry : entries()) {
      for (const std::string& sentence : sentences(entry)) told.emplace_back(entry.first, sentence);
    }
    for (const Crash& crash : run_.scenario.faults.of<Crash>()) {
      told.emplace_back(crash.tick, fmt::format("tick {}: {} crashes", crash.tick, crash.node));
    }
    std::ranges::stable_sort(told, [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> all;
    all.reserve(told.size());
    for (auto& [tick, sentence] : told) all.push_back(std::move(sentence));
    return all;
  }

  std::vector<Partition> partitions() const {
    std::vector<Partition> all;
    for (const Episode& entry : entries()) {
      if (entry.cut.empty()) continue;
      all.push_back({entry.first, entry.last, entry.cut, entry.way != Way::kBoth});
    }
    return all;
  }

 private:
  std::vector<Episode> entries() const {
    std::vector<Episode> all;
    for (Tick tick = 1; tick < run_.scenario.program.eot; ++tick) {
      look(1 + run_.scenario.faults.size());
      Episode entry{tick, tick, {}, Way::kBoth, {}};
      for (const Omission& omission : run_.scenario.faults.of<Omission>()) {
        if (omission.tick == tick) entry.omissions.push_back(omission);
      }
      if (entry.omissions.empty()) continue;
      find_cut(entry);
      const bool goes_on = !all.empty() && all.back().last == tick - 1 &&
                           all.back().cut == entry.cut && all.back().way == entry.way &&
                           (!entry.cut.empty() || same_links(all.back(), entry));
      if (goes_on) {
        all.back().last = tick;
      } else {
        all.push_back(std::move(entry));
      }
    }
    return all;
  }

  static bool same_links(const Episode& a, const Episode& b) {
    return std::ranges::equal(a.omissions, b.omissions, [](const Omission& x, const Omission& y) {
      return x.from == y.from && x.to == y.to;
    });
  }

  // The smallest group such that all omissions of the tick are between it and the others, and
  // every message between them is among those lost: in both directions, or else in one.
  void find_cut(Episode& entry) const {
    if (entry.omissions.size() < 2) return;
    for (const Way way : {Way::kBoth, Way::kOut, Way::kIn}) {
      for (const Group& group : candidates(entry)) {
        const bool smaller = entry.cut.empty() || group.size() < entry.cut.size();
        if (smaller && is_cut(group, way, entry)) entry.cut = group;
      }
      entry.way = way;
      if (!entry.cut.empty()) return;
    }
  }

  std::vector<Group> candidates(const Episode& entry) const {
    std::vector<Group> all;
    if (nodes_.size() <= kFewNodes) {
      for (uint32_t bits = 1; bits + 1 < (1U << nodes_.size()); ++bits) {
        look(nodes_.size());
        Group group;
        for (size_t i = 0; i < nodes_.size(); ++i) {
          if ((bits >> i & 1U) != 0) group.push_back(nodes_[i]);
        }
        all.push_back(std::move(group));
      }
      return all;
    }
    std::set<NodeName> from;
    std::set<NodeName> to;
    for (const Omission& omission : entry.omissions) {
      from.insert(omission.from);
      to.insert(omission.to);
    }
    all.emplace_back(from.begin(), from.end());
    all.emplace_back(to.begin(), to.end());
    return all;
  }

  static bool crosses(const Group& group, Way way, const NodeName& from, const NodeName& to) {
    const bool out = contains(group, from) && !contains(group, to);
    const bool in = !contains(group, from) && contains(group, to);
    return (out && way != Way::kIn) || (in && way != Way::kOut);
  }

  bool is_cut(const Group& group, Way way, const Episode& entry) const {
    look(entry.omissions.size());
    for (const Omission& omission : entry.omissions) {
      if (!crosses(group, way, omission.from, omission.to)) return false;
    }
    look(run_.messages.size());
    for (const Message& message : run_.messages) {
      const bool counts =
          message.sent_at == entry.first && crosses(group, way, message.from, message.to);
      if (counts && !message.lost()) return false;
    }
    return true;
  }

  std::vector<std::string> sentences(const Episode& entry) const {
    std::string when = entry.first == entry.last
                           ? fmt::format("tick {}", entry.first)
                           : fmt::format("ticks {} to {}", entry.first, entry.last);
    if (!entry.cut.empty()) {
      Group others;
      for (const NodeName& node : nodes_) {
        if (!contains(entry.cut, node)) others.push_back(node);
      }
      if (entry.way == Way::kBoth) {
        return {fmt::format("{}: a partition: {} {} cut off from {}", when, list(entry.cut),
                            entry.cut.size() == 1 ? "is" : "are", list(others))};
      }
      const bool out = entry.way == Way::kOut;
      return {fmt::format("{}: a one-way partition: nothing from {} reaches {}", when,
                          list(out ? entry.cut : others), list(out ? others : entry.cut))};
    }
    std::vector<std::string> all;
    for (size_t i = 0; i < entry.omissions.size();) {
      Group to;
      const NodeName& from = entry.omissions[i].from;
      for (; i < entry.omissions.size() && entry.omissions[i].from == from; ++i) {
        to.push_back(entry.omissions[i].to);
      }
      all.push_back(fmt::format("{}: what {} sends to {} is lost", when, from, list(to)));
    }
    return all;
  }

  // "a", "a and b", "a, b and c"
  static std::string list(const Group& group) {
    std::string text = group.front();
    for (size_t i = 1; i < group.size(); ++i) {
      text += fmt::format("{}{}", i + 1 == group.size() ? " and " : ", ", group[i]);
    }
    return text;
  }

  const Run& run_;
  const std::vector<NodeName>& nodes_;
};

}  // namespace

std::vector<std::string> tell_faults(const Run& run) { return Teller(run).tell(); }

std::vector<std::string> list_faults(const Run& run) {
  if (auto told = unless_stopped([&] { return tell_faults(run); })) return std::move(*told);
  std::vector<std::string> all;
  all.reserve(run.scenario.faults.size());
  for (const Fault& fault : run.scenario.faults) all.push_back(to_string(fault));
  return all;
}

std::vector<Partition> partitions_of(const Run& run) { return Teller(run).partitions(); }

}  // namespace clew::report
