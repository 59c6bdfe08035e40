#include "report/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "lineage/pattern.h"

namespace clew::report {

namespace {

using Goal = Provenance::Goal;
using Rule = Provenance::Rule;
using Side = Provenance::Side;
using Kind = Provenance::Kind;
using lineage::Graph;
using lineage::Pattern;

std::vector<std::string> columns_of(const Pattern& pattern) {
  std::vector<std::string> columns;
  columns.reserve(pattern.columns.size());
  for (const std::optional<Datum>& column : pattern.columns) {
    columns.push_back(column ? to_string(*column) : "_");
  }
  return columns;
}

// A text that is no pattern comes from no program, but a diagram shows it.
Pattern pattern_of(const Firing::Absence& absence) {
  return lineage::parse_pattern(absence.pattern).value_or(Pattern{absence.pattern, {}});
}

Kind kind_of(lineage::RuleForm::Time time) {
  using Time = lineage::RuleForm::Time;
  return time == Time::kAsync ? Kind::kAsync : time == Time::kNext ? Kind::kNext : Kind::kDeductive;
}

// What became of a message that was sent, if it was lost.
std::optional<Message::Fate> loss_of(const Run& run, const Fact& fact, Tick tick,
                                     const std::vector<NodeName>& from) {
  // Messages are in the order sent.
  const std::vector<Message>& all = run.messages;
  auto at = std::lower_bound(all.begin(), all.end(), tick,
                             [](const Message& m, Tick t) { return m.sent_at < t; });
  for (; at != all.end() && at->sent_at == tick; ++at) {
    if (!at->lost() || at->fact != fact) continue;
    if (std::find(from.begin(), from.end(), at->from) != from.end()) return at->fate;
  }
  return std::nullopt;
}

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
  Builder(const Graph& good, const Graph* bad, size_t most) : good_(good), bad_(bad), most_(most) {}

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
  struct Origin {
    lineage::AtomId atom;  // in the goal's home; kNone for absences
    const Firing::Absence* absence;
  };

  Side side(const Fact& fact, Tick tick) const {
    if (bad_ == nullptr || good_.holds(fact, tick) == bad_->holds(fact, tick)) return Side::kBoth;
    return good_.holds(fact, tick) ? Side::kGood : Side::kBad;
  }
  // The run that a goal of this side is looked up in, and the one that lacks it.
  const Graph& home(Side side) const { return side == Side::kBad ? *bad_ : good_; }
  const Graph& other(Side side) const { return side == Side::kBad ? good_ : *bad_; }

  size_t goal(const Fact& fact, Tick tick) {
    const auto [at, is_new] = facts_.try_emplace({tick, fact}, result_.goals.size());
    if (is_new) {
      result_.goals.push_back({fact.relation, columns_of(lineage::to_pattern(fact)), tick, tick,
                               false, side(fact, tick)});
      origin_.push_back({home(result_.goals.back().side).find(fact, tick), nullptr});
    }
    return at->second;
  }

  size_t absence(const Firing::Absence& absence, Side of_rule) {
    const auto [at, is_new] =
        absences_.try_emplace({absence.tick, absence.pattern}, result_.goals.size());
    if (is_new) {
      const Pattern pattern = pattern_of(absence);
      Goal goal{pattern.relation, columns_of(pattern), absence.tick, absence.tick, true,
                Side::kBoth};
      if (of_rule != Side::kBoth && !matching(other(of_rule), absence).empty()) goal.side = of_rule;
      result_.goals.push_back(std::move(goal));
      origin_.push_back({lineage::kNone, &absence});
    }
    return at->second;
  }

  std::vector<uint32_t> steps_of(size_t id) const {
    const lineage::AtomId atom = origin_[id].atom;
    if (atom == lineage::kNone) return {};
    return home(result_.goals[id].side).steps_of(atom);
  }

  static std::vector<const Fact*> matching(const Graph& graph, const Firing::Absence& absence) {
    return find_facts(pattern_of(absence),
                      graph.run().facts[static_cast<size_t>(absence.tick) - 1]);
  }

  // In a difference, what both runs agree on needs no reason.
  bool is_leaf(const Goal& goal) const { return bad_ != nullptr && goal.side == Side::kBoth; }

