#include "cli/scenario_flags.h"

#include <algorithm>

#include "check/budget.h"
#include "simulate/horizon.h"

namespace clew::cli {

void ScenarioFlags::add_to(Command& command, const std::string& files_help) {
  command.argument("FILES", files, files_help);
  command.option("--nodes", nodes, "nodes, as a,b,c; default: those the program mentions")
      .commas()
      .value("NAMES");
  command.option("--eot", eot, "last tick; default: until the failure-free run settles")
      .between(1, kMostTicks)
      .value("TICK");
  command.option("--drop", drops, "lose what a sends to b at tick 2, as a>b@2; repeatable")
      .repeatable()
      .value("A>B@TICK");
  command.option("--crash", crashes, "crash c at tick 3, as c@3; repeatable")
      .repeatable()
      .value("NODE@TICK");
  command
      .option("--crash-model", crash_model,
              "silent: a crashed node only falls silent; stop: nothing exists there")
      .one_of({"silent", "stop"})
      .value("MODEL")
      .show_default();
  allowance.add_to(command);
}

namespace {

Result<FaultSet> to_faults(const ScenarioFlags& flags) {
  FaultSet faults;
  for (const std::string& text : flags.drops) {
    Result<Omission> omission = parse_omission(text);
    if (!omission.ok()) return omission.error();
    faults.insert(*omission);
  }
  for (const std::string& text : flags.crashes) {
    Result<Crash> crash = parse_crash(text);
    if (!crash.ok()) return crash.error();
    faults.insert(*crash);
  }
  return faults;
}

}  // namespace

Result<Scenario> to_scenario(const ScenarioFlags& flags, const check::ProgramInput& input) {
  Scenario scenario;
  scenario.program.files = input.files;
  scenario.program.inputs = input.inputs;
  scenario.nodes = flags.nodes.empty() ? dedalus::mentioned_nodes(input.program) : flags.nodes;
  std::ranges::sort(scenario.nodes);
  auto last = std::unique(scenario.nodes.begin(), scenario.nodes.end());
  scenario.nodes.erase(last, scenario.nodes.end());
  Result<CrashModel> model = parse_crash_model(flags.crash_model);
  if (!model.ok()) return model.error();
  scenario.program.crash_model = *model;
  Result<FaultSet> faults = to_faults(flags);
  if (!faults.ok()) return faults.error();
  scenario.faults = *faults;
  // Everything but the horizon has to be right before a run can tell the horizon.
  scenario.program.eot = flags.eot != 0 ? flags.eot : kMostTicks;
  Status valid = validate(scenario, "--");
  if (!valid.ok()) return valid.error();
  if (flags.eot == 0) {
    scenario.program.eot = simulate::default_eot(input.program, scenario.nodes, scenario.faults,
                                                 check::Budget::must_end);
  }
  const check::Notes notes = notes_on_stderr();
  valid = check::check_nodes(input, scenario.nodes, notes);
  if (!valid.ok()) return valid.error();
  scenario.limits = check::declared_limits(input.program, scenario.nodes);
  check::warn_beyond_limits(scenario, notes);
  return scenario;
}

}  // namespace clew::cli
