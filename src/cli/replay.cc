// clew replay: a saved scenario once more.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "check/budget.h"
#include "check/program_input.h"
#include "check/scenario_file.h"
#include "cli/command.h"
#include "cli/run_output.h"
#include "host/record.h"

namespace clew::cli {

namespace {

struct ReplayFlags {
  std::vector<std::string> files;
  OutputFlags output;
  std::string report;
  Allowance allowance;
};

constexpr uint64_t kHead = 64;  // bytes that tell a recording

bool is_recording(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(kHead, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return host::is_recording(head);
}

int replay(const ReplayFlags& flags) {
  if (std::ranges::any_of(flags.files, is_recording)) {
    if (!flags.report.empty()) {
      return fail({"--report shows runs of saved scenarios, and these are recordings",
                   "leave it out: what is broken is shown as text"});
    }
    return replay_recordings(flags.files, flags.output.json, flags.allowance);
  }
  if (flags.files.size() > 1) {
    return fail({fmt::format("{} files, and none is a recording of clew host", flags.files.size()),
                 "name one scenario, or recordings and the C++ sources of their nodes"});
  }
  const Result<check::SavedScenario> saved = check::read_scenario(flags.files.front());
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
  command.argument("FILES", flags->files,
                   "a scenario, as clew check, clew run, clew explore and clew inject save it; or "
                   "recordings of clew host and the C++ sources of their nodes");
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
