// Counts and sums are built one uncertain contribution at a time, in the order of their printed
// text, so that whoever builds them the same way arrives at the same gates.
#include "verify/fold.h"

#include <algorithm>
#include <map>

#include "dedalus/print.h"
#include "verify/expression.h"
#include "verify/faults.h"
#include "verify/refusal.h"

namespace clew::verify {

namespace {

using dedalus::AggregateFunction;
using dedalus::Term;

constexpr size_t kMostOutcomes = 10'000;
constexpr size_t kMostCounted = 2'000;

__extension__ using Wide = __int128;

using Options = std::vector<std::pair<ValueId, Lit>>;

// The contributions to one group: what is certain, and the rest in the order of its printed text.
struct Members {
  std::vector<const Contribution*> certain;
  std::vector<const Contribution*> uncertain;
};

class GroupFold {
 public:
  GroupFold(const Rule& rule, const Members& members, Values& values, Circuit& circuit)
      : rule_(rule), members_(members), values_(values), circuit_(circuit) {}

  std::vector<FoldOutcome> run() {
    const Contribution* any =
        members_.certain.empty() ? members_.uncertain.front() : members_.certain.front();
    std::vector<FoldOutcome> outcomes = {{any->tuple, kTrue}};
    const std::vector<Term>& head = rule_.clause->head.args;
    for (size_t column = 0; column < head.size(); ++column) {
      if (head[column].kind != Term::Kind::kAggregate) continue;
      outcomes = combine(outcomes, column, options(head[column].function, column));
    }
    return outcomes;
  }

 private:
  [[noreturn]] void refuse_size() const {
    refuse_program(fmt::format("the aggregate of the rule `{}` has too many possible outcomes",
                               dedalus::print(*rule_.clause)));
  }

  std::vector<FoldOutcome> combine(const std::vector<FoldOutcome>& outcomes, size_t column,
                                   const Options& options) {
    if (outcomes.size() * options.size() > kMostOutcomes) refuse_size();
    std::vector<FoldOutcome> result;
    for (const FoldOutcome& outcome : outcomes) {
      for (const auto& [value, lit] : options) {
        FoldOutcome& next = result.emplace_back(outcome);
        next.tuple[column] = value;
        next.lit = circuit_.conjunction({outcome.lit, lit});
      }
    }
    return result;
  }

  Options options(AggregateFunction function, size_t column) {
    switch (function) {
      case AggregateFunction::kCount:
        return counts();
      case AggregateFunction::kSum:
        return sums(column);
      case AggregateFunction::kMin:
        return extremes(column, true);
      case AggregateFunction::kMax:
        return extremes(column, false);
    }
    CHECK(false, "there are four aggregates");
    return {};
  }

  std::vector<Lit> uncertain_literals() const {
    std::vector<Lit> lits;
    lits.reserve(members_.uncertain.size());
    for (const Contribution* member : members_.uncertain) lits.push_back(member->lit);
    return lits;
  }

  Options counts() {
    const size_t most = members_.uncertain.size();
    const size_t offset = members_.certain.size();
    if (most > kMostCounted) refuse_size();
    std::vector<Lit> reached = at_least(uncertain_literals(), most, circuit_);
    reached.push_back(kFalse);
    Options result;
    for (size_t k = 0; k <= most; ++k) {
      if (k + offset == 0) continue;
      const auto count = static_cast<int64_t>(k + offset);
      const Lit lit = circuit_.conjunction({reached[k], -reached[k + 1]});
      result.emplace_back(values_.intern(count), lit);
    }
    return result;
  }

  int64_t integer(const Contribution& member, size_t column) const {
    const auto* number = std::get_if<int64_t>(&values_.datum(member.tuple[column]));
    if (number == nullptr) throw Failure{"it adds up a string"};
    return *number;
  }

