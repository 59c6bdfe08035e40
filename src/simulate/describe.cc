#include "simulate/describe.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/check.h"
#include "domain/delivery.h"
#include "microspec/firings.h"
#include "microspec/specs.h"

namespace clew::simulate {

using datalog::RelationId;
using datalog::Row;
using datalog::Value;

namespace {

class Describer {
 public:
  Describer(const Simulator& simulator, const Scenario& scenario)
      : simulator_(simulator),
        engine_(simulator.engine()),
        frames_(simulator.frames()),
        watch_(simulator.stop()) {
    run_.scenario = scenario;
  }

  Run run() {
    for (Tick tick = 1; tick <= simulator_.eot(); ++tick) {
      add_facts(tick);
      sent_.clear();
      for (const dedalus::Outbox& outbox : simulator_.lowered().outboxes) add_sends(outbox, tick);
      for (const dedalus::AggregateSend& send : simulator_.lowered().aggregate_sends) {
        add_aggregates(send, tick);
      }
    }
    run_.stray.assign(stray_.begin(), stray_.end());
    run_.trace = trace_of(run_);
    judge(microspec::specs_of(simulator_.program()), run_);
    return std::move(run_);
  }

 private:
  void add_facts(Tick tick) {
    std::vector<Fact>& facts = run_.facts.emplace_back();
    const dedalus::Program& program = simulator_.program();
    for (RelationId id = 1; id < program.relations.size(); ++id) {
      const Frames::Rows rows = frames_.rows_at(id, tick);
      watch_.look(kWork * (rows.end - rows.begin));
      for (Row row = rows.begin; row < rows.end; ++row) {
        facts.push_back(frames_.fact(id, row));
      }
    }
    add_crashes(tick, facts);
    std::ranges::sort(facts);
  }

  void add_crashes(Tick tick, std::vector<Fact>& facts) const {
    const Scenario& scenario = run_.scenario;
    for (const Crash& crash : scenario.faults.of<Crash>()) {
      for (const NodeName& observer : scenario.nodes) {
        if (has_stopped(scenario, observer, tick)) continue;
        facts.push_back({dedalus::kCrash, {observer, crash.node, int64_t{crash.tick}}});
      }
    }
  }

  // The message's two ends, or nothing if it has no node to go to.
  bool find_ends(Value from, Value to, Message& message) {
    std::optional<size_t> sender = simulator_.node_number(from);
    std::optional<size_t> receiver = simulator_.node_number(to);
    if (!receiver) stray_.insert(engine_.values().print(to));
    if (!sender || !receiver) return false;
    message.from = engine_.values().text(from);
    message.to = engine_.values().text(to);
    message.fate = simulator_.fate(*sender, *receiver, message.sent_at);
    return true;
  }

  void add_sends(const dedalus::Outbox& outbox, Tick tick) {
    const datalog::Relation& sent = engine_.relation(outbox.outbox);
    const Frames::Rows rows = frames_.rows_at(outbox.outbox, tick);
    for (Row row = rows.begin; row < rows.end; ++row) {
      watch_.look(kWork);
      Message message;
      message.sent_at = tick;
      if (!find_ends(sent.tuple(row)[0], sent.tuple(row)[1], message)) continue;
      message.fact = frames_.fact(outbox.outbox, row, 1);
      message.fact.relation = name(outbox.target);
      add_message(std::move(message));
    }
  }

  // What two rules send alike is one message.
  void add_message(Message message) {
    if (!sent_.insert({message.from, message.to, message.fact}).second) return;
    run_.messages.push_back(std::move(message));
  }

  const std::string& name(RelationId id) const { return engine_.rules().relations[id].name; }

  // An aggregate that is sent: every sender of a binding sends a message. What arrives is the fold
  // of all that arrives; what is lost is the fold of the sender's own bindings.
  void add_aggregates(const dedalus::AggregateSend& send, Tick tick) {
    const datalog::Relation& bindings = engine_.relation(send.bindings);
    const Frames::Rows rows = frames_.rows_at(send.bindings, tick);
    std::map<std::vector<uint32_t>, std::vector<Row>> parts;  // by sender and group
    std::vector<std::vector<uint32_t>> order;
    for (Row row = rows.begin; row < rows.end; ++row) {
      const std::vector<uint32_t> key = group_key(send, bindings.tuple(row));
      auto [at, is_new] = parts.try_emplace(key);
      if (is_new) order.push_back(key);
      at->second.push_back(row);
    }
    for (const std::vector<uint32_t>& key : order) add_aggregate(send, tick, parts[key]);
  }

