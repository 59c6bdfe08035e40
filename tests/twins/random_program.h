// Random Dedalus programs and Scenarios for them, from a seed.
//
//   Random random(seed);
//   RandomProgram program = random_program(random);
//   Scenario scenario = random_scenario(program.nodes, random);
//
// Programs are small and use everything the language has: all three kinds of rules, recursion,
// negation with existential variables, aggregates, expressions, `@N` reads, `crash`, constants and
// wildcards as locations, columns that mix types, promises of all kinds. They nearly always pass
// the checker (callers discard the rest) and their runs end: within a tick, values grow only from
// one level of relations to the next or behind a guard. Some fail at run time, on purpose.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "domain/scenario.h"

namespace clew::twins {

struct RandomProgram {
  std::vector<std::string> clauses;
  std::vector<NodeName> nodes;  // of the run; the program may name others as well

  std::string text() const;  // one clause a line
};

RandomProgram random_program(Random& random);

// A valid Scenario over `nodes`: EOT 1 to 6, either crash model, any mixture of faults.
Scenario random_scenario(const std::vector<NodeName>& nodes, Random& random);

// Limits on some of the nodes, or none.
Limits random_limits(const std::vector<NodeName>& nodes, Random& random);

}  // namespace clew::twins