  bool has_more(size_t id) const {
    const Goal& goal = result_.goals[id];
    if (is_leaf(goal)) return false;
    if (goal.absent) return goal.side != Side::kBoth;
    return !steps_of(id).empty();
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
    for (uint32_t step : steps_of(id)) {
      add_rule(id, copy.side, home(copy.side).steps()[step]);
    }
  }

  void add_contrary(size_t id, const Goal& absent) {
    Rule rule{"", "", Kind::kContrary, absent.side, id};
    std::set<std::vector<Datum>> crashes;
    for (const Fact* fact : matching(other(absent.side), *origin_[id].absence)) {
      // A crash is observed at every node, but happens once.
      const bool is_crash = fact->relation == "crash" && fact->values.size() == 3;
      if (is_crash && !crashes.insert({fact->values[1], fact->values[2]}).second) continue;
      rule.goals.push_back(goal(*fact, absent.tick));
    }
    add(std::move(rule));
  }

  void add_rule(size_t id, Side side, const Graph::Step& step) {
    const Firing& firing = *step.firing;
    Rule rule{firing.rule, firing.rule_where, kind_of(step.rule->time), side, id};
    for (const Firing::Use& use : firing.used) rule.goals.push_back(goal(use.fact, use.tick));
    for (const Firing::Absence& one : firing.absences) rule.goals.push_back(absence(one, side));
    if (rule.kind == Kind::kAsync) {
      const auto* to = std::get_if<std::string>(&firing.head.values[0]);
      if (to != nullptr) rule.to = *to;
      for (uint32_t message : step.messages) {
        rule.from.push_back(home(side).run().messages[message].from);
      }
      if (rule.from.empty()) rule.from.push_back(rule.to);  // a node told itself
    }
    if (side == Side::kGood) rule.cut = find_cut(rule, firing);
    add(std::move(rule));
  }

  // Why the bad run lacks the head, if nothing else is to blame.
  std::string find_cut(const Rule& rule, const Firing& firing) const {
    const Run& bad = bad_->run();
    if (const auto fate = loss_of(bad, firing.head, firing.head_tick - 1, rule.from)) {
      return to_string(*fate);
    }
    const bool all_there = std::all_of(rule.goals.begin(), rule.goals.end(), [&](size_t id) {
      return result_.goals[id].side == Side::kBoth;
    });
    if (!all_there || firing.head.values.empty()) return {};
    const auto* node = std::get_if<std::string>(&firing.head.values[0]);
    const bool stopped = node != nullptr && has_stopped(bad.scenario, *node, firing.head_tick);
    return stopped ? "stopped" : "";
  }

  void add(Rule rule) {
    result_.goals[rule.head].rules.push_back(result_.rules.size());
    result_.rules.push_back(std::move(rule));
  }

  const Graph& good_;
  const Graph* bad_;
  size_t most_;
  Provenance result_;
  std::vector<Origin> origin_;  // by goal
  std::vector<bool> expanded_;  // by goal
  std::map<std::pair<Tick, Fact>, size_t> facts_;
  std::map<std::pair<Tick, std::string>, size_t> absences_;
};

}  // namespace

std::string text_of(const Provenance::Goal& goal) {
  return fmt::format("{}{}({})", goal.absent ? "no " : "", goal.relation,
                     fmt::join(goal.columns, ", "));
}

std::string when(const Provenance::Goal& goal) {
  return goal.tick == goal.last ? fmt::format("@{}", goal.tick)
                                : fmt::format("@{}..{}", goal.tick, goal.last);
}

Provenance provenance_of(const Graph& graph, const std::vector<FactAt>& roots, size_t most_goals) {
  return Builder(graph, nullptr, most_goals).build(roots);
}

Provenance difference_of(const Graph& good, const Graph& bad, const std::vector<FactAt>& roots,
                         size_t most_goals) {
  return Builder(good, &bad, most_goals).build(roots);
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
  const Graph graph(run);
  if (bad != nullptr) {
    const Provenance difference = difference_of(Graph(good), graph, roots, most_goals);
    if (!difference.rules.empty()) return folded(difference);
    // Nothing to compare with: the promise is broken in both runs alike.
  }
  return folded(provenance_of(graph, roots, most_goals));
}

}  // namespace clew::report
