#include "twin/naive_simulator.h"

#include <algorithm>
#include <map>

#include "dedalus/print.h"

namespace clew::twin {
namespace {

using dedalus::Clause;
using dedalus::Literal;
using dedalus::Term;
using dedalus::TimeSuffix;

using Fate = Message::Fate;

// A relation's stratum is above that of everything it negates or aggregates, and not below that of
// anything else it depends on within the tick. Raised until nothing changes; the program is
// stratified, so that ends.
std::map<std::string, int> strata_of(const std::vector<Clause>& rules) {
  std::map<std::string, int> strata;
  bool changed = true;
  while (changed) {
    changed = false;
    for (const Clause& rule : rules) {
      if (rule.head.time.kind != TimeSuffix::Kind::kNone) continue;
      int& stratum = strata[rule.head.relation];
      for (const Literal& literal : rule.body) {
        if (literal.kind == Literal::Kind::kCondition) continue;
        const bool strict = literal.kind == Literal::Kind::kNegative || has_aggregate(rule);
        const int least = strata[literal.atom.relation] + (strict ? 1 : 0);
        changed = changed || stratum < least;
        stratum = std::max(stratum, least);
      }
    }
  }
  return strata;
}

Tuple constants_of(const Clause& fact) {
  Tuple tuple;
  for (const Term& arg : fact.head.args) {
    if (arg.kind == Term::Kind::kString) {
      tuple.emplace_back(arg.text);
    } else {
      tuple.emplace_back(arg.integer);
    }
  }
  return tuple;
}

class NaiveSimulator {
 public:
  NaiveSimulator(const dedalus::Program& program, const Scenario& scenario,
                 const NaiveOptions& options)
      : program_(program),
        scenario_(scenario),
        firings_(options.firings),
        trace_(options.trace),
        strata_(strata_of(program.rules)) {
    world_.steps_left = options.most_steps;
    world_.grounds = options.firings;
    world_.watch = Watch(options.stop);
    for (const Clause& rule : program.rules) {
      for (const Literal& literal : rule.body) {
        if (literal.atom.time.kind == TimeSuffix::Kind::kAt) read_.insert(literal.atom.time.tick);
      }
    }
  }

  NaiveRun run() {
    Facts arriving;
    for (Tick tick = 1; tick <= scenario_.program.eot && !run_.failed_at; ++tick) {
      begin(tick, arriving);
      deduce();
      arriving = induce();
      tick == scenario_.program.eot ? send_in_vain() : send(arriving);
      end();
    }
    if (!run_.failed_at) judge();
    return run_;
  }

 private:
  // ---- Faults ----

  bool crashed(const NodeName& node, Tick tick) const {
    return std::ranges::any_of(scenario_.faults.of<Crash>(), [&](const Crash& crash) {
      return crash.node == node && crash.tick <= tick;
    });
  }

  bool stopped(const NodeName& node, Tick tick) const {
    return scenario_.program.crash_model == CrashModel::kStop && crashed(node, tick);
  }

  bool is_node(const NodeName& name) const {
    return std::ranges::find(scenario_.nodes, name) != scenario_.nodes.end();
  }

  // What becomes of a message that is sent now.
  Fate fate_of(const NodeName& from, const NodeName& to) const {
    const Tick now = world_.tick;
    if (now == scenario_.program.eot) return Fate::kAfterEnd;
    if (std::ranges::find(scenario_.faults, Fault(Omission{from, to, now})) !=
        scenario_.faults.end()) {
      return Fate::kOmitted;
    }
    if (from != to && crashed(from, now)) return Fate::kSenderCrashed;
    if (stopped(to, now + 1)) return Fate::kReceiverStopped;
    return Fate::kDelivered;
  }

  // ---- One tick ----

  // Nothing exists at a node that has stopped.
  bool may_exist(const Tuple& tuple, Tick tick) const {
    if (tuple.empty()) return true;
    const auto* location = std::get_if<std::string>(&tuple[0]);
    return location == nullptr || !stopped(*location, tick);
  }

  // Whether the fact is new at the current tick.
  bool add(const std::string& relation, const Tuple& tuple) {
    const bool exists = program_.find(relation)->placeless || may_exist(tuple, world_.tick);
    return exists && world_.history.back()[relation].insert(tuple);
  }

