// A Pattern is a Fact with holes: what a `notin` asks for, and what `clew explain` is asked about.
//
//   Pattern pattern = *parse_pattern("vote(\"C\", _)");
//   matches(pattern, fact);                    // vote("C", "a") does
//   find_facts(pattern, run.facts[t - 1]);     // the facts of a tick that do
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/fact.h"

namespace clew::lineage {

struct Pattern {
  std::string relation;
  std::vector<std::optional<Datum>> columns;  // nothing: `_`, anything
};

Pattern to_pattern(const Fact& fact);
// As Firing::Absence writes it. Nothing if the text is something else.
std::optional<Pattern> parse_pattern(std::string_view text);
std::string to_string(const Pattern& pattern);  // `vote("C", _)`

bool matches(const Pattern& pattern, const Fact& fact);
// `facts` sorted. Those that agree with the relation and with the constants before the first hole.
std::span<const Fact> find_candidates(const Pattern& pattern, const std::vector<Fact>& facts);
// `facts` sorted. The result points into them.
std::vector<const Fact*> find_facts(const Pattern& pattern, const std::vector<Fact>& facts);

}  // namespace clew::lineage
