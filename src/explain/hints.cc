#include "explain/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/watched.h"
#include "explain/words.h"

namespace clew::explain {

namespace {

using Hint = Explanation::Hint;
using lineage::FaultList;
using lineage::Graph;
using lineage::kNone;

constexpr size_t kMostOfAKind = 2;
constexpr size_t kMostSends = 3;

// Of time and space.
class Advisor {
 public:
  Advisor(const Difference& difference, const GoodSupports& supports)
      : difference_(difference), supports_(supports) {
    for (const Graph::Step& step : difference.good().steps()) {
      look(1 + step.messages.size());
      for (const uint32_t message : step.messages) rule_of_.try_emplace(message, &step);
    }
  }

  std::vector<Hint> run() {
    add_time();
    add_space();
    return hints_;
  }

 private:
  const std::vector<Message>& good_messages() const { return difference_.good().run().messages; }

  bool is_omitted(const Message& message) const {
    return difference_.faults().fate(message.from, message.to, message.sent_at) ==
           Message::Fate::kOmitted;
  }

  static std::set<Tick> ticks_sent(const Run& run, const Message& message) {
    look(run.messages.size());
    std::set<Tick> ticks;
    for (const Message& other : run.messages) {
      const bool same = other.from == message.from && other.to == message.to &&
                        other.fact == message.fact && other.sent_at < run.scenario.program.eot;
      if (same) ticks.insert(other.sent_at);
    }
    return ticks;
  }

  // A message of some support that is lost, and sent at one tick only, whatever happens.
  void add_time() {
    std::map<std::string, std::vector<uint32_t>> by_line;
    std::vector<const Rule*> order;
    std::set<uint32_t> seen;
    for (const std::vector<uint32_t>& set : supports_.supports.sets) {
      for (const uint32_t m : set) {
        if (m >= supports_.first_fault || !seen.insert(m).second) continue;
        const Message& message = good_messages()[m];
        if (!rule_of_.contains(m) || !is_omitted(message) || !is_sent_once(message)) continue;
        const Rule* rule = rule_of_.at(m)->rule;
        if (by_line[rule->where()].empty()) order.push_back(rule);
        by_line[rule->where()].push_back(m);
      }
    }
    for (const Rule* rule : order) {
      if (hints_.size() == kMostOfAKind) break;
      add_sent_once(by_line[rule->where()], *rule);
    }
  }

  bool is_sent_once(const Message& message) const {
    return ticks_sent(difference_.good().run(), message).size() == 1 &&
           ticks_sent(difference_.bad().run(), message).size() <= 1;
  }

  void add_sent_once(const std::vector<uint32_t>& messages, const Rule& rule) {
    std::map<std::pair<Tick, NodeName>, std::vector<std::string>> sends;
    for (const uint32_t m : messages) {
      const Message& message = good_messages()[m];
      std::vector<std::string>& to = sends[{message.sent_at, message.from}];
      if (std::ranges::find(to, message.to) == to.end()) to.push_back(message.to);
    }
    std::vector<std::string> words;
    for (auto& [key, to] : sends) {
      std::ranges::sort(to);
      words.push_back(fmt::format("by {} to {} at tick {}", key.second, list_words(to), key.first));
    }
    if (words.size() > kMostSends) words.resize(kMostSends);
    hints_.push_back({Hint::Kind::kTime,
                      fmt::format("{} is sent only once, {}: nothing repeats it if it is lost",
                                  good_messages()[messages[0]].fact.relation, list_words(words)),
                      rule});
  }

  // All that could have helped comes from a node that crashed.
  void add_space() {
    if (supports_.supports.sets.empty()) return;
    for (uint32_t fault = 0; fault < difference_.faults().size(); ++fault) {
      const Crash* crash = difference_.faults().crash(fault);
      if (crash == nullptr) continue;
      const uint32_t message = first_from(crash->node);
      if (message == kNone) continue;
      if (can_do_without(supports_, difference_.good().run(), crash->node)) continue;
      hints_.push_back(
          {Hint::Kind::kSpace,
           fmt::format("every support needs a message from {}: once {} is silent, nobody else "
                       "can help",
                       crash->node, crash->node),
           rule_of_.contains(message) ? *rule_of_.at(message)->rule : Rule{}});
    }
  }

