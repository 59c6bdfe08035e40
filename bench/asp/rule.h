// One rule of a Program as rules for clingo.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "bench/asp/names.h"
#include "bench/asp/translate.h"

namespace clew::asp {

// What all rules of a translation share.
struct Encoding {
  const dedalus::Program& program;
  const Options& options;
  Names predicates;

  bool is_node(const std::string& name) const;
  // Whether nodes can stop, so that nothing exists there.
  bool stops() const { return options.model == CrashModel::kStop && options.crashes > 0; }
  // Only the last tick of a view counts.
  bool last_tick_only(const std::string& relation) const;
};

// The rule at `tick`, or with a variable T for all ticks. Empty if it never fires then.
std::string rule_text(Encoding& encoding, size_t rule, std::optional<Tick> tick);

}  // namespace clew::asp
