#include "domain/pattern.h"

#include <algorithm>

#include "base/watched.h"

namespace clew {

Pattern to_pattern(const Fact& fact) {
  return {fact.relation, {fact.values.begin(), fact.values.end()}};
}

std::string to_string(const Pattern& pattern) {
  std::string text = pattern.relation + '(';
  const char* separator = "";
  for (const std::optional<Datum>& column : pattern.columns) {
    text += separator + (column ? to_string(*column) : "_");
    separator = ", ";
  }
  return text += ')';
}

bool matches(const Pattern& pattern, const Fact& fact) {
  if (pattern.relation != fact.relation || pattern.columns.size() != fact.values.size()) {
    return false;
  }
  for (size_t i = 0; i < fact.values.size(); ++i) {
    if (pattern.columns[i] && *pattern.columns[i] != fact.values[i]) return false;
  }
  return true;
}

std::span<const Fact> find_candidates(const Pattern& pattern, const std::vector<Fact>& facts) {
  Fact start{pattern.relation, {}};
  for (const std::optional<Datum>& column : pattern.columns) {
    if (!column) break;
    start.values.push_back(*column);
  }
  const auto begin = std::ranges::lower_bound(facts, start);
  const auto end = std::partition_point(begin, facts.end(), [&](const Fact& fact) {
    return fact.relation == start.relation && fact.values.size() >= start.values.size() &&
           std::ranges::mismatch(start.values, fact.values).in1 == start.values.end();
  });
  return {begin, end};
}

std::vector<const Fact*> find_facts(const Pattern& pattern, const std::vector<Fact>& facts) {
  std::vector<const Fact*> found;
  for (const Fact& fact : find_candidates(pattern, facts)) {
    look();
    if (matches(pattern, fact)) found.push_back(&fact);
  }
  return found;
}

}  // namespace clew
