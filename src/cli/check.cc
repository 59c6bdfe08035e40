// clew check: the faults that break a protocol, or that none can.
#include <fmt/format.h>

#include <atomic>
#include <memory>

#include "cli/budget.h"
#include "cli/certificate.h"
#include "cli/check_flags.h"
#include "cli/checker.h"
#include "cli/command.h"
#include "cli/counterexample.h"
#include "cli/exports.h"
#include "cli/record.h"
#include "cli/stages.h"
#include "report/check_report.h"
#include "search/ahead.h"
#include "search/sweep.h"
#include "simulate/system.h"

namespace clew::cli {

namespace {

constexpr size_t kCampaigns = 25;  // as many as the paper's averages are over

class Check {
 public:
  Check(const CheckFlags& flags, const ProgramInput& input, CheckSettings settings,
        FaultModel model, std::chrono::milliseconds length)
      : flags_(flags),
        input_(input),
        settings_(std::move(settings)),
        model_(std::move(model)),
        budget_(length),
        progress_(budget_, !flags.json),
        checker_(input.program, settings_, progress_, [this] { return must_stop(); }) {}

  int run() {
    Budget::catch_interrupts();
    if (settings_.adversary == "random" && flags_.fixed()) {
      run_campaigns();
    } else if (flags_.fixed()) {
      report_.verdict = checker_.check(model_);
    } else {
      run_sweep();
    }
    progress_.clear();
    report_.adversary = report_.verdict.adversary;
    report_.seconds = budget_.seconds_used();
    report_.max_faults = settings_.max_faults;
    report_.cut_short = report_.swept && budget_.used_up();
    report_.interrupted = report_.swept && Budget::interrupted();
    int code = finish();
    return printed_ ? export_all(code) : export_failure(code);
  }

 private:
  void run_campaigns() {
    report::CampaignStats stats;
    uint64_t seed = settings_.seed;
    for (size_t i = 0; i < kCampaigns && (i == 0 || !budget_.used_up()); ++i) {
      settings_.seed = seed + i;
      double before = budget_.seconds_used();
      Verdict verdict = checker_.check(model_);
      ++stats.count;
      stats.mean_seconds += budget_.seconds_used() - before;
      bool found = verdict.kind == Verdict::Kind::kBroken;
      stats.found += found ? 1 : 0;
      stats.mean_executions +=
          static_cast<double>(found ? verdict.executions_found : verdict.executions);
      if (i == 0) report_.verdict = std::move(verdict);
      if (report_.verdict.kind != Verdict::Kind::kBroken) break;
    }
    stats.mean_executions /= static_cast<double>(stats.count);
    stats.mean_seconds /= static_cast<double>(stats.count);
    report_.campaigns = stats;
  }

  void run_sweep() {
    simulate::ProgramSystem system(input_.program, model_);
    search::SweepWorld world;
    search::Ahead ahead(static_cast<size_t>(flags_.jobs),
                        [&](const FaultModel& model) { return checker_.check(model); });
    world.check = [&](const FaultModel& model) { return ahead.get(model, search::next_bounds); };
    world.outcome = [&](const FaultSet& faults, Tick eot) {
      system.set_eot(eot);
      return system.run(faults);
    };
    world.sends_messages = [&](Tick eot) { return sends_messages(eot); };
    world.stop = [&] { return budget_.used_up(); };
    search::SweepOptions options{.crashes = model_.crashes};
    if (flags_.eot >= 0) options.eot = flags_.eot;
    if (flags_.eff >= 0) options.eff = flags_.eff;
    search::SweepResult result = search::sweep(model_, world, options);
    over_ = true;
    report_.swept = true;
    report_.verdict = std::move(result.verdict);
    report_.verdict.executions = result.executions;
    report_.steps = std::move(result.steps);
  }

  bool must_stop() {
    progress_.tick();
    return over_ || budget_.used_up();
  }

  bool sends_messages(Tick eot) const {
    simulate::Simulator simulator(input_.program, model_.nodes, model_.crash_model, {});
    if (simulator.run(eot, {})) return false;
    for (const dedalus::Outbox& outbox : simulator.lowered().outboxes) {
      for (Tick tick = 1; tick < eot; ++tick) {
        auto rows = simulator.rows_at(outbox.outbox, tick);
        if (rows.begin != rows.end) return true;
      }
    }
    return !simulator.lowered().aggregate_sends.empty();
  }

