// clew explore: nodes in C++, every interleaving and fault within bounds.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/streams.h"
#include "check/budget.h"
#include "check/output_paths.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "drive/exports.h"
#include "drive/page.h"
#include "drive/recordings.h"
#include "drive/report.h"

namespace clew::cli {

namespace {

constexpr int32_t kNotGiven = -1;

struct ExploreFlags {
  std::vector<std::string> files;
  int32_t requests = kNotGiven, faults = kNotGiven, crashes = kNotGiven, restarts = kNotGiven;
  int32_t losses = kNotGiven, duplicates = kNotGiven, early_timers = kNotGiven;
  uint64_t states = 500'000;
  bool deep = false;
  bool no_symmetry = false;
  int32_t handler_seconds = 5;
  int32_t jobs = 0;
  std::string engine = "stateful";
  std::string parts, order, analysis;
  bool with_faults = false;
  uint64_t seed = 0;
  bool json = false;
  std::string save = "counterexample.json";
  std::string report, junit, sarif;
  std::string resume;
  std::string memory = check::kDefaultMemory;
  std::string budget = Allowance::kAllTime;
};

std::optional<uint32_t> fixed_at(int32_t value) {
  if (value == kNotGiven) return std::nullopt;
  return static_cast<uint32_t>(value);
}

Result<drive::Wanted> wanted_of(const ExploreFlags& flags) {
  const Result<uint64_t> memory = check::parse_size(flags.memory);
  if (!memory.ok()) return memory.error();
  drive::Wanted wanted{.sources = flags.files,
                       .requests = fixed_at(flags.requests),
                       .crashes = fixed_at(flags.crashes),
                       .restarts = fixed_at(flags.restarts),
                       .losses = fixed_at(flags.losses),
                       .duplicates = fixed_at(flags.duplicates),
                       .early_timers = fixed_at(flags.early_timers),
                       .faults = fixed_at(flags.faults),
                       .engine = flags.engine,
                       .first = flags.seed,
                       .parts = flags.parts,
                       .order = flags.order,
                       .with_faults = flags.with_faults,
                       .most_states = flags.deep ? SIZE_MAX : flags.states,
                       .symmetry = !flags.no_symmetry,
                       .threads = static_cast<size_t>(flags.jobs),
                       .seed = std::nullopt,
                       .resume = flags.resume};
  wanted.program = {.memory = *memory,
                    .handler_seconds = static_cast<double>(flags.handler_seconds)};
  return wanted;
}

// Of clew analyze --json: it is what the independence of events is taken from.
Status add_analysis(const std::string& path, drive::Wanted& wanted) {
  if (path.empty()) return Nothing{};
  Result<std::string> text = drive::read_analysis(path);
  if (!text.ok()) return text.error();
  wanted.analysis = *std::move(text);
  wanted.parts += wanted.parts.empty() ? "analysed" : ",analysed";
  return Nothing{};
}

Result<check::Budget> budget_of(const std::string& text) {
  if (text == Allowance::kAllTime) return check::Budget(std::chrono::hours(24 * 365));
  const Result<std::chrono::milliseconds> length = check::parse_duration(text);
  if (!length.ok()) return length.error();
  return check::Budget(*length);
}

int exit_code(const drive::Report& report) {
  if (report.counterexample) return report.counterexample->tale.broken ? kViolated : kOk;
  if (const std::optional<Error> error = drive::vacuous(report)) return fail(*error);
  const bool fixed_in_vain = report.largest() == nullptr;
  return fixed_in_vain ? kBudgetUsed : kOk;
}

void save(drive::Report& report, const std::string& path) {
  if (!report.counterexample || path.empty()) return;
  const Status saved = check::save_scenario(report.counterexample->scenario, path);
  if (saved.ok()) {
    report.counterexample->saved = path;
  } else {
    fail(saved.error());
  }
}

bool write_exports_of(const drive::Report& report, const ExploreFlags& flags) {
  const std::string root = std::filesystem::current_path().string();
  return write_exports({{flags.report, [&] { return drive::page(report); }},
                        {flags.junit, [&] { return drive::junit(report); }},
                        {flags.sarif, [&] { return drive::sarif(report, root); }}});
}

std::vector<Error> wrong_outputs(const ExploreFlags& flags) {
  std::vector<ProgramFile> files;
  files.reserve(flags.files.size());
  for (const std::string& file : flags.files) files.push_back({file, ""});
  return check::validate_outputs(
      {{.name = "--save", .path = flags.save, .by_default = flags.save == ExploreFlags().save},
       {.name = "--report", .path = flags.report},
       {.name = "--resume", .path = flags.resume},
       {.name = "--junit", .path = flags.junit},
       {.name = "--sarif", .path = flags.sarif}},
      files);
}

std::string if_ended_at_once(const ExploreFlags& flags) {
  if (flags.resume.empty()) return "";
  return fmt::format("; {} has what was saved there before, if anything was", flags.resume);
}

int explore(const ExploreFlags& flags) {
  Result<drive::Wanted> wanted = wanted_of(flags);
  if (!wanted.ok()) return fail(wanted.error());
  const Result<check::Budget> budget = budget_of(flags.budget);
  if (!budget.ok()) return fail(budget.error());
  if (const std::vector<Error> wrong = wrong_outputs(flags); !wrong.empty()) return fail_all(wrong);
  if (const Status added = add_analysis(flags.analysis, *wanted); !added.ok()) {
    return fail(added.error());
  }
  catch_interrupts(if_ended_at_once(flags));
  drive::Session session(*wanted, notes_on_stderr(), *budget);
  Result<drive::Report> report = session.explore();
  if (!report.ok()) return fail(report.error());
  save(*report, flags.save);
  to_stdout("{}", flags.json ? drive::to_json(*report) : drive::to_text(*report));
  const int code = exit_code(*report);
  return write_exports_of(*report, flags) ? code : kInputError;
}

void add_limits(Command& command, ExploreFlags& flags) {
  const auto limit = [&](const char* name, int32_t& number, const char* help) {
    command.option(name, number, help).between(0, 254).value("N");
  };
  limit("--requests", flags.requests,
        "so many clients wait for an answer at a time, and more where nothing is under way; "
        "default: one, then more");
  limit("--faults", flags.faults,
        "so many faults at most, of all kinds together; default: none, then more");
  limit("--crashes", flags.crashes, "of these, so many crashes");
  limit("--restarts", flags.restarts, "crashed nodes come back so often; default: as they crash");
  limit("--losses", flags.losses, "of these, so many envelopes are lost");
  limit("--duplicates", flags.duplicates, "of these, so many envelopes arrive twice");
  limit("--early", flags.early_timers,
        "of these, so many timers fire although something else could happen");
}

void add_engines(Command& command, ExploreFlags& flags) {
  command
      .option("--engine", flags.engine,
              "stateful: every state once; stateless: one path of each class; dfs, random: paths; "
              "novelty: paths to what is new; or a published strategy: modist, bounded, "
              "random-dpor, br-dpor, samc, flymc, flymc-net")
      .one_of({"stateful", "stateless", "dfs", "random", "novelty", "modist", "bounded",
               "random-dpor", "br-dpor", "samc", "flymc", "flymc-net"})
      .value("NAME")
      .show_default();
  command.option("--seed", flags.seed, "of all but stateful: which paths come first")
      .value("N")
      .show_default();
  command
      .option("--order", flags.order,
              "of novelty and the published: what their paths begin with; default: each in turn")
      .one_of({"chain", "fifo", "round-robin"})
      .value("NAME");
  command
      .option("--parts", flags.parts,
              "of the published: switched on besides, as symmetry,parallel (docs/strategies.md)")
      .value("LIST");
  command
      .option("--analysis", flags.analysis,
              "of the published: take what handlers read and write from clew analyze --json")
      .value("FILE")
      .not_empty();
  command.flag("--with-faults", flags.with_faults,
               "of novelty and the published: all paths crash and restart nodes, at their ends");
}

}  // namespace

int replay_nodes(const check::SavedScenario& saved, bool json, const std::string& report_path,
                 const Allowance& allowance) {
  ExploreFlags flags;
  flags.files = saved.inputs;
  flags.save.clear();
  flags.report = report_path;
  flags.memory = allowance.memory;
  flags.budget = allowance.budget;
  const Result<drive::Wanted> wanted = wanted_of(flags);
  if (!wanted.ok()) return fail(wanted.error());
  const Result<check::Budget> budget = budget_of(flags.budget);
  if (!budget.ok()) return fail(budget.error());
  if (const std::vector<Error> wrong = wrong_outputs(flags); !wrong.empty()) return fail_all(wrong);
  catch_interrupts();
  const check::Notes notes = notes_on_stderr();
  drive::Session session(*wanted, notes, *budget);
  const Result<drive::Report> report = session.replay(saved.scenario);
  if (!report.ok()) return fail(report.error());
  if (drive::have_changed(saved.scenario, saved.inputs)) {
    notes.tell("note: the source has changed since this scenario was saved\n");
  }
  to_stdout("{}", json ? drive::to_json(*report) : drive::to_text(*report));
  const int code = exit_code(*report);
  return write_exports_of(*report, flags) ? code : kInputError;
}

int replay_recordings(const std::vector<std::string>& files, bool as_json,
                      const Allowance& allowance) {
  ExploreFlags flags;
  std::vector<std::string> recordings;
  for (const std::string& file : files) {
    const bool is_source = file.ends_with(".cc") || file.ends_with(".cpp") ||
                           file.ends_with(".ded") || ::access(file.c_str(), X_OK) == 0;
    (is_source ? flags.files : recordings).push_back(file);
  }
  if (flags.files.empty()) {
    return fail({"recordings, but of which nodes?", "name the C++ sources of the nodes, too"});
  }
  flags.memory = allowance.memory;
  flags.budget = allowance.budget;
  const Result<drive::Wanted> wanted = wanted_of(flags);
  if (!wanted.ok()) return fail(wanted.error());
  const Result<check::Budget> budget = budget_of(flags.budget);
  if (!budget.ok()) return fail(budget.error());
  catch_interrupts();
  drive::Session session(*wanted, notes_on_stderr(), *budget);
  const Result<nlohmann::json> judged = session.judge(recordings);
  if (!judged.ok()) return fail(judged.error());
  const std::string verdict = drive::verdict_of_recordings(*judged);
  to_stdout("{}", as_json ? drive::recordings_json(*judged) : drive::recordings_text(*judged));
  return verdict == "holds" || verdict == "same" ? kOk : kViolated;
}

void add_explore(CommandLine& line) {
  Command command =
      line.add("explore", "Explore nodes in C++: every interleaving and fault within bounds");
  auto flags = std::make_shared<ExploreFlags>();
  command.argument("FILES", flags->files,
                   "C++ sources, one of which has describe(), or a program made of them; and "
                   "Dedalus files with promises");
  add_limits(command, *flags);
  add_engines(command, *flags);
  command.option("--states", flags->states, "end after so many states, or paths")
      .value("N")
      .show_default();
  command.flag("--deep", flags->deep, "go on until the budget is used up");
  command.flag("--no-symmetry", flags->no_symmetry, "look at nodes that are alike one by one");
  command.option("--handler-seconds", flags->handler_seconds, "so long may a handler run")
      .between(1, 3600)
      .value("N")
      .show_default();
  command.option("--jobs", flags->jobs, "threads; 0: as many as there are processors")
      .between(0, 256)
      .value("N")
      .show_default();
  command.option("--save", flags->save, "where to save the counterexample, for clew replay")
      .value("FILE")
      .not_empty()
      .show_default();
  command
      .option("--report", flags->report,
              "write a page that shows the run and its states, for a browser")
      .value("FILE")
      .not_empty();
  command
      .option("--resume", flags->resume,
              "go on from what is kept in FILE, if it is there, and keep there what is done")
      .value("FILE")
      .not_empty();
  command.option("--junit", flags->junit, "write the verdict as JUnit XML, for CI")
      .value("FILE")
      .not_empty();
  command.option("--sarif", flags->sarif, "write the verdict as SARIF, for code scanning")
      .value("FILE")
      .not_empty();
  command.flag("--json", flags->json, "print the result as JSON (docs/formats/explore.md)");
  command.option("--budget", flags->budget, "how long to work at most, as 90s, 2m, 500ms")
      .value("TIME")
      .show_default();
  add_memory(command, flags->memory);
  command.footer(
      "docs/explore.md tells how nodes are written; clew new-node writes a first one.\n"
      "Exits with 0 if nothing is violated, 10 if something is, 20 if there was no time to find "
      "out,\n"
      "2 if the sources cannot be explored.");
  command.does([flags] { return until_stopped([&] { return explore(*flags); }); });
}

}  // namespace clew::cli
