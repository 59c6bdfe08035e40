// Places the nodes of a layered graph side by side so that edges are short and cross little.
//
//   LayeredGraph graph;
//   graph.nodes = {{0, 80}, {1, 20}, {2, 120}};   // layer, width
//   graph.edges = {{0, 1}, {1, 2}};               // from one node to another of a later layer
//   Placement placed = place(graph, 24);
//
// The method is Sugiyama's: long edges get a bend in every layer between their ends, nodes of a
// layer are ordered by the mean of their neighbours' positions, up and down a few times, and are
// then moved towards these means as far as their neighbours let them.
#pragma once

#include <cstddef>
#include <vector>

namespace clew::report {

struct LayeredGraph {
  struct Node {
    size_t layer = 0;
    double width = 0;
  };
  struct Edge {
    size_t upper = 0;  // of a smaller layer than `lower`
    size_t lower = 0;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

struct Placement {
  std::vector<double> x;                   // the middle of each node; the leftmost begins at 0
  std::vector<std::vector<double>> bends;  // of each edge, one in every layer between its ends
  double width = 0;
};

// Nodes of a layer stay at least `gap` apart.
Placement place(const LayeredGraph& graph, double gap);

}  // namespace clew::report
