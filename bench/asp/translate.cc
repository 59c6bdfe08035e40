#include "bench/asp/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "bench/asp/rule.h"

namespace clew::asp {

namespace {

using dedalus::Clause;
using dedalus::Literal;
using dedalus::RelationInfo;
using dedalus::Term;
using dedalus::TimeSuffix;

// ---- The world ----

std::string world_text(const Options& options) {
  std::string text;
  for (const NodeName& node : options.nodes) {
    text += fmt::format("is_node({}).\n", string_text(node));
  }
  return text + fmt::format("tick(1..{}).\n", options.eot);
}

std::string omissions_text(const Options& options) {
  Tick last = std::min(options.eff, options.eot) - 1;
  if (last < 1) return "";
  return fmt::format(
      "{{ omission(F,To,T) }} :- is_node(F), is_node(To), F != To, T = 1..{}.\n"
      "lost(F,To,T) :- omission(F,To,T).\n",
      last);
}

std::string crashes_text(const Options& options) {
  if (options.crashes < 1) return "";
  std::string text = fmt::format("{{ crash_at(N,T) : is_node(N), T = 1..{} }} {}.\n",
                                 options.eot - 1, options.crashes);
  if (options.crashes > 1) text += ":- is_node(N), 2 { crash_at(N,T) }.\n";
  text += "dead(N,T) :- crash_at(N,T).\n";
  text += fmt::format("dead(N,T+1) :- dead(N,T), T < {}.\n", options.eot);
  text += fmt::format("lost(F,To,T) :- dead(F,T), is_node(To), F != To, T < {}.\n", options.eot);
  return text;
}

// `crash` as programs read it, and what follows if crashed nodes stop.
std::string observations_text(Encoding& encoding) {
  if (!encoding.stops()) return "crash(O,N,C) :- crash_at(N,C), is_node(O).\n";
  const std::string text = "lost(F,To,T-1) :- dead(To,T), is_node(F), T > 1.\n";
  const std::string& crash = encoding.predicates[dedalus::kCrash];
  return text +
         fmt::format("{}(O,N,C,T) :- crash_at(N,C), is_node(O), tick(T), not dead(O,T).\n", crash);
}

// ---- The program ----

// The relations that pre and post depend on, or all.
std::set<std::string> relevant_relations(const dedalus::Program& program, bool all) {
  std::set<std::string> relevant = {dedalus::kPre, dedalus::kPost};
  if (all) {
    for (const RelationInfo& relation : program.relations) relevant.insert(relation.name);
  }
  for (size_t before = 0; before != relevant.size();) {
    before = relevant.size();
    for (const Clause& rule : program.rules) {
      if (!relevant.contains(rule.head.relation)) continue;
      for (const Literal& literal : rule.body) {
        if (literal.kind != Literal::Kind::kCondition) relevant.insert(literal.atom.relation);
      }
    }
  }
  return relevant;
}

std::string fact_text(Encoding& encoding, const Clause& fact) {
  const Tick eot = encoding.options.eot;
  int64_t tick = fact.head.time.tick;
  if (tick < 1 || tick > eot) return "";
  if (tick != eot && encoding.last_tick_only(fact.head.relation)) return "";
  Names variables(Names::Case::kUpper, {});
  std::vector<std::string> args;
  args.reserve(fact.head.args.size() + 1);
  for (const Term& arg : fact.head.args) args.push_back(term_text(arg, variables));
  args.push_back(std::to_string(tick));
  std::string text = call(encoding.predicates[fact.head.relation], args);
  const bool at_node = !fact.head.args.empty() && fact.head.args[0].kind == Term::Kind::kString &&
                       encoding.is_node(fact.head.args[0].text);
  if (at_node && encoding.stops()) {
    text += fmt::format(" :- not dead({},{})", args[0], tick);
  }
  return text + ".\n";
}

std::string rule_at_its_ticks(Encoding& encoding, size_t number) {
  const Clause& rule = encoding.program.rules[number];
  const bool to_next = rule.head.time.kind != TimeSuffix::Kind::kNone;
  Tick last = encoding.options.eot - (to_next ? 1 : 0);
  if (encoding.last_tick_only(rule.head.relation)) return rule_text(encoding, number, last);
  if (!encoding.options.unroll) return rule_text(encoding, number, std::nullopt);
  std::string text;
  for (Tick tick = 1; tick <= last; ++tick) text += rule_text(encoding, number, tick);
  return text;
}

std::string clauses_text(Encoding& encoding) {
  const std::set<std::string> relevant =
      relevant_relations(encoding.program, encoding.options.all_facts);
  std::string text;
  for (const Clause& fact : encoding.program.facts) {
    if (relevant.contains(fact.head.relation)) text += fact_text(encoding, fact);
  }
  for (size_t i = 0; i < encoding.program.rules.size(); ++i) {
    if (!relevant.contains(encoding.program.rules[i].head.relation)) continue;
    text += rule_at_its_ticks(encoding, i);
  }
  return text;
}

// ---- The goal ----

std::string goal_text(Encoding& encoding) {
  const RelationInfo* pre = encoding.program.find(dedalus::kPre);
  std::string text;
  if (pre != nullptr) {
    std::vector<std::string> columns;
    for (uint32_t i = 0; i < pre->arity; ++i) columns.push_back(fmt::format("C{}", i));
    columns.push_back(std::to_string(encoding.options.eot));
    text =
        fmt::format("violated :- {}, not {}.\n", call(encoding.predicates[dedalus::kPre], columns),
                    call(encoding.predicates[dedalus::kPost], columns));
  }
  return text + ":- not violated.\n#defined violated/0.\n";
}

std::string show_text(Encoding& encoding) {
  std::string text = "#show omission/3.\n#show crash_at/2.\n";
  if (!encoding.options.all_facts) return text;
  for (const RelationInfo& relation : encoding.program.relations) {
    if (relation.name == dedalus::kCrash) continue;
    text += fmt::format("#show {}/{}.\n", encoding.predicates[relation.name], relation.arity + 1);
  }
  return text;
}

// Predicates without rules are empty, not misspelt.
std::string defined_text(Encoding& encoding) {
  std::string text = "#defined omission/3.\n#defined crash_at/2.\n#defined lost/3.\n";
  for (const RelationInfo& relation : encoding.program.relations) {
    text +=
        fmt::format("#defined {}/{}.\n", encoding.predicates[relation.name], relation.arity + 1);
  }
  return text;
}

}  // namespace

std::optional<std::string> translate(const dedalus::Program& program, const Options& options,
                                     Diagnostics& diagnostics) {
  check_expressible(program, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  Encoding encoding{program, options, Names(Names::Case::kLower, own_predicates())};
  std::string text = world_text(options) + omissions_text(options) + crashes_text(options) +
                     observations_text(encoding) + clauses_text(encoding);
  if (!options.all_facts) text += goal_text(encoding);
  return text + defined_text(encoding) + show_text(encoding);
}

}  // namespace clew::asp
