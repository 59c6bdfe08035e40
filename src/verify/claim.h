// What a certificate claims: no fault set that the model admits violates the program.
#pragma once

#include "dedalus/program.h"
#include "domain/fault_model.h"

namespace clew::verify {

struct Claim {
  const dedalus::Program* program = nullptr;
  FaultModel model;
};

}  // namespace clew::verify
