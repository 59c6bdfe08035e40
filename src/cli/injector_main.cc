// The injector of a reproduction folder (clew inject --reproduce): runs a saved Scenario of
// processes ten times, judges each run, and says how often the promise was violated. It is linked
// statically and needs nothing of Clew beside it:
//
//   injector SCENARIO TARGET-TEXT TARGET-FILE RULES...
//
// SCENARIO says what fails and which promise counts. TARGET-TEXT is what was in the target file;
// TARGET-FILE where that is here: relative paths begin there. RULES judge, instead of those that
// the target file names. It exits with 0 if the promise was violated, 1 if it was not, 2 if there
// is something wrong.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

#include "base/columns.h"
#include "base/files.h"
#include "base/streams.h"
#include "inject/facts.h"
#include "inject/local_runner.h"
#include "inject/target.h"
#include "microspec/microspec.h"

namespace clew::cli {

namespace {

constexpr uint32_t kReproducedRuns = 10;
constexpr uint64_t kMostSavedTarget = 256 << 10;
enum InjectorExit { kShown = 0, kNotShown = 1, kWrong = 2 };

// A saved Scenario, and who judges it.
struct Saved {
  inject::Target target;
  inject::Plan plan;
  std::string promise;
  microspec::MicroSpec spec;
};

// What became of the runs.
struct Tally {
  uint32_t struck = 0, violated = 0;
  std::string trouble{};  // why one could not be made
  inject::Observed seen{};
  std::vector<Fact> broken{};  // what the promise was not kept for, in `seen`
};

int complain(const Error& error) {
  to_stderr("injector: {}\n", error.message);
  if (!error.remedy.empty()) to_stderr("  help: {}\n", error.remedy);
  return kWrong;
}

Result<inject::Plan> plan_of(const Scenario& scenario) {
  inject::Plan plan;
  for (const std::string& text : scenario.target.failures) {
    Result<inject::Failure> failure = inject::parse_failure(text);
    if (!failure.ok()) return failure.error();
    plan.push_back(*std::move(failure));
  }
  std::ranges::sort(plan);
  return plan;
}

Result<microspec::MicroSpec> load_rules(const inject::Target& target) {
  const Result<dedalus::GivenRelations> given = inject::relations_of(target);
  if (!given.ok()) return given.error();
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<microspec::MicroSpec> spec =
      microspec::load_microspec(target.spec, *given, sources, diagnostics);
  if (spec) return *std::move(spec);
  diagnostics.sort();
  to_stderr("{}", diagnostics.render(sources));
  return Error{"the rules cannot be read", "take the folder as Clew wrote it"};
}

Result<Saved> read_saved(const std::string& scenario_path, const std::string& text_path,
                         const std::string& target_path, std::span<char* const> rules) {
  const Result<std::string> json = read_file(scenario_path, kMostScenarioBytes);
  if (!json.ok()) return json.error();
  const Result<Scenario> scenario = scenario_from_json(*json);
  if (!scenario.ok()) return scenario.error();
  const Result<std::string> text = read_file(text_path, kMostSavedTarget);
  if (!text.ok()) return text.error();
  Result<inject::Target> target = inject::parse_target(*text, target_path);
  if (!target.ok()) return target.error();
  target->spec.assign(rules.begin(), rules.end());
  Result<inject::Plan> plan = plan_of(*scenario);
  if (!plan.ok()) return plan.error();
  Result<microspec::MicroSpec> spec = load_rules(*target);
  if (!spec.ok()) return spec.error();
  return Saved{*std::move(target), *std::move(plan), scenario->target.promise, *std::move(spec)};
}

// Adds one run to the tally: the first that is violated, or else the first, is kept.
Status add_run(const Saved& saved, microspec::Judge& judge, inject::Observed seen, Tally& tally) {
  using Ending = inject::Observed::Ending;
  const bool ran = seen.ending == Ending::kDone || seen.ending == Ending::kHung;
  if (!ran) tally.trouble = seen.trouble;
  if (!ran || seen.reached.size() < saved.plan.size()) return Nothing();
  Result<Run> run = inject::to_run(saved.target, saved.spec, seen, saved.plan);
  if (!run.ok()) return run.error();
  if (Status judged = judge.judge(*run, Detail::kVerdict); !judged.ok()) return judged;
  const auto outcome = std::ranges::find(run->outcomes, saved.promise, &Outcome::spec);
  if (outcome == run->outcomes.end()) {
    return Error{fmt::format("no promise is called {}", saved.promise),
                 "take the folder as Clew wrote it"};
  }
  const bool violated = outcome->kind == Outcome::Kind::kViolated;
  if (tally.struck == 0 || (violated && tally.violated == 0)) {
    tally.broken.clear();
    for (const Outcome::Goal& goal : outcome->goals) {
      if (!goal.post) tally.broken.push_back(goal.pre);
    }
    tally.seen = std::move(seen);
  }
  ++tally.struck;
  tally.violated += violated;
  return Nothing();
}

void tell_plan(const Saved& saved, const Tally& tally) {
  for (const inject::Failure& failure : saved.plan) {
    const auto point = std::ranges::find(tally.seen.points, failure.point, &inject::Point::id);
    to_stdout("{}, at {}\n", inject::describe(failure, *point), point->place());
  }
}

void tell_check(const inject::Observed& seen) {
  std::string said;
  for (const inject::Happening& one : seen.happenings) {
    const auto* line = std::get_if<inject::Line>(&one);
    if (line == nullptr || line->who != "check") continue;
    said += fmt::format("  {}\n", printable(line->text));
  }
  if (!said.empty()) to_stdout("the check printed:\n{}", said);
}

int tell(const Saved& saved, const Tally& tally) {
  if (tally.struck == 0) {
    if (!tally.trouble.empty()) return complain({"no run could be made: " + tally.trouble, ""});
    return complain({fmt::format("in none of {} runs all failures struck: the target does not do "
                                 "here what it did where this was found",
                                 kReproducedRuns),
                     "its programs and libraries have to be the same, and its files those that it "
                     "began with"});
  }
  tell_plan(saved, tally);
  tell_check(tally.seen);
  for (const Fact& fact : tally.broken) {
    std::vector<std::string> values;
    values.reserve(fact.values.size());
    for (const Datum& value : fact.values) values.push_back(to_string(value));
    if (values.empty()) continue;
    to_stdout("{} is violated for {}\n", saved.promise,
              printable(fmt::format("{}", fmt::join(values, ", "))));
  }
  to_stdout("in {} of {} runs {} was violated\n", tally.violated, kReproducedRuns, saved.promise);
  if (tally.struck < kReproducedRuns) {
    to_stdout("in {} of them not all failures struck, or the run could not be made\n",
              kReproducedRuns - tally.struck);
  }
  return tally.violated > 0 ? kShown : kNotShown;
}

int reproduce(const Saved& saved) {
  const Result<std::unique_ptr<inject::LocalRunner>> runner =
      inject::LocalRunner::make(saved.target, {.jobs = 1, .stop = {}, .keep_cut = ""});
  if (!runner.ok()) return complain(runner.error());
  microspec::Judge judge(saved.spec);
  Tally tally;
  for (uint32_t i = 0; i < kReproducedRuns; ++i) {
    (*runner)->start(i, saved.plan);
    const Status added = add_run(saved, judge, (*runner)->next().observed, tally);
    if (!added.ok()) return complain(added.error());
  }
  return tell(saved, tally);
}

int inject_again(std::span<char* const> words) {
  if (words.size() < 5) {
    return complain({"it is run.sh that calls this", "start run.sh, which is beside it"});
  }
  const Result<Saved> saved = read_saved(words[1], words[2], words[3], words.subspan(4));
  return saved.ok() ? reproduce(*saved) : complain(saved.error());
}

}  // namespace

}  // namespace clew::cli

int main(int argc, char** argv) {
  clew::prepare_streams();
  try {
    const int code = clew::cli::inject_again({argv, static_cast<size_t>(argc)});
    const std::optional<clew::Error> failure = clew::stdout_failure();
    return failure ? clew::cli::complain(*failure) : code;
  } catch (const std::exception& error) {
    return clew::cli::complain({error.what(), ""});
  }
}
