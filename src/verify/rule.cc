#include "verify/rule.h"

#include <algorithm>

namespace clew::verify {

namespace {

using dedalus::Literal;
using dedalus::Term;
using dedalus::TimeSuffix;

bool is_expression(const Term& term) { return term.kind == Term::Kind::kBinary; }

bool calculates(const Literal& literal) {
  const bool condition = literal.kind == Literal::Kind::kCondition;
  const std::vector<Term>& terms = condition ? literal.condition.operands : literal.atom.args;
  return std::ranges::any_of(terms, is_expression);
}

class Compiler {
 public:
  Compiler(const dedalus::Program& program, Rule& rule, Values& values)
      : program_(program), rule_(rule), values_(values) {}

  void run() {
    bind_slots();
    for (const Literal& literal : rule_.clause->body) rule_.body.push_back(element(literal));
  }

 private:
  void bind_slots() {
    for (const Literal& literal : rule_.clause->body) {
      if (literal.kind != Literal::Kind::kPositive) continue;
      for (const Term& arg : literal.atom.args) {
        if (arg.kind == Term::Kind::kVariable) bind(arg.text);
      }
    }
    if (rule_.location.kind == dedalus::Location::Kind::kVariable) bind(rule_.location.text);
  }

  void bind(const std::string& variable) {
    rule_.slots.try_emplace(variable, static_cast<Slot>(rule_.slots.size()));
  }

  Element element(const Literal& literal) {
    Element element;
    element.kind = literal.kind;
    element.calculates = calculates(literal);
    if (literal.kind == Literal::Kind::kCondition) {
      element.condition = &literal.condition;
      return element;
    }
    element.relation = program_.relation_index.at(literal.atom.relation);
    if (literal.atom.time.kind == TimeSuffix::Kind::kAt) element.at = literal.atom.time.tick;
    locals_.clear();
    for (const Term& arg : literal.atom.args) element.args.push_back(argument(arg));
    rule_.locals = std::max(rule_.locals, static_cast<Slot>(locals_.size()));
    return element;
  }

  Argument argument(const Term& term) {
    switch (term.kind) {
      case Term::Kind::kString:
        return {Argument::Kind::kConstant, 0, values_.intern(term.text), nullptr};
      case Term::Kind::kInteger:
        return {Argument::Kind::kConstant, 0, values_.intern(term.integer), nullptr};
      case Term::Kind::kBinary:
        return {Argument::Kind::kExpression, 0, 0, &term};
      case Term::Kind::kVariable:
        break;
      default:
        return {};
    }
    auto bound = rule_.slots.find(term.text);
    if (bound != rule_.slots.end()) return {Argument::Kind::kSlot, bound->second, 0, nullptr};
    auto local = locals_.try_emplace(term.text, static_cast<Slot>(locals_.size())).first;
    return {Argument::Kind::kLocal, local->second, 0, nullptr};
  }

  const dedalus::Program& program_;
  Rule& rule_;
  Values& values_;
  std::map<std::string, Slot> locals_;  // of the literal at hand
};

// For each relation, those that it depends on within a tick, directly or not.
std::vector<std::vector<bool>> reachable(size_t relations, const std::vector<Rule>& rules) {
  std::vector<std::vector<RelationIndex>> needs(relations);
  for (const Rule& rule : rules) {
    if (rule.time != TimeSuffix::Kind::kNone) continue;
    for (const Element& element : rule.body) {
      if (element.kind != Literal::Kind::kCondition) needs[rule.head].push_back(element.relation);
    }
  }
  std::vector<std::vector<bool>> result(relations, std::vector<bool>(relations));
  for (RelationIndex from = 0; from < relations; ++from) {
    std::vector<RelationIndex> open = needs[from];
    while (!open.empty()) {
      const RelationIndex next = open.back();
      open.pop_back();
      if (result[from][next]) continue;
      result[from][next] = true;
      open.insert(open.end(), needs[next].begin(), needs[next].end());
    }
  }
  return result;
}

}  // namespace

Rule compile(const dedalus::Program& program, size_t index, Values& values) {
  Rule rule;
  rule.clause = &program.rules[index];
  rule.index = index;
  rule.head = program.relation_index.at(rule.clause->head.relation);
  rule.time = rule.clause->head.time.kind;
  rule.location = dedalus::location_of(*rule.clause);
  for (const Term& arg : rule.clause->head.args) {
    rule.aggregates = rule.aggregates || arg.kind == Term::Kind::kAggregate;
  }
  Compiler(program, rule, values).run();
  return rule;
}

// Whoever depends on another relation reaches it, all that it reaches, and itself: more than the
// other does unless the two depend on each other. So the number of relations reached, oneself
// included, gives the order.
std::vector<Group> order_relations(const dedalus::Program& program,
                                   const std::vector<Rule>& rules) {
  const auto count = static_cast<RelationIndex>(program.relations.size());
  const std::vector<std::vector<bool>> reach = reachable(count, rules);
  std::vector<std::pair<size_t, RelationIndex>> order;
  for (RelationIndex relation = 0; relation < count; ++relation) {
    const auto reached = std::ranges::count(reach[relation], true);
    const bool itself = reach[relation][relation];
    order.emplace_back(static_cast<size_t>(reached) + (itself ? 0 : 1), relation);
  }
  std::ranges::sort(order);
  std::vector<Group> groups;
  std::vector<bool> placed(count);
  for (const auto& [reached, first] : order) {
    if (placed[first]) continue;
    Group group{{}, reach[first][first]};
    for (RelationIndex other = 0; other < count; ++other) {
      const bool together = other == first || (reach[first][other] && reach[other][first]);
      if (!together) continue;
      placed[other] = true;
      group.relations.push_back(other);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace clew::verify