  void begin(Tick tick, const Facts& arriving) {
    // Only the past that some rule reads is kept.
    if (tick > 1 && !read_.contains(tick - 1)) world_.history.back().clear();
    world_.tick = tick;
    world_.history.emplace_back();
    world_.alive.clear();
    for (const NodeName& node : scenario_.nodes) {
      if (stopped(node, tick)) world_.stopped.insert(node);
      if (stopped(node, tick + 1)) world_.stopped_later.insert(node);
      if (stopped(node, tick)) continue;
      world_.alive.insert(node);
      for (const Crash& crash : scenario_.faults.of<Crash>()) {
        add(dedalus::kCrash, {node, crash.node, static_cast<int64_t>(crash.tick)});
      }
    }
    for (const Clause& fact : program_.facts) {
      if (fact.head.time.tick == tick) add(fact.head.relation, constants_of(fact));
    }
    for (const auto& [relation, extent] : arriving) {
      for (const Tuple& tuple : extent.all()) add(relation, tuple);
    }
  }

  // Deductive rules, stratum by stratum, until nothing new comes.
  void deduce() {
    int highest = 0;
    for (const auto& [relation, stratum] : strata_) highest = std::max(highest, stratum);
    for (int stratum = 0; stratum <= highest; ++stratum) {
      while (deduce_once(stratum)) {
      }
    }
    for (const Clause& rule : program_.rules) {
      if (!firings_) break;
      if (rule.head.time.kind == TimeSuffix::Kind::kNone) record(rule, world_.tick, derive(rule));
    }
  }

  Tuples derive(const Clause& rule) {
    return head_tuples(rule, rows_of(rule, world_), &world_.failures);
  }

  void record(const Clause& rule, Tick tick, const Tuples& tuples) {
    if (!firings_) return;
    const std::string text = print(rule);
    for (const auto& [tuple, grounds] : tuples) {
      const bool exists = rule.placeless || may_exist(tuple, tick);
      if (!exists || tick > scenario_.program.eot) continue;
      for (const Ground& ground : grounds) {
        run_.firings.insert({text, tick, {rule.head.relation, tuple}, ground});
      }
    }
  }

  bool deduce_once(int stratum) {
    bool changed = false;
    for (const Clause& rule : program_.rules) {
      if (rule.head.time.kind != TimeSuffix::Kind::kNone) continue;
      if (strata_.at(rule.head.relation) != stratum) continue;
      for (const auto& [tuple, grounds] : derive(rule)) {
        changed = add(rule.head.relation, tuple) || changed;
      }
    }
    return changed;
  }

  // What `@next` rules put at the next tick; at the last tick there is none, and they rest.
  Facts induce() {
    Facts next;
    if (world_.tick == scenario_.program.eot) return next;
    for (const Clause& rule : program_.rules) {
      if (rule.head.time.kind != TimeSuffix::Kind::kNext) continue;
      const Tuples tuples = derive(rule);
      record(rule, world_.tick + 1, tuples);
      for (const auto& [tuple, grounds] : tuples) next[rule.head.relation].insert(tuple);
    }
    return next;
  }

  // ---- Messages ----

  struct Envelope {
    NodeName from;
    NodeName to;

    friend auto operator<=>(const Envelope&, const Envelope&) = default;
  };

  // Where a row's message goes. A rule located anywhere sends from the destination itself.
  std::optional<Envelope> envelope_of(const Row& row) const {
    const auto* to = std::get_if<std::string>(&row.columns[0]);
    if (to == nullptr || !is_node(*to)) return std::nullopt;
    return Envelope{row.location.value_or(*to), *to};
  }

  // What `@async` rules put at the next tick.
  void send(Facts& arriving) {
    std::map<Envelope, std::set<Fact>> sent;
    for (const Clause& rule : program_.rules) {
      if (rule.head.time.kind != TimeSuffix::Kind::kAsync) continue;
      const std::map<Envelope, Rows> rows = rows_by_envelope(rule);
      const Tuples heard = head_tuples(rule, rows_that_arrive(rows), &world_.failures);
      record(rule, world_.tick + 1, heard);
      for (const auto& [tuple, grounds] : heard) arriving[rule.head.relation].insert(tuple);
      if (trace_) add_sent(rule, rows, heard, sent);
    }
    for (const auto& [envelope, facts] : sent) {
      for (const Fact& fact : facts) {
        const auto& [from, to] = envelope;
        run_.messages.push_back({from, to, world_.tick, fact, fate_of(from, to)});
      }
    }
  }

  // What each sender says: what the receiver hears of the groups that its rows belong to, or, if it
  // is lost, its own part.
  void add_sent(const Clause& rule, const std::map<Envelope, Rows>& rows, const Tuples& heard,
                std::map<Envelope, std::set<Fact>>& sent) const {
    std::map<Tuple, Tuple> by_group;
    for (const auto& [tuple, grounds] : heard) by_group[group_key(rule, tuple)] = tuple;
    for (const auto& [envelope, own] : rows) {
      std::set<Fact>& facts = sent[envelope];
      if (is_lost(envelope)) {
        for (const auto& [tuple, grounds] : head_tuples(rule, own, nullptr)) {
          facts.insert({rule.head.relation, tuple});
        }
        continue;
      }
      for (const auto& [row, grounds] : own) {
        const auto said = by_group.find(group_key(rule, row.columns));
        if (said != by_group.end()) facts.insert({rule.head.relation, said->second});
      }
    }
  }

