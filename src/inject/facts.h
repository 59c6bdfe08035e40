// The facts of an observed run, for rules and promises to judge (docs/inject.md has the columns).
//
//   call(Node, Call, Object, Result, At)       a call of the surface; Result as in "ok", "EIO",
//                                              or "died": its process did not come back from it
//   started(Node, At)  ready(Node, At)  restarted(Node, At)
//   crashed(Node, At)                          by an injected failure, power cuts included
//   exited(Node, Status, At)  killed(Node, Signal, At)  hung(Node, At)
//   failed(Node, Call, Object, What, At)       what was made to fail; What as in "EIO", "torn"
//   said(Who, Line, At)                        a line that was printed
//   and whatever the target's fact rules and the processes themselves tell
//
// Whatever has happened stays true to the end. Where only the end counts (no `always`, no `never`,
// no rule with @next or @N), the Run has one tick; else one for each happening that tells the spec
// something new, and one more for what is found out at the end. `At` is the number of the happening
// (observed.h), not the tick.
#pragma once

#include <vector>

#include "base/result.h"
#include "dedalus/program.h"
#include "domain/run.h"
#include "inject/observed.h"
#include "inject/target.h"
#include "microspec/microspec.h"

namespace clew::inject {

// Those above, with their columns: a target cannot fill them.
const dedalus::GivenRelations& built_in_relations();

// Built in, and of the target's fact rules. An Error names a rule that cannot be read, or two that
// disagree on the number of columns.
Result<dedalus::GivenRelations> relations_of(const Target& target);

// Facts that some rule of the spec can match. `plan`: which failures were to strike; without it,
// `failed` knows of no other failures than errors. An Error if a told fact cannot be read, or
// clashes, or if a line is too long for the fact rules.
Result<Run> to_run(const Target& target, const microspec::MicroSpec& spec, const Observed& seen,
                   const Plan& plan = {});

}  // namespace clew::inject
