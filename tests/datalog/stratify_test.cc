#include "datalog/stratify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace clew::datalog {
namespace {

// "0>1 1!2": relation 1 reads 0; relation 2 reads 1 strictly.
std::vector<Dependency> dependencies_from(const std::string& text) {
  std::vector<Dependency> dependencies;
  std::istringstream stream(text);
  Dependency dependency;
  char arrow = 0;
  while (stream >> dependency.from >> arrow >> dependency.to) {
    dependency.strict = arrow == '!';
    dependencies.push_back(dependency);
  }
  return dependencies;
}

// "{0} {1 2}*" with a star for recursive strata, or "cycle 1!2 2>1".
std::string printed(const std::variant<Strata, Cycle>& result,
                    const std::vector<Dependency>& dependencies) {
  std::string text;
  if (const auto* cycle = std::get_if<Cycle>(&result)) {
    text = "cycle";
    for (uint32_t index : cycle->dependencies) {
      const Dependency& dependency = dependencies[index];
      text += fmt::format(" {}{}{}", dependency.from, dependency.strict ? '!' : '>', dependency.to);
    }
    return text;
  }
  for (const Stratum& stratum : std::get<Strata>(result)) {
    if (!text.empty()) text += ' ';
    text += fmt::format("{{{}}}{}", fmt::join(stratum.members, " "), stratum.recursive ? "*" : "");
  }
  return text;
}

TEST(Stratify, Table) {
  struct Case {
    uint32_t count;
    const char* dependencies;
    const char* expected;
  };
  const Case cases[] = {
      {0, "", ""},
      {1, "", "{0}"},
      {3, "", "{0} {1} {2}"},
      {3, "2>1 1>0", "{2} {1} {0}"},
      {3, "0>1 1>1 1!2", "{0} {1}* {2}"},
      {4, "3>0", "{1} {2} {3} {0}"},
      {4, "1>2 2>1 2!3 1>0", "{1 2}* {0} {3}"},
      {5, "4>0 0>4 3>1", "{0 4}* {2} {3} {1}"},
      {1, "0>0", "{0}*"},
      {1, "0!0", "cycle 0!0"},
      {2, "0!1 1>0", "cycle 0!1 1>0"},
      {2, "0>1 1!0", "cycle 1!0 0>1"},
      {2, "0>1 0!1 1>0", "cycle 0!1 1>0"},
      {2, "0!1 0!1", "{0} {1}"},
      {4, "0!1 1>2 2>3 3>0 1>3", "cycle 0!1 1>3 3>0"},
      {4, "0!1 1>2 2>3 3>0 2!2", "cycle 2!2"},
      {4, "0!1 1>2 2>0 3!3", "cycle 3!3"},
  };
  for (const Case& each : cases) {
    std::vector<Dependency> dependencies = dependencies_from(each.dependencies);
    EXPECT_EQ(printed(stratify(each.count, dependencies), dependencies), each.expected)
        << each.dependencies;
  }
}

constexpr uint32_t kSmall = 3;

// All graphs of three relations: each of the nine possible dependencies is absent, plain or strict.
std::vector<Dependency> nth_small_graph(uint32_t n) {
  std::vector<Dependency> dependencies;
  for (uint32_t pair = 0; pair < kSmall * kSmall; ++pair, n /= 3) {
    if (n % 3 != 0) dependencies.push_back({pair / kSmall, pair % kSmall, n % 3 == 2});
  }
  return dependencies;
}

// distance[a][b]: the fewest dependencies that lead from a to b, at least one; 99 if none do.
using Distances = uint32_t[kSmall][kSmall];

void measure(const std::vector<Dependency>& dependencies, Distances& distance) {
  for (auto& row : distance) std::fill(std::begin(row), std::end(row), 99U);
  for (const Dependency& dependency : dependencies) distance[dependency.from][dependency.to] = 1;
  for (uint32_t via = 0; via < kSmall; ++via) {
    for (auto& row : distance) {
      for (uint32_t b = 0; b < kSmall; ++b) {
        row[b] = std::min(row[b], row[via] + distance[via][b]);
      }
    }
  }
}

uint32_t shortest_strict_cycle(const std::vector<Dependency>& dependencies, const Distances& d) {
  uint32_t shortest = 99;
  for (const Dependency& each : dependencies) {
    if (!each.strict) continue;
    shortest = std::min(shortest, each.from == each.to ? 1 : 1 + d[each.to][each.from]);
  }
  return shortest;
}

void expect_cycle(const Cycle& cycle, const std::vector<Dependency>& dependencies) {
  EXPECT_TRUE(dependencies[cycle.dependencies.front()].strict);
  for (size_t i = 0; i < cycle.dependencies.size(); ++i) {
    uint32_t next = cycle.dependencies[(i + 1) % cycle.dependencies.size()];
    EXPECT_EQ(dependencies[cycle.dependencies[i]].to, dependencies[next].from);
  }
}

void expect_strata(const Strata& strata, const std::vector<Dependency>& dependencies,
                   const Distances& distance) {
  uint32_t stratum_of[kSmall] = {99, 99, 99};
  for (uint32_t i = 0; i < strata.size(); ++i) {
    uint32_t front = strata[i].members.front();
    EXPECT_EQ(strata[i].recursive, distance[front][front] < 99);
    for (uint32_t member : strata[i].members) {
      EXPECT_EQ(stratum_of[member], 99U) << "in two strata";
      stratum_of[member] = i;
    }
  }
  for (uint32_t stratum : stratum_of) EXPECT_NE(stratum, 99U);
  for (const Dependency& each : dependencies) {
    bool mutual = each.from == each.to || distance[each.to][each.from] < 99;
    EXPECT_LE(stratum_of[each.from], stratum_of[each.to]);
    EXPECT_EQ(stratum_of[each.from] == stratum_of[each.to], mutual);
  }
}

TEST(Stratify, AllGraphsOfThreeRelations) {
  uint32_t cycles = 0;
  for (uint32_t n = 0; n < 19683; ++n) {
    std::vector<Dependency> dependencies = nth_small_graph(n);
    Distances distance;
    measure(dependencies, distance);
    auto result = stratify(kSmall, dependencies);
    SCOPED_TRACE(printed(result, dependencies));
    uint32_t shortest = shortest_strict_cycle(dependencies, distance);
    if (const auto* cycle = std::get_if<Cycle>(&result)) {
      ++cycles;
      EXPECT_EQ(cycle->dependencies.size(), shortest);
      expect_cycle(*cycle, dependencies);
    } else {
      EXPECT_EQ(shortest, 99U);
      expect_strata(std::get<Strata>(result), dependencies, distance);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(cycles, 10000U);
}

TEST(Stratify, LongChainsAndRingsDoNotExhaustTheStack) {
  constexpr uint32_t kCount = 300'000;
  std::vector<Dependency> chain;
  for (uint32_t i = 0; i + 1 < kCount; ++i) chain.push_back({i, i + 1, true});
  auto result = stratify(kCount, chain);
  ASSERT_TRUE(std::holds_alternative<Strata>(result));
  EXPECT_EQ(std::get<Strata>(result).size(), kCount);

  chain.push_back({kCount - 1, 0, false});
  result = stratify(kCount, chain);
  ASSERT_TRUE(std::holds_alternative<Cycle>(result));
  EXPECT_EQ(std::get<Cycle>(result).dependencies.size(), kCount);
}

}  // namespace
}  // namespace clew::datalog
