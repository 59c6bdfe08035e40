// clew check: the faults that break a protocol, or that none can.
#include <fmt/format.h>

#include <memory>

#include "check/session.h"
#include "check/stages.h"
#include "cli/check_flags.h"
#include "cli/command.h"

namespace clew::cli {

namespace {

// Says what went wrong, if anything did.
int tell(const check::ProgramInput& input, const check::Ending& ending) {
  const Verdict& verdict = ending.report.verdict;
  Diagnostics diagnostics = ending.diagnostics;
  check::show(diagnostics, input.sources);
  if (!diagnostics.all().empty()) {
    fmt::print(stderr, "  it happens with {}\n", to_string(verdict.failing.faults));
  }
  if (!ending.errors.empty()) return fail_all(ending.errors);
  switch (verdict.kind) {
    case Verdict::Kind::kRobust:
      return ending.interrupted ? kBudgetUsed : kOk;
    case Verdict::Kind::kBroken:
      return kViolated;
    case Verdict::Kind::kUnknown:
      return kBudgetUsed;
    case Verdict::Kind::kFailed:
      break;
  }
  return kInputError;
}

int search(const CheckFlags& flags, const check::ProgramInput& input, const FaultModel& model,
           std::chrono::milliseconds length) {
  check::Session session(input, to_wanted(flags, model), length, !flags.json);
  const check::Ending ending = session.run();
  if (ending.answered) {
    fmt::print("{}", flags.json ? report::to_json(ending.report) : report::to_text(ending.report));
  }
  const int code = tell(input, ending);
  const std::vector<Error> errors = session.write_outputs(ending);
  return errors.empty() ? code : fail_all(errors);
}

int show_stage(const CheckFlags& flags, const check::ProgramInput& input, const FaultModel& model) {
  if (!flags.fixed()) {
    return fail({"--show needs the bounds that the stage is about", "give --eot and --eff"});
  }
  ground::Grounder grounder(input.program, model, {});
  Status ground = grounder.run();
  if (!ground.ok()) return fail(ground.error());
  fmt::print("{}",
             flags.show == "ground" ? check::print_ground(grounder) : check::print_cnf(grounder));
  return kOk;
}

int check(const CheckFlags& flags) {
  std::optional<check::ProgramInput> input = check::read_program(flags.files);
  if (!input) return kInputError;
  const dedalus::RelationInfo* pre = input->program.find(dedalus::kPre);
  if (pre == nullptr || !pre->derived) {
    return fail(
        {"nothing is promised: the program has no rule for `pre`",
         "say when the promise applies, as rules for `pre`, and what is promised, as `post`"});
  }
  Result<FaultModel> model = to_model(flags, *input);
  if (!model.ok()) return fail(model.error());
  if (!flags.show.empty()) return show_stage(flags, *input, *model);
  if (!flags.certificate.empty() && flags.max_faults >= 0) {
    return fail({"a certificate is about all admissible faults: --max-faults limits them",
                 "leave out --max-faults or --certificate"});
  }
  const std::vector<Error> errors = check::validate_outputs(output_paths(flags), input->files);
  if (!errors.empty()) return fail_all(errors);
  Result<std::chrono::milliseconds> length =
      check::parse_duration(flags.has_budget() ? flags.budget : "120s");
  if (!length.ok()) return fail(length.error());
  return search(flags, *input, *model, *length);
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
  command.does([flags] { return check(*flags); });
}

}  // namespace clew::cli
