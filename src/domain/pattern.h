// A Pattern is a Fact with holes: what a `notin` asks for, and what `clew explain` is asked about.
//
//   Pattern pattern{"vote", {"C", std::nullopt}};   // vote("C", _)
//   matches(pattern, fact);                         // vote("C", "a") does
//   find_facts(pattern, run.facts[t - 1]);          // the facts of a tick that do
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/fact.h"

namespace clew {

struct Pattern {
  std::string relation;
  std::vector<std::optional<Datum>> columns;  // nothing: `_`, anything

  friend bool operator==(const Pattern&, const Pattern&) = default;
  friend auto operator<=>(const Pattern&, const Pattern&) = default;
};

Pattern to_pattern(const Fact& fact);
std::string to_string(const Pattern& pattern);  // `vote("C", _)`

bool matches(const Pattern& pattern, const Fact& fact);
// `facts` sorted. Those that agree with the relation and with the constants before the first hole.
std::span<const Fact> find_candidates(const Pattern& pattern, const std::vector<Fact>& facts);
// `facts` sorted. The result points into them.
std::vector<const Fact*> find_facts(const Pattern& pattern, const std::vector<Fact>& facts);

}  // namespace clew
