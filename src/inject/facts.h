// The facts of an observed run, for rules and promises to judge (docs/inject.md has the columns).
//
//   call(Node, Call, Object, Result, At)       a call of the surface; Result as in "ok", "EIO"
//   started(Node, At)  ready(Node, At)  restarted(Node, At)
//   crashed(Node, At)                          by an injected failure, power cuts included
//   exited(Node, Status, At)  killed(Node, Signal, At)  hung(Node, At)
//   failed(Node, Call, Object, What, At)       what was made to fail; What as in "EIO"
//   said(Who, Line, At)                        a line that was printed
//   and whatever the target's fact rules and the processes themselves tell
//
// Whatever has happened stays true to the end: a fact holds from tick `At` on. Where only the end
// counts (no `always`, no `never`, no rule with @next or @N), the Run has one tick.
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

// For what the spec reads. An Error if a told fact cannot be read, or clashes.
Result<Run> to_run(const Target& target, const microspec::MicroSpec& spec, const Observed& seen);

}  // namespace clew::inject
