// clew inject: processes that nobody wrote for Clew, under combinations of failures.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/columns.h"
#include "base/streams.h"
#include "check/budget.h"
#include "check/output_paths.h"
#include "check/promises.h"
#include "cli/campaign.h"
#include "cli/command.h"
#include "cli/inject_init.h"
#include "cli/inject_reproduce.h"
#include "inject/facts.h"
#include "inject/local_runner.h"
#include "inject/target.h"
#include "service/exports.h"
#include "service/page.h"
#include "service/session.h"
#include "service/tell.h"

namespace clew::cli {

namespace {

struct InjectFlags {
  std::string target;
  std::vector<std::string> command{};
  std::vector<std::string> promises;
  int32_t most = 0, occurrences = 0;  // 0: as the target file says
  int32_t jobs = 0, replays = 5, failure_free = 3;
  bool init = false, points = false, first = false, no_lineage = false, json = false;
  std::string save = "counterexample.json";
  std::string report, junit, sarif, resume, reproduce;
  std::string budget = "10m";
  std::string out = "target.toml";
};

// What a campaign needs: whatever is read of files, and who runs and judges. Nothing moves.
struct Campaign {
  inject::Target target;
  SourceSet sources{};
  std::optional<microspec::MicroSpec> spec{};
  std::unique_ptr<inject::Runner> runner{};
  std::unique_ptr<service::Judging> judging{};
};

std::vector<Error> wrong_outputs(const InjectFlags& flags, const inject::Target& target) {
  const std::vector<ProgramFile> files = service::fingerprints(target);
  return check::validate_outputs({{.name = "--save",
                                   .path = flags.save,
                                   .numbered = true,
                                   .by_default = flags.save == InjectFlags().save},
                                  {.name = "--report", .path = flags.report},
                                  {.name = "--resume", .path = flags.resume},
                                  {.name = "--junit", .path = flags.junit},
                                  {.name = "--sarif", .path = flags.sarif}},
                                 files);
}

// Absolute paths, shorter if what they name is below the current folder.
std::vector<std::string> as_seen_from_here(std::vector<std::string> paths) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  for (std::string& path : paths) {
    const std::string near = std::filesystem::path(path).lexically_proximate(here).string();
    if (!error && !near.starts_with("..")) path = near;
  }
  return paths;
}

Status read_target(const InjectFlags& flags, Campaign& campaign) {
  Result<inject::Target> target = inject::read_target(flags.target);
  if (!target.ok()) return target.error();
  campaign.target = *std::move(target);
  if (flags.most > 0) campaign.target.most_failures = static_cast<uint32_t>(flags.most);
  if (flags.occurrences > 0) {
    campaign.target.occurrences = static_cast<uint32_t>(flags.occurrences);
  }
  return Nothing{};
}

// kInputError, or nothing if all is there.
std::optional<int> prepare(const InjectFlags& flags, Campaign& campaign) {
  const check::Notes notes = notes_on_stderr();
  const Result<dedalus::GivenRelations> given = inject::relations_of(campaign.target);
  if (!given.ok()) return fail(given.error());
  Diagnostics diagnostics;
  campaign.spec = microspec::load_microspec(as_seen_from_here(campaign.target.spec), *given,
                                            campaign.sources, diagnostics);
  notes.show(diagnostics, campaign.sources);
  if (!campaign.spec) return kInputError;
  const auto names = check::choose_promises(campaign.spec->program(), flags.promises);
  if (!names.ok()) return fail(names.error());
  campaign.judging = std::make_unique<service::RuleJudging>(
      campaign.target, *campaign.spec, campaign.sources, *names, check::Budget::must_end);
  Result<std::unique_ptr<inject::LocalRunner>> runner = inject::LocalRunner::make(
      campaign.target, {.jobs = static_cast<size_t>(flags.jobs), .stop = check::Budget::must_end});
  if (!runner.ok()) return fail(runner.error());
  campaign.runner = *std::move(runner);
  return std::nullopt;
}

service::Wanted wanted_of(const InjectFlags& flags, const Campaign& campaign) {
  return {.target = campaign.target,
          .failure_free = static_cast<uint32_t>(flags.failure_free),
          .replays = static_cast<uint32_t>(flags.replays),
          .lineage = !flags.no_lineage,
          .first = flags.first,
          .save = flags.save,
          .resume = flags.resume};
}

int exit_code(const service::Report& report) {
  switch (report.kind) {
    case service::Report::Kind::kViolated:
      return kViolated;
    case service::Report::Kind::kNothing:
      return kOk;
    case service::Report::Kind::kBudget:
      return kBudgetUsed;
    case service::Report::Kind::kVacuous:
    case service::Report::Kind::kNoPoint:
      break;
  }
  return fail(*service::nothing_said(report));
}

bool write_exports_of(const service::Report& report, const InjectFlags& flags) {
  const std::string root = std::filesystem::current_path().string();
  return write_exports({{flags.report, [&] { return service::page(report); }},
                        {flags.junit, [&] { return service::junit(report); }},
                        {flags.sarif, [&] { return service::sarif(report, root); }}});
}

int show(const service::Report& report, const InjectFlags& flags, bool again = false) {
  const auto text = [&] { return again ? service::replay_text(report) : service::to_text(report); };
  to_stdout("{}", flags.json ? service::to_json(report) : text());
  const int code = exit_code(report);
  return write_exports_of(report, flags) ? code : kInputError;
}

int show_points(const service::Report& report, const InjectFlags& flags) {
  to_stdout("{}", flags.json ? service::to_json(report) : service::points_text(report));
  if (!report.points.empty()) return kOk;
  return fail({"the target made no call of the failure surface",
               "docs/failure-surface.md lists the calls; look at what the nodes do"});
}

int inject_failures(const InjectFlags& flags) {
  const Result<std::chrono::milliseconds> length = check::parse_duration(flags.budget);
  if (!length.ok()) return fail(length.error());
  Campaign campaign;
  if (const Status read = read_target(flags, campaign); !read.ok()) return fail(read.error());
  if (const auto wrong = wrong_outputs(flags, campaign.target); !wrong.empty()) {
    return fail_all(wrong);
  }
  if (const Status empty = check_reproduction_folder(flags.reproduce); !empty.ok()) {
    return fail(empty.error());
  }
  catch_interrupts();
  if (const std::optional<int> code = prepare(flags, campaign)) return *code;
  check::Notes notes = notes_on_stderr();
  if (flags.json) notes.shows_progress = false;
  const check::Budget budget(*length);
  service::Session session(wanted_of(flags, campaign), *campaign.runner, *campaign.judging, notes,
                           budget);
  const Result<service::Report> report = flags.points ? session.look_around() : session.run();
  if (!report.ok()) return fail(report.error());
  if (flags.points) return show_points(*report, flags);
  const int code = show(*report, flags);
  if (flags.reproduce.empty() || report->groups.empty()) return code;
  const Status written =
      write_reproductions(campaign.target, campaign.sources, *report, flags.reproduce);
  return written.ok() ? code : fail(written.error());
}

int inject(const InjectFlags& flags) {
  if (flags.init) {
    // What stands without a name comes first to TARGET.
    std::vector<std::string> words = flags.command;
    if (!flags.target.empty()) words.insert(words.begin(), flags.target);
    if (!words.empty()) return write_first_target(words, flags.out);
    return fail(
        {"no command to watch", "write it at the end: clew inject --init -- ./server data"});
  }
  if (flags.target.empty()) {
    return fail({"no target file", "clew inject --init -- COMMAND writes a first one"});
  }
  if (!flags.command.empty()) {
    return fail({fmt::format("{} is one argument too many", printable(flags.command.front(), 60)),
                 "name one target file; a command to watch needs --init"});
  }
  return inject_failures(flags);
}

void add_bounds(Command& command, InjectFlags& flags) {
  command
      .option("--max", flags.most,
              "so many failures in a run at most; default: as the target file says")
      .between(1, 16)
      .value("N");
  command
      .option("--occurrences", flags.occurrences,
              "of a point that is reached again and again, the first so many times")
      .between(1, 1000)
      .value("N");
  command.option("--jobs", flags.jobs, "runs at a time; 0: as many as there are processors")
      .between(0, 256)
      .value("N")
      .show_default();
  command.option("--runs", flags.failure_free, "so many runs without failures come first")
      .between(1, 1000)
      .value("N")
      .show_default();
  command.option("--replays", flags.replays, "how often each cause is run again")
      .between(1, 1000)
      .value("N")
      .show_default();
  command.flag("--first", flags.first, "end with the first violation");
  command.flag("--no-lineage", flags.no_lineage,
               "do not begin with what would cut all that the good outcome rests on");
  command.option("--promise", flags.promises, "judge by these promises only; default: all")
      .commas()
      .value("NAMES");
}

void add_outputs(Command& command, InjectFlags& flags) {
  command.option("--save", flags.save, "where to save what violates, for clew replay")
      .value("FILE")
      .not_empty()
      .show_default();
  command
      .option("--resume", flags.resume,
              "go on from what is kept in FILE, if it is there, and keep there what is done")
      .value("FILE")
      .not_empty();
  command.option("--report", flags.report, "write a page that shows the runs, for a browser")
      .value("FILE")
      .not_empty();
  command
      .option("--reproduce", flags.reproduce,
              "write a folder for each cause, with a script that shows it again")
      .value("DIR")
      .not_empty();
  command.option("--junit", flags.junit, "write the verdict as JUnit XML, for CI")
      .value("FILE")
      .not_empty();
  command.option("--sarif", flags.sarif, "write the verdict as SARIF, for code scanning")
      .value("FILE")
      .not_empty();
  command.flag("--json", flags.json, "print the result as JSON (docs/formats/inject.md)");
  command.option("--budget", flags.budget, "how long to work at most, as 90s, 2m, 500ms")
      .value("TIME")
      .show_default();
}

}  // namespace

