#include "tests/simulate/argument.h"

#include <fmt/format.h>

#include <algorithm>

#include "dedalus/parse.h"
#include "microspec/rule_table.h"
#include "simulate/describe.h"
#include "tests/simulate/difference.h"
#include "tests/twins/shrink.h"

namespace clew::simulate {

using twin::NaiveRun;
using twins::Subject;

namespace {

// One program on one simulator, and its twin.
class Argument {
 public:
  Argument(const Loaded& loaded, const Scenario& scenario, SimulatorOptions options,
           uint64_t most_steps)
      : loaded_(loaded),
        simulator_(*loaded.program, scenario.nodes, scenario.program.crash_model, options),
        rules_(microspec::make_rule_table(*loaded.program, loaded.sources)),
        lineage_(options.lineage),
        most_steps_(most_steps) {}

  // The first difference; empty if they agree, or if the twin gives up.
  std::string over(const Scenario& scenario, Tally& tally) {
    const NaiveRun twin = twin::naive_run(*loaded_.program, scenario, {.most_steps = most_steps_});
    tally.add(twin);
    const auto stopped = [&](const NodeName& node) {
      return has_stopped(scenario, node, scenario.program.eot);
    };
    tally.all_stopped += std::ranges::all_of(scenario.nodes, stopped) ? 1 : 0;
    if (twin.gave_up) return "";
    const auto error = simulator_.run(scenario.program.eot, scenario.faults);
    tally.reused += static_cast<uint64_t>(simulator_.ticks_reused());
    std::string found = compare_errors(error, twin, loaded_.sources);
    if (!found.empty() || error) return found;
    Run run = describe(simulator_, scenario);
    std::string difference = compare_runs(run, twin);
    if (!difference.empty() || !lineage_) return difference;
    add_firings(simulator_, rules_, run);
    return compare_firings(run, twin);
  }

 private:
  const Loaded& loaded_;
  Simulator simulator_;
  std::shared_ptr<const RuleTable> rules_;
  bool lineage_;
  uint64_t most_steps_;
};

// The last scenario's difference, after the others.
std::string last_difference(const Session& session, const Subject& subject) {
  const Loaded loaded = load(subject.text);
  if (!loaded.program) return "";
  Tally ignored;
  Argument argument(loaded, subject.scenario, session.options, session.most_steps);
  for (const Scenario& before : session.scenarios) {
    if (before.nodes == subject.scenario.nodes) argument.over(before, ignored);
  }
  return argument.over(subject.scenario, ignored);
}

// Shrinks what the session's last scenario showed. Most differences need no scenario before it.
std::string complain(Session session) {
  const Subject subject{session.text, session.scenarios.back()};
  session.scenarios.pop_back();
  Session fresh = session;
  fresh.scenarios.clear();
  if (!last_difference(fresh, subject).empty()) session = fresh;
  const Subject small =
      shrink(subject, [&](const Subject& s) { return !last_difference(session, s).empty(); });
  std::string before;
  for (const Scenario& scenario : session.scenarios) {
    before +=
        fmt::format("// after eot {}; {}\n", scenario.program.eot, to_string(scenario.faults));
  }
  return fmt::format("{}\n{}{}", last_difference(session, small), describe(small), before);
}

}  // namespace

Loaded load(const std::string& text) {
  Loaded loaded;
  const FileId file = loaded.sources.add("program.ded", text);
  std::vector<dedalus::File> files = {dedalus::parse(file, loaded.sources, loaded.diagnostics)};
  loaded.program = dedalus::check_program(std::move(files), loaded.diagnostics);
  return loaded;
}

void Tally::add(const NaiveRun& run) {
  ++runs;
  if (run.gave_up) ++gave_up;
  if (run.failed_at) ++failed;
  if (run.in_vain) ++in_vain;
  for (const auto& tick : run.facts) facts += tick.size();
  firings += run.firings.size();
  messages += run.messages.size();
  for (const Message& message : run.messages) lost += message.lost() ? 1U : 0U;
  if (run.outcomes.empty()) return;
  if (run.outcome().kind == Outcome::Kind::kHolds) ++holds;
  if (run.outcome().kind == Outcome::Kind::kViolated) ++violated;
}

std::ostream& operator<<(std::ostream& out, const Tally& tally) {
  return out << fmt::format(
             "{} programs ({} rejected), {} runs ({} given up, {} failed, {} holds, {} violated), "
             "{} facts, {} firings, {} messages ({} lost), {} in vain, {} where all have stopped, "
             "{} with "
             "mixed comparisons, {} ticks reused",
             tally.programs, tally.rejected, tally.runs, tally.gave_up, tally.failed, tally.holds,
             tally.violated, tally.facts, tally.firings, tally.messages, tally.lost, tally.in_vain,
             tally.all_stopped, tally.mixed, tally.reused);
}

std::string argue(const Session& session, const Loaded& loaded, Tally& tally) {
  Argument argument(loaded, session.scenarios[0], session.options, session.most_steps);
  Session so_far = session;
  so_far.scenarios.clear();
  for (const Scenario& scenario : session.scenarios) {
    so_far.scenarios.push_back(scenario);
    if (!argument.over(scenario, tally).empty()) return complain(so_far);
  }
  return "";
}

}  // namespace clew::simulate
