#include "report/layered.h"

#include <algorithm>

#include "base/check.h"
#include "base/watched.h"

namespace clew::report {

namespace {

constexpr int kOrderingSweeps = 12;
constexpr int kMovingSweeps = 24;

class Placer {
 public:
  Placer(const LayeredGraph& graph, double gap) : graph_(graph), gap_(gap) {
    for (const LayeredGraph::Node& node : graph.nodes) add(node.layer, node.width);
    for (const LayeredGraph::Edge& edge : graph.edges) add_edge(edge);
  }

  Placement run() {
    for (int i = 0; i < kOrderingSweeps; ++i) order(i % 2 == 0);
    pack();
    for (int i = 0; i < kMovingSweeps; ++i) move(i % 2 == 0);
    return result();
  }

 private:
  struct Spot {
    size_t layer = 0;
    double width = 0;
    double x = 0;
    std::vector<size_t> above{};
    std::vector<size_t> below{};
  };

  size_t add(size_t layer, double width) {
    look();
    if (layers_.size() <= layer) layers_.resize(layer + 1);
    layers_[layer].push_back(spots_.size());
    spots_.push_back({layer, width, 0});
    return spots_.size() - 1;
  }

  void link(size_t upper, size_t lower) {
    spots_[upper].below.push_back(lower);
    spots_[lower].above.push_back(upper);
  }

  void add_edge(const LayeredGraph::Edge& edge) {
    std::vector<size_t>& bends = bends_.emplace_back();
    size_t at = edge.upper;
    CHECK(spots_[at].layer < spots_[edge.lower].layer, "an edge to layer {}",
          spots_[edge.lower].layer);
    for (size_t layer = spots_[at].layer + 1; layer < spots_[edge.lower].layer; ++layer) {
      bends.push_back(add(layer, 0));
      link(at, bends.back());
      at = bends.back();
    }
    link(at, edge.lower);
  }

  // Positions in the layer stand for x while there is no x yet.
  void order(bool down) {
    for (const std::vector<size_t>& layer : layers_) {
      for (size_t i = 0; i < layer.size(); ++i) spots_[layer[i]].x = static_cast<double>(i);
    }
    for (size_t i = 0; i < layers_.size(); ++i) {
      std::vector<size_t>& layer = layers_[down ? i : layers_.size() - 1 - i];
      std::vector<std::pair<double, size_t>> wishes;
      wishes.reserve(layer.size());
      for (const size_t id : layer) wishes.emplace_back(wish(id, down), id);
      std::ranges::stable_sort(wishes,
                               [](const auto& a, const auto& b) { return a.first < b.first; });
      for (size_t k = 0; k < layer.size(); ++k) {
        layer[k] = wishes[k].second;
        spots_[layer[k]].x = static_cast<double>(k);
      }
    }
  }

  double wish(size_t id, bool down) const {
    const std::vector<size_t>& near = down ? spots_[id].above : spots_[id].below;
    look(1 + near.size());
    if (near.empty()) return spots_[id].x;
    double sum = 0;
    for (const size_t other : near) sum += spots_[other].x;
    return sum / static_cast<double>(near.size());
  }

  // The least distance between two neighbours.
  double apart(size_t left, size_t right) const {
    return (spots_[left].width + spots_[right].width) / 2 + gap_;
  }

  void pack() {
    for (const std::vector<size_t>& layer : layers_) {
      for (size_t i = 0; i < layer.size(); ++i) {
        spots_[layer[i]].x = i == 0 ? 0 : spots_[layer[i - 1]].x + apart(layer[i - 1], layer[i]);
      }
      if (layer.empty()) continue;
      const double middle = (spots_[layer.front()].x + spots_[layer.back()].x) / 2;
      for (const size_t id : layer) spots_[id].x -= middle;
    }
  }

  void move(bool down) {
    for (size_t i = 0; i < layers_.size(); ++i) {
      move_layer(layers_[down ? i : layers_.size() - 1 - i], down);
    }
  }

  // Neighbours that would overlap form a block, which goes where its members wish on average.
  void move_layer(const std::vector<size_t>& layer, bool down) {
    struct Block {
      size_t first;
      size_t count;
      double sum;  // of where its first member would have to be
      double at() const { return sum / static_cast<double>(count); }
    };
    std::vector<Block> blocks;
    std::vector<double> offset(layer.size(), 0);  // from the first member of the layer
    for (size_t i = 1; i < layer.size(); ++i) {
      offset[i] = offset[i - 1] + apart(layer[i - 1], layer[i]);
    }
    const std::vector<double> wishes = wishes_of(layer, offset, down);
    for (size_t i = 0; i < layer.size(); ++i) {
      blocks.push_back({i, 1, wishes[i] - offset[i]});
      while (blocks.size() > 1 && blocks[blocks.size() - 2].at() > blocks.back().at()) {
        const Block last = blocks.back();
        blocks.pop_back();
        blocks.back().count += last.count;
        blocks.back().sum += last.sum;
      }
    }
    for (const Block& block : blocks) {
      for (size_t i = block.first; i < block.first + block.count; ++i) {
        spots_[layer[i]].x = block.at() + offset[i];
      }
    }
  }

  bool is_alone(size_t id) const { return spots_[id].above.empty() && spots_[id].below.empty(); }

  // A node without edges wants to be beside the one before it, or else the one after it.
  std::vector<double> wishes_of(const std::vector<size_t>& layer, const std::vector<double>& offset,
                                bool down) const {
    std::vector<double> wishes;
    wishes.reserve(layer.size());
    for (const size_t id : layer) wishes.push_back(wish(id, down));
    const auto follow = [&](size_t i, size_t other) {
      if (is_alone(layer[i])) wishes[i] = wishes[other] + offset[i] - offset[other];
    };
    for (size_t i = layer.size(); i-- > 1;) follow(i - 1, i);
    for (size_t i = 1; i < layer.size(); ++i) follow(i, i - 1);
    return wishes;
  }

  Placement result() const {
    double left = spots_.empty() ? 0 : spots_.front().x;
    double right = left;
    for (const Spot& spot : spots_) {
      left = std::min(left, spot.x - spot.width / 2);
      right = std::max(right, spot.x + spot.width / 2);
    }
    Placement placed;
    placed.width = right - left;
    for (size_t i = 0; i < graph_.nodes.size(); ++i) placed.x.push_back(spots_[i].x - left);
    for (const std::vector<size_t>& bends : bends_) {
      std::vector<double>& xs = placed.bends.emplace_back();
      for (const size_t id : bends) xs.push_back(spots_[id].x - left);
    }
    return placed;
  }

  const LayeredGraph& graph_;
  double gap_;
  std::vector<Spot> spots_;  // nodes, then bends
  std::vector<std::vector<size_t>> layers_;
  std::vector<std::vector<size_t>> bends_;  // by edge
};

}  // namespace

Placement place(const LayeredGraph& graph, double gap) { return Placer(graph, gap).run(); }

}  // namespace clew::report
