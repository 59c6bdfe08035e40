#include "check/judged.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_text.h"
#include "report/judgement.h"
#include "report/why.h"

namespace clew::check {

namespace {

using nlohmann::ordered_json;

Broken explain_outcome(const microspec::MicroSpec& spec, const SourceSet& sources,
                       const lineage::Graph& graph, const Outcome& outcome) {
  const auto goal = std::ranges::find(outcome.goals, false, &Outcome::Goal::post);
  const Fact kept = outcome.kept(*goal);
  Pattern pattern{kept.relation, {}};
  for (const Datum& value : kept.values) pattern.columns.emplace_back(value);
  lineage::Why why = lineage::WhyTeller(graph).tell(graph.find(goal->pre, goal->tick));
  return {outcome.spec, *goal, std::move(why),
          explain::why_not(spec.program(), sources, graph, pattern, goal->tick)};
}

ordered_json json_fact(const Fact& fact) {
  ordered_json values = ordered_json::array();
  for (const Datum& datum : fact.values) {
    std::visit([&](const auto& value) { values.push_back(value); }, datum);
  }
  return {{"relation", fact.relation}, {"values", std::move(values)}};
}

ordered_json json_outcome(const Judged& judged, const Outcome& outcome) {
  ordered_json goals = ordered_json::array();
  for (const Outcome::Goal& goal : outcome.goals) {
    goals.push_back({{"pre", json_fact(goal.pre)}, {"post", goal.post}, {"tick", goal.tick}});
  }
  ordered_json promise = {
      {"promise", outcome.spec}, {"kind", to_string(outcome.kind)}, {"goals", std::move(goals)}};
  const auto broken = std::ranges::find(judged.broken, outcome.spec, &Broken::promise);
  if (broken != judged.broken.end()) {
    promise["why"] = report::json_why(broken->pre);
    promise["why_not"] = report::json_why_not(broken->post);
  }
  return promise;
}

std::string tell(const Broken& broken) {
  report::Answer answer;
  answer.why.push_back(broken.pre);
  answer.why_not.push_back(broken.post);
  return fmt::format("\nWhy {} is violated at tick {}:\n{}", broken.promise, broken.goal.tick,
                     report::to_text(answer));
}

}  // namespace

Result<Judged> judge_recorded(const microspec::MicroSpec& spec, const SourceSet& sources,
                              microspec::Recorded recorded, const std::vector<std::string>& names,
                              const Stop& stop) {
  Judged judged;
  for (const std::vector<Fact>& facts : recorded.facts) judged.facts += facts.size();
  judged.run = to_run(std::move(recorded));
  microspec::Judge judge(spec, stop);
  if (const Status done = judge.judge(judged.run, Detail::kLineage); !done.ok()) {
    return done.error();
  }
  std::erase_if(judged.run.outcomes, [&](const Outcome& outcome) {
    return std::ranges::find(names, outcome.spec) == names.end();
  });
  judged.broken = explain_broken(spec, sources, judged.run);
  return judged;
}

std::vector<Broken> explain_broken(const microspec::MicroSpec& spec, const SourceSet& sources,
                                   const Run& run) {
  if (run.outcome().kind != Outcome::Kind::kViolated) return {};
  const lineage::Graph graph(run, &spec.program());
  std::vector<Broken> broken;
  for (const Outcome& outcome : run.outcomes) {
    if (outcome.kind != Outcome::Kind::kViolated) continue;
    broken.push_back(explain_outcome(spec, sources, graph, outcome));
  }
  return broken;
}

std::vector<std::string> vacuous_promises(const Judged& judged) {
  std::vector<std::string> names;
  for (const Outcome& outcome : judged.run.outcomes) {
    if (outcome.kind == Outcome::Kind::kVacuous) names.push_back(outcome.spec);
  }
  return names;
}

std::string to_text(const Judged& judged) {
  std::string text = fmt::format("{} at ticks 1 to {}\n\n{}", count_noun(judged.facts, "fact"),
                                 judged.run.scenario.program.eot,
                                 report::judgement(judged.run, /*recorded=*/true));
  for (const Broken& broken : judged.broken) text += tell(broken);
  return text;
}

std::string to_json(const Judged& judged) {
  ordered_json promises = ordered_json::array();
  for (const Outcome& outcome : judged.run.outcomes) {
    promises.push_back(json_outcome(judged, outcome));
  }
  const ordered_json result = {{"clew", "judge"},
                               {"version", 1},
                               {"ticks", judged.run.scenario.program.eot},
                               {"facts", judged.facts},
                               {"outcome", to_string(judged.run.outcome().kind)},
                               {"promises", std::move(promises)}};
  return report::json_text(result, 2) + "\n";
}

}  // namespace clew::check
