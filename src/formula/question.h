// A question about Rules: which faults reach the goal, if all that is assumed holds?
#pragma once

#include <vector>

#include "formula/rules.h"

namespace clew::formula {

struct Question {
  Literal goal = kFalse;
  std::vector<Literal> assumed{};
};

}  // namespace clew::formula
