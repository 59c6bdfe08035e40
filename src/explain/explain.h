// Why a Run violates the Spec: the run without faults and the violating one, compared.
//
//   Explanation explanation = explain(good, bad, {&program});    // both with firings
//   explanation.summary[0]    // `post("a", "data") does not hold because of missing("b", "data").`
//
// Only what matters to the goal is told: what the good run derived its `post` from and the bad run
// lacks, and what the bad run has only because of that. `Difference` finds it.
#pragma once

#include <functional>
#include <optional>

#include "dedalus/program.h"
#include "domain/run.h"
#include "explain/explanation.h"

namespace clew::explain {

// What makes explanations better; all of it may be missing.
struct ExplainContext {
  // Tells which facts are given though they are also derived, and which relations only the Spec
  // looks at.
  const dedalus::Program* program = nullptr;
  // Another run of the program, with firings; nothing if it fails. Faults that prevent what the run
  // without faults had no need for are explained by a run without them.
  std::function<std::optional<Run>(const FaultSet&)> replay{};
  // The program's: with them, a `post` that the run without faults lacks, too, is explained.
  const SourceSet* sources = nullptr;
};

// Requires two runs of one program that differ in their faults only, `good` without any, and
// a violation in `bad`. Explains the first goal that was not kept, if there is a choice one that
// `good` keeps.
Explanation explain(const Run& good, const Run& bad, const ExplainContext& context = {});
// The same about one goal of an outcome of `bad` that was not kept.
struct BrokenGoal {
  Fact pre;
  Fact post;  // that should have held
  Tick tick = 1;
};
Explanation explain(const Run& good, const Run& bad, const BrokenGoal& goal,
                    const ExplainContext& context = {});

}  // namespace clew::explain
