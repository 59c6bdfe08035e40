#include "cli/check_flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/streams.h"
#include "domain/scenario.h"

namespace clew::cli {

namespace {

void add_bounds(CheckFlags& flags, Command& command) {
  command.argument("FILES", flags.files, "Dedalus programs; together they form one");
  command.option("-N,--nodes", flags.nodes, "nodes, as a,b,c; default: those the program mentions")
      .commas()
      .value("NAMES");
  command.option("-t,--eot", flags.eot, "last tick (end of time)")
      .between(1, kMostTicks)
      .value("TICK");
  command
      .option("-f,--eff", flags.eff, "messages are lost before this tick (end of finite failures)")
      .between(0, kMostTicks)
      .value("TICK");
  command.option("-c,--crashes", flags.crashes, "how many nodes may crash")
      .between(0, static_cast<int>(kMostNodes))
      .value("N")
      .show_default();
  command
      .option("--eventually", flags.eventually,
              "broken only if still violated so many ticks after the last fault")
      .between(1, kMostTicks)
      .value("N");
  command
      .option("--crash-model", flags.crash_model,
              "silent: a crashed node only falls silent; stop: nothing exists there")
      .one_of({"silent", "stop"})
      .value("MODEL")
      .show_default();
  command
      .option("--reliable", flags.reliable,
              "nothing from or to a is lost, as a; nothing from a to b, as a>b; repeatable")
      .commas()
      .value("NODE|A>B");
  command.option("--no-crash", flags.no_crash, "these nodes do not crash, as a,b; repeatable")
      .commas()
      .value("NAMES");
}

void add_search(CheckFlags& flags, Command& command) {
  command
      .option("--adversary", flags.adversary,
              "auto, lineage, symbolic, random or exhaustive: who chooses the faults")
      .one_of({"auto", "lineage", "symbolic", "random", "exhaustive"})
      .value("NAME")
      .show_default();
  command
      .option("--negation", flags.negation,
              "exact, ignore, surrogate or conservative: how lineage reads absences")
      .one_of({"exact", "ignore", "surrogate", "conservative"})
      .value("WAY")
      .show_default();
  command.option("--budget", flags.budget, "how long to search, as 90s, 2m, 500ms")
      .value("TIME")
      .show_default();
  command.flag("--deep", flags.deep,
               "a sweep goes on until the budget is used up, not just for about a second");
  add_memory(command, flags.memory);
  command.option("--promise", flags.promises, "check these promises only; default: all")
      .commas()
      .value("NAMES");
  command
      .option("--allow-vacuous", flags.allow_vacuous,
              "these promises may be called robust though they never apply")
      .commas()
      .value("NAMES");
  command.flag("--all", flags.all, "find every minimal counterexample");
  command.flag("--min", flags.smallest, "find a counterexample with as few faults as possible");
  command.option("--max-faults", flags.max_faults, "consider at most so many faults at once")
      .between(0, 1'000'000)
      .value("N");
  command.option("--seed", flags.seed, "of the random adversary").value("N").show_default();
  command.option("--jobs", flags.jobs, "threads: a sweep checks so many bounds at a time")
      .between(1, 256)
      .value("N")
      .show_default();
}

void add_outputs(check::Outputs& outputs, Command& command) {
  struct Row {
    const char* flag;
    std::string& path;
    const char* kind;
    const char* help;
  };
  const Row rows[] = {
      {"--report", outputs.report, "FILE", "write a page that shows the runs, for a browser"},
      {"--junit", outputs.junit, "FILE", "write the verdict as JUnit XML, for CI"},
      {"--sarif", outputs.sarif, "FILE", "write the verdict as SARIF, for code scanning"},
      {"--svg", outputs.svg, "DIR", "draw the run without faults and the counterexamples"},
      {"--dot", outputs.dot, "DIR", "the same, for Graphviz"},
      {"--itf", outputs.itf, "DIR", "write these runs as ITF traces (Apalache, Quint)"},
      {"--shiviz", outputs.shiviz, "DIR", "write these runs as logs for ShiViz"},
      {"--molly", outputs.molly, "DIR", "write the runs as Molly's output directory"},
  };
  for (const Row& row : rows) {
    command.option(row.flag, row.path, row.help).value(row.kind).not_empty();
  }
}

}  // namespace

void CheckFlags::add_to(Command& command) {
  add_bounds(*this, command);
  add_search(*this, command);
  command.flag("--json", json, "print the verdict as JSON (docs/formats/check.md)");
  command.option("--save", save, "where to save the counterexample, for clew replay")
      .value("FILE")
      .show_default()
      .not_empty();
  command
      .option("--certificate", certificate,
              "if robust, write a proof into this folder, for clew verify")
      .value("DIR")
      .not_empty();
  add_outputs(outputs, command);
  command.option("--show", show, "print one stage instead: ground or cnf")
      .one_of({"ground", "cnf"})
      .value("STAGE");
}

namespace {

// What clew verify would refuse.
Status certifiable(const FaultModel& model, const dedalus::Program& program) {
  if (std::ranges::includes(model.nodes, dedalus::mentioned_nodes(program))) return Nothing{};
  for (const NodeName& node : model.nodes) {
    if (dedalus::mentions(program, node)) continue;
    return Error{fmt::format("the program never mentions the node \"{}\", so a certificate would "
                             "say nothing",
                             node),
                 fmt::format("name the nodes that it mentions: {}",
                             fmt::join(dedalus::mentioned_nodes(program), ", "))};
  }
  return Nothing{};
}

// A name that the program does not know is probably a slip: nothing happens at such a node.
void warn_unmentioned(const std::vector<std::string>& given, const check::ProgramInput& input) {
  const std::vector<NodeName> mentioned = dedalus::mentioned_nodes(input.program);
  for (const std::string& node : given) {
    if (dedalus::mentions(input.program, node)) continue;
    to_stderr("warning: --nodes {}: the program does not mention this node\n", node);
    to_stderr("  it mentions {}\n", fmt::join(mentioned, ", "));
  }
}

check::CheckSettings to_settings(const CheckFlags& flags) {
  check::CheckSettings settings{.adversary = flags.adversary,
                                .all = flags.all,
                                .smallest = flags.smallest,
                                .seed = flags.seed};
  if (flags.max_faults >= 0) settings.max_faults = static_cast<size_t>(flags.max_faults);
  if (flags.negation == "ignore") settings.negation = search::Negation::kIgnore;
  if (flags.negation == "surrogate") settings.negation = search::Negation::kSurrogate;
  if (flags.negation == "conservative") settings.negation = search::Negation::kConservative;
  return settings;
}

std::optional<Tick> given(Tick tick) { return tick >= 0 ? std::optional(tick) : std::nullopt; }

}  // namespace

namespace {

// What the program declares, and the flags add.
Result<Limits> to_limits(const CheckFlags& flags, const check::ProgramInput& input,
                         const std::vector<NodeName>& nodes) {
  Limits limits = check::declared_limits(input.program, nodes);
  for (const std::string& text : flags.reliable) {
    const Result<Reliable> reliable = parse_reliable(text);
    if (!reliable.ok()) return reliable.error();
    limits.add(*reliable);
  }
  limits.no_crash.insert(flags.no_crash.begin(), flags.no_crash.end());
  return limits;
}

}  // namespace

Result<FaultModel> to_model(const CheckFlags& flags, const check::ProgramInput& input) {
  FaultModel model;
  model.nodes = flags.nodes.empty() ? dedalus::mentioned_nodes(input.program) : flags.nodes;
  std::ranges::sort(model.nodes);
  model.nodes.erase(std::unique(model.nodes.begin(), model.nodes.end()), model.nodes.end());
  model.eot = flags.eot >= 0 ? flags.eot : flags.eventually + 1;
  model.eff = flags.eot >= 0 ? std::max(flags.eff, 0) : 0;
  model.crashes = flags.crashes;
  model.eventually = flags.eventually;
  Result<CrashModel> crash_model = parse_crash_model(flags.crash_model);
  if (!crash_model.ok()) return crash_model.error();
  model.crash_model = *crash_model;
  Result<Limits> limits = to_limits(flags, input, model.nodes);
  if (!limits.ok()) return limits.error();
  model.limits = std::move(*limits);
  Status valid = validate(model);
  if (!valid.ok()) return valid.error();
  valid = validate(scenario_of(model), "--");
  if (valid.ok() && !flags.certificate.empty()) valid = certifiable(model, input.program);
  if (!valid.ok()) return valid.error();
  warn_unmentioned(flags.nodes, input);
  valid = check::check_nodes(input, model.nodes, notes_on_stderr());
  if (!valid.ok()) return valid.error();
  return model;
}

std::vector<check::OutputPath> output_paths(const CheckFlags& flags) {
  const check::Outputs& outputs = flags.outputs;
  return {{.name = "--save",
           .path = flags.save,
           .numbered = true,
           .by_default = flags.save == kDefaultSave},
          {"--certificate", flags.certificate, true},
          {"--report", outputs.report},
          {"--junit", outputs.junit},
          {"--sarif", outputs.sarif},
          {"--svg", outputs.svg, true, "svg"},
          {"--dot", outputs.dot, true, "dot"},
          {"--itf", outputs.itf, true, "itf"},
          {"--shiviz", outputs.shiviz, true, "log"},
          {"--molly", outputs.molly, true, "dot"}};
}

check::Wanted to_wanted(const CheckFlags& flags, const FaultModel& model) {
  return {.model = model,
          .eot = given(flags.eot),
          .eff = given(flags.eff),
          .settings = to_settings(flags),
          .effort = flags.deep || flags.has_budget() ? std::nullopt
                                                     : std::optional(check::kDefaultEffort),
          .jobs = static_cast<size_t>(flags.jobs),
          .save = flags.save,
          .certificate = flags.certificate,
          .allow_vacuous = flags.allow_vacuous,
          .outputs = flags.outputs};
}

}  // namespace clew::cli