  // What is sent at the last tick arrives nowhere. It is shown; if some of it cannot be calculated,
  // that is no failure, and nothing is shown.
  void send_in_vain() {
    const auto failures = world_.failures;
    const auto stray = run_.stray;
    Facts nowhere;
    send(nowhere);
    if (world_.failures == failures) return;
    world_.failures = failures;
    run_.stray = stray;
    run_.in_vain = true;
    std::erase_if(run_.messages,
                  [&](const Message& message) { return message.sent_at == world_.tick; });
  }

  bool is_lost(const Envelope& envelope) const {
    const Fate fate = fate_of(envelope.from, envelope.to);
    return fate != Fate::kDelivered && fate != Fate::kAfterEnd;
  }

  // The rows whose destination is a node.
  std::map<Envelope, Rows> rows_by_envelope(const Clause& rule) {
    std::map<Envelope, Rows> result;
    for (const auto& [row, grounds] : rows_of(rule, world_)) {
      const std::optional<Envelope> envelope = envelope_of(row);
      if (envelope) {
        result[*envelope][row] = grounds;
      } else {
        run_.stray.insert(to_string(row.columns[0]));
      }
    }
    return result;
  }

  // A message that is lost counts for nothing.
  Rows rows_that_arrive(const std::map<Envelope, Rows>& rows) const {
    Rows result;
    for (const auto& [envelope, own] : rows) {
      if (!is_lost(envelope)) result.insert(own.begin(), own.end());
    }
    return result;
  }

  // ---- The end of a tick, and of the run ----

  void end() {
    if (!world_.failures.empty()) {
      run_.failed_at = world_.tick;
      run_.failures = world_.failures;
      std::erase_if(run_.messages,
                    [&](const Message& message) { return message.sent_at == world_.tick; });
      return;
    }
    look_at_promises();
    if (!trace_) return;
    std::set<Fact>& facts = run_.facts.emplace_back();
    for (const auto& [relation, extent] : world_.history.back()) {
      for (const Tuple& tuple : extent.all()) facts.insert({relation, tuple});
    }
  }

  // A tuple in `pre` at the last tick, or at any, must be in `post`.
  void look_at_promises() {
    goals_.resize(program_.promises.size());
    for (size_t i = 0; i < goals_.size(); ++i) {
      const dedalus::PromiseInfo& promise = program_.promises[i];
      if (!promise.every_tick && world_.tick != scenario_.program.eot) continue;
      Facts& facts = world_.history.back();
      for (const Tuple& tuple : facts[promise.pre].all()) {
        const bool kept = facts[promise.post].contains(tuple);
        const auto known = goals_[i].find(tuple);
        if (known == goals_[i].end() || (known->second.post && !kept)) {
          goals_[i][tuple] = {{promise.pre, tuple}, kept, world_.tick};
        }
      }
    }
  }

  void judge() {
    for (size_t i = 0; i < program_.promises.size(); ++i) {
      const dedalus::PromiseInfo& promise = program_.promises[i];
      Outcome& outcome = run_.outcomes.emplace_back();
      outcome.spec = promise.name;
      outcome.pre = promise.pre;
      outcome.post = promise.post;
      outcome.every_tick = promise.every_tick;
      outcome.defines_pre = promise.defines_pre;
      outcome.kind = goals_[i].empty() ? Outcome::Kind::kVacuous : Outcome::Kind::kHolds;
      for (const auto& [tuple, goal] : goals_[i]) {
        if (!goal.post) outcome.kind = Outcome::Kind::kViolated;
        outcome.goals.push_back(goal);
      }
    }
  }

  const dedalus::Program& program_;
  const Scenario& scenario_;
  const bool firings_;
  const bool trace_;
  const std::map<std::string, int> strata_;
  std::set<int64_t> read_;  // ticks that some rule asks about for good
  World world_;
  std::vector<std::map<Tuple, Outcome::Goal>> goals_;  // by promise
  NaiveRun run_;
};

}  // namespace

NaiveRun naive_run(const dedalus::Program& program, const Scenario& scenario,
                   const NaiveOptions& options) {
  try {
    return NaiveSimulator(program, scenario, options).run();
  } catch (const GaveUp&) {
    NaiveRun run;
    run.gave_up = true;
    return run;
  }
}

}  // namespace clew::twin
