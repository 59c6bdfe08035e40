#include "check/record.h"

#include <algorithm>
#include <memory>
#include <set>

#include "base/check.h"
#include "check/counterexample.h"
#include "check/replayer.h"

namespace clew::check {

namespace {

std::function<Run(const FaultSet&)> make_replay(
    const ProgramInput& input, std::shared_ptr<const dedalus::LoweredProgram> program,
    const FaultModel& model, const Stop& stop) {
  auto replayer = std::make_shared<Replayer>(input, std::move(program), stop);
  return [replayer, &input, model](const FaultSet& faults) {
    std::optional<Run> run = replayer->run(to_scenario(input, model, faults));
    CHECK(run, "{}", to_string(faults));
    return std::move(*run);
  };
}

std::optional<size_t> counterexample_of(const report::CheckReport& check, const FaultSet& faults) {
  auto same = [&](const report::Counterexample& one) { return one.run.scenario.faults == faults; };
  auto at = std::ranges::find_if(check.counterexamples, same);
  if (at == check.counterexamples.end()) return std::nullopt;
  return static_cast<size_t>(at - check.counterexamples.begin());
}

}  // namespace

report::Record make_failed_record(const ProgramInput& input, const report::CheckReport& check) {
  report::Record record;
  record.check = check;
  for (FileId id = 0; id < input.sources.size(); ++id) {
    record.program.push_back({input.sources.path(id), std::string(input.sources.text(id))});
  }
  record.inputs = input.inputs;
  return record;
}

report::Record make_record(const ProgramInput& input,
                           std::shared_ptr<const dedalus::LoweredProgram> program,
                           const report::CheckReport& check, const Stop& stop) {
  report::Record record = make_failed_record(input, check);
  std::set<std::string> seen;
  for (const Verdict::Tried& tried : check.verdict.tried) {
    if (!seen.insert(to_string(tried.choice.faults)).second) continue;
    record.runs.push_back(
        {tried.choice.faults, tried.outcome, counterexample_of(check, tried.choice.faults)});
  }
  record.runs_left_out = check.verdict.tried_left_out;
  record.replay = make_replay(input, std::move(program), check.verdict.model, stop);
  if (record.runs.empty()) {
    record.runs.push_back({{}, record.replay({}).outcome().kind, counterexample_of(check, {})});
  }
  return record;
}

}  // namespace clew::check
