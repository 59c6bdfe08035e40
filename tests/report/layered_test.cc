#include "report/layered.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"

namespace clew::report {
namespace {

// example: src/report/layered.h
TEST(LayeredTest, TheExampleOfTheHeader) {
  LayeredGraph graph;
  graph.nodes = {{0, 80}, {1, 20}, {2, 120}};
  graph.edges = {{0, 1}, {1, 2}};
  Placement placed = place(graph, 24);
  EXPECT_EQ(placed.x, (std::vector<double>{60, 60, 60}));
}

TEST(LayeredTest, AChainIsStraight) {
  const LayeredGraph graph{{{0, 80}, {1, 20}, {2, 120}}, {{0, 1}, {1, 2}}};
  const Placement placed = place(graph, 10);
  EXPECT_EQ(placed.x, (std::vector<double>{60, 60, 60}));
  EXPECT_EQ(placed.width, 120);
}

TEST(LayeredTest, LongEdgesBendInEveryLayer) {
  const LayeredGraph graph{{{0, 10}, {1, 10}, {2, 10}, {3, 10}}, {{0, 3}, {0, 1}, {1, 2}, {2, 3}}};
  const Placement placed = place(graph, 10);
  EXPECT_EQ(placed.bends[0].size(), 2U);
  EXPECT_EQ(placed.bends[1].size(), 0U);
}

TEST(LayeredTest, UntanglesACrossing) {
  const LayeredGraph graph{{{0, 10}, {0, 10}, {1, 10}, {1, 10}}, {{0, 3}, {1, 2}}};
  const Placement placed = place(graph, 10);
  EXPECT_EQ(placed.x[0] < placed.x[1], placed.x[3] < placed.x[2]);
}

TEST(LayeredTest, NothingAndLonelyNodes) {
  EXPECT_EQ(place({}, 10).width, 0);
  const Placement placed = place({{{0, 10}, {0, 30}}, {}}, 10);
  EXPECT_EQ(placed.width, 50);
  EXPECT_EQ(std::abs(placed.x[0] - placed.x[1]), 30);
}

TEST(LayeredTest, NodesOfALayerNeverOverlap) {
  Random random(3);
  for (int round = 0; round < 40; ++round) {
    LayeredGraph graph;
    for (size_t i = 0; i < 30; ++i) {
      graph.nodes.push_back({random.uniform_below(6), 10.0 + 5.0 * static_cast<double>(i % 7)});
    }
    for (size_t i = 0; i < 40; ++i) {
      const size_t a = random.uniform_below(30);
      const size_t b = random.uniform_below(30);
      if (graph.nodes[a].layer < graph.nodes[b].layer) graph.edges.push_back({a, b});
    }
    const Placement placed = place(graph, 8);
    for (size_t a = 0; a < 30; ++a) {
      EXPECT_GE(placed.x[a] - graph.nodes[a].width / 2, -1e-6);
      EXPECT_LE(placed.x[a] + graph.nodes[a].width / 2, placed.width + 1e-6);
      for (size_t b = 0; b < a; ++b) {
        if (graph.nodes[a].layer != graph.nodes[b].layer) continue;
        const double apart = (graph.nodes[a].width + graph.nodes[b].width) / 2 + 8;
        EXPECT_GE(std::abs(placed.x[a] - placed.x[b]), apart - 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace clew::report