  int finish() {
    switch (report_.verdict.kind) {
      case Verdict::Kind::kFailed:
        return fail_run();
      case Verdict::Kind::kUnknown:
        if (report_.verdict.vacuous && report_.swept) return fail_vacuous();
        if (Budget::interrupted()) report_.verdict.why_unknown = "it was interrupted";
        print();
        return kBudgetUsed;
      case Verdict::Kind::kRobust:
        return finish_robust();
      case Verdict::Kind::kBroken:
        break;
    }
    Status saved = show_counterexamples(input_, flags_.save, report_);
    print();
    return saved.ok() ? kViolated : fail(saved.error());
  }

  int finish_robust() {
    if (!flags_.certificate.empty() && Budget::interrupted()) {
      print();
      fmt::print(stderr, "note: interrupted, so no certificate was written\n");
      return kBudgetUsed;
    }
    if (!flags_.certificate.empty()) {
      progress_.stage(report_.verdict.model, "writing the certificate");
      Status written = certify();
      progress_.clear();
      if (!written.ok()) {
        print();
        return fail(written.error());
      }
      report_.certificate = flags_.certificate;
    }
    print();
    return report_.interrupted ? kBudgetUsed : kOk;
  }

  Status certify() {
    ground::Grounder grounder(input_.program, report_.verdict.model, {});
    Status ground = grounder.run();
    if (!ground.ok()) {
      return Error{"this verdict has no certificate: " + ground.error().message, ""};
    }
    return write_certificate(grounder, input_, flags_.certificate,
                             [] { return Budget::interrupted(); });
  }

  int fail_run() {
    const FaultModel& model = report_.verdict.model;
    simulate::Simulator simulator(input_.program, model.nodes, model.crash_model, {});
    Diagnostics diagnostics;
    if (auto error = simulator.run(model.eot, report_.verdict.failing)) {
      diagnostics.add(simulate::to_diagnostic(*error));
    }
    show(diagnostics, input_.sources);
    const std::string faults = "it happens with " + to_string(report_.verdict.failing);
    fmt::print(stderr, "  {}\n", faults);
    const std::string told = diagnostics.render(input_.sources);
    report_.verdict.why_unknown = fmt::format("{}; {}", told.substr(0, told.find('\n')), faults);
    return kInputError;
  }

  int fail_vacuous() {
    report_.verdict.kind = Verdict::Kind::kFailed;
    report_.verdict.why_unknown =
        "nothing is promised: `pre` is empty in the run without faults, however long";
    return fail({report_.verdict.why_unknown,
                 "say when the promise applies, as rules for `pre`, or give --eot"});
  }

  int export_all(int code) {
    if (!flags_.outputs.any()) return code;
    const std::vector<Error> errors =
        write_outputs(flags_.outputs, make_record(input_, report_), progress_);
    return errors.empty() ? code : fail_all(errors);
  }

  int export_failure(int code) {
    const std::vector<Error> errors =
        write_failure(flags_.outputs, make_failed_record(input_, report_));
    return errors.empty() ? code : fail_all(errors);
  }

  void print() {
    printed_ = true;
    fmt::print("{}", flags_.json ? report::to_json(report_) : report::to_text(report_));
  }

  const CheckFlags& flags_;
  const ProgramInput& input_;
  CheckSettings settings_;
  FaultModel model_;
  Budget budget_;
  Progress progress_;
  Checker checker_;
  report::CheckReport report_;
  bool printed_ = false;
  std::atomic<bool> over_ = false;  // threads that are still at work may stop
};

int show_stage(const CheckFlags& flags, const ProgramInput& input, const FaultModel& model) {
  if (!flags.fixed()) {
    return fail({"--show needs the bounds that the stage is about", "give --eot and --eff"});
  }
  ground::Grounder grounder(input.program, model, {});
  Status ground = grounder.run();
  if (!ground.ok()) return fail(ground.error());
  fmt::print("{}", flags.show == "ground" ? print_ground(grounder) : print_cnf(grounder));
  return kOk;
}

int check(const CheckFlags& flags) {
  std::optional<ProgramInput> input = read_program(flags.files);
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
  const std::vector<Error> errors = validate_outputs(output_paths(flags), input->files);
  if (!errors.empty()) return fail_all(errors);
  Result<std::chrono::milliseconds> length = parse_duration(flags.budget);
  if (!length.ok()) return fail(length.error());
  return Check(flags, *input, to_settings(flags), *model, *length).run();
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("check", "Find the faults that break a protocol, or show that none can");
  auto flags = std::make_shared<CheckFlags>();
  flags->add_to(*command);
  command->footer(
      "Without --eot and --eff the bounds grow until something breaks or the budget is used up.\n"
      "Exits with 0 if the protocol is robust, 10 if a counterexample was found, 20 if the budget\n"
      "was used up before there was an answer.");
  command->callback([flags, &exit_code] { exit_code = check(*flags); });
}

}  // namespace clew::cli
