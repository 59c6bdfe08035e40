#include "lineage/pattern.h"

#include <algorithm>
#include <charconv>

namespace clew::lineage {

namespace {

// Reads one column from the beginning of `text`, and takes it away.
bool read_column(std::string_view& text, std::optional<Datum>& column) {
  if (text.empty()) return false;
  if (text[0] == '_') {
    text.remove_prefix(1);
    return true;
  }
  if (text[0] == '"') {
    const size_t end = text.find('"', 1);
    if (end == std::string_view::npos) return false;
    column = std::string(text.substr(1, end - 1));
    text.remove_prefix(end + 1);
    return true;
  }
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  column = number;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

}  // namespace

Pattern to_pattern(const Fact& fact) {
  return {fact.relation, {fact.values.begin(), fact.values.end()}};
}

std::optional<Pattern> parse_pattern(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') return std::nullopt;
  Pattern pattern{std::string(text.substr(0, open)), {}};
  text = text.substr(open + 1, text.size() - open - 2);
  while (!text.empty()) {
    if (!pattern.columns.empty()) {
      if (!text.starts_with(", ")) return std::nullopt;
      text.remove_prefix(2);
    }
    std::optional<Datum> column;
    if (!read_column(text, column)) return std::nullopt;
    pattern.columns.push_back(std::move(column));
  }
  return pattern;
}

std::string to_string(const Pattern& pattern) {
  std::string text = pattern.relation + '(';
  const char* separator = "";
  for (const std::optional<Datum>& column : pattern.columns) {
    text += separator + (column ? clew::to_string(*column) : "_");
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
  const auto begin = std::lower_bound(facts.begin(), facts.end(), start);
  const auto end = std::partition_point(begin, facts.end(), [&](const Fact& fact) {
    return fact.relation == start.relation && fact.values.size() >= start.values.size() &&
           std::equal(start.values.begin(), start.values.end(), fact.values.begin());
  });
  return {begin, end};
}

std::vector<const Fact*> find_facts(const Pattern& pattern, const std::vector<Fact>& facts) {
  std::vector<const Fact*> found;
  for (const Fact& fact : find_candidates(pattern, facts)) {
    if (matches(pattern, fact)) found.push_back(&fact);
  }
  return found;
}

}  // namespace clew::lineage
