#include "check/replayer.h"

#include <algorithm>
#include <utility>

#include "base/watched.h"
#include "check/memory.h"
#include "explain/explain.h"
#include "microspec/rule_table.h"
#include "simulate/describe.h"

namespace clew::check {

namespace {

// Facts of a run that is explained: firings take far more memory.
constexpr size_t kMostExplained = 300'000;

bool is_large(const Run& run) {
  size_t facts = 0;
  for (const std::vector<Fact>& tick : run.facts) facts += tick.size();
  return facts > kMostExplained;
}

explain::Explanation unexplained(const Run& bad, const char* why) {
  explain::Explanation explanation;
  const auto violated = std::ranges::find(bad.outcome().goals, false, &Outcome::Goal::post);
  if (violated != bad.outcome().goals.end()) explanation.goal = violated->pre;
  explanation.summary = {why};
  return explanation;
}

constexpr const char* kTooLarge =
    "The run is too large to be explained as a whole; ask clew explain.";
constexpr const char* kNoTime =
    "There was no time or memory left to explain it; given more, clew replay does.";

}  // namespace

Replayer::Replayer(const ProgramInput& input,
                   std::shared_ptr<const dedalus::LoweredProgram> program, Stop stop)
    : input_(input),
      stop_(std::move(stop)),
      simulator_(std::move(program), {.stop = stop_}),
      rules_(microspec::make_rule_table(input.program, input.sources)) {}

Replayer::Replayer(const ProgramInput& input, const std::vector<NodeName>& nodes, CrashModel model,
                   Stop stop)
    : input_(input),
      stop_(std::move(stop)),
      simulator_(input.program, nodes, model, {.stop = stop_}),
      rules_(microspec::make_rule_table(input.program, input.sources)) {}

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
  const auto told = unless_stopped([&] { return try_to_explain(bad); });
  if (told) return *told;
  release_memory();  // others may do with less
  return unexplained(bad, kNoTime);
}

explain::Explanation Replayer::try_to_explain(const Run& bad) {
  const Watched watched(stop_);
  auto replay = [&](const FaultSet& faults) {
    Scenario scenario = bad.scenario;
    scenario.faults = faults;
    std::optional<Run> run = run_without_firings(scenario);
    if (run && is_large(*run)) return std::optional<Run>();
    if (run) add_firings(simulator_, rules_, *run);
    return run;
  };
  if (is_large(bad)) return unexplained(bad, kTooLarge);
  const std::optional<Run> with_firings = replay(bad.scenario.faults);
  if (!with_firings) return {};
  if (!good_ || good_->scenario.program.eot != bad.scenario.program.eot) good_ = replay({});
  if (!good_) return error_ ? explain::Explanation{} : unexplained(bad, kTooLarge);
  return explain::explain(*good_, *with_firings, {&input_.program, replay, &input_.sources});
}

}  // namespace clew::check
