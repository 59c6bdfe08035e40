#include "inject/read_facts.h"

#include <algorithm>

namespace clew::inject {

ReadFacts::ReadFacts(const dedalus::Program& program) {
  using Suffix = dedalus::TimeSuffix::Kind;
  for (const dedalus::PromiseInfo& promise : program.promises) time_ |= promise.every_tick;
  for (const dedalus::Clause& rule : program.rules) {
    time_ |= rule.head.time.kind != Suffix::kNone;
    for (const dedalus::Literal& literal : rule.body) {
      if (literal.kind == dedalus::Literal::Kind::kCondition) continue;
      time_ |= literal.atom.time.kind != Suffix::kNone;
      const dedalus::RelationInfo* relation = program.find(literal.atom.relation);
      if (relation != nullptr && relation->given) add(literal.atom);
    }
  }
  // A promise may be about what is given itself.
  for (const dedalus::PromiseInfo& promise : program.promises) {
    for (const std::string& name : {promise.pre, promise.post}) {
      const dedalus::RelationInfo* relation = program.find(name);
      if (relation != nullptr && relation->given) patterns_[name].emplace_back(relation->arity);
    }
  }
}

void ReadFacts::add(const dedalus::Atom& atom) {
  Constants constants(atom.args.size());
  for (size_t i = 0; i < constants.size(); ++i) {
    const dedalus::Term& term = atom.args[i];
    if (term.kind == dedalus::Term::Kind::kString) constants[i] = term.text;
    if (term.kind == dedalus::Term::Kind::kInteger) constants[i] = term.integer;
  }
  std::vector<Constants>& known = patterns_[atom.relation];
  if (std::ranges::find(known, constants) == known.end()) known.push_back(std::move(constants));
}

bool ReadFacts::fact(const Fact& fact) const {
  const auto found = patterns_.find(fact.relation);
  if (found == patterns_.end()) return false;
  return std::ranges::any_of(found->second, [&](const Constants& constants) {
    if (constants.size() != fact.values.size()) return true;  // the Judge says what is wrong
    for (size_t i = 0; i < constants.size(); ++i) {
      if (constants[i] && *constants[i] != fact.values[i]) return false;
    }
    return true;
  });
}

}  // namespace clew::inject
