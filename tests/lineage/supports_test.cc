// Supports against brute force: over every subset of the elements, and of a run's messages, with a
// derivation of its own.
#include "lineage/supports.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "base/random.h"
#include "lineage/graph.h"
#include "tests/lineage/runs.h"
#include "tests/twins/effort.h"
#include "tests/twins/random_program.h"

namespace clew::lineage {
namespace {

std::string print(const Graph& graph, const Supports& supports) {
  std::string text;
  for (const std::vector<uint32_t>& set : supports.sets) {
    std::vector<std::string> messages;
    for (uint32_t i : set) {
      const Message& m = graph.run().messages[i];
      messages.push_back(fmt::format("{}>{}@{}", m.from, m.to, m.sent_at));
    }
    text += fmt::format("{}{{{}}}", text.empty() ? "" : " ", fmt::join(messages, " "));
  }
  return text + (supports.complete ? "" : " and more");
}

// Of a fact, with the messages of its run as elements. Absences are taken to stay as they were.
Supports supports_of(const Graph& graph, PointId point, SupportLimits limits = {}) {
  Demand demand;
  demand.ways.resize(graph.point_count());
  for (PointId a = 0; a < graph.point_count(); ++a) {
    if (graph.is_given(a)) demand.ways[a].emplace_back();
    for (uint32_t i : graph.steps_of(a)) {
      demand.ways[a].push_back({graph.steps()[i].used, graph.steps()[i].messages});
    }
  }
  return minimal_sets(demand, point, limits);
}

constexpr const char* kSend = R"(
  s("a")@1; s(N)@next :- s(N);
  link("a", "b")@1; link("a", "c")@1; link("b", "c")@1; link(N, M)@next :- link(N, M);
)";

TEST(Supports, Table) {
  const std::string send = kSend;
  const std::string once = "p(M)@async :- s(N), link(N, M); p(N)@next :- p(N);";
  const std::string relay = "p(M)@async :- s(N), link(N, M); p(M)@async :- p(N), link(N, M);";
  const std::string both = once + "q(N) :- p(N), p(M), N != M;";
  const std::string self = "p(N)@async :- s(N);";
  const std::string sum = "p(\"c\", count<N>)@async :- s(N); s(\"b\")@1;";
  const std::vector<std::tuple<std::string, std::string, Fact, Tick, std::string>> table = {
      {send + once, "a b c, eot 3", {"p", {"b"}}, 3, "{a>b@1} {a>b@2}"},
      {send + relay, "a b c, eot 3", {"p", {"c"}}, 3, "{a>c@2} {a>b@1 b>c@2}"},
      {send + both, "a b c, eot 2", {"q", {"b"}}, 2, "{a>b@1 a>c@1}"},
      {send + self, "a b c, eot 2", {"p", {"a"}}, 2, "{}"},
      {send + sum, "a b c, eot 2", {"p", {"c", int64_t{2}}}, 2, "{a>c@1 b>c@1}"},
      {send + once, "a b c, eot 3", {"s", {"a"}}, 3, "{}"},
  };
  for (const auto& [program, world, fact, tick, expected] : table) {
    const Sample sample(program);
    const clew::Run run = *sample.run(world);
    const Graph graph(run, &*sample.program);
    ASSERT_NE(graph.find(fact, tick), kNone) << to_string(fact);
    EXPECT_EQ(print(graph, supports_of(graph, graph.find(fact, tick))), expected) << program;
  }
}

TEST(Supports, AGivenFactNeedsNoMessage) {
  const Sample sample("p(\"b\")@2; s(\"a\")@1; p(\"b\")@async :- s(\"a\");");
  const clew::Run run = *sample.run("a b, eot 2");
  const Graph graph(run, &*sample.program);
  EXPECT_EQ(print(graph, supports_of(graph, graph.find({"p", {"b"}}, 2))), "{}");
}

// 2^20 supports, of which the first few are told.
TEST(Supports, ManyAreCutOff) {
  std::string program = "all(\"a\") :- got(\"b\", 0)";
  for (int i = 1; i < 20; ++i) program += fmt::format(", got(\"b\", {})", i);
  program +=
      "; got(B, I)@next :- got(B, I); got(\"b\", I)@async :- s(\"a\", I); s(A, I)@next :- s(A, I);";
  for (int i = 0; i < 20; ++i) program += fmt::format("s(\"a\", {})@1;", i);
  const Sample sample(program);
  const clew::Run run = *sample.run("a b, eot 3");
  const Graph graph(run, &*sample.program);
  const Supports supports = supports_of(graph, graph.find({"all", {"a"}}, 3));
  EXPECT_FALSE(supports.complete);
  ASSERT_FALSE(supports.sets.empty());
  for (const std::vector<uint32_t>& set : supports.sets) EXPECT_EQ(set.size(), 20U);
}

// ---- Brute force ----

bool derives(const Graph& graph, PointId goal, const std::set<uint32_t>& kept) {
  std::vector<bool> known(graph.point_count());
  for (PointId point = 0; point < graph.point_count(); ++point) {
    known[point] = graph.is_given(point);
  }
  for (bool changed = true; changed && !known[goal];) {
    changed = false;
    for (const Graph::Step& step : graph.steps()) {
      const bool fires = !known[step.head] && std::ranges::all_of(step.used, [&](PointId used) {
        return known[used];
      }) && std::ranges::all_of(step.messages, [&](uint32_t m) { return kept.contains(m); });
      if (fires) known[step.head] = changed = true;
    }
  }
  return known[goal];
}

// The messages that some derivation of the goal might use.
std::vector<uint32_t> relevant_messages(const Graph& graph, PointId goal) {
  std::vector<PointId> open = {goal};
  std::set<PointId> seen = {goal};
  std::set<uint32_t> messages;
  while (!open.empty()) {
    const PointId point = open.back();
    open.pop_back();
    for (uint32_t i : graph.steps_of(point)) {
      const Graph::Step& step = graph.steps()[i];
      messages.insert(step.messages.begin(), step.messages.end());
      for (PointId used : step.used) {
        if (seen.insert(used).second) open.push_back(used);
      }
    }
  }
  return {messages.begin(), messages.end()};
}

std::set<std::vector<uint32_t>> brute_force(const Graph& graph, PointId goal,
                                            const std::vector<uint32_t>& messages) {
  std::vector<std::set<uint32_t>> enough;
  for (uint32_t bits = 0; bits < (1U << messages.size()); ++bits) {
    std::set<uint32_t> kept;
    for (size_t i = 0; i < messages.size(); ++i) {
      if ((bits >> i & 1U) != 0) kept.insert(messages[i]);
    }
    const bool contains = std::ranges::any_of(
        enough, [&](const auto& smaller) { return std::ranges::includes(kept, smaller); });
    if (!contains && derives(graph, goal, kept)) enough.push_back(kept);
  }
  std::set<std::vector<uint32_t>> minimal;
  for (const std::set<uint32_t>& set : enough) {
    const bool larger = std::ranges::any_of(enough, [&](const auto& other) {
      return other != set && std::ranges::includes(set, other);
    });
    if (!larger) minimal.emplace(set.begin(), set.end());
  }
  return minimal;
}

void expect_enough(const Graph& graph, PointId goal, const Supports& supports) {
  for (const std::vector<uint32_t>& set : supports.sets) {
    EXPECT_TRUE(derives(graph, goal, {set.begin(), set.end()}));
  }
}

// ---- Any and-or graph, as explanations ask for ----

Demand random_demand(Random& random, uint32_t nodes, uint32_t elements) {
  Demand demand;
  demand.ways.resize(nodes);
  for (std::vector<Demand::Way>& ways : demand.ways) {
    ways.resize(random.uniform_below(4));
    for (Demand::Way& way : ways) {
      for (uint64_t i = random.uniform_below(3); i > 0; --i) {
        way.nodes.push_back(static_cast<uint32_t>(random.uniform_below(nodes)));
      }
      for (uint64_t i = random.uniform_below(3); i > 0; --i) {
        way.elements.push_back(static_cast<uint32_t>(random.uniform_below(elements)));
      }
    }
  }
  return demand;
}

bool is_met(const Demand& demand, uint32_t goal, uint32_t kept) {
  std::vector<bool> met(demand.ways.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t node = 0; node < demand.ways.size(); ++node) {
      for (const Demand::Way& way : demand.ways[node]) {
        const bool open =
            std::ranges::all_of(way.nodes, [&](uint32_t needed) { return met[needed]; }) &&
            std::ranges::all_of(way.elements, [&](uint32_t e) { return (kept >> e & 1U) != 0; });
        if (open && !met[node]) met[node] = changed = true;
      }
    }
  }
  return met[goal];
}

