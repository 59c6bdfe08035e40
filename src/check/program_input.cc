#include "check/program_input.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace clew::check {

std::optional<ProgramInput> read_program(const std::vector<std::string>& paths,
                                         const Notes& notes) {
  ProgramInput input;
  Diagnostics diagnostics;
  auto program = dedalus::load_program(paths, input.sources, diagnostics);
  notes.show(diagnostics, input.sources);
  if (!program) return std::nullopt;
  input.program = std::move(*program);
  for (FileId id = 0; id < input.sources.size(); ++id) {
    input.files.push_back({input.sources.path(id), fingerprint(input.sources.text(id))});
  }
  const auto is_input = [&](const ProgramFile& file) {
    return std::ranges::find(paths, file.path) != paths.end();
  };
  const auto includes = std::stable_partition(input.files.begin(), input.files.end(), is_input);
  input.inputs = static_cast<size_t>(includes - input.files.begin());
  return input;
}

Status check_nodes(const ProgramInput& input, const std::vector<NodeName>& nodes,
                   const Notes& notes) {
  Diagnostics found;
  dedalus::check_nodes(input.program, nodes, found);
  notes.show(found, input.sources);
  if (!found.has_errors()) return Nothing{};
  return Error{"the program declares limits on nodes that there are not",
               "mend the declaration, or name the nodes with --nodes"};
}

Limits declared_limits(const dedalus::Program& program, const std::vector<NodeName>& nodes) {
  Limits limits;
  for (const dedalus::Limit& limit : program.limits) {
    if (limit.kind == dedalus::Limit::Kind::kNoCrash) {
      limits.no_crash.insert(limit.node);
    } else {
      limits.add(Reliable{limit.node, limit.to});
    }
  }
  return limits.within(nodes);
}

void warn_beyond_limits(const Scenario& scenario, const Notes& notes) {
  const FaultSet beyond = beyond_limits(scenario);
  if (beyond.empty()) return;
  notes.tell("warning: {}: {} {} beyond the limits, which say that {}\n", to_string(beyond),
             beyond.size() == 1 ? "this fault" : "these faults", beyond.size() == 1 ? "is" : "are",
             describe(scenario.limits));
}

bool same_files(const std::vector<ProgramFile>& files, const ProgramInput& input) {
  return std::ranges::equal(files, input.files, {}, &ProgramFile::fingerprint,
                            &ProgramFile::fingerprint);
}

}  // namespace clew::check
