#include "check/session.h"

#include <fmt/format.h>

#include <utility>

#include "check/certificate.h"
#include "check/counterexample.h"
#include "check/record.h"
#include "check/recovery.h"
#include "search/ahead.h"
#include "search/sweep.h"
#include "simulate/rule_table.h"
#include "simulate/system.h"

namespace clew::check {

namespace {

constexpr size_t kCampaigns = 25;  // as many as the paper's averages are over

// Before tick `eot`, in the last run.
bool sends_messages(const simulate::Simulator& simulator, Tick eot) {
  for (const dedalus::Outbox& outbox : simulator.lowered().outboxes) {
    for (Tick tick = 1; tick < eot; ++tick) {
      const auto rows = simulator.rows_at(outbox.outbox, tick);
      if (rows.begin != rows.end) return true;
    }
  }
  return !simulator.lowered().aggregate_sends.empty();
}

}  // namespace

Session::Session(const ProgramInput& input, Wanted wanted, std::chrono::milliseconds length,
                 bool show_progress)
    : input_(input),
      wanted_(std::move(wanted)),
      lowered_(std::make_shared<const dedalus::LoweredProgram>(
          input.program, wanted_.model.nodes, wanted_.model.crash_model == CrashModel::kStop)),
      budget_(length),
      progress_(budget_, show_progress),
      checker_(
          lowered_, wanted_.settings, progress_, [this] { return must_stop(); },
          simulate::make_rule_table(input.program, input.sources)) {}

Ending Session::run() {
  Budget::catch_interrupts();
  Ending ending;
  report::CheckReport& report = ending.report;
  search(report);
  progress_.clear();
  // A sweep that needs no faults needs no adversary.
  const std::string& adversary = report.verdict.adversary;
  report.adversary = adversary.empty() ? wanted_.settings.adversary : adversary;
  report.seconds = budget_.seconds_used();
  report.max_faults = wanted_.settings.max_faults;
  report.cut_short = report.swept && budget_.used_up();
  report.interrupted = report.swept && Budget::interrupted();
  ending.interrupted = report.interrupted;
  finish(ending);
  return ending;
}

void Session::search(report::CheckReport& report) {
  if (!wanted_.fixed()) {
    sweep(report);
  } else if (wanted_.settings.adversary == "random") {
    run_campaigns(report);
  } else {
    report.verdict = checker_.check(wanted_.model);
  }
}

void Session::run_campaigns(report::CheckReport& report) {
  report::CampaignStats stats;
  const uint64_t seed = wanted_.settings.seed;
  for (size_t i = 0; i < kCampaigns && (i == 0 || !budget_.used_up()); ++i) {
    wanted_.settings.seed = seed + i;
    const double before = budget_.seconds_used();
    Verdict verdict = checker_.check(wanted_.model);
    ++stats.count;
    stats.mean_seconds += budget_.seconds_used() - before;
    const bool found = verdict.kind == Verdict::Kind::kBroken;
    stats.found += found ? 1 : 0;
    stats.mean_executions +=
        static_cast<double>(found ? verdict.executions_found : verdict.executions);
    if (i == 0) report.verdict = std::move(verdict);
    if (report.verdict.kind != Verdict::Kind::kBroken) break;
  }
  stats.mean_executions /= static_cast<double>(stats.count);
  stats.mean_seconds /= static_cast<double>(stats.count);
  report.campaigns = stats;
}

void Session::sweep(report::CheckReport& report) {
  const FaultModel& model = wanted_.model;
  simulate::ProgramSystem system(lowered_);
  Scenario base = scenario_of(model);
  checker_.expect_sweep({wanted_.eot.value_or(1), model.crashes});
  search::SweepWorld world;
  search::Ahead ahead(wanted_.jobs, [&](const FaultModel& one) { return checker_.check(one); });
  world.check = [&](const FaultModel& one) {
    Verdict verdict =
        wanted_.effort ? check_within_effort(one) : ahead.get(one, search::next_bounds);
    if (verdict.kind == Verdict::Kind::kRobust && one.crashes == model.crashes) {
      robust_so_far_ = true;
      progress_.robust(one);
    }
    return verdict;
  };
  if (wanted_.effort) world.enough = [&] { return work().exceeds(*wanted_.effort); };
  world.outcome = [&](const FaultSet& faults, Tick eot) {
    base.program.eot = eot;
    ticks_looked_at_ += static_cast<uint64_t>(eot);
    return outcome_of(system, complete(base, {faults, {}}));
  };
  world.sends_messages = [&](Tick eot) { return sends_messages(system.simulator(), eot); };
  world.stop = [&] { return budget_.used_up(); };
  search::SweepOptions options{.crashes = model.crashes};
  if (wanted_.eot) options.eot = *wanted_.eot;
  if (wanted_.eff) options.eff = *wanted_.eff;
  search::SweepResult result = search::sweep(model, world, options);
  over_ = true;
  report.swept = true;
  report.verdict = std::move(result.verdict);
  report.verdict.executions = result.executions;
  report.steps = std::move(result.steps);
  report.violated_until = result.violated_until;
  if (result.enough && !budget_.used_up()) report.effort = work();
}

Work Session::work() {
  Work all = checker_.work();
  all.ticks += ticks_looked_at_;
  return all;
}

// Nothing is given up while nothing is known, nor where something has been found: the sweep asks
// about fewer crashes then.
Verdict Session::check_within_effort(const FaultModel& model) {
  if (!robust_so_far_ || model.crashes != wanted_.model.crashes) return checker_.check(model);
  const Work done = work();
  const Work& most = *wanted_.effort;
  const auto rest = [](uint64_t all, uint64_t used) { return all > used ? all - used : 0; };
  return checker_.check(model,
                        Work{rest(most.ticks, done.ticks), rest(most.clauses, done.clauses)});
}

bool Session::must_stop() {
  progress_.tick();
  return over_ || budget_.used_up();
}

void Session::finish(Ending& ending) {
  Verdict& verdict = ending.report.verdict;
  switch (verdict.kind) {
    case Verdict::Kind::kFailed:
      fail_run(ending);
      break;
    case Verdict::Kind::kUnknown:
      if (verdict.vacuous && ending.report.swept) {
        ending.answered = false;
        verdict.kind = Verdict::Kind::kFailed;
        verdict.why_unknown =
            "nothing is promised: `pre` is empty in the run without faults, however long";
        ending.errors.push_back(
            {verdict.why_unknown,
             "say when the promise applies, as rules for `pre`, or give --eot"});
      } else if (Budget::interrupted()) {
        verdict.why_unknown = "it was interrupted";
      }
      break;
    case Verdict::Kind::kRobust:
      finish_robust(ending);
      break;
    case Verdict::Kind::kBroken:
      finish_broken(ending);
      break;
  }
}

void Session::finish_broken(Ending& ending) {
  const Status saved = show_counterexamples(input_, lowered_, wanted_.save, ending.report);
  if (!saved.ok()) ending.errors.push_back(saved.error());
  // What a sweep reports otherwise is known to last.
  const bool may_recover = wanted_.eot || wanted_.model.eventually > 0;
  const auto stop = [this] { return budget_.used_up(); };
  if (may_recover) look_further(lowered_, stop, ending.report);
}

void Session::finish_robust(Ending& ending) {
  if (wanted_.certificate.empty()) return;
  if (Budget::interrupted()) {
    fmt::print(stderr, "note: interrupted, so no certificate was written\n");
    ending.interrupted = true;
    return;
  }
  progress_.stage(ending.report.verdict.model, "writing the certificate");
  const Status written = certify(ending.report.verdict.model);
  progress_.clear();
  if (written.ok()) {
    ending.report.certificate = wanted_.certificate;
  } else {
    ending.errors.push_back(written.error());
  }
}

Status Session::certify(const FaultModel& model) const {
  ground::Grounder grounder(lowered_, model, {});
  const Status ground = grounder.run();
  if (!ground.ok()) {
    return Error{"this verdict has no certificate: " + ground.error().message, ""};
  }
  return write_certificate(grounder, input_, wanted_.certificate,
                           [] { return Budget::interrupted(); });
}

void Session::fail_run(Ending& ending) const {
  Verdict& verdict = ending.report.verdict;
  const FaultModel& model = verdict.model;
  ending.answered = false;
  simulate::Simulator simulator(lowered_, {});
  if (auto error = simulator.run(model.eot, verdict.failing.faults)) {
    ending.diagnostics.add(simulate::to_diagnostic(*error));
  }
  const std::string told = ending.diagnostics.render(input_.sources);
  verdict.why_unknown = fmt::format("{}; it happens with {}", told.substr(0, told.find('\n')),
                                    to_string(verdict.failing.faults));
}

std::vector<Error> Session::write_outputs(const Ending& ending) {
  if (!ending.answered) {
    return write_failure(wanted_.outputs, make_failed_record(input_, ending.report));
  }
  if (!wanted_.outputs.any()) return {};
  return check::write_outputs(wanted_.outputs, make_record(input_, lowered_, ending.report),
                              progress_);
}

}  // namespace clew::check