TEST(Supports, OfAnyDemandAgreeWithBruteForce) {
  constexpr uint32_t kElements = 6;
  size_t with_choice = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const auto nodes = static_cast<uint32_t>(1 + random.uniform_below(8));
    const Demand demand = random_demand(random, nodes, kElements);
    std::set<std::vector<uint32_t>> expected;
    for (uint32_t kept = 0; kept < (1U << kElements); ++kept) {
      bool minimal = is_met(demand, 0, kept);
      std::vector<uint32_t> set;
      for (uint32_t e = 0; e < kElements; ++e) {
        if ((kept >> e & 1U) == 0) continue;
        set.push_back(e);
        minimal = minimal && !is_met(demand, 0, kept & ~(1U << e));
      }
      if (minimal) expected.insert(set);
    }
    const Supports supports = minimal_sets(demand, 0);
    EXPECT_TRUE(supports.complete);
    const std::set<std::vector<uint32_t>> found(supports.sets.begin(), supports.sets.end());
    EXPECT_EQ(found, expected);
    if (expected.size() > 1) ++with_choice;
  }
  EXPECT_GT(with_choice, 100U);
}

TEST(Supports, AgreeWithBruteForce) {
  uint64_t compared = 0;
  uint64_t with_choice = 0;
  for (uint64_t seed = 1; seed <= twins::effort(5000); ++seed) {
    Random random(seed);
    const twins::RandomProgram program = twins::random_program(random);
    const Sample sample(program.text());
    if (!sample.program) continue;
    const std::optional<clew::Run> run = sample.run(twins::random_scenario(program.nodes, random));
    if (!run) continue;
    const Graph graph(*run, &*sample.program);
    for (PointId point = 0; point < graph.point_count(); ++point) {
      if (graph.tick(point) != run->scenario.program.eot) continue;
      const std::vector<uint32_t> messages = relevant_messages(graph, point);
      if (messages.empty() || messages.size() > 8) continue;
      ++compared;
      const Supports supports = supports_of(graph, point, {.most_sets = 1000});
      ASSERT_TRUE(supports.complete);
      const std::set<std::vector<uint32_t>> found(supports.sets.begin(), supports.sets.end());
      EXPECT_EQ(found, brute_force(graph, point, messages)) << program.text();
      expect_enough(graph, point, supports_of(graph, point, {.most_sets = 1}));
      if (found.size() > 1) ++with_choice;
    }
  }
  std::cout << compared << " facts, " << with_choice << " with several supports\n";
  EXPECT_GT(compared, 0U);
  // A slow build goes through too few programs to meet one for sure.
  if (!twins::kSlowBuild) {
    EXPECT_GT(with_choice, 10U);
  }
}

}  // namespace
}  // namespace clew::lineage
