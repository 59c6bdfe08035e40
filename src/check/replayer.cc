#include "check/replayer.h"

#include <algorithm>
#include <utility>

#include "check/budget.h"
#include "explain/explain.h"
#include "simulate/describe.h"
#include "simulate/rule_table.h"

namespace clew::check {

namespace {

// Facts of a run that is explained: firings take far more memory.
constexpr size_t kMostExplained = 300'000;

bool is_large(const Run& run) {
  size_t facts = 0;
  for (const std::vector<Fact>& tick : run.facts) facts += tick.size();
  return facts > kMostExplained;
}

explain::Explanation too_large(const Run& bad) {
  explain::Explanation explanation;
  const auto violated = std::ranges::find(bad.outcome().goals, false, &Outcome::Goal::post);
  if (violated != bad.outcome().goals.end()) explanation.goal = violated->pre;
  explanation.summary = {"The run is too large to be explained as a whole; ask clew explain."};
  return explanation;
}

}  // namespace

Replayer::Replayer(const ProgramInput& input,
                   std::shared_ptr<const dedalus::LoweredProgram> program)
    : input_(input),
      simulator_(std::move(program), {}),
      rules_(simulate::make_rule_table(input.program, input.sources)) {}

Replayer::Replayer(const ProgramInput& input, const std::vector<NodeName>& nodes, CrashModel model)
    : input_(input),
      simulator_(input.program, nodes, model, {}),
      rules_(simulate::make_rule_table(input.program, input.sources)) {}

std::optional<Run> Replayer::run_without_firings(const Scenario& scenario) {
  error_ = simulator_.run(scenario.program.eot, scenario.faults);
  if (error_) return std::nullopt;
  return simulate::describe(simulator_, scenario);
}

std::optional<Run> Replayer::run(const Scenario& scenario) {
  std::optional<Run> run = run_without_firings(scenario);
  if (run) add_firings(simulator_, rules_, *run);
  return run;
}

explain::Explanation Replayer::explain(const Run& bad) {
  auto replay = [&](const FaultSet& faults) {
    Scenario scenario = bad.scenario;
    scenario.faults = faults;
    std::optional<Run> run;
    if (Budget::interrupted()) return run;
    run = run_without_firings(scenario);
    if (run && is_large(*run)) return std::optional<Run>();
    if (run) add_firings(simulator_, rules_, *run);
    return run;
  };
  if (is_large(bad)) return too_large(bad);
  const std::optional<Run> with_firings = replay(bad.scenario.faults);
  if (!with_firings) return {};
  if (!good_ || good_->scenario.program.eot != bad.scenario.program.eot) good_ = replay({});
  if (!good_) return error_ || Budget::interrupted() ? explain::Explanation{} : too_large(bad);
  return explain::explain(*good_, *with_firings, {&input_.program, replay, &input_.sources});
}

}  // namespace clew::check
