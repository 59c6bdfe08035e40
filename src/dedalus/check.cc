// The way from clauses to a Program: the list of passes, in order.
#include <algorithm>
#include <iterator>

#include "dedalus/parse.h"
#include "dedalus/passes/passes.h"
#include "dedalus/program.h"

namespace clew::dedalus {
namespace {

constexpr Pass kPasses[] = {
    {"state_promises", state_promises}, {"check_spec_clauses", check_spec_clauses},
    {"check_clauses", check_clauses},   {"resolve_relations", resolve_relations},
    {"warn_relations", warn_relations}, {"check_safety", check_safety},
    {"infer_types", infer_types},       {"check_types", check_types},
    {"check_strata", check_strata},     {"find_views", find_views},
    {"warn_variables", warn_variables}, {"warn_remote_access", warn_remote_access},
};

// Limits are complete as they are: no pass looks at them.
void gather(std::vector<File> files, Draft& draft) {
  for (File& file : files) {
    for (Clause& clause : file.clauses) {
      if (clause.kind == Clause::Kind::kInclude) continue;
      std::ranges::move(clause.limits, std::back_inserter(draft.program.limits));
      if (clause.kind != Clause::Kind::kLimits) draft.clauses.push_back(std::move(clause));
    }
  }
}

Program finish(Draft draft) {
  Program program = std::move(draft.program);
  for (Clause& clause : draft.clauses) {
    const bool is_fact = clause.kind == Clause::Kind::kFact;
    (is_fact ? program.facts : program.rules).push_back(std::move(clause));
  }
  return program;
}

std::optional<Program> check_any(std::vector<File> files, const GivenRelations* given,
                                 Diagnostics& diagnostics) {
  Draft draft{{}, {}, diagnostics, !diagnostics.has_errors(), given};
  gather(std::move(files), draft);
  for (const Pass& pass : kPasses) pass.run(draft);
  diagnostics.sort();
  if (diagnostics.has_errors()) return std::nullopt;
  return finish(std::move(draft));
}

}  // namespace

std::span<const Pass> all_passes() { return kPasses; }

std::optional<Program> check_program(std::vector<File> files, Diagnostics& diagnostics) {
  return check_any(std::move(files), nullptr, diagnostics);
}

std::optional<Program> check_spec(std::vector<File> files, const GivenRelations& given,
                                  Diagnostics& diagnostics) {
  return check_any(std::move(files), &given, diagnostics);
}

std::optional<Program> load_program(const std::vector<std::string>& paths, SourceSet& sources,
                                    Diagnostics& diagnostics) {
  return check_program(load_files(paths, sources, diagnostics), diagnostics);
}

std::optional<Program> load_spec(const std::vector<std::string>& paths, const GivenRelations& given,
                                 SourceSet& sources, Diagnostics& diagnostics) {
  return check_spec(load_files(paths, sources, diagnostics), given, diagnostics);
}

}  // namespace clew::dedalus
