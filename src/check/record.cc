#include "check/record.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

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

// Which FaultSets, as they are printed, are those of counterexamples.
std::map<std::string, size_t> number_counterexamples(const report::CheckReport& check) {
  std::map<std::string, size_t> numbers;
  for (const report::Counterexample& one : check.counterexamples) {
    numbers.try_emplace(to_string(one.run.scenario.faults), numbers.size());
  }
  return numbers;
}

}  // namespace

report::Record make_record(const ProgramInput& input, report::CheckReport check) {
  report::Record record;
  record.check = std::move(check);
  for (FileId id = 0; id < input.sources.size(); ++id) {
    record.program.push_back({input.sources.path(id), std::string(input.sources.text(id))});
  }
  record.inputs = input.inputs;
  return record;
}

void add_runs(const ProgramInput& input, std::shared_ptr<const dedalus::LoweredProgram> program,
              const Stop& stop, report::Record& record) {
  const Verdict& verdict = record.check.verdict;
  const std::map<std::string, size_t> numbers = number_counterexamples(record.check);
  const auto number = [&](const std::string& faults) {
    const auto at = numbers.find(faults);
    return at == numbers.end() ? std::nullopt : std::optional(at->second);
  };
  std::set<std::string> seen;
  for (const Verdict::Tried& tried : verdict.tried) {
    const std::string faults = to_string(tried.choice.faults);
    if (!seen.insert(faults).second) continue;
    record.runs.push_back({tried.choice.faults, tried.outcome, number(faults)});
  }
  record.runs_left_out = verdict.tried_left_out;
  auto replay = make_replay(input, std::move(program), verdict.model, stop);
  if (record.runs.empty()) {
    const Outcome::Kind good = replay({}).outcome().kind;
    record.runs.push_back({{}, good, number(to_string(FaultSet()))});
  }
  record.replay = std::move(replay);
}

}  // namespace clew::check
