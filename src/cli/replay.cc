// clew replay: a saved scenario once more.
#include <fmt/format.h>

#include <memory>

#include "check/budget.h"
#include "check/program_input.h"
#include "check/scenario_file.h"
#include "cli/command.h"
#include "cli/run_output.h"

namespace clew::cli {

namespace {

struct ReplayFlags {
  std::string file;
  OutputFlags output;
  std::string report;
  Allowance allowance;
};

int replay(const ReplayFlags& flags) {
  const Result<check::SavedScenario> saved = check::read_scenario(flags.file);
  if (!saved.ok()) return fail(saved.error());
  if (!saved->scenario.source.files.empty()) {
    return replay_nodes(*saved, flags.output.json, flags.report, flags.allowance);
  }
  if (!saved->scenario.target.files.empty()) {
    return replay_target(*saved, flags.output.json, flags.report, flags.allowance);
  }
  if (!flags.report.empty()) {
    return fail(
        {"--report shows runs of nodes in C++ and of processes, and this scenario is of a program",
         "clew check PROGRAM --report FILE shows the runs of a program"});
  }
  const check::Notes notes = notes_on_stderr();
  const std::optional<check::ProgramInput> input = check::read_program(saved->inputs, notes);
  if (!input) return kInputError;
  catch_interrupts();
  Scenario scenario = saved->scenario;
  if (!check::same_files(scenario.program.files, *input)) {
    notes.tell("note: the program has changed since this scenario was saved\n");
  }
  scenario.program.files = input->files;
  scenario.program.inputs = input->inputs;
  if (const Status known = check::check_nodes(*input, scenario.nodes, notes); !known.ok()) {
    return fail(known.error());
  }
  scenario.limits.add(check::declared_limits(input->program, scenario.nodes));
  check::warn_beyond_limits(scenario, notes);
  OutputFlags output = flags.output;
  output.explain = true;
  return run_and_show(*input, scenario, output);
}

}  // namespace

void add_replay(CommandLine& line) {
  Command command = line.add("replay", "Run a saved scenario again");
  auto flags = std::make_shared<ReplayFlags>();
  command.argument("FILE", flags->file,
                   "a scenario, as clew check, clew run, clew explore and clew inject save it");
  flags->output.add_to(command);
  command
      .option("--report", flags->report,
              "of nodes in C++ and of processes: write a page that shows the run, for a browser")
      .value("FILE")
      .not_empty();
  command.footer("Exits like clew run.");
  flags->allowance.add_to(command);
  command.does(
      [flags] { return work_until_stopped(flags->allowance, [&] { return replay(*flags); }); });
}

}  // namespace clew::cli
