#include "check/session.h"

#include <utility>

#include "check/memory.h"
#include "microspec/rule_table.h"
#include "search/ahead.h"
#include "search/sweep.h"
#include "simulate/system.h"

namespace clew::check {

namespace {

constexpr size_t kCampaigns = 25;  // as many as the paper's averages are over

// Before tick `eot`, in the last run.
bool sends_messages(const simulate::Simulator& simulator, Tick eot) {
  for (const dedalus::Outbox& outbox : simulator.lowered().outboxes) {
    for (Tick tick = 1; tick < eot; ++tick) {
      const auto rows = simulator.frames().rows_at(outbox.outbox, tick);
      if (rows.begin != rows.end) return true;
    }
  }
  return !simulator.lowered().aggregate_sends.empty();
}

}  // namespace

std::chrono::milliseconds search_length(const Wanted& wanted, std::chrono::milliseconds whole) {
  const bool sweeps = !wanted.fixed();
  if (sweeps && !wanted.certificate.empty()) return whole / 2;
  const bool leaves_some = wanted.settings.all || (sweeps && wanted.outputs.any());
  return leaves_some ? whole * 9 / 10 : whole;
}

Session::Session(const ProgramInput& input, Wanted wanted, std::chrono::milliseconds length,
                 Notes notes)
    : input_(input),
      wanted_(std::move(wanted)),
      notes_(std::move(notes)),
      lowered_(std::make_shared<const dedalus::LoweredProgram>(
          input.program, wanted_.model.nodes, wanted_.model.crash_model == CrashModel::kStop)),
      budget_(length),
      search_(search_length(wanted_, length)),
      rest_(budget_),
      progress_(budget_, notes_),
      checker_(
          lowered_, wanted_.settings, progress_, [this] { return must_stop(); },
          microspec::make_rule_table(input.program, input.sources)) {}

Ending Session::run() {
  Ending ending;
  report::CheckReport& report = ending.report;
  search(report);
  why_ended_ = search_.why();
  // What the search holds is needed for what follows.
  checker_.forget();
  release_memory();
  rest_ = budget_.rest();
  progress_.clear();
  const dedalus::PromiseInfo& promise = input_.program.promises.front();
  report.promise = promise.name;
  report.pre = promise.pre;
  report.among_others = wanted_.among_others;
  // A sweep that needs no faults needs no adversary.
  const std::string& adversary = report.verdict.adversary;
  report.adversary = adversary.empty() ? wanted_.settings.adversary : adversary;
  report.seconds = budget_.seconds_used();
  report.max_faults = wanted_.settings.max_faults;
  report.cut_short = report.swept && search_.used_up();
  report.interrupted = report.swept && Budget::interrupted();
  ending.interrupted = report.interrupted;
  finish(ending);
  release_memory();  // to show what is known
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
  for (size_t i = 0; i < kCampaigns && (i == 0 || !search_.used_up()); ++i) {
    wanted_.settings.seed = seed + i;
    const double before = budget_.seconds_used();
    Verdict verdict = checker_.check(wanted_.model);
    ++stats.count;
    stats.mean_seconds += budget_.seconds_used() - before;
    const bool found = verdict.kind == Verdict::Kind::kBroken;
    stats.found += found ? 1 : 0;
    stats.mean_executions +=
        static_cast<double>(found ? verdict.effort.executions_found : verdict.effort.executions);
    if (i == 0) report.verdict = std::move(verdict);
    if (report.verdict.kind != Verdict::Kind::kBroken) break;
  }
  stats.mean_executions /= static_cast<double>(stats.count);
  stats.mean_seconds /= static_cast<double>(stats.count);
  report.campaigns = stats;
}

void Session::sweep(report::CheckReport& report) {
  const FaultModel& model = wanted_.model;
  simulate::ProgramSystem system(lowered_, nullptr, [this] { return must_stop(); });
  Scenario base = scenario_of(model);
  checker_.expect_sweep({wanted_.eot.value_or(1), model.crashes, model.limits});
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
  world.stop = [&] { return search_.used_up(); };
  search::SweepOptions options{.crashes = model.crashes};
  if (wanted_.eot) options.eot = *wanted_.eot;
  if (wanted_.eff) options.eff = *wanted_.eff;
  search::SweepResult result = search::sweep(model, world, options);
  over_ = true;
  report.swept = true;
  report.verdict = std::move(result.verdict);
  report.verdict.effort.executions = result.executions;
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

// Whatever takes long asks this.
bool Session::must_stop() {
  progress_.tick();
  return over_ || search_.used_up();
}

}  // namespace clew::check
