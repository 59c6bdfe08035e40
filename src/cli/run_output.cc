#include "cli/run_output.h"

#include <fmt/format.h>

#include "base/streams.h"
#include "base/text.h"
#include "check/budget.h"
#include "check/replayer.h"
#include "dedalus/parse.h"
#include "dedalus/print.h"
#include "microspec/rule_table.h"
#include "report/changes.h"
#include "report/explanation.h"
#include "report/firings.h"
#include "report/judgement.h"
#include "report/run_json.h"
#include "report/space_time.h"
#include "simulate/describe.h"
#include "simulate/simulator.h"

namespace clew::cli {

void OutputFlags::add_to(Command& command) {
  command.option("--relation", relations, "show the facts of this relation only; repeatable")
      .repeatable()
      .value("NAME");
  command.flag("--json", json, "print the whole run as JSON (docs/formats/run.md)");
  command.option("--show", show, "print one stage instead: ast, rules, plan or firings")
      .one_of({"ast", "rules", "plan", "firings"})
      .value("STAGE");
}

namespace {

std::string print_ast(const check::ProgramInput& input) {
  std::string text;
  for (FileId id = 0; id < input.sources.size(); ++id) {
    Diagnostics ignored;
    text += fmt::format("-- {}\n", input.sources.path(id));
    text += dedalus::print_tree(dedalus::parse(id, input.sources, ignored));
  }
  return text;
}

// What the flag names, or all relations but `crash`, which the diagram shows.
Result<std::vector<std::string>> relations_to_show(const check::ProgramInput& input,
                                                   const OutputFlags& flags) {
  std::vector<std::string> known;
  known.reserve(input.program.relations.size());
  for (const dedalus::RelationInfo& relation : input.program.relations) {
    known.push_back(relation.name);
  }
  for (const std::string& name : flags.relations) {
    if (input.program.find(name) != nullptr) continue;
    auto meant = closest(name, known);
    return Error{fmt::format("--relation {}: the program has no such relation", name),
                 meant ? fmt::format("did you mean {}?", *meant)
                       : fmt::format("its relations are {}", fmt::join(known, ", "))};
  }
  if (!flags.relations.empty()) return flags.relations;
  std::erase(known, dedalus::kCrash);
  return known;
}

void print_text(const Run& run, const std::vector<std::string>& relations) {
  const Scenario& scenario = run.scenario;
  std::string heading =
      fmt::format("{}: ticks 1 to {}, {}", count_noun(scenario.nodes.size(), "node"),
                  scenario.program.eot, to_string(scenario.faults));
  if (scenario.program.crash_model == CrashModel::kStop) heading += ", crash model stop";
  to_stdout("{}\n\n{}\n{}\n{}", heading, report::space_time(run), report::changes(run, relations),
            report::judgement(run));
}

void print_explanation(const check::ProgramInput& input, const Run& run) {
  if (run.outcome().kind != Outcome::Kind::kViolated) return;
  check::Replayer replayer(input, run.scenario.nodes, run.scenario.program.crash_model,
                           check::Budget::must_end);
  to_stdout("{}", report::to_text(replayer.explain(run)));
}

int exit_code(const Run& run) {
  return run.outcome().kind == Outcome::Kind::kViolated ? kViolated : kOk;
}

}  // namespace

int run_and_show(const check::ProgramInput& input, const Scenario& scenario,
                 const OutputFlags& flags) {
  Result<std::vector<std::string>> relations = relations_to_show(input, flags);
  if (!relations.ok()) return fail(relations.error());
  simulate::Simulator simulator(input.program, scenario.nodes, scenario.program.crash_model,
                                {.stop = check::Budget::must_end});
  if (flags.show == "ast") {
    to_stdout("{}", print_ast(input));
    return kOk;
  }
  if (flags.show == "rules") {
    to_stdout("{}", datalog::print(simulator.lowered().rules, simulator.engine().values()));
    return kOk;
  }
  if (flags.show == "plan") {
    to_stdout("{}", simulator.engine().print_plans());
    return kOk;
  }
  if (auto error = simulator.run(scenario.program.eot, scenario.faults)) {
    Diagnostics diagnostics;
    diagnostics.add(microspec::to_diagnostic(*error));
    notes_on_stderr().show(diagnostics, input.sources);
    return kInputError;
  }
  Run run = simulate::describe(simulator, scenario);
  if (flags.show == "firings") {
    add_firings(simulator, microspec::make_rule_table(input.program, input.sources), run);
  }
  if (flags.json) {
    to_stdout("{}", report::run_to_json(run));
  } else if (flags.show == "firings") {
    to_stdout("{}", report::firings(run));
  } else {
    print_text(run, *relations);
    if (flags.explain) print_explanation(input, run);
  }
  return exit_code(run);
}

}  // namespace clew::cli
