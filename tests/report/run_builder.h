// Runs written by hand, in few words.
//
//   Run run = RunBuilder("a b c", 4).drop("a", "b", 1).crash("c", 2).send("a", "b", 1, "log");
#pragma once

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/diagnostic.h"
#include "dedalus/parse.h"
#include "domain/run.h"
#include "microspec/rule_table.h"

namespace clew::report {

// As if it stood at "file:line". A text that is no rule is shown all the same.
inline Rule rule_of(const std::string& text, const std::string& where) {
  SourceSet sources;
  Diagnostics ignored;
  const dedalus::File file = dedalus::parse(sources.add("rule", text), sources, ignored);
  const bool one = file.clauses.size() == 1 && file.clauses[0].kind == dedalus::Clause::Kind::kRule;
  Rule rule = one ? microspec::make_rule(file.clauses[0], sources) : Rule{};
  const size_t colon = where.rfind(':');
  rule.text = text;
  rule.path = where.substr(0, colon);
  rule.line =
      colon == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(where.substr(colon + 1)));
  rule.last_line = rule.line;
  return rule;
}

// Runs that are compared share their rules.
inline RuleId number_of_rule(const Rule& rule, RuleTable& table) {
  const auto at = std::ranges::find_if(table, [&](const Rule& other) {
    return other.text == rule.text && other.where() == rule.where();
  });
  if (at == table.end()) table.push_back(rule);
  return static_cast<RuleId>(at - table.begin());
}

// Adds a firing.
inline void fire(Run& run, const std::string& rule, const std::string& where, Fact head, Tick tick,
                 std::vector<Firing::Use> used = {}, std::vector<Firing::Absence> absences = {}) {
  static const auto kAllRules = [] {
    auto table = std::make_shared<RuleTable>();
    table->reserve(1000);  // rows stay where they are
    return table;
  }();
  CHECK(kAllRules->size() < 1000);
  run.rules = kAllRules;
  const RuleId id = number_of_rule(rule_of(rule, where), *kAllRules);
  run.firings.push_back({id, std::move(head), tick, std::move(used), std::move(absences)});
}

class RunBuilder {
 public:
  RunBuilder(const std::string& nodes, Tick eot) {
    std::istringstream words(nodes);
    for (std::string node; words >> node;) run_.scenario.nodes.push_back(node);
    std::ranges::sort(run_.scenario.nodes);
    run_.scenario.program.eot = eot;
    run_.facts.resize(static_cast<size_t>(eot));
    run_.outcomes.emplace_back().spec = "spec";
  }

  RunBuilder& drop(const NodeName& from, const NodeName& to, Tick tick) {
    run_.scenario.faults.insert(Omission{from, to, tick});
    return *this;
  }
  RunBuilder& crash(const NodeName& node, Tick tick) {
    run_.scenario.faults.insert(Crash{node, tick});
    return *this;
  }
  RunBuilder& stop() {
    run_.scenario.program.crash_model = CrashModel::kStop;
    return *this;
  }

  // The message's fate follows from the faults so far.
  RunBuilder& send(const NodeName& from, const NodeName& to, Tick tick, const std::string& relation,
                   std::vector<Datum> values = {}) {
    values.insert(values.begin(), to);
    run_.messages.push_back({from, to, tick, {relation, std::move(values)}, fate(from, to, tick)});
    return *this;
  }
  // To every other node.
  RunBuilder& tell(const NodeName& from, Tick tick, const std::string& relation,
                   const std::vector<Datum>& values = {}) {
    for (const NodeName& to : run_.scenario.nodes) {
      if (to != from) send(from, to, tick, relation, values);
    }
    return *this;
  }

  // Holds from tick `first` to tick `last`.
  RunBuilder& fact(const Fact& fact, Tick first, Tick last) {
    for (Tick tick = first; tick <= last; ++tick) {
      std::vector<Fact>& facts = run_.facts[static_cast<size_t>(tick) - 1];
      facts.insert(std::ranges::lower_bound(facts, fact), fact);
    }
    return *this;
  }

  RunBuilder& stray(const std::string& destination) {
    run_.stray.push_back(destination);
    return *this;
  }
  RunBuilder& outcome(Outcome::Kind kind, std::vector<Outcome::Goal> goals = {},
                      bool defines_pre = true) {
    for (Outcome::Goal& goal : goals) goal.tick = run_.scenario.program.eot;
    run_.outcomes = {{"spec", kind, std::move(goals), defines_pre}};
    return *this;
  }

  operator const Run&() const { return run_; }
  Run& run() { return run_; }

 private:
  Message::Fate fate(const NodeName& from, const NodeName& to, Tick tick) const {
    using Fate = Message::Fate;
    const FaultSet& faults = run_.scenario.faults;
    if (tick == run_.scenario.program.eot) return Fate::kAfterEnd;
    for (const Crash& crash : faults.of<Crash>()) {
      if (crash.node == from && from != to && crash.tick <= tick) return Fate::kSenderCrashed;
    }
    for (const Crash& crash : faults.of<Crash>()) {
      const bool stops = run_.scenario.program.crash_model == CrashModel::kStop;
      if (stops && crash.node == to && crash.tick <= tick + 1) return Fate::kReceiverStopped;
    }
    return faults.contains(Omission{from, to, tick}) ? Fate::kOmitted : Fate::kDelivered;
  }

  Run run_;
};

}  // namespace clew::report
