// What follows the search: the verdict's words, counterexamples, the certificate, files.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/stop.h"
#include "check/certificate.h"
#include "check/counterexample.h"
#include "check/coverage.h"
#include "check/record.h"
#include "check/recovery.h"
#include "check/session.h"
#include "ground/grounder.h"
#include "simulate/simulator.h"

namespace clew::check {

namespace {

constexpr const char* kUsedUp = "the budget was used up";

}  // namespace

void Session::finish(Ending& ending) {
  Verdict& verdict = ending.report.verdict;
  switch (verdict.kind) {
    case Verdict::Kind::kFailed:
      fail_run(ending);
      break;
    case Verdict::Kind::kVacuous:
      CHECK(false, "only what is robust turns out to be vacuous");
      break;
    case Verdict::Kind::kUnknown:
      if (verdict.vacuous && ending.report.swept) {
        ending.answered = false;
        verdict.kind = Verdict::Kind::kFailed;
        verdict.why_unknown = fmt::format(
            "nothing is promised: `{}` is empty in the run without faults, however long",
            ending.report.pre);
        ending.errors.push_back(
            {verdict.why_unknown, "say when the promise applies, or give --eot"});
      } else if (verdict.why_unknown == kUsedUp) {
        verdict.why_unknown = why_ended_;
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
  const Status saved =
      show_counterexamples(input_, lowered_, wanted_.save, after_search(), notes_, ending.report);
  if (!saved.ok()) ending.errors.push_back(saved.error());
  // What a sweep reports otherwise is known to last.
  const bool may_recover = wanted_.eot || wanted_.model.eventually > 0;
  if (may_recover) look_further(lowered_, after_search(), ending.report);
}

// What never applies was never put to the test.
void Session::find_coverage(Ending& ending) {
  report::CheckReport& report = ending.report;
  progress_.stage(report.verdict.model, "what is promised");
  report.coverage = cover(input_, report.verdict.model, after_search());
  progress_.clear();
  const bool allowed =
      std::ranges::find(wanted_.allow_vacuous, report.promise) != wanted_.allow_vacuous.end();
  if (!report.coverage->never.empty() && !allowed) {
    report.verdict.kind = Verdict::Kind::kVacuous;
  }
}

void Session::finish_robust(Ending& ending) {
  find_coverage(ending);
  if (ending.report.verdict.kind != Verdict::Kind::kRobust) return;
  if (wanted_.certificate.empty()) return;
  progress_.stage(ending.report.verdict.model, "writing the certificate");
  const auto written = unless_stopped([&] { return certify(ending.report.verdict.model); });
  progress_.clear();
  if (!written) {
    notes_.tell("note: {}, so no certificate was written\n",
                Budget::interrupted() ? "interrupted" : rest_.why());
    ending.interrupted = true;
  } else if (written->ok()) {
    ending.report.certificate = wanted_.certificate;
  } else {
    ending.errors.push_back(written->error());
  }
}

// Throws Stopped if there is no time; none is begun after Ctrl-C.
Status Session::certify(const FaultModel& model) const {
  const auto stopped = [this] { return Budget::interrupted() || rest_.used_up(); };
  if (stopped()) throw Stopped();
  ground::Grounder grounder(lowered_, model, {.stop = stopped});
  const Status ground = grounder.run();
  if (!ground.ok() && stopped()) throw Stopped();
  if (!ground.ok()) {
    return Error{"this verdict has no certificate: " + ground.error().message, ""};
  }
  return write_certificate(grounder, input_, wanted_.certificate, stopped);
}

void Session::fail_run(Ending& ending) const {
  Verdict& verdict = ending.report.verdict;
  const FaultModel& model = verdict.model;
  ending.answered = false;
  simulate::Simulator simulator(lowered_, {.stop = after_search()});
  const auto error =
      unless_stopped([&] { return simulator.run(model.eot, verdict.failing.faults); });
  if (error && *error) ending.diagnostics.add(microspec::to_diagnostic(**error));
  const std::string told = ending.diagnostics.render(input_.sources);
  const std::string what = error ? told.substr(0, told.find('\n')) : "a rule fails";
  verdict.why_unknown =
      fmt::format("{}; it happens with {}", what, to_string(verdict.failing.faults));
  if (error) return;
  ending.errors.push_back({verdict.why_unknown, "give it more time or memory to say which one"});
}

report::Record Session::record(Ending&& ending) const {
  report::Record record = make_record(input_, std::move(ending.report));
  if (!ending.answered) return record;
  const auto with_runs = unless_stopped([&] {
    add_runs(input_, lowered_, after_search(), record);
    return true;
  });
  if (!with_runs && wanted_.outputs.any_of_runs()) {
    notes_.tell("note: there was no time or memory left for the files that show runs\n");
  }
  return record;
}

std::vector<Error> Session::write_runs(const report::Record& record) {
  if (!record.replay) return {};
  return check::write_runs(wanted_.outputs, record, progress_, after_search(), notes_);
}

}  // namespace clew::check
