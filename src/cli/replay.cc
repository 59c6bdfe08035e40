// clew replay: a saved scenario once more.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/files.h"
#include "check/program_input.h"
#include "cli/command.h"
#include "cli/run_output.h"

namespace clew::cli {

namespace {

struct ReplayFlags {
  std::string file;
  OutputFlags output;
};

Result<Scenario> read_scenario(const std::string& path) {
  Result<std::string> text = read_file(path, kMostScenarioBytes);
  if (!text.ok()) return text.error();
  Result<Scenario> scenario = scenario_from_json(*text);
  if (!scenario.ok()) {
    return Error{fmt::format("{}: {}", path, scenario.error().message), scenario.error().remedy};
  }
  return scenario;
}

std::vector<std::string> input_paths(const Scenario& scenario, const std::string& scenario_path) {
  std::filesystem::path folder = std::filesystem::path(scenario_path).parent_path();
  std::vector<std::string> paths;
  for (size_t i = 0; i < scenario.inputs; ++i) {
    paths.push_back((folder / scenario.program[i].path).lexically_normal().string());
  }
  return paths;
}

void tell_changes(const Scenario& saved, const check::ProgramInput& input) {
  bool same = saved.program.size() == input.files.size();
  for (size_t i = 0; same && i < input.files.size(); ++i) {
    same = saved.program[i].fingerprint == input.files[i].fingerprint;
  }
  if (!same) fmt::print(stderr, "note: the program has changed since this scenario was saved\n");
}

int replay(const ReplayFlags& flags) {
  Result<Scenario> saved = read_scenario(flags.file);
  if (!saved.ok()) return fail(saved.error());
  std::optional<check::ProgramInput> input = check::read_program(input_paths(*saved, flags.file));
  if (!input) return kInputError;
  tell_changes(*saved, *input);
  Scenario scenario = *saved;
  scenario.program = input->files;
  scenario.inputs = input->inputs;
  Diagnostics warnings;
  dedalus::check_nodes(input->program, scenario.nodes, warnings);
  check::show(warnings, input->sources);
  OutputFlags output = flags.output;
  output.explain = true;
  return run_and_show(*input, scenario, output);
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "Run a saved scenario again");
  auto flags = std::make_shared<ReplayFlags>();
  command->add_option("FILE", flags->file, "a scenario, as clew run --save writes it")
      ->required()
      ->type_name("");
  flags->output.add_to(*command);
  command->footer("Exits like clew run.");
  command->callback([flags, &exit_code] { exit_code = replay(*flags); });
}

}  // namespace clew::cli
