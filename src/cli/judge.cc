// clew judge: a Run that somebody has recorded, by the promises of a spec.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "base/files.h"
#include "base/streams.h"
#include "check/budget.h"
#include "check/judged.h"
#include "check/program_input.h"
#include "check/promises.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

struct JudgeFlags {
  std::vector<std::string> files;  // the last is the Run
  std::vector<std::string> promises;
  std::vector<std::string> allow_vacuous;
  bool json = false;
  Allowance allowance;
};

Result<microspec::Recorded> read(const std::string& path) {
  const Result<std::string> text = read_file(path, microspec::kMostRecordedBytes);
  if (!text.ok()) return text.error();
  Result<microspec::Recorded> recorded = microspec::read_recorded(*text);
  if (recorded.ok()) return recorded;
  return Error{fmt::format("{}: {}", path, recorded.error().message), recorded.error().remedy};
}

int exit_code(const check::Judged& judged, const JudgeFlags& flags) {
  if (!judged.broken.empty()) return kViolated;
  std::vector<std::string> vacuous = check::vacuous_promises(judged);
  std::erase_if(vacuous, [&](const std::string& name) {
    return std::ranges::find(flags.allow_vacuous, name) != flags.allow_vacuous.end();
  });
  if (vacuous.empty()) return kOk;
  return fail(
      {fmt::format("nothing of what is promised happens in this run: {}", fmt::join(vacuous, ", ")),
       "record a run in which it does, or allow it with --allow-vacuous NAMES"});
}

int judge(JudgeFlags flags) {
  if (flags.files.size() < 2) {
    return fail({"a spec and a run are needed", "write clew judge SPEC.ded RUN.json"});
  }
  const std::string path = flags.files.back();
  flags.files.pop_back();
  Result<microspec::Recorded> recorded = read(path);
  if (!recorded.ok()) return fail(recorded.error());
  catch_interrupts();
  SourceSet sources;
  Diagnostics diagnostics;
  const std::optional<microspec::MicroSpec> spec =
      microspec::load_microspec(flags.files, recorded->relations, sources, diagnostics);
  notes_on_stderr().show(diagnostics, sources);
  if (!spec) return kInputError;
  for (const std::vector<std::string>& asked : {flags.promises, flags.allow_vacuous}) {
    const auto known = check::choose_promises(spec->program(), asked);
    if (!known.ok()) return fail(known.error());
  }
  const auto chosen = check::choose_promises(spec->program(), flags.promises);
  const Result<check::Judged> judged =
      check::judge_recorded(*spec, sources, *std::move(recorded), *chosen, check::Budget::must_end);
  if (!judged.ok()) return fail(judged.error());
  to_stdout("{}", flags.json ? check::to_json(*judged) : check::to_text(*judged));
  return exit_code(*judged, flags);
}

}  // namespace

void add_judge(CommandLine& line) {
  Command command = line.add("judge", "Judge a recorded run by the promises of a spec");
  auto flags = std::make_shared<JudgeFlags>();
  command.argument("FILES", flags->files,
                   "Dedalus files with rules and promises, and last the run");
  command.option("--promise", flags->promises, "judge by these promises only; default: all")
      .commas()
      .value("NAMES");
  command
      .option("--allow-vacuous", flags->allow_vacuous, "these promises need not apply in the run")
      .commas()
      .value("NAMES");
  command.flag("--json", flags->json, "print the judgement as JSON (docs/formats/judge.md)");
  flags->allowance.add_to(command);
  command.footer(
      "The run is what clew run --json prints, or a fact as JSON on each line\n"
      "(docs/formats/facts.md). Exits with 0 if every promise is kept, 10 if one is not, 2 if one\n"
      "does not apply.");
  command.does(
      [flags] { return work_until_stopped(flags->allowance, [&] { return judge(*flags); }); });
}

}  // namespace clew::cli
