#include "check/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"

namespace clew::check {

namespace {

namespace fs = std::filesystem;

}  // namespace

Status save_scenario(Scenario scenario, const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::absolute(path, error).lexically_normal().parent_path();
  for (std::vector<ProgramFile>* files :
       {&scenario.program.files, &scenario.source.files, &scenario.target.files}) {
    for (ProgramFile& file : *files) {
      const fs::path program = fs::absolute(file.path, error).lexically_normal();
      if (error) break;
      file.path = program.lexically_proximate(folder).string();
    }
  }
  if (error) return Error{fmt::format("cannot write {}: {}", path, error.message()), ""};
  return write_file_atomically(path, to_json(scenario));
}

Result<SavedScenario> read_scenario(const std::string& path) {
  const Result<std::string> text = read_file(path, kMostScenarioBytes);
  if (!text.ok()) return text.error();
  const Result<Scenario> scenario = scenario_from_json(*text);
  if (!scenario.ok()) {
    return Error{fmt::format("{}: {}", path, scenario.error().message), scenario.error().remedy};
  }
  SavedScenario saved{*scenario, {}};
  const fs::path folder = fs::path(path).parent_path();
  const auto add = [&](const ProgramFile& file) {
    saved.inputs.push_back((folder / file.path).lexically_normal().string());
  };
  for (size_t i = 0; i < scenario->program.inputs; ++i) add(scenario->program.files[i]);
  std::ranges::for_each(scenario->source.files, add);
  std::ranges::for_each(scenario->target.files, add);
  return saved;
}

}  // namespace clew::check
