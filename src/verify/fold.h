// What an aggregate may come to, given contributions that may or may not be there.
//
// Every outcome that some choice of contributions gives, with the literal that says that it does.
// Choices include what is certain, and at least one contribution.
#pragma once

#include <vector>

#include "verify/circuit.h"
#include "verify/rule.h"

namespace clew::verify {

// One distinct projection of a rule's bindings on the head's columns.
struct Contribution {
  Tuple tuple;
  Lit lit = kFalse;
};

struct FoldOutcome {
  Tuple tuple;
  Lit lit = kFalse;
};

// The contributions are distinct. Throws Failure if a sum could have no value, and refuses what has
// too many outcomes.
std::vector<FoldOutcome> fold(const Rule& rule, const std::vector<Contribution>& contributions,
                              Values& values, Circuit& circuit);

}  // namespace clew::verify