int replay_target(const check::SavedScenario& saved, bool json, const std::string& report_path,
                  const Allowance& allowance) {
  InjectFlags flags;
  flags.target = saved.inputs.front();
  flags.save.clear();
  flags.report = report_path;
  flags.json = json;
  if (allowance.budget != Allowance::kAllTime) flags.budget = allowance.budget;
  flags.promises = {saved.scenario.target.promise};
  const Result<std::chrono::milliseconds> length = check::parse_duration(flags.budget);
  if (!length.ok()) return fail(length.error());
  Campaign campaign;
  if (const Status read = read_target(flags, campaign); !read.ok()) return fail(read.error());
  if (const auto wrong = wrong_outputs(flags, campaign.target); !wrong.empty()) {
    return fail_all(wrong);
  }
  catch_interrupts();
  if (const std::optional<int> code = prepare(flags, campaign)) return *code;
  const check::Notes notes = notes_on_stderr();
  if (service::have_changed(saved.scenario, campaign.target)) {
    notes.tell("note: the target has changed since this scenario was saved\n");
  }
  const check::Budget budget(*length);
  service::Session session(wanted_of(flags, campaign), *campaign.runner, *campaign.judging, notes,
                           budget);
  const Result<service::Report> report = session.replay(saved.scenario);
  if (!report.ok()) return fail(report.error());
  return show(*report, flags, true);
}

void add_inject(CommandLine& line) {
  Command command =
      line.add("inject", "Try combinations of failures on processes, and judge what comes of them");
  auto flags = std::make_shared<InjectFlags>();
  command.argument("TARGET", flags->target, "a target file: what runs, and what must hold")
      .optional();
  command
      .argument("COMMAND", flags->command,
                "with --init: a program and its arguments, after -- if one begins with -")
      .optional();
  const Option init =
      command.flag("--init", flags->init, "write a first target file, from two runs of COMMAND");
  command.option("--out", flags->out, "where to write it; the rules go beside it, as .ded")
      .value("FILE")
      .not_empty()
      .show_default();
  command
      .flag("--points", flags->points,
            "only list the failure points that runs without failures show")
      .excludes(init);
  add_bounds(command, *flags);
  add_outputs(command, *flags);
  command.footer(
      "docs/inject.md tells how target files are written.\n"
      "Exits with 0 if no combination of failures that was to be tried violates a promise, 10 if "
      "one\n"
      "does, 20 if there was no time for all, 2 if the target cannot be run or nothing was "
      "promised.");
  command.does([flags] { return until_stopped([&] { return inject(*flags); }); });
}

}  // namespace clew::cli
