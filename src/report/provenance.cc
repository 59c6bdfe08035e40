#include "report/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace clew::report {

namespace {

using Goal = Provenance::Goal;
using Rule = Provenance::Rule;
using Side = Provenance::Side;
using Kind = Provenance::Kind;

// The columns of `log(_, "a, b")`: strings may hold commas, but no quotation marks.
std::vector<std::string> columns_of(const std::string& pattern) {
  std::vector<std::string> columns;
  std::string column;
  bool quoted = false;
  for (size_t i = pattern.find('(') + 1; i + 1 < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      columns.push_back(std::move(column));
      column.clear();
      ++i;  // the space
    } else {
      column += c;
    }
  }
  if (!column.empty()) columns.push_back(std::move(column));
  return columns;
}

std::vector<std::string> columns_of(const Fact& fact) {
  std::vector<std::string> columns;
  columns.reserve(fact.values.size());
  for (const Datum& value : fact.values) columns.push_back(to_string(value));
  return columns;
}

bool matches(const Fact& fact, const Goal& absence) {
  if (fact.relation != absence.relation || fact.values.size() != absence.columns.size()) {
    return false;
  }
  for (size_t i = 0; i < fact.values.size(); ++i) {
    const std::string& column = absence.columns[i];
    if (column != "_" && column != to_string(fact.values[i])) return false;
  }
  return true;
}

// Whether the head has an aggregate: `n(A, count<X>)`.
bool aggregates(const std::string& rule) {
  bool quoted = false;
  for (const char c : rule) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '<') return true;
    if (c == ':') break;
  }
  return false;
}

// A Run, with its firings by what they derived.
class Lineage {
 public:
  explicit Lineage(const Run& run) : run_(run) {
    by_head_.reserve(run.firings.size());
    for (const Firing& firing : run.firings) by_head_.push_back(&firing);
    std::stable_sort(by_head_.begin(), by_head_.end(), [](const Firing* a, const Firing* b) {
      return std::tie(a->head_tick, a->head) < std::tie(b->head_tick, b->head);
    });
  }

  bool holds(const Fact& fact, Tick tick) const {
    const std::vector<Fact>& facts = run_.facts[static_cast<size_t>(tick) - 1];
    return std::binary_search(facts.begin(), facts.end(), fact);
  }

  std::vector<const Firing*> firings(const Fact& fact, Tick tick) const {
    auto at = std::lower_bound(
        by_head_.begin(), by_head_.end(), tick, [&](const Firing* firing, Tick wanted) {
          return std::tie(firing->head_tick, firing->head) < std::tie(wanted, fact);
        });
    std::vector<const Firing*> found;
    for (; at != by_head_.end() && (*at)->head_tick == tick && (*at)->head == fact; ++at) {
      found.push_back(*at);
    }
    return found;
  }

  std::vector<Fact> matching(const Goal& absence) const {
    std::vector<Fact> found;
    for (const Fact& fact : run_.facts[static_cast<size_t>(absence.tick) - 1]) {
      if (matches(fact, absence)) found.push_back(fact);
    }
    return found;
  }

  // Who sent what this firing derived: the node of its first subgoal (of an aggregate, those of
  // all), or else whoever sent it.
  std::vector<NodeName> senders(const Firing& firing) const {
    std::vector<NodeName> all;
    std::vector<NodeName> likely;
    for (const Message& message : sent_at(firing.head_tick - 1)) {
      if (message.lost() || message.fact != firing.head) continue;
      const auto is_there = [&](const Firing::Use& use) {
        return !use.fact.values.empty() && use.fact.values[0] == Datum(message.from);
      };
      const auto& used = firing.used;
      const bool first = !used.empty() && is_there(used.front());
      if (first && !aggregates(firing.rule)) return {message.from};
      if (std::any_of(used.begin(), used.end(), is_there)) likely.push_back(message.from);
      all.push_back(message.from);
    }
    return likely.empty() ? all : likely;
  }