  static std::vector<uint32_t> group_key(const dedalus::AggregateSend& send, const Value* tuple) {
    std::vector<uint32_t> key{tuple[0].bits};
    for (size_t i = 0; i < send.folds.size(); ++i) {
      if (send.folds[i] == datalog::Fold::kGroup) key.push_back(tuple[i + 1].bits);
    }
    return key;
  }

  void add_aggregate(const dedalus::AggregateSend& send, Tick tick, const std::vector<Row>& part) {
    const Value* first = engine_.relation(send.bindings).tuple(part[0]);
    Message message;
    message.sent_at = tick;
    if (!find_ends(first[0], first[1], message)) return;
    message.fact = message.lost() ? fold_part(send, part) : find_result(send, tick, first);
    message.fact.relation = name(send.target);
    add_message(std::move(message));
  }

  Fact find_result(const dedalus::AggregateSend& send, Tick tick, const Value* binding) {
    const Frames::Rows rows = frames_.rows_at(send.result, tick);
    watch_.look(rows.end - rows.begin);
    for (Row row = rows.begin; row < rows.end; ++row) {
      const Value* tuple = engine_.relation(send.result).tuple(row);
      bool same_group = true;
      for (size_t i = 0; i < send.folds.size(); ++i) {
        same_group &= send.folds[i] != datalog::Fold::kGroup || tuple[i] == binding[i + 1];
      }
      if (same_group) return frames_.fact(send.result, row);
    }
    CHECK(false, "a delivered aggregate has no result");
    return {};
  }

  Fact fold_part(const dedalus::AggregateSend& send, const std::vector<Row>& part) const {
    Fact fact;
    for (size_t i = 0; i < send.folds.size(); ++i) {
      std::vector<Datum> column;
      for (const Row row : part) {
        const Value value = engine_.relation(send.bindings).tuple(row)[i + 1];
        column.push_back(frames_.datum(value));
      }
      fact.values.push_back(fold_column(send.folds[i], column));
    }
    return fact;
  }

  static Datum fold_column(datalog::Fold fold, const std::vector<Datum>& column) {
    switch (fold) {
      case datalog::Fold::kGroup:
        return column[0];
      case datalog::Fold::kCount:
        return static_cast<int64_t>(column.size());
      case datalog::Fold::kMin:
        return *std::ranges::min_element(column);
      case datalog::Fold::kMax:
        return *std::ranges::max_element(column);
      case datalog::Fold::kSum:
        break;
    }
    // Nobody receives this sum, so it cannot fail the run: it is shown modulo 2^64.
    uint64_t sum = 0;
    for (const Datum& datum : column) {
      if (const auto* number = std::get_if<int64_t>(&datum)) sum += static_cast<uint64_t>(*number);
    }
    return static_cast<int64_t>(sum);
  }

  static constexpr size_t kWork = 10;  // for one fact

  const Simulator& simulator_;
  const datalog::Engine& engine_;
  Frames frames_;
  Watch watch_;
  Run run_;
  std::set<std::string> stray_;
  std::set<std::tuple<NodeName, NodeName, Fact>> sent_;  // at the tick at hand
};

}  // namespace

Run describe(const Simulator& simulator, const Scenario& scenario) {
  return Describer(simulator, scenario).run();
}

void add_firings(Simulator& simulator, std::shared_ptr<const RuleTable> rules, Run& run) {
  CHECK(rules->size() == simulator.program().rules.size(), "a table of another program's rules");
  const auto arrives = [&simulator](Value from, Value to, Tick sent_at) {
    const std::optional<size_t> sender = simulator.node_number(from);
    const std::optional<size_t> receiver = simulator.node_number(to);
    return sender && receiver &&
           simulator.fate(*sender, *receiver, sent_at) == Message::Fate::kDelivered;
  };
  run.firings = microspec::describe_firings(simulator.frames(), simulator.engine(), arrives,
                                            simulator.stop());
  run.rules = std::move(rules);
}

}  // namespace clew::simulate
