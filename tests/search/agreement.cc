#include "tests/search/agreement.h"

#include <fmt/format.h>

#include <algorithm>

#include "ground/grounder.h"
#include "search/campaign.h"
#include "search/lattice.h"
#include "simulate/system.h"

namespace clew::search {

namespace {

struct Found {
  Verdict::Kind kind;
  std::vector<std::string> counterexamples;  // sorted
  size_t executions;
};

Found find_all(const dedalus::Program& program, const FaultModel& model, Adversary& adversary) {
  simulate::ProgramSystem system(program, model);
  Verdict verdict = Campaign(system, adversary, model, {.all = true}).run();
  Found found{verdict.kind, {}, verdict.effort.executions};
  for (const Choice& choice : verdict.counterexamples) {
    found.counterexamples.push_back(to_string(choice.faults));
  }
  std::ranges::sort(found.counterexamples);
  return found;
}

std::string describe(const Found& found) {
  return fmt::format("{}: {}", to_string(found.kind), fmt::join(found.counterexamples, "; "));
}

// Every admissible FaultSet, one by one: as the run goes, so must the rules.
std::string judge_all(const dedalus::Program& program, const FaultModel& model,
                      const formula::Rules& rules, AgreementTally& tally) {
  simulate::ProgramSystem system(program, model);
  AdmissibleSets sets(model);
  while (std::optional<FaultSet> faults = sets.next()) {
    ++tally.fault_sets;
    const std::optional<Outcome::Kind> outcome =
        outcome_of(system, complete(scenario_of(model), {*faults, {}}));
    if (!outcome) return fmt::format("a run fails that cannot: {}", to_string(*faults));
    bool violated = *outcome == Outcome::Kind::kViolated;
    bool expected = formula::evaluate(rules, *faults).holds(rules.goal());
    if (violated == expected) continue;
    return fmt::format("with {} the run is {}, the ground rules say {}", to_string(*faults),
                       to_string(*outcome), expected);
  }
  return "";
}

}  // namespace

std::string disagreement(const dedalus::Program& program, const FaultModel& model,
                         AgreementTally& tally) {
  ++tally.checks;
  ground::Grounder grounder(program, model, {.most_rows = 20'000, .most_firings = 50'000});
  if (!grounder.run().ok()) {
    ++tally.ungrounded;
    return "";
  }
  std::string complaint = judge_all(program, model, grounder.rules(), tally);
  if (!complaint.empty()) return complaint;
  Found exhaustive = find_all(program, model, *make_exhaustive(model, {}));
  Found symbolic = find_all(program, model, *make_symbolic(grounder.rules(), {}));
  Found lineage = find_all(
      program, model,
      *make_lineage({grounder.rules(), [&](const Run& run) { return grounder.kinds_shown(run); }},
                    {}));
  if (grounder.rules().loops() > 0) ++tally.with_loops;
  tally.lineage_executions += lineage.executions;
  tally.counterexamples += exhaustive.counterexamples.size();
  ++(exhaustive.kind == Verdict::Kind::kBroken ? tally.broken : tally.robust);
  for (const auto& [name, found] : {std::pair("symbolic", symbolic), {"lineage", lineage}}) {
    bool same =
        found.kind == exhaustive.kind && found.counterexamples == exhaustive.counterexamples;
    if (!same) {
      return fmt::format("exhaustive: {}\n{}: {}", describe(exhaustive), name, describe(found));
    }
  }
  return "";
}

}  // namespace clew::search