  // Of the messages that the crash takes away, the first in a support.
  uint32_t first_from(const NodeName& node) const {
    const FaultList& all = difference_.faults();
    for (const std::vector<uint32_t>& set : supports_.supports.sets) {
      for (const uint32_t m : set) {
        if (m >= supports_.first_fault || good_messages()[m].from != node) continue;
        const Message& message = good_messages()[m];
        const auto faults = all.on(message.from, message.to, message.sent_at);
        if (!faults.empty() && all.crash(faults.back()) != nullptr) return m;
      }
    }
    return kNone;
  }

  const Difference& difference_;
  const GoodSupports& supports_;
  std::map<uint32_t, const Graph::Step*> rule_of_;  // by message of the good run
  std::vector<Hint> hints_;
};

// Of knowledge.
class Skeptic {
 public:
  Skeptic(const Difference& difference, const Story& story)
      : difference_(difference), story_(story) {}

  // Something that holds for lack of what a lost message would have brought. What only the Spec
  // looks at decides nothing.
  std::vector<Hint> run() {
    std::set<std::string> rules;
    std::vector<uint32_t> nodes = story_.nodes();
    std::ranges::stable_sort(
        nodes, [&](uint32_t a, uint32_t b) { return difference_.tick(a) < difference_.tick(b); });
    for (const bool directly : {true, false}) {
      for (const uint32_t node : nodes) {
        if (rules.size() == (directly ? kMostOfAKind : 1)) return hints_;
        if (difference_.node(node).missing || story_.is_view(difference_.fact(node).relation)) {
          continue;
        }
        for (const Difference::Reason& reason : difference_.node(node).reasons) {
          add(node, reason, directly, rules);
        }
      }
      if (!rules.empty()) break;
    }
    return hints_;
  }

 private:
  void add(uint32_t node, const Difference::Reason& reason, bool directly,
           std::set<std::string>& rules) {
    for (const Difference::Absence& absence : reason.absences) {
      if (!is_lost(absence.node, directly) || rules.size() == kMostOfAKind) continue;
      if (!rules.insert(reason.step->rule->where()).second) continue;
      const char* why = directly ? "a message that is lost looks like one that was never sent"
                                 : "a lost message is enough to bring that about";
      hints_.push_back(
          {Hint::Kind::kKnowledge,
           fmt::format("{} is concluded from the absence of {}; {}",
                       to_string(difference_.fact(node)), to_string(absence.absence->pattern), why),
           *reason.step->rule});
      if (!directly) return;
    }
  }

  // Whether a lost message would have brought it, itself or something that it follows from.
  bool is_lost(uint32_t node, bool directly) const {
    std::vector<uint32_t> open = {node};
    std::set<uint32_t> seen = {node};
    while (!open.empty()) {
      look();
      const Difference::Node& at = difference_.node(open.back());
      open.pop_back();
      for (const Difference::Reason& reason : at.reasons) {
        if (!reason.losses.empty()) return true;
        for (const uint32_t used : reason.used) {
          const bool same = !directly || (reason.step != nullptr && reason.step->persists);
          if (same && seen.insert(used).second) open.push_back(used);
        }
      }
    }
    return false;
  }

  const Difference& difference_;
  const Story& story_;
  std::vector<Hint> hints_;
};

}  // namespace

std::vector<Hint> hints(const Difference& difference, const Story& story,
                        const GoodSupports& supports) {
  std::vector<Hint> all = Advisor(difference, supports).run();
  for (Hint& hint : Skeptic(difference, story).run()) all.push_back(std::move(hint));
  return all;
}

std::vector<Hint> hints_of_knowledge(const Difference& difference, const Story& story) {
  return Skeptic(difference, story).run();
}

}  // namespace clew::explain
