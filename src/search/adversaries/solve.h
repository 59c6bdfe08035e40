// What a Formula proposes: shared by the adversaries that have one.
#pragma once

#include "formula/formula.h"
#include "search/lattice.h"

namespace clew::search {

inline Proposal solve(formula::Formula& formula, const Scope& scope) {
  switch (formula.solve(scope)) {
    case formula::Formula::Answer::kNone:
      return {Proposal::Kind::kNothing};
    case formula::Formula::Answer::kStopped:
      return {Proposal::Kind::kStopped};
    case formula::Formula::Answer::kFaults:
      break;
  }
  return {Proposal::Kind::kTry, {formula.faults(), {}}};
}

}  // namespace clew::search
