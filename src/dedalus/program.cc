#include "dedalus/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "base/check.h"
#include "base/text.h"
#include "dedalus/column_values.h"

namespace clew::dedalus {
namespace {

constexpr size_t kMostNodesListed = 10;

const Atom* first_body_atom(const Clause& rule) {
  for (const Literal& literal : rule.body) {
    if (literal.kind != Literal::Kind::kCondition) return &literal.atom;
  }
  return nullptr;
}

// The first column of an @async head if it is a string.
const Term* constant_destination(const Clause& rule) {
  if (rule.head.time.kind != TimeSuffix::Kind::kAsync || rule.head.args.empty()) return nullptr;
  const Term& destination = rule.head.args.front();
  return destination.kind == Term::Kind::kString ? &destination : nullptr;
}

bool mentions_in(const std::vector<Term>& terms, const std::string& text) {
  return std::ranges::any_of(terms, [&](const Term& term) {
    const bool same = term.kind == Term::Kind::kString && term.text == text;
    return same || mentions_in(term.operands, text);
  });
}

bool mentions_in(const Clause& clause, const std::string& text) {
  const auto in_literal = [&](const Literal& literal) {
    return mentions_in(literal.atom.args, text) || mentions_in(literal.condition.operands, text);
  };
  return mentions_in(clause.head.args, text) || std::ranges::any_of(clause.body, in_literal);
}

// Warns about names that are not nodes, once for each name and use.
class NodeChecker {
 public:
  NodeChecker(const std::vector<std::string>& nodes, Diagnostics& diagnostics)
      : nodes_(nodes), known_(nodes.begin(), nodes.end()), diagnostics_(diagnostics) {}

  void location(const std::string& name, Span span) {
    if (known_.contains(name) || !warned_locations_.insert(name).second) return;
    warn(name, span, "rules located there never fire");
  }

  // A limit on a node that the program knows is about other runs.
  void limit(const std::string& name, Span span, const std::vector<std::string>& mentioned) {
    if (known_.contains(name)) return;
    if (std::ranges::find(mentioned, name) != mentioned.end()) {
      return warn(name, span, "this limit means nothing in it");
    }
    diagnostics_.error("unknown-node", span, fmt::format("there is no node \"{}\"", name),
                       help(name));
  }

  void destination(const std::string& name, Span span) {
    if (known_.contains(name) || !warned_destinations_.insert(name).second) return;
    warn(name, span, "messages to it are never sent");
  }

 private:
  void warn(const std::string& name, Span span, const char* consequence) {
    diagnostics_.warning("not-a-node", span,
                         fmt::format("\"{}\" is not a node of this run: {}", name, consequence),
                         help(name));
  }

  std::string help(const std::string& name) const {
    if (auto meant = closest(name, nodes_)) return fmt::format("did you mean \"{}\"?", *meant);
    if (nodes_.empty()) return "name the nodes of the run";
    const size_t listed = std::min(nodes_.size(), kMostNodesListed);
    auto end = nodes_.begin() + static_cast<std::ptrdiff_t>(listed);
    return fmt::format("the nodes are {}{}", fmt::join(nodes_.begin(), end, ", "),
                       listed < nodes_.size() ? ", ..." : "");
  }

  const std::vector<std::string>& nodes_;
  std::unordered_set<std::string> known_;
  std::unordered_set<std::string> warned_locations_;
  std::unordered_set<std::string> warned_destinations_;
  Diagnostics& diagnostics_;
};

}  // namespace

const RelationInfo* Program::find(const std::string& name) const {
  auto found = relation_index.find(name);
  return found == relation_index.end() ? nullptr : &relations[found->second];
}

Program with_promise(const Program& program, const std::string& name) {
  Program result = program;
  std::erase_if(result.promises, [&](const PromiseInfo& one) { return one.name != name; });
  CHECK(result.promises.size() == 1, "{} promises are called {}", result.promises.size(), name);
  std::erase_if(result.rules, [&](const Clause& rule) {
    return rule.placeless && !rule.head.relation.starts_with(name + ".");
  });
  return result;
}

Location location_of(const Clause& rule) {
  const Atom* atom = rule.placeless ? nullptr : first_body_atom(rule);
  if (atom == nullptr) return {Location::Kind::kAny, "", rule.head.span};
  if (atom->args.empty()) return {Location::Kind::kAny, "", atom->span};
  const Term& column = atom->args.front();
  switch (column.kind) {
    case Term::Kind::kVariable:
      return {Location::Kind::kVariable, column.text, column.span};
    case Term::Kind::kString:
      return {Location::Kind::kConstant, column.text, column.span};
    case Term::Kind::kInteger:
      return {Location::Kind::kNowhere, "", column.span};
    default:
      return {Location::Kind::kAny, "", column.span};
  }
}

std::vector<std::string> mentioned_nodes(const Program& program) {
  std::set<std::string> nodes;
  for (const Clause& fact : program.facts) {
    if (fact.head.args.empty()) continue;
    const Term& first = fact.head.args.front();
    if (first.kind == Term::Kind::kString) nodes.insert(first.text);
  }
  for (const Clause& rule : program.rules) {
    const Location location = location_of(rule);
    if (location.kind == Location::Kind::kConstant) nodes.insert(location.text);
    if (const Term* destination = constant_destination(rule)) nodes.insert(destination->text);
  }
  return {nodes.begin(), nodes.end()};
}

bool mentions(const Program& program, const std::string& text) {
  const auto in_clause = [&](const Clause& clause) { return mentions_in(clause, text); };
  return std::ranges::any_of(program.facts, in_clause) ||
         std::ranges::any_of(program.rules, in_clause);
}

void check_nodes(const Program& program, const std::vector<std::string>& nodes,
                 Diagnostics& diagnostics) {
  NodeChecker checker(nodes, diagnostics);
  for (const Clause& rule : program.rules) {
    const Location location = location_of(rule);
    if (location.kind == Location::Kind::kConstant) {
      checker.location(location.text, location.span);
    }
    if (const Term* destination = constant_destination(rule)) {
      checker.destination(destination->text, destination->span);
    }
  }
  warn_values(program, nodes, diagnostics);
  const std::vector<std::string> mentioned = mentioned_nodes(program);
  for (const Limit& limit : program.limits) {
    checker.limit(limit.node, limit.span, mentioned);
    if (!limit.to.empty()) checker.limit(limit.to, limit.span, mentioned);
  }
  diagnostics.sort();
}

}  // namespace clew::dedalus
