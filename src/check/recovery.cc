#include "check/recovery.h"

#include <map>

#include "base/stop.h"
#include "search/recovery.h"
#include "simulate/system.h"

namespace clew::check {

void look_further(const std::shared_ptr<const dedalus::LoweredProgram>& program,
                  const std::function<bool()>& stop, report::CheckReport& report) {
  simulate::ProgramSystem system(program, nullptr, stop);
  Scenario base = scenario_of(report.verdict.model);
  const auto outcome = [&](const FaultSet& faults, Tick eot) {
    base.program.eot = eot;
    return outcome_of(system, complete(base, {faults, {}}));
  };
  std::map<size_t, std::optional<Tick>> gone;  // by group
  for (report::Counterexample& one : report.counterexamples) {
    const auto [at, is_new] = gone.try_emplace(one.group);
    const Scenario& scenario = one.run.scenario;
    if (is_new) {
      const auto recovery = unless_stopped(
          [&] { return search::recover(scenario.faults, scenario.program.eot, outcome, stop); });
      if (recovery) at->second = recovery->gone;
    }
    one.gone_at = at->second;
  }
}

}  // namespace clew::check
