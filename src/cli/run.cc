// clew run: one execution of a protocol under faults of the user's choosing.
#include <fmt/format.h>

#include <memory>

#include "base/stop.h"
#include "base/streams.h"
#include "check/budget.h"
#include "check/output_paths.h"
#include "check/program_input.h"
#include "check/scenario_file.h"
#include "cli/command.h"
#include "cli/run_output.h"
#include "cli/scenario_flags.h"

namespace clew::cli {

namespace {

struct RunFlags {
  ScenarioFlags scenario;
  OutputFlags output;
  std::string save;
};

int run(const RunFlags& flags) {
  const std::optional<check::ProgramInput> input =
      check::read_program(flags.scenario.files, notes_on_stderr());
  if (!input) return kInputError;
  catch_interrupts();
  Result<Scenario> scenario = to_scenario(flags.scenario, *input);
  if (!scenario.ok()) return fail(scenario.error());
  const check::OutputPath save{.name = "--save", .path = flags.save, .numbered = true};
  const std::vector<Error> errors = check::validate_outputs({save}, input->files);
  if (!errors.empty()) return fail_all(errors);
  // What was run is known, even if there is nothing to show of it.
  const auto exit_code =
      unless_stopped([&] { return run_and_show(*input, *scenario, flags.output); });
  if (exit_code != kInputError && !flags.save.empty()) {
    const Status saved = check::save_scenario(*scenario, flags.save);
    if (!saved.ok()) return fail(saved.error());
    to_stderr("Saved. Replay it with: clew replay {}\n", flags.save);
  }
  if (!exit_code) throw Stopped();
  return *exit_code;
}

}  // namespace

void add_run(CommandLine& line) {
  Command command = line.add("run", "Run a protocol under faults of your choosing");
  auto flags = std::make_shared<RunFlags>();
  flags->scenario.add_to(command);
  flags->output.add_to(command);
  command.option("--save", flags->save, "save the scenario, for clew replay")
      .value("FILE")
      .not_empty();
  command.footer("Exits with 0 if every `pre` tuple has its `post` at the last tick, 10 if not.");
  command.does([flags] {
    return work_until_stopped(flags->scenario.allowance, [&] { return run(*flags); });
  });
}

}  // namespace clew::cli
