#include "report/provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/watched.h"
#include "report/marks.h"

namespace clew::report {

namespace {

using Goal = Provenance::Goal;
using Rule = Provenance::Rule;
using Side = Provenance::Side;
using Kind = Provenance::Kind;
using lineage::Difference;
using lineage::Graph;

std::vector<std::string> columns_of(const Pattern& pattern) {
  std::vector<std::string> columns;
  columns.reserve(pattern.columns.size());
  for (const std::optional<Datum>& column : pattern.columns) {
    columns.push_back(column ? to_string(*column) : "_");
  }
  return columns;
}

Kind kind_of(clew::Rule::Kind kind) {
  switch (kind) {
    case clew::Rule::Kind::kDeductive:
      return Kind::kDeductive;
    case clew::Rule::Kind::kNext:
      return Kind::kNext;
    case clew::Rule::Kind::kAsync:
      return Kind::kAsync;
  }
  CHECK(false, "kind of rule {}", static_cast<int>(kind));
  return Kind::kDeductive;
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
  Builder(const Graph& graph, size_t most) : good_(graph), most_(most) {}
  Builder(Difference& difference, size_t most)
      : good_(difference.good()), difference_(&difference), most_(most) {}

  Provenance build(const std::vector<FactAt>& roots) {
    for (const FactAt& root : roots) result_.roots.push_back(goal(root.fact, root.tick));
    size_t followed = 0;
    for (size_t id = 0; id < result_.goals.size(); ++id) {
      look();
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
    lineage::PointId point;  // in the goal's home; kNone for absences
    Firing::Absence absence;
  };

  Side side(const Fact& fact, Tick tick) const {
    if (difference_ == nullptr) return Side::kBoth;
    const bool in_good = good_.holds(fact, tick);
    if (in_good == difference_->bad().holds(fact, tick)) return Side::kBoth;
    return in_good ? Side::kGood : Side::kBad;
  }
  // The run that a goal of this side is looked up in.
  const Graph& home(Side side) const { return side == Side::kBad ? difference_->bad() : good_; }

  size_t goal(const Fact& fact, Tick tick) {
    const auto [at, is_new] = facts_.try_emplace({tick, fact}, result_.goals.size());
    if (is_new) {
      result_.goals.push_back(
          {fact.relation, columns_of(to_pattern(fact)), tick, tick, false, side(fact, tick)});
      origin_.push_back({home(result_.goals.back().side).find(fact, tick), {}});
    }
    return at->second;
  }

  size_t absence(const Firing::Absence& absence, Side of_rule) {
    const auto [at, is_new] =
        absences_.try_emplace({absence.tick, absence.pattern}, result_.goals.size());
    if (is_new) {
      const Pattern& pattern = absence.pattern;
      Goal goal{pattern.relation, columns_of(pattern), absence.tick, absence.tick, true,
                Side::kBoth};
      if (!breakers(absence, of_rule).empty()) goal.side = of_rule;
      result_.goals.push_back(std::move(goal));
      origin_.push_back({lineage::kNone, absence});
    }
    return at->second;
  }

  std::vector<uint32_t> steps_of(size_t id) const {
    const lineage::PointId point = origin_[id].point;
    if (point == lineage::kNone) return {};
    return home(result_.goals[id].side).steps_of(point);
  }

  // What there is in the other run although a rule of this side rests on its absence.
  std::vector<lineage::PointId> breakers(const Firing::Absence& absence, Side of_rule) const {
    if (of_rule == Side::kBoth) return {};
    return find_breakers(*difference_, absence, of_rule == Side::kGood);
  }

  // In a difference, what both runs agree on needs no reason.
  bool is_leaf(const Goal& goal) const {
    return difference_ != nullptr && goal.side == Side::kBoth;
  }

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
      look();
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
    for (const uint32_t step : steps_of(id)) {
      add_rule(id, copy.side, home(copy.side).steps()[step]);
    }
  }

  void add_contrary(size_t id, const Goal& absent) {
    Rule rule{"", "", Kind::kContrary, absent.side, id};
    const Graph& other = absent.side == Side::kGood ? difference_->bad() : good_;
    for (const lineage::PointId point : breakers(origin_[id].absence, absent.side)) {
      rule.goals.push_back(goal(other.fact(point), absent.tick));
    }
    add(std::move(rule));
  }

  void add_rule(size_t id, Side side, const Graph::Step& step) {
    const Firing& firing = *step.firing;
    look(1 + firing.used.size());
    Rule rule{step.rule->text, step.rule->where(), kind_of(step.rule->kind), side, id};
    for (const Firing::Use& use : firing.used) rule.goals.push_back(goal(use.fact, use.tick));
    for (const Firing::Absence& one : firing.absences) rule.goals.push_back(absence(one, side));
    if (rule.kind == Kind::kAsync) {
      const auto* to = std::get_if<std::string>(&firing.head.values[0]);
      if (to != nullptr) rule.to = *to;
      for (const uint32_t message : step.messages) {
        rule.from.push_back(home(side).run().messages[message].from);
      }
      if (rule.from.empty()) rule.from.push_back(rule.to);  // a node told itself
    }
    if (side == Side::kGood) add_mark(mark_failed(*difference_, step), rule);
    if (side == Side::kBad) add_mark(mark_fired(*difference_, step), rule);
    add(std::move(rule));
  }

  void add_mark(Mark mark, Rule& rule) {
    rule.cut = std::move(mark.cut);
    for (const Firing::Absence& one : mark.lacks) {
      const size_t lack = absence(one, rule.side);
      if (std::ranges::find(rule.goals, lack) == rule.goals.end()) rule.goals.push_back(lack);
    }
  }

  void add(Rule rule) {
    result_.goals[rule.head].rules.push_back(result_.rules.size());
    result_.rules.push_back(std::move(rule));
  }

  const Graph& good_;
  Difference* difference_ = nullptr;
  size_t most_;
  Provenance result_;
  std::vector<Origin> origin_;  // by goal
  std::vector<bool> expanded_;  // by goal
  std::map<std::pair<Tick, Fact>, size_t> facts_;
  std::map<std::pair<Tick, Pattern>, size_t> absences_;
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
  return Builder(graph, most_goals).build(roots);
}

Provenance difference_of(const Graph& good, const Graph& bad, const std::vector<FactAt>& roots,
                         size_t most_goals) {
  Difference difference(good, bad);
  return Builder(difference, most_goals).build(roots);
}

Provenance folded(const Provenance& all) {
  std::vector<size_t> home(all.goals.size());
  std::vector<size_t> by_tick(all.goals.size());
  for (size_t i = 0; i < by_tick.size(); ++i) by_tick[i] = i;
  std::ranges::stable_sort(
      by_tick, [&](size_t a, size_t b) { return all.goals[a].tick < all.goals[b].tick; });
  for (const size_t id : by_tick) {
    const std::optional<size_t> before = kept_from(all, id);
    home[id] = before ? home[*before] : id;
  }

  Provenance result;
  result.left_out = all.left_out;
  std::vector<size_t> number(all.goals.size());
  for (size_t id = 0; id < all.goals.size(); ++id) {
    look();
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
    look(1 + rule.goals.size());
    if (home[rule.head] != rule.head) continue;
    Rule copy = rule;
    copy.head = number[rule.head];
    for (size_t& goal : copy.goals) goal = number[home[goal]];
    std::ranges::sort(copy.goals);
    copy.goals.erase(std::unique(copy.goals.begin(), copy.goals.end()), copy.goals.end());
    result.goals[copy.head].rules.push_back(result.rules.size());
    result.rules.push_back(std::move(copy));
  }
  for (const size_t root : all.roots) {
    look(1 + result.roots.size());
    const size_t id = number[home[root]];
    const bool known = std::ranges::find(result.roots, id) != result.roots.end();
    if (!known) result.roots.push_back(id);
  }
  return result;
}

std::vector<FactAt> at_the_end(const Run& run, const std::string& relation) {
  std::vector<FactAt> all;
  for (const Fact& fact : run.facts.back()) {
    if (fact.relation == relation) all.push_back({fact, run.scenario.program.eot});
  }
  return all;
}

Provenance lineage_of(const Run& good, const Run* bad, size_t most_goals) {
  const Run& run = bad == nullptr ? good : *bad;
  std::vector<FactAt> roots;
  for (const Outcome::Goal& goal : run.outcome().goals) {
    const Fact post = run.outcome().kept(goal);
    if (bad == nullptr && goal.post) {
      roots.push_back({post, goal.tick});
    } else if (bad != nullptr && !goal.post) {
      const std::vector<Fact>& kept = good.facts[static_cast<size_t>(goal.tick - 1)];
      if (std::ranges::binary_search(kept, post)) roots.push_back({post, goal.tick});
      roots.push_back({goal.pre, goal.tick});
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
