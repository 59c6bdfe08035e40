#include "check/program_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace clew::check {

void show(Diagnostics& diagnostics, const SourceSet& sources) {
  if (diagnostics.all().empty()) return;
  diagnostics.sort();
  fmt::print(stderr, "{}", diagnostics.render(sources));
}

std::optional<ProgramInput> read_program(const std::vector<std::string>& paths) {
  ProgramInput input;
  Diagnostics diagnostics;
  auto program = dedalus::load_program(paths, input.sources, diagnostics);
  show(diagnostics, input.sources);
  if (!program) return std::nullopt;
  input.program = std::move(*program);
  for (FileId id = 0; id < input.sources.size(); ++id) {
    input.files.push_back({input.sources.path(id), fingerprint(input.sources.text(id))});
  }
  auto is_input = [&](const ProgramFile& file) {
    return std::find(paths.begin(), paths.end(), file.path) != paths.end();
  };
  auto includes = std::stable_partition(input.files.begin(), input.files.end(), is_input);
  input.inputs = static_cast<size_t>(includes - input.files.begin());
  return input;
}

}  // namespace clew::check
