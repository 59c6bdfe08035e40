// clew check: the faults that break a protocol, or that none can.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/streams.h"
#include "base/watched.h"
#include "check/budget.h"
#include "check/promises.h"
#include "check/stages.h"
#include "cli/check_flags.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

int exit_code(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::kRobust:
      return kOk;
    case Verdict::Kind::kBroken:
      return kViolated;
    case Verdict::Kind::kUnknown:
      return kBudgetUsed;
    case Verdict::Kind::kFailed:
    case Verdict::Kind::kVacuous:
      break;
  }
  return kInputError;
}

// Says what went wrong, if anything did.
void tell(const check::PromiseCheck& one, std::vector<Error>& errors) {
  const check::Ending& ending = one.ending;
  Diagnostics diagnostics = ending.diagnostics;
  notes_on_stderr().show(diagnostics, one.input->sources);
  if (!diagnostics.all().empty()) {
    to_stderr("  it happens with {}\n", to_string(ending.report.verdict.failing.faults));
  }
  errors.insert(errors.end(), ending.errors.begin(), ending.errors.end());
}

// What there is no time to draw is left out.
void print_reports(const check::PromiseChecks& checks, bool json) {
  const std::vector<const report::CheckReport*> reports = checks.reports();
  if (reports.empty()) return;
  const Watched watched(checks.after_search());
  to_stdout("{}", json ? report::to_json(reports) : report::to_text(reports));
}

int search(const CheckFlags& flags, const check::ProgramInput& input, const FaultModel& model,
           const check::Budget& whole) {
  const Result<std::vector<std::string>> names =
      check::choose_promises(input.program, flags.promises);
  if (!names.ok()) return fail(names.error());
  check::Budget::limit_time(std::chrono::milliseconds(0));  // each promise has its share
  check::Notes notes = notes_on_stderr();
  if (flags.json) notes.shows_progress = false;
  check::PromiseChecks checks(input, to_wanted(flags, model), *names, notes);
  const auto left = static_cast<int64_t>(whole.seconds_left() * 1000);
  checks.run(std::chrono::milliseconds(std::max<int64_t>(left, 1)));
  print_reports(checks, flags.json);
  std::vector<Error> errors;
  Verdict::Kind worst = Verdict::Kind::kRobust;
  bool interrupted = false;
  bool unwritten = false;  // something that was wanted
  for (const check::PromiseCheck& one : checks.all()) {
    tell(one, errors);
    const Verdict::Kind kind = one.ending.report.verdict.kind;
    if (badness(kind) > badness(worst)) worst = kind;
    interrupted |= one.ending.interrupted;
    unwritten |= kind != Verdict::Kind::kFailed && !one.ending.errors.empty();
  }
  for (Error& error : checks.write_outputs()) {
    unwritten = true;
    errors.push_back(std::move(error));
  }
  if (worst == Verdict::Kind::kRobust && interrupted) worst = Verdict::Kind::kUnknown;
  if (errors.empty()) return exit_code(worst);
  const int code = fail_all(errors);
  return unwritten ? code : exit_code(worst);
}

int show_stage(const CheckFlags& flags, const check::ProgramInput& input, const FaultModel& model) {
  if (!flags.fixed()) {
    return fail({"--show needs the bounds that the stage is about", "give --eot and --eff"});
  }
  ground::Grounder grounder(input.program, model, {.stop = check::Budget::must_end});
  const Status ground = grounder.run();
  if (check::Budget::must_end()) throw Stopped();
  if (!ground.ok()) return fail(ground.error());
  const Watched watched(check::Budget::must_end);
  to_stdout("{}",
            flags.show == "ground" ? check::print_ground(grounder) : check::print_cnf(grounder));
  return kOk;
}

// A verdict, if only that nothing is known, takes a program that has been read.
constexpr std::chrono::milliseconds kReading{500};

int check(const CheckFlags& flags) {
  const Result<std::chrono::milliseconds> length =
      check::parse_duration(flags.has_budget() ? flags.budget : "120s");
  if (!length.ok()) return fail(length.error());
  const check::Budget whole(*length);
  check::Budget::limit_time(*length + kReading);
  const std::optional<check::ProgramInput> input =
      check::read_program(flags.files, notes_on_stderr());
  if (!input) return kInputError;
  catch_interrupts();
  const auto chosen = check::choose_promises(input->program, flags.promises);
  if (!chosen.ok()) return fail(chosen.error());
  const Result<FaultModel> model = to_model(flags, *input);
  if (!model.ok()) return fail(model.error());
  if (!flags.show.empty()) return show_stage(flags, *input, *model);
  if (!flags.certificate.empty() && flags.max_faults >= 0) {
    return fail({"a certificate is about all admissible faults: --max-faults limits them",
                 "leave out --max-faults or --certificate"});
  }
  const std::vector<Error> errors = check::validate_outputs(output_paths(flags), input->files);
  if (!errors.empty()) return fail_all(errors);
  return search(flags, *input, *model, whole);
}

}  // namespace

void add_check(CommandLine& line) {
  Command command =
      line.add("check", "Find the faults that break a protocol, or show that none can");
  auto flags = std::make_shared<CheckFlags>();
  flags->add_to(command);
  command.footer(
      "Without --eot and --eff the bounds grow until something breaks, or for about a second;\n"
      "with --deep or --budget until the budget is used up.\n"
      "Exits with 0 if the protocol is robust, 10 if a counterexample was found, 20 if the budget\n"
      "was used up before there was an answer.");
  command.does([flags] {
    return work_within(
        {.memory = flags->memory}, [&] { return check(*flags); },
        static_cast<size_t>(flags->jobs) + 2);
  });
}

}  // namespace clew::cli