  // S(i, s): the first i uncertain contributions add up to s.
  std::map<Wide, Lit> uncertain_sums(size_t column) {
    std::map<Wide, Lit> sums = {{0, kTrue}};
    for (const Contribution* member : members_.uncertain) {
      const int64_t value = integer(*member, column);
      std::map<Wide, std::vector<Lit>> next;
      for (const auto& [sum, lit] : sums) {
        next[sum + value].push_back(circuit_.conjunction({lit, member->lit}));
        next[sum].push_back(circuit_.conjunction({lit, -member->lit}));
      }
      if (next.size() > kMostOutcomes) refuse_size();
      sums.clear();
      for (auto& [sum, ways] : next) {
        const Lit lit = circuit_.disjunction(std::move(ways));
        if (lit != kFalse) sums.emplace(sum, lit);
      }
    }
    return sums;
  }

  Options sums(size_t column) {
    Wide offset = 0;
    for (const Contribution* member : members_.certain) offset += integer(*member, column);
    const Lit some = members_.certain.empty() ? circuit_.disjunction(uncertain_literals()) : kTrue;
    Options result;
    for (const auto& [sum, lit] : uncertain_sums(column)) {
      const Wide total = sum + offset;
      const Lit all = circuit_.conjunction({lit, some});
      if (all == kFalse) continue;
      if (total < INT64_MIN || total > INT64_MAX) throw Failure{"a sum leaves 64 bits"};
      result.emplace_back(values_.intern(static_cast<int64_t>(total)), all);
    }
    return result;
  }

  // One value is there, and none that is better.
  Options extremes(size_t column, bool least) {
    std::map<Datum, std::pair<ValueId, std::vector<Lit>>> by_value;
    for (const auto* members : {&members_.certain, &members_.uncertain}) {
      for (const Contribution* member : *members) {
        auto& [value, lits] = by_value[values_.datum(member->tuple[column])];
        value = member->tuple[column];
        lits.push_back(member->lit);
      }
    }
    Options result;
    std::vector<Lit> none_better;
    const auto add = [&](const auto& entry) {
      const auto& [value, lits] = entry.second;
      std::vector<Lit> all = none_better;
      all.push_back(circuit_.disjunction(lits));
      const Lit lit = circuit_.conjunction(std::move(all));
      if (lit != kFalse) result.emplace_back(value, lit);
      for (const Lit member : lits) none_better.push_back(-member);
    };
    if (least) {
      std::ranges::for_each(by_value, add);
    } else {
      std::for_each(by_value.rbegin(), by_value.rend(), add);
    }
    return result;
  }

  const Rule& rule_;
  const Members& members_;
  Values& values_;
  Circuit& circuit_;
};

Tuple group_of(const Rule& rule, const Tuple& tuple) {
  Tuple group;
  for (size_t i = 0; i < tuple.size(); ++i) {
    if (rule.clause->head.args[i].kind != Term::Kind::kAggregate) group.push_back(tuple[i]);
  }
  return group;
}

}  // namespace

std::vector<FoldOutcome> fold(const Rule& rule, const std::vector<Contribution>& contributions,
                              Values& values, Circuit& circuit) {
  std::vector<std::pair<std::string, const Contribution*>> sorted;
  for (const Contribution& contribution : contributions) {
    if (contribution.lit == kFalse) continue;
    sorted.emplace_back(values.print(contribution.tuple), &contribution);
  }
  std::ranges::sort(sorted);
  std::map<Tuple, Members> groups;
  for (const auto& [text, contribution] : sorted) {
    Members& members = groups[group_of(rule, contribution->tuple)];
    (contribution->lit == kTrue ? members.certain : members.uncertain).push_back(contribution);
  }
  std::vector<FoldOutcome> result;
  for (const auto& [group, members] : groups) {
    for (FoldOutcome& outcome : GroupFold(rule, members, values, circuit).run()) {
      if (outcome.lit != kFalse) result.push_back(std::move(outcome));
    }
  }
  return result;
}

}  // namespace clew::verify
