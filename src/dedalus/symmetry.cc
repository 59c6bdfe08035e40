#include "dedalus/symmetry.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/watched.h"
#include "dedalus/print.h"

namespace clew::dedalus {

namespace {

// Whether a rule could tell strings apart by more than equality.
class OrderReader {
 public:
  OrderReader(const Program& program, const Clause& rule) : program_(program), rule_(rule) {}

  bool reads_order() const {
    for (const Term& arg : rule_.head.args) {
      const bool extreme =
          arg.kind == Term::Kind::kAggregate &&
          (arg.function == AggregateFunction::kMin || arg.function == AggregateFunction::kMax);
      if (extreme && may_be_string(arg.text)) return true;
      if (joins_strings(arg)) return true;
    }
    return std::ranges::any_of(rule_.body, [&](const Literal& literal) { return reads(literal); });
  }

 private:
  bool reads(const Literal& literal) const {
    if (literal.kind != Literal::Kind::kCondition) {
      return std::ranges::any_of(literal.atom.args,
                                 [&](const Term& arg) { return joins_strings(arg); });
    }
    const Term& left = literal.condition.operands[0];
    const Term& right = literal.condition.operands[1];
    const bool equality =
        literal.condition.op == Op::kEqual || literal.condition.op == Op::kNotEqual;
    if (joins_strings(left) || joins_strings(right)) return true;
    return !equality && may_be_string(left) && may_be_string(right);
  }

  bool joins_strings(const Term& term) const {
    if (term.kind != Term::Kind::kBinary) return false;
    if (term.op == Op::kAdd && may_be_string(term.operands[0]) && may_be_string(term.operands[1])) {
      return true;
    }
    return joins_strings(term.operands[0]) || joins_strings(term.operands[1]);
  }

  bool may_be_string(const Term& term) const {
    switch (term.kind) {
      case Term::Kind::kInteger:
        return false;
      case Term::Kind::kVariable:
        return may_be_string(term.text);
      case Term::Kind::kBinary:
        return term.op == Op::kAdd && may_be_string(term.operands[0]) &&
               may_be_string(term.operands[1]);
      default:
        return true;
    }
  }

  bool may_be_string(const std::string& variable) const {
    for (const Literal& literal : rule_.body) {
      if (literal.kind != Literal::Kind::kPositive) continue;
      const RelationInfo& relation = *program_.find(literal.atom.relation);
      for (size_t i = 0; i < literal.atom.args.size(); ++i) {
        const Term& arg = literal.atom.args[i];
        const bool here = arg.kind == Term::Kind::kVariable && arg.text == variable;
        if (here && !relation.columns[i].string) return false;
      }
    }
    return true;
  }

  const Program& program_;
  const Clause& rule_;
};

void collect_strings(const Term& term, std::set<std::string>& strings) {
  if (term.kind == Term::Kind::kString) strings.insert(term.text);
  for (const Term& operand : term.operands) collect_strings(operand, strings);
}

}  // namespace

NodeSymmetry::NodeSymmetry(const Program& program, const std::vector<std::string>& nodes)
    : nodes_(nodes), appearances_(nodes.size()) {
  Permutation identity(nodes.size());
  std::iota(identity.begin(), identity.end(), 0);
  permutations_.push_back(identity);
  const bool ordered = std::ranges::any_of(
      program.rules, [&](const Clause& rule) { return OrderReader(program, rule).reads_order(); });
  if (ordered) return;
  std::vector<std::vector<std::string>> places(nodes.size());
  for (const Clause& fact : program.facts) {
    facts_.insert(image(fact, identity));
    for (size_t column = 0; column < fact.head.args.size(); ++column) {
      const Term& arg = fact.head.args[column];
      auto at = std::ranges::lower_bound(nodes_, arg.text);
      const bool is_node = arg.kind == Term::Kind::kString && at != nodes_.end() && *at == arg.text;
      if (!is_node) continue;
      places[static_cast<size_t>(at - nodes_.begin())].push_back(
          fmt::format("{}/{}@{}", fact.head.relation, column, fact.head.time.tick));
    }
  }
  for (size_t node = 0; node < nodes.size(); ++node) {
    std::ranges::sort(places[node]);
    for (const std::string& place : places[node]) appearances_[node] += place + " ";
  }
  Permutation permutation;
  extend(program, named_in_rules(program), permutation);
}

std::set<size_t> NodeSymmetry::named_in_rules(const Program& program) const {
  std::set<std::string> strings;
  for (const Clause& rule : program.rules) {
    for (const Term& arg : rule.head.args) collect_strings(arg, strings);
    for (const Literal& literal : rule.body) {
      for (const Term& arg : literal.atom.args) collect_strings(arg, strings);
      for (const Term& operand : literal.condition.operands) collect_strings(operand, strings);
    }
  }
  std::set<size_t> fixed;
  for (size_t node = 0; node < nodes_.size(); ++node) {
    if (strings.contains(nodes_[node])) fixed.insert(node);
  }
  return fixed;
}

std::string NodeSymmetry::image(const Clause& fact, const Permutation& permutation) const {
  look(10);  // it is printed as well
  Clause mapped = fact;
  for (Term& arg : mapped.head.args) {
    if (arg.kind != Term::Kind::kString) continue;
    auto at = std::ranges::lower_bound(nodes_, arg.text);
    if (at == nodes_.end() || *at != arg.text) continue;
    arg.text = nodes_[permutation[static_cast<size_t>(at - nodes_.begin())]];
  }
  return print(mapped);
}

bool NodeSymmetry::keeps_facts(const Program& program, const Permutation& permutation) const {
  return std::ranges::all_of(
      program.facts, [&](const Clause& fact) { return facts_.contains(image(fact, permutation)); });
}

// All permutations that begin like this one and map nodes to such as appear in the same places.
void NodeSymmetry::extend(const Program& program, const std::set<size_t>& fixed,
                          Permutation& permutation) {
  if (tries_ >= kMostPermutations) return;
  const size_t node = permutation.size();
  if (node == nodes_.size()) {
    ++tries_;
    const bool is_new = permutation != permutations_.front();
    if (is_new && keeps_facts(program, permutation)) permutations_.push_back(permutation);
    return;
  }
  for (size_t other = 0; other < nodes_.size(); ++other) {
    const bool may = fixed.contains(node) ? other == node : !fixed.contains(other);
    const bool taken = std::ranges::find(permutation, other) != permutation.end();
    if (!may || taken || appearances_[node] != appearances_[other]) continue;
    permutation.push_back(other);
    extend(program, fixed, permutation);
    permutation.pop_back();
  }
}

}  // namespace clew::dedalus
