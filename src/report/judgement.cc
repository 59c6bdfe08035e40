#include "report/judgement.h"

#include <algorithm>

#include "base/check.h"
#include "base/columns.h"
#include "base/text.h"

namespace clew::report {

namespace {

std::string goals(const Run& run) {
  std::string text = fmt::format("At tick {}, the last:\n", run.scenario.program.eot);
  for (const Outcome::Goal& goal : run.outcome.goals) {
    const std::string fact = to_string(goal.pre);
    text += fmt::format("  {}  {}\n", goal.post ? "in post    " : "not in post",
                        printable(fact, fact.size()));
  }
  return text;
}

std::string why_vacuous(const Run& run) {
  if (run.outcome.defines_pre) {
    return fmt::format(
        "vacuous: pre is empty at tick {}, the last, so there was nothing to keep;\n"
        "  end the run later (--eot), or see with --relation pre when pre holds\n",
        run.scenario.program.eot);
  }
  return "vacuous: the program does not define pre, so there is nothing to keep;\n"
         "  say what must hold with rules such as\n"
         "    pre(X) :- log(_, X);     // whenever this is true at the last tick,\n"
         "    post(X) :- log(\"b\", X);  // this must be true as well\n";
}

}  // namespace

std::string judgement(const Run& run) {
  const Outcome& outcome = run.outcome;
  const auto missing =
      static_cast<uint64_t>(std::count_if(outcome.goals.begin(), outcome.goals.end(),
                                          [](const Outcome::Goal& goal) { return !goal.post; }));
  switch (outcome.kind) {
    case Outcome::Kind::kVacuous:
      CHECK(outcome.goals.empty(), "a vacuous run with {} goals", outcome.goals.size());
      return why_vacuous(run);
    case Outcome::Kind::kHolds:
      CHECK(missing == 0, "{} missing although the spec holds", missing);
      return goals(run) + (outcome.goals.size() == 1
                               ? "holds: the tuple of pre is in post\n"
                               : fmt::format("holds: all {} tuples of pre are in post\n",
                                             with_thousands(outcome.goals.size())));
    case Outcome::Kind::kViolated:
      CHECK(missing > 0, "a violation without a missing tuple");
      return goals(run) +
             fmt::format("violated: {} of {} of pre {} not in post\n", with_thousands(missing),
                         count_noun(outcome.goals.size(), "tuple"), missing == 1 ? "is" : "are");
  }
  CHECK(false, "outcome {}", static_cast<int>(outcome.kind));
  return {};
}

}  // namespace clew::report