  // What became of a message that was sent, if it was lost.
  std::optional<Message::Fate> loss(const Fact& fact, Tick tick,
                                    const std::vector<NodeName>& from) const {
    for (const Message& message : sent_at(tick)) {
      if (!message.lost() || message.fact != fact) continue;
      if (std::find(from.begin(), from.end(), message.from) != from.end()) return message.fate;
    }
    return std::nullopt;
  }

  bool stopped(const NodeName& node, Tick tick) const {
    if (run_.scenario.crash_model != CrashModel::kStop) return false;
    const std::vector<Crash>& crashes = run_.scenario.faults.crashes;
    return std::any_of(crashes.begin(), crashes.end(), [&](const Crash& crash) {
      return crash.node == node && crash.tick <= tick;
    });
  }

 private:
  // Messages are in the order sent.
  std::span<const Message> sent_at(Tick tick) const {
    const std::vector<Message>& all = run_.messages;
    const auto begin = std::lower_bound(all.begin(), all.end(), tick,
                                        [](const Message& m, Tick t) { return m.sent_at < t; });
    const auto end = std::upper_bound(begin, all.end(), tick,
                                      [](Tick t, const Message& m) { return t < m.sent_at; });
    return {begin, end};
  }

  const Run& run_;
  std::vector<const Firing*> by_head_;
};

// The goal that `id` only continues, or nothing.
std::optional<size_t> kept_from(const Provenance& all, size_t id) {
  const Goal& goal = all.goals[id];
  if (goal.absent || goal.rules.size() != 1) return std::nullopt;
  const Rule& rule = all.rules[goal.rules[0]];
  if (rule.kind != Kind::kNext || rule.goals.size() != 1 || !rule.cut.empty()) return std::nullopt;
  const Goal& before = all.goals[rule.goals[0]];
  const bool same = before.relation == goal.relation && before.columns == goal.columns &&
                    before.side == goal.side && before.tick + 1 == goal.tick;
  if (!same) return std::nullopt;
  return rule.goals[0];
}

class Builder {
 public:
  Builder(const Lineage& good, const Lineage* bad, size_t most)
      : good_(good), bad_(bad), most_(most) {}

  Provenance build(const std::vector<FactAt>& roots) {
    for (const FactAt& root : roots) result_.roots.push_back(goal(root.fact, root.tick));
    size_t followed = 0;
    for (size_t id = 0; id < result_.goals.size(); ++id) {
      if (is_expanded(id)) continue;
      if (followed < most_) {
        ++followed;
        follow(id);
      } else if (has_more(id)) {
        ++result_.left_out;
      }
    }
    return std::move(result_);
  }

 private:
  Side side(const Fact& fact, Tick tick) const {
    if (bad_ == nullptr || good_.holds(fact, tick) == bad_->holds(fact, tick)) return Side::kBoth;
    return good_.holds(fact, tick) ? Side::kGood : Side::kBad;
  }
  // The run that a goal of this side is looked up in, and the one that lacks it.
  const Lineage& home(Side side) const { return side == Side::kBad ? *bad_ : good_; }
  const Lineage& other(Side side) const { return side == Side::kBad ? good_ : *bad_; }

  size_t goal(const Fact& fact, Tick tick) {
    const auto [at, is_new] = facts_.try_emplace({tick, fact}, result_.goals.size());
    if (is_new) {
      result_.goals.push_back(
          {fact.relation, columns_of(fact), tick, tick, false, side(fact, tick)});
      origin_.push_back(&at->first.second);
    }
    return at->second;
  }

  size_t absence(const Firing::Absence& absence, Side of_rule) {
    const auto [at, is_new] =
        absences_.try_emplace({absence.tick, absence.pattern}, result_.goals.size());
    if (is_new) {
      Goal goal{absence.pattern.substr(0, absence.pattern.find('(')),
                columns_of(absence.pattern),
                absence.tick,
                absence.tick,
                true,
                Side::kBoth};
      if (of_rule != Side::kBoth && !other(of_rule).matching(goal).empty()) goal.side = of_rule;
      result_.goals.push_back(std::move(goal));
      origin_.push_back(nullptr);
    }
    return at->second;
  }

