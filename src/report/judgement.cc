#include "report/judgement.h"

#include <algorithm>

#include "base/check.h"
#include "base/columns.h"
#include "base/text.h"
#include "base/watched.h"

namespace clew::report {

namespace {

std::string goals(const Run& run, const Outcome& outcome) {
  std::string text = outcome.every_tick
                         ? "At every tick, first seen at the tick shown:\n"
                         : fmt::format("At tick {}, the last:\n", run.scenario.program.eot);
  for (const Outcome::Goal& goal : outcome.goals) {
    look();
    const std::string fact = to_string(goal.pre);
    const std::string when = outcome.every_tick ? fmt::format("@{}", goal.tick) : "";
    text += fmt::format("  {}in {}{}  {}{}\n", goal.post ? "" : "not ", outcome.post,
                        goal.post ? "    " : "", printable(fact, fact.size()), when);
  }
  return text;
}

std::string why_recorded_vacuous(const Run& run, const Outcome& outcome) {
  if (!outcome.defines_pre) return "vacuous: the spec promises nothing\n";
  const std::string when = outcome.every_tick
                               ? "at every tick"
                               : fmt::format("at tick {}, the last", run.scenario.program.eot);
  return fmt::format(
      "vacuous: {} is empty {}, so there was nothing to keep;\n"
      "  record a run in which it is not\n",
      outcome.pre, when);
}

std::string why_vacuous(const Run& run, const Outcome& outcome) {
  if (outcome.defines_pre && outcome.every_tick) {
    return fmt::format(
        "vacuous: {} is empty at every tick, so there was nothing to keep;\n"
        "  end the run later (--eot)\n",
        outcome.pre);
  }
  if (outcome.defines_pre) {
    return fmt::format(
        "vacuous: {0} is empty at tick {1}, the last, so there was nothing to keep;\n"
        "  end the run later (--eot), or see with --relation {0} when {0} holds\n",
        outcome.pre, run.scenario.program.eot);
  }
  return "vacuous: the program does not define pre, so there is nothing to keep;\n"
         "  say what must hold with rules such as\n"
         "    pre(X) :- log(_, X);     // whenever this is true at the last tick,\n"
         "    post(X) :- log(\"b\", X);  // this must be true as well\n";
}

std::string judgement_of(const Run& run, const Outcome& outcome, bool recorded) {
  const auto missing =
      static_cast<uint64_t>(std::ranges::count(outcome.goals, false, &Outcome::Goal::post));
  switch (outcome.kind) {
    case Outcome::Kind::kVacuous:
      CHECK(outcome.goals.empty(), "a vacuous run with {} goals", outcome.goals.size());
      return recorded ? why_recorded_vacuous(run, outcome) : why_vacuous(run, outcome);
    case Outcome::Kind::kHolds:
      CHECK(missing == 0, "{} missing although the spec holds", missing);
      return goals(run, outcome) +
             (outcome.goals.size() == 1
                  ? fmt::format("holds: the tuple of {} is in {}\n", outcome.pre, outcome.post)
                  : fmt::format("holds: all {} tuples of {} are in {}\n",
                                with_thousands(outcome.goals.size()), outcome.pre, outcome.post));
    case Outcome::Kind::kViolated:
      CHECK(missing > 0, "a violation without a missing tuple");
      return goals(run, outcome) +
             fmt::format("violated: {} of {} of {} {} not in {}\n", with_thousands(missing),
                         count_noun(outcome.goals.size(), "tuple"), outcome.pre,
                         missing == 1 ? "is" : "are", outcome.post);
  }
  CHECK(false, "outcome {}", static_cast<int>(outcome.kind));
  return {};
}

}  // namespace

std::string judgement(const Run& run, bool recorded) {
  if (run.outcomes.size() == 1) return judgement_of(run, run.outcomes[0], recorded);
  std::string text;
  for (const Outcome& outcome : run.outcomes) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", outcome.spec,
                        judgement_of(run, outcome, recorded));
  }
  return text;
}

}  // namespace clew::report
