// clew explain: why a fact holds, or why it does not.
#include <fmt/format.h>

#include <memory>

#include "base/streams.h"
#include "base/text.h"
#include "check/budget.h"
#include "check/program_input.h"
#include "check/question.h"
#include "check/replayer.h"
#include "cli/command.h"
#include "cli/scenario_flags.h"

namespace clew::cli {

namespace {

struct ExplainFlags {
  ScenarioFlags scenario;  // its last file is the fact
  bool why = false;
  bool why_not = false;
  bool json = false;
};

std::optional<check::Question> read(const std::string& fact, const dedalus::Program& program) {
  constexpr const char* kExample = "write it as in log(\"b\", \"data\")@4";
  if (find_invalid_utf8(fact)) {
    fail({"the fact is not valid UTF-8", kExample});
    return std::nullopt;
  }
  if (fact.find_first_not_of(" \t\r\n") == std::string::npos) {
    fail({"the fact is empty", kExample});
    return std::nullopt;
  }
  SourceSet sources;
  Diagnostics diagnostics;
  auto question = check::read_question(fact, program, sources, diagnostics);
  notes_on_stderr().show(diagnostics, sources);
  return question;
}

// What --why and --why-not took for granted does not apply.
int refuse(const Run& run, const report::Answer& answer, const Pattern& pattern) {
  if (!answer.why.empty()) {
    return fail({fmt::format("{} holds, so there is nothing to say to --why-not", answer.question),
                 "ask with --why, or without both"});
  }
  const std::string ticks = check::ticks_of(run, pattern);
  return fail(
      {fmt::format("{} does not hold, so there is nothing to say to --why", answer.question),
       ticks.empty() ? "it holds at no tick; ask with --why-not, or without both"
                     : fmt::format("it holds at tick {}; or ask with --why-not", ticks)});
}

// A run of nodes in C++ is explained as a whole; nothing if the file is no such scenario.
std::optional<int> explain_nodes(const ExplainFlags& flags) {
  if (flags.scenario.files.size() != 1 || !flags.scenario.files.front().ends_with(".json")) {
    return std::nullopt;
  }
  const Result<check::SavedScenario> saved = check::read_scenario(flags.scenario.files.front());
  if (!saved.ok()) return fail(saved.error());
  if (saved->scenario.source.files.empty()) return std::nullopt;
  return replay_nodes(*saved, flags.json, "", flags.scenario.allowance);
}

int explain(ExplainFlags flags) {
  if (const std::optional<int> code = explain_nodes(flags)) return *code;
  if (flags.scenario.files.size() < 2) {
    return fail({"a program and a fact are needed",
                 "write clew explain FILE 'log(\"b\", \"data\")@4', quoted because of the shell"});
  }
  const std::string fact = flags.scenario.files.back();
  flags.scenario.files.pop_back();
  const std::optional<check::ProgramInput> input =
      check::read_program(flags.scenario.files, notes_on_stderr());
  if (!input) return kInputError;
  catch_interrupts();
  const std::optional<check::Question> question = read(fact, input->program);
  if (!question) return kInputError;
  Result<Scenario> scenario = to_scenario(flags.scenario, *input);
  if (!scenario.ok()) return fail(scenario.error());
  check::Replayer replayer(*input, scenario->nodes, scenario->program.crash_model,
                           check::Budget::must_end);
  const std::optional<Run> run = replayer.run(*scenario);
  if (!run) {
    Diagnostics diagnostics;
    diagnostics.add(microspec::to_diagnostic(*replayer.error()));
    notes_on_stderr().show(diagnostics, input->sources);
    return kInputError;
  }
  const report::Answer found = check::answer(*input, *run, *question);
  const bool refused = found.why.empty() ? flags.why : flags.why_not;
  if (refused) return refuse(*run, found, question->pattern);
  to_stdout("{}", flags.json ? report::to_json(found) : report::to_text(found));
  return kOk;
}

}  // namespace

void add_explain(CommandLine& line) {
  Command command = line.add("explain", "Say why a fact holds, or why it does not");
  auto flags = std::make_shared<ExplainFlags>();
  flags->scenario.add_to(command, "Dedalus programs, and last the fact, as 'log(\"b\", _)@4'");
  const Option why = command.flag("--why", flags->why, "the fact holds: say why");
  command.flag("--why-not", flags->why_not, "the fact does not hold: say why not").excludes(why);
  command.flag("--json", flags->json, "print the answer as JSON (docs/formats/explain.md)");
  command.footer(
      "Without --why and --why-not it answers whichever applies. `_` in the fact stands for\n"
      "anything; without @ and a tick, it is about the last tick. Exits with 0 if it has an "
      "answer.\nA scenario of clew explore alone is explained as clew replay does.");
  command.does([flags] {
    return work_until_stopped(flags->scenario.allowance, [&] { return explain(*flags); });
  });
}

}  // namespace clew::cli
