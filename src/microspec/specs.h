// What a Program promises, as Specs: the one place where its promises become what Runs are judged
// by.
#pragma once

#include "dedalus/program.h"
#include "domain/spec.h"

namespace clew::microspec {

Specs specs_of(const dedalus::Program& program);

}  // namespace clew::microspec