  // In a difference, what both runs agree on needs no reason.
  bool is_leaf(const Goal& goal) const { return bad_ != nullptr && goal.side == Side::kBoth; }

  bool has_more(size_t id) const {
    const Goal& goal = result_.goals[id];
    if (is_leaf(goal)) return false;
    if (goal.absent) return goal.side != Side::kBoth;
    return !home(goal.side).firings(*origin_[id], goal.tick).empty();
  }

  // Down to where it came to be, if it was only kept since then: for the limit, and in a folded
  // graph, that is one goal.
  void follow(size_t id) {
    expand(id);
    for (auto before = kept_from(result_, id); before && !is_expanded(*before);
         before = kept_from(result_, *before)) {
      expand(*before);
    }
  }

  bool is_expanded(size_t id) const { return id < expanded_.size() && expanded_[id]; }

  void expand(size_t id) {
    if (expanded_.size() <= id) expanded_.resize(id + 1);
    expanded_[id] = true;
    const Goal copy = result_.goals[id];
    if (is_leaf(copy)) return;
    if (copy.absent) {
      if (copy.side != Side::kBoth) add_contrary(id, copy);
      return;
    }
    for (const Firing* firing : home(copy.side).firings(*origin_[id], copy.tick)) {
      add_rule(id, copy.side, *firing);
    }
  }

  void add_contrary(size_t id, const Goal& absent) {
    Rule rule{"", "", Kind::kContrary, absent.side, id};
    std::set<std::vector<Datum>> crashes;
    for (const Fact& fact : other(absent.side).matching(absent)) {
      // A crash is observed at every node, but happens once.
      const bool is_crash = fact.relation == "crash" && fact.values.size() == 3;
      if (is_crash && !crashes.insert({fact.values[1], fact.values[2]}).second) continue;
      rule.goals.push_back(goal(fact, absent.tick));
    }
    add(std::move(rule));
  }

  void add_rule(size_t id, Side side, const Firing& firing) {
    Rule rule{firing.rule, firing.rule_where, kind_of_rule(firing.rule), side, id};
    for (const Firing::Use& use : firing.used) rule.goals.push_back(goal(use.fact, use.tick));
    for (const Firing::Absence& one : firing.absences) rule.goals.push_back(absence(one, side));
    if (rule.kind == Kind::kAsync) {
      rule.from = home(side).senders(firing);
      const auto* to = std::get_if<std::string>(&firing.head.values[0]);
      if (to != nullptr) rule.to = *to;
    }
    if (side == Side::kGood) rule.cut = find_cut(rule, firing);
    add(std::move(rule));
  }

  // Why the bad run lacks the head, if nothing else is to blame.
  std::string find_cut(const Rule& rule, const Firing& firing) const {
    if (const auto fate = bad_->loss(firing.head, firing.head_tick - 1, rule.from)) {
      return to_string(*fate);
    }
    const bool all_there = std::all_of(rule.goals.begin(), rule.goals.end(), [&](size_t id) {
      return result_.goals[id].side == Side::kBoth;
    });
    if (!all_there || firing.head.values.empty()) return {};
    const auto* node = std::get_if<std::string>(&firing.head.values[0]);
    return node != nullptr && bad_->stopped(*node, firing.head_tick) ? "stopped" : "";
  }

  void add(Rule rule) {
    result_.goals[rule.head].rules.push_back(result_.rules.size());
    result_.rules.push_back(std::move(rule));
  }

  const Lineage& good_;
  const Lineage* bad_;
  size_t most_;
  Provenance result_;
  std::vector<const Fact*> origin_;  // by goal; null for absences
  std::vector<bool> expanded_;       // by goal
  std::map<std::pair<Tick, Fact>, size_t> facts_;
  std::map<std::pair<Tick, std::string>, size_t> absences_;
};

}  // namespace

Provenance::Kind kind_of_rule(const std::string& text) {
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted || text[i] != '@') continue;
    if (text.compare(i, 6, "@async") == 0) return Kind::kAsync;
    if (text.compare(i, 5, "@next") == 0) return Kind::kNext;
    break;
  }
  return Kind::kDeductive;
}

