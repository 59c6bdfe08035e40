#include "report/molly.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/watched.h"
#include "report/json_text.h"

namespace clew::report {

namespace {

using nlohmann::ordered_json;

constexpr const char* kWildcard = "__WILDCARD__";

std::string cell(const Datum& value) {
  const auto* integer = std::get_if<int64_t>(&value);
  return integer != nullptr ? std::to_string(*integer) : std::get<std::string>(value);
}

// A column as a Provenance prints it.
std::string cell(const std::string& column) {
  if (column == "_") return kWildcard;
  return column.starts_with('"') ? column.substr(1, column.size() - 2) : column;
}

ordered_json failure_spec(const Run& run, const FaultModel& model) {
  ordered_json crashes = ordered_json::array();
  for (const Crash& crash : run.scenario.faults.of<Crash>()) {
    crashes.push_back({{"node", crash.node}, {"time", crash.tick}});
  }
  ordered_json omissions = ordered_json::array();
  for (const Omission& omission : run.scenario.faults.of<Omission>()) {
    omissions.push_back({{"from", omission.from}, {"to", omission.to}, {"time", omission.tick}});
  }
  return {{"eot", model.eot},     {"eff", model.eff},   {"maxCrashes", model.crashes},
          {"nodes", model.nodes}, {"crashes", crashes}, {"omissions", omissions}};
}

ordered_json tables(const Run& run) {
  std::map<std::string, ordered_json> rows = {{"post", ordered_json::array()},
                                              {"pre", ordered_json::array()}};
  for (size_t i = 0; i < run.facts.size(); ++i) {
    for (const Fact& fact : run.facts[i]) {
      look(1 + fact.values.size());
      ordered_json row = ordered_json::array();
      for (const Datum& value : fact.values) row.push_back(cell(value));
      row.push_back(std::to_string(i + 1));
      rows.try_emplace(fact.relation, ordered_json::array())
          .first->second.push_back(std::move(row));
    }
  }
  // Molly's tools look for what is promised under its own names.
  const Outcome& outcome = run.outcome();
  for (const auto& [own, name] : {std::pair("pre", outcome.pre), std::pair("post", outcome.post)}) {
    if (const auto found = rows.find(name); found != rows.end()) rows[own] = found->second;
  }
  return rows;
}

ordered_json messages(const Run& run) {
  ordered_json all = ordered_json::array();
  for (const Message& message : run.messages) {
    look();
    all.push_back({{"table", message.fact.relation},
                   {"from", message.from},
                   {"to", message.to},
                   {"sendTime", message.sent_at},
                   {"receiveTime", message.lost() ? kMollyNever : message.sent_at + 1}});
  }
  return all;
}

std::string goal_label(const Provenance::Goal& goal) {
  std::string text = (goal.absent ? "NOT!" : "") + goal.relation + '(';
  for (const std::string& column : goal.columns) text += cell(column) + ", ";
  return fmt::format("{}{})", text, goal.tick);
}

const char* type_of(Provenance::Kind kind) {
  switch (kind) {
    case Provenance::Kind::kNext:
      return "next";
    case Provenance::Kind::kAsync:
      return "async";
    default:
      return "single";
  }
}

// Molly numbers the rules of a relation; the line of the rule does not change from run to run.
std::string rule_label(const Provenance::Rule& rule, const std::string& relation) {
  const size_t colon = rule.where.rfind(':');
  return fmt::format("{}_prov{}", relation,
                     colon == std::string::npos ? "0" : rule.where.substr(colon + 1));
}

ordered_json goal_entry(size_t id, const std::string& label, const std::string& table, Tick tick) {
  return {{"id", fmt::format("goal{}", id)},
          {"label", label},
          {"table", table},
          {"time", std::to_string(tick)}};
}

class ProvenanceWriter {
 public:
  explicit ProvenanceWriter(const Provenance& provenance) : all_(provenance) {}

  std::string write() {
    for (size_t i = 0; i < all_.goals.size(); ++i) {
      look();
      const Provenance::Goal& goal = all_.goals[i];
      goals_.push_back(goal_entry(i, goal_label(goal), goal.relation, goal.tick));
      for (const size_t rule : goal.rules) add_edge("goal", i, "rule", rule);
    }
    for (size_t i = 0; i < all_.rules.size(); ++i) add_rule(i);
    return json_text({{"goals", goals_}, {"rules", rules_}, {"edges", edges_}}, 2) + "\n";
  }

 private:
  void add_rule(size_t id) {
    const Provenance::Rule& rule = all_.rules[id];
    const Provenance::Goal& head = all_.goals[rule.head];
    rules_.push_back({{"id", fmt::format("rule{}", id)},
                      {"label", rule_label(rule, head.relation)},
                      {"table", head.relation},
                      {"type", type_of(rule.kind)}});
    for (const size_t goal : rule.goals) add_edge("rule", id, "goal", goal);
    for (const NodeName& from : rule.from) {
      add_edge("rule", id, "goal", clock(from, rule.to, head.tick - 1));
    }
  }

  // That a message arrived is a goal as well.
  size_t clock(const NodeName& from, const NodeName& to, Tick sent_at) {
    const std::string label = fmt::format("clock({}, {}, {}, {})", from, to, sent_at, sent_at + 1);
    const auto [at, is_new] = clocks_.try_emplace(label, goals_.size());
    if (is_new) goals_.push_back(goal_entry(at->second, label, "clock", sent_at));
    return at->second;
  }

  void add_edge(const char* from_kind, size_t from, const char* to_kind, size_t to) {
    look();
    edges_.push_back(
        {{"from", fmt::format("{}{}", from_kind, from)}, {"to", fmt::format("{}{}", to_kind, to)}});
  }

  const Provenance& all_;
  ordered_json goals_ = ordered_json::array();
  ordered_json rules_ = ordered_json::array();
  ordered_json edges_ = ordered_json::array();
  std::map<std::string, size_t> clocks_;
};

}  // namespace

std::string molly_run(const Run& run, const FaultModel& model, size_t iteration) {
  const bool failed = run.outcome().kind == Outcome::Kind::kViolated;
  return json_text({{"iteration", iteration},
                    {"status", failed ? "failure" : "success"},
                    {"failureSpec", failure_spec(run, model)},
                    {"model", {{"tables", tables(run)}}},
                    {"messages", messages(run)}},
                   1);
}

std::string molly_provenance(const Provenance& provenance) {
  return ProvenanceWriter(provenance).write();
}

}  // namespace clew::report
