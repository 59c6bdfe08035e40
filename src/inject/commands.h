// A command of a target as the Tracer starts it.
//
//   Result<TracedCommand> command = traced_command(target, {.words = {"/bin/true"}}, {});
//   command->environment;                    // HOME, LANG=C, PATH, TZ=UTC, and what the spec names
#pragma once

#include "base/result.h"
#include "inject/outputs.h"
#include "inject/surface/tracer.h"
#include "inject/target.h"

namespace clew::inject {

// An Error if there is no such user.
Result<TracedCommand> traced_command(const Target& target, const CommandSpec& spec,
                                     const Outputs::Ends& ends);

}  // namespace clew::inject
