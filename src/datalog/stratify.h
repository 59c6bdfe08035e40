// Orders relations so that each is complete before anything negates or aggregates it.
//
//   std::vector<Dependency> dependencies;
//   dependencies.push_back({kLink, kReach});        // reach reads link
//   dependencies.push_back({kReach, kReach});       // and itself
//   dependencies.push_back({kReach, kFar, true});   // far reads the negation of reach
//   auto result = stratify(3, dependencies);        // Strata: {link}, {reach, recursive}, {far}
//
// A stratum is a strongly connected component of the dependencies: relations that need each other
// and are computed together. A program with a cycle through negation or aggregation has no such
// order; the Cycle then shows one.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace clew::datalog {

// Relation `to` is computed from relation `from`; strict: through negation or aggregation.
struct Dependency {
  uint32_t from = 0;
  uint32_t to = 0;
  bool strict = false;
};

struct Stratum {
  std::vector<uint32_t> members;  // sorted
  bool recursive = false;         // some member depends on a member
};

// Every relation is in exactly one stratum, which comes after all that it depends on. Among strata
// that could come next, the one with the smallest member does.
using Strata = std::vector<Stratum>;

// Indices of dependencies: each one's `to` is the next one's `from`, and the last one's `to` is the
// first one's `from`. The first is strict. No relation occurs twice.
struct Cycle {
  std::vector<uint32_t> dependencies;
};

// For each of the first kMostCandidates strict dependencies that lie on a cycle a shortest cycle is
// looked for; the shortest of these is shown. That keeps the search linear.
inline constexpr uint32_t kMostCandidates = 16;

// Requires: every `from` and `to` is less than `count`. Takes O((n + d) log n) for n relations and
// d dependencies, and does not recurse.
std::variant<Strata, Cycle> stratify(uint32_t count, const std::vector<Dependency>& dependencies);

}  // namespace clew::datalog