std::string text_of(const Provenance::Goal& goal) {
  return fmt::format("{}{}({})", goal.absent ? "no " : "", goal.relation,
                     fmt::join(goal.columns, ", "));
}

std::string when(const Provenance::Goal& goal) {
  return goal.tick == goal.last ? fmt::format("@{}", goal.tick)
                                : fmt::format("@{}..{}", goal.tick, goal.last);
}

Provenance provenance_of(const Run& run, const std::vector<FactAt>& roots, size_t most_goals) {
  const Lineage lineage(run);
  return Builder(lineage, nullptr, most_goals).build(roots);
}

Provenance difference_of(const Run& good, const Run& bad, const std::vector<FactAt>& roots,
                         size_t most_goals) {
  const Lineage one(good);
  const Lineage other(bad);
  return Builder(one, &other, most_goals).build(roots);
}

Provenance folded(const Provenance& all) {
  std::vector<size_t> home(all.goals.size());
  std::vector<size_t> by_tick(all.goals.size());
  for (size_t i = 0; i < by_tick.size(); ++i) by_tick[i] = i;
  std::stable_sort(by_tick.begin(), by_tick.end(),
                   [&](size_t a, size_t b) { return all.goals[a].tick < all.goals[b].tick; });
  for (size_t id : by_tick) {
    const std::optional<size_t> before = kept_from(all, id);
    home[id] = before ? home[*before] : id;
  }

  Provenance result;
  result.left_out = all.left_out;
  std::vector<size_t> number(all.goals.size());
  for (size_t id = 0; id < all.goals.size(); ++id) {
    if (home[id] != id) continue;
    number[id] = result.goals.size();
    result.goals.push_back(all.goals[id]);
    result.goals.back().rules.clear();
  }
  for (size_t id = 0; id < all.goals.size(); ++id) {
    Tick& last = result.goals[number[home[id]]].last;
    last = std::max(last, all.goals[id].tick);
  }
  for (const Rule& rule : all.rules) {
    if (home[rule.head] != rule.head) continue;
    Rule copy = rule;
    copy.head = number[rule.head];
    for (size_t& goal : copy.goals) goal = number[home[goal]];
    std::sort(copy.goals.begin(), copy.goals.end());
    copy.goals.erase(std::unique(copy.goals.begin(), copy.goals.end()), copy.goals.end());
    result.goals[copy.head].rules.push_back(result.rules.size());
    result.rules.push_back(std::move(copy));
  }
  for (size_t root : all.roots) {
    const size_t id = number[home[root]];
    const bool known =
        std::find(result.roots.begin(), result.roots.end(), id) != result.roots.end();
    if (!known) result.roots.push_back(id);
  }
  return result;
}

std::vector<FactAt> at_the_end(const Run& run, const std::string& relation) {
  std::vector<FactAt> all;
  for (const Fact& fact : run.facts.back()) {
    if (fact.relation == relation) all.push_back({fact, run.scenario.eot});
  }
  return all;
}

Provenance lineage_of(const Run& good, const Run* bad, size_t most_goals) {
  const Run& run = bad == nullptr ? good : *bad;
  std::vector<FactAt> roots;
  for (const Outcome::Goal& goal : run.outcome.goals) {
    if (bad == nullptr && goal.post) {
      roots.push_back({{"post", goal.pre.values}, run.scenario.eot});
    } else if (bad != nullptr && !goal.post) {
      const Fact post{"post", goal.pre.values};
      const std::vector<Fact>& kept = good.facts.back();
      if (std::binary_search(kept.begin(), kept.end(), post)) {
        roots.push_back({post, run.scenario.eot});
      }
      roots.push_back({goal.pre, run.scenario.eot});
      break;
    }
  }
  if (bad == nullptr) return folded(provenance_of(good, roots, most_goals));
  Provenance difference = difference_of(good, *bad, roots, most_goals);
  if (!difference.rules.empty()) return folded(difference);
  // Nothing to compare with: the promise is broken in both runs alike.
  return folded(provenance_of(*bad, roots, most_goals));
}

}  // namespace clew::report
