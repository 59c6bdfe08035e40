#include "explore/promises.h"

#include <algorithm>

#include "microspec/microspec.h"

namespace clew::explore {

namespace {

constexpr const char* kUp = "up";

// What the states tell, with the number of columns.
dedalus::GivenRelations given_by(const Cluster& cluster) {
  dedalus::GivenRelations given{{kUp, 1}};
  for (size_t i = 0; i < cluster.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    const std::unique_ptr<node::AnyNode> made = cluster.make(id);
    for (const node::AnyField* field : made->fields()) {
      if (field->told_columns() == 0) continue;
      const auto columns = static_cast<uint32_t>(field->told_columns() + 1);
      const auto [at, is_new] = given.emplace(field->name(), columns);
      if (is_new || at->second == columns) continue;
      throw Mistake(fmt::format("the field {} of {} tells {} columns, of another node {}",
                                field->name(), cluster.names().name(id), columns, at->second));
    }
  }
  return given;
}

Fact as_fact(const std::string& relation, const node::Row& row) {
  Fact fact{relation, {}};
  for (const node::Column& column : row) {
    std::visit([&](const auto& value) { fact.values.emplace_back(value); }, column);
  }
  return fact;
}

std::vector<Fact> facts_of(const Cluster& cluster, const States& states) {
  std::vector<Fact> facts;
  for (size_t i = 0; i < cluster.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    if (!states.up(id)) continue;
    node::Row row{cluster.names().name(id)};
    facts.push_back(as_fact(kUp, row));
    for (const node::AnyField* field : states.any(id).fields()) {
      if (field->told_columns() == 0) continue;
      field->tell(cluster.names(), row,
                  [&](const node::Row& told) { facts.push_back(as_fact(field->name(), told)); });
    }
  }
  std::ranges::sort(facts);
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

void refuse_history(const microspec::MicroSpec& spec, const SourceSet& sources) {
  Diagnostics diagnostics;
  for (const dedalus::Clause& rule : spec.program().rules) {
    if (rule.head.time.kind != dedalus::TimeSuffix::Kind::kNext) continue;
    diagnostics.error("history", rule.head.time.span,
                      "a state has no next one: promises are judged state by state",
                      "keep what is needed of the past in a Field of the node");
  }
  if (diagnostics.has_errors()) throw Mistake(diagnostics.render(sources));
}

}  // namespace

struct Promises::Judging {
  explicit Judging(const microspec::MicroSpec& spec) : judge(spec) {}

  std::vector<NodeName> nodes{};
  microspec::Judge judge;
  std::vector<Applied> applied{};

  bool holds(const Cluster& cluster, size_t which, const States& states) {
    Run run;
    run.scenario.nodes = nodes;
    run.scenario.program.eot = 1;
    run.facts.push_back(facts_of(cluster, states));
    const Status judged = judge.judge(run, Detail::kVerdict);
    if (!judged.ok()) throw Mistake(judged.error().message);
    const Outcome& outcome = run.outcomes[which];
    if (outcome.kind != Outcome::Kind::kVacuous) ++applied[which].states;
    return outcome.kind != Outcome::Kind::kViolated;
  }
};

Promises::Promises(Cluster& cluster, const std::vector<std::string>& paths) {
  SourceSet sources;
  Diagnostics diagnostics;
  const auto spec = microspec::load_microspec(paths, given_by(cluster), sources, diagnostics);
  if (!spec) {
    diagnostics.sort();
    throw Mistake(diagnostics.render(sources));
  }
  refuse_history(*spec, sources);
  diagnostics.sort();
  if (!diagnostics.all().empty()) warnings_ = diagnostics.render(sources);
  judging_ = std::make_unique<Judging>(*spec);
  for (size_t i = 0; i < cluster.size(); ++i) {
    judging_->nodes.push_back(cluster.names().name(Id{static_cast<uint8_t>(i)}));
  }
  std::ranges::sort(judging_->nodes);
  // The cluster may be copied before it is explored, so what nodes there are is kept by value.
  const auto described = std::make_shared<const Cluster>(cluster);
  for (const auto& one : spec->specs()) {
    const size_t which = judging_->applied.size();
    judging_->applied.push_back({one->name(), 0});
    const auto holds = [judging = judging_.get(), described, which](const States& states) {
      return judging->holds(*described, which, states);
    };
    if (one->every_tick()) {
      cluster.always(one->name(), holds, Cluster::Where());
    } else {
      cluster.finally(one->name(), holds, Cluster::Where());
    }
  }
}

Promises::~Promises() = default;

const std::vector<Promises::Applied>& Promises::applied() const { return judging_->applied; }

void Promises::set_applied(const std::vector<size_t>& states) {
  CHECK(states.size() == judging_->applied.size(), "{} promises", states.size());
  for (size_t i = 0; i < states.size(); ++i) judging_->applied[i].states = states[i];
}

}  // namespace clew::explore
