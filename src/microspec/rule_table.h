// What Runs tell of a program's rules.
#pragma once

#include <memory>

#include "base/source.h"
#include "dedalus/program.h"
#include "domain/rule.h"

namespace clew::microspec {

// Row n is about program.rules[n]. Make it once for a program: Runs share it.
std::shared_ptr<const RuleTable> make_rule_table(const dedalus::Program& program,
                                                 const SourceSet& sources);

// One row.
Rule make_rule(const dedalus::Clause& clause, const SourceSet& sources);

}  // namespace clew::microspec
