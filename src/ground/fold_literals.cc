// When an aggregate comes out to a certain value: conditions on the rows of its group.
#include <algorithm>
#include <map>

#include "ground/grounder.h"

namespace clew::ground {

using datalog::Fold;
using datalog::Row;
using datalog::Value;
using formula::kFalse;
using formula::kTrue;
using formula::Literal;

namespace {

bool is_group_or_sum(Fold fold) { return fold == Fold::kGroup || fold == Fold::kSum; }

// One number for each group of a frame: its firings, one for each outcome, use the same rows.
uint64_t group_of(datalog::RelationId source, const datalog::Firing& firing) {
  return (uint64_t{source} << 32U) | firing.used[0];
}

}  // namespace

void Grounder::add_fold(const datalog::Firing& firing) {
  const datalog::Rule& rule = lowered_.rules.rules[firing.rule];
  const Value* outcome = engine_.relation(rule.head).tuple(firing.head);
  // A sum may be that of no row at all.
  if (std::ranges::all_of(rule.folds, is_group_or_sum)) bodies_.add(some_row(firing));
  for (uint32_t column = 0; column < rule.folds.size(); ++column) {
    bodies_.add(fold_literal(rule.folds[column], column, outcome[column], firing));
  }
}

Literal Grounder::some_row(const datalog::Firing& firing) {
  const datalog::RelationId source = lowered_.rules.rules[firing.rule].body[0].relation;
  auto [at, is_new] = some_row_.try_emplace(group_of(source, firing), kFalse);
  if (!is_new) return at->second;
  watch_.look(firing.used.size());
  std::vector<Literal> rows;
  for (const Row row : firing.used) rows.push_back(literals_[source][row]);
  return at->second = rules_.any(rows);
}

Literal Grounder::fold_literal(Fold fold, uint32_t column, Value outcome,
                               const datalog::Firing& firing) {
  if (fold == Fold::kGroup) return kTrue;
  if (fold == Fold::kCount) return count_literal(firing, values_.number(outcome));
  if (fold == Fold::kSum) return sum_literal(column, firing, values_.number(outcome));
  const std::map<uint32_t, Literal>& all = extremes(fold, column, firing);
  const auto found = all.find(outcome.bits);
  return found == all.end() ? kFalse : found->second;
}

// When a group's largest or smallest value is which: worked out once for all its outcomes. That
// there is a better one is said of one value in terms of the next: a chain is much shorter than all
// pairs, and what the solver learns of a link it has learned of all beyond it.
const std::map<uint32_t, Literal>& Grounder::extremes(Fold fold, uint32_t column,
                                                      const datalog::Firing& firing) {
  const datalog::RelationId source = lowered_.rules.rules[firing.rule].body[0].relation;
  auto [at, is_new] = extremes_.try_emplace({group_of(source, firing), column});
  if (!is_new) return at->second;
  watch_.look(firing.used.size());
  const datalog::Relation& rows = engine_.relation(source);
  const int sign = fold == Fold::kMax ? 1 : -1;
  std::vector<Row> order(firing.used.begin(), firing.used.end());
  std::ranges::stable_sort(order, [&](Row a, Row b) {
    return values_.compare(rows.tuple(a)[column], rows.tuple(b)[column]) * sign > 0;
  });
  Literal better = kFalse;
  for (auto row = order.begin(); row != order.end();) {
    const Value value = rows.tuple(*row)[column];
    std::vector<Literal> equal;
    for (; row != order.end() && rows.tuple(*row)[column] == value; ++row) {
      equal.push_back(literals_[source][*row]);
    }
    const Literal some = rules_.any(equal);
    at->second.emplace(value.bits, rules_.all({some, !better}));
    const Literal either[] = {better, some};
    better = rules_.any(either);
  }
  return at->second;
}

// The rows that are neither certain nor impossible, in the order of their texts.
std::vector<Row> Grounder::uncertain(const datalog::Firing& firing) {
  const datalog::RelationId source = lowered_.rules.rules[firing.rule].body[0].relation;
  std::vector<std::pair<std::string, Row>> rows;
  watch_.look(firing.used.size());
  for (const Row row : firing.used) {
    const Literal literal = literals_[source][row];
    if (literal != kTrue && literal != kFalse) rows.emplace_back(print_tuple(source, row), row);
  }
  std::ranges::sort(rows);
  std::vector<Row> sorted;
  sorted.reserve(rows.size());
  for (const auto& [text, row] : rows) sorted.push_back(row);
  return sorted;
}

Literal Grounder::count_literal(const datalog::Firing& firing, int64_t count) {
  const datalog::RelationId source = lowered_.rules.rules[firing.rule].body[0].relation;
  auto [at, is_new] =
      counters_.try_emplace(group_of(source, firing), static_cast<uint32_t>(at_least_.size()));
  if (is_new) {
    std::vector<Literal> literals;
    for (const Row row : uncertain(firing)) literals.push_back(literals_[source][row]);
    at_least_.push_back(rules_.at_least(literals, literals.size()));
  }
  int64_t certain = 0;
  watch_.look(firing.used.size());
  for (const Row row : firing.used) certain += literals_[source][row] == kTrue ? 1 : 0;
  const int64_t more = count - certain;
  if (more < 0 || static_cast<size_t>(more) + 1 >= at_least_[at->second].size()) return kFalse;
  return count_within(at->second, static_cast<size_t>(more), static_cast<size_t>(more));
}

// At least `low` and at most `high` of the uncertain rows.
Literal Grounder::count_within(uint32_t counter, size_t low, size_t high) {
  Literal within = rules_.all({at_least_[counter][low], !at_least_[counter][high + 1]});
  if (within != kTrue && within != kFalse) {
    intervals_.try_emplace(within.bits, Interval{counter, low, high});
  }
  return within;
}

// `2 * Count > Size` holds for several counts: together they are one interval, often one that is
// open above.
void Grounder::join_counts() {
  if (intervals_.empty() || bodies_.size() < 2 || bodies_.simplify()) return;
  bodies_.join([&](Literal one, Literal other) -> std::optional<Literal> {
    auto a = intervals_.find(one.bits);
    auto b = intervals_.find(other.bits);
    if (a == intervals_.end() || b == intervals_.end()) return std::nullopt;
    if (a->second.counter != b->second.counter) return std::nullopt;
    if (a->second.low > b->second.low) std::swap(a, b);
    if (b->second.low > a->second.high + 1) return std::nullopt;
    return count_within(a->second.counter, a->second.low, std::max(a->second.high, b->second.high));
  });
}

Literal Grounder::sum_literal(uint32_t column, const datalog::Firing& firing, int64_t sum) {
  const std::map<Wide, Literal>& all = sums(column, firing);
  const auto found = all.find(sum);
  return found == all.end() ? kFalse : found->second;
}

// What the rows of a group may add up to, and when: worked out once for all its outcomes.
const std::map<Grounder::Wide, Literal>& Grounder::sums(uint32_t column,
                                                        const datalog::Firing& firing) {
  const datalog::RelationId source = lowered_.rules.rules[firing.rule].body[0].relation;
  auto [at, is_new] = sums_.try_emplace({group_of(source, firing), column});
  if (!is_new) return at->second;
  const datalog::Relation& rows = engine_.relation(source);
  Wide certain = 0;
  for (const Row row : firing.used) {
    if (literals_[source][row] == kTrue) certain += values_.number(rows.tuple(row)[column]);
  }
  std::map<Wide, Literal> sums = {{certain, kTrue}};
  for (const Row row : uncertain(firing)) {
    const Literal literal = literals_[source][row];
    const int64_t value = values_.number(rows.tuple(row)[column]);
    std::map<Wide, std::vector<Literal>> ways;
    for (auto [before, reached] : sums) {
      if (reached == kFalse) continue;
      ways[before + value].push_back(rules_.all({reached, literal}));
      ways[before].push_back(rules_.all({reached, !literal}));
    }
    sums.clear();
    for (auto& [total, literals] : ways) sums[total] = rules_.any(literals);
  }
  return at->second = std::move(sums);
}

}  // namespace clew::ground
