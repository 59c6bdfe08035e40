#include "explore/loop.h"

#include <algorithm>

namespace clew::explore {

namespace {

using Ids = std::vector<uint32_t>;

// Moves from a world of the component to another.
struct Way {
  uint32_t from = 0;
  uint32_t to = 0;
  std::vector<Move> moves{};
  Ids through{};  // the worlds before each of the moves
};

class LoopFinder {
 public:
  LoopFinder(Graph& graph, const Ids& component) : graph_(graph), component_(component) {}

  std::vector<Move> find() {
    Way loop = way_to(component_.front(), component_.front());
    for (std::vector<Move> starved = starved_in(loop); !starved.empty();
         starved = starved_in(loop)) {
      add_detour(loop, starved.front().input);
    }
    return loop.moves;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Reached {
    uint32_t from = kNone;  // a place in the component
    Move by{};
  };

  // Where in the component a world is.
  uint32_t place_of(uint32_t id) const {
    const auto at = std::ranges::lower_bound(component_, id);
    return at != component_.end() && *at == id ? static_cast<uint32_t>(at - component_.begin())
                                               : kNone;
  }

  std::vector<Move> starved_in(const Way& loop) {
    Fairness fairness(graph_.runner());
    for (const uint32_t id : loop.through) {
      graph_.read(id);
      fairness.visit(graph_.world(), graph_.due());
    }
    for (const Move& move : loop.moves) fairness.take(move.input);
    return fairness.starved();
  }

  void add_detour(Way& loop, InputId input) {
    Way detour = way_to_settle(loop.through, input);
    if (detour.to != detour.from) {
      const Way back = way_to(detour.to, detour.from);
      detour.moves.insert(detour.moves.end(), back.moves.begin(), back.moves.end());
      detour.through.insert(detour.through.end(), back.through.begin(), back.through.end());
    }
    const auto at = std::ranges::find(loop.through, detour.from) - loop.through.begin();
    loop.moves.insert(loop.moves.begin() + at, detour.moves.begin(), detour.moves.end());
    loop.through.insert(loop.through.begin() + at, detour.through.begin(), detour.through.end());
  }

  // The shortest way, of at least one move that changes something.
  Way way_to(uint32_t from, uint32_t to) {
    begin({from});
    for (size_t i = 0; i < queue_.size();) {
      const uint32_t at = queue_[i++];
      graph_.read(component_[at]);
      for (const Move& move : graph_.due()) {
        const uint32_t next = graph_.follow(move);
        const uint32_t place = place_of(next);
        if (place == kNone || next == component_[at]) continue;
        if (next == to) return way_by(at, move, to);
        reach(place, at, move);
      }
    }
    CHECK(false, "no way leads from world {} to {}", from, to);
  }

  // The shortest way to where the input is taken or does not wait.
  Way way_to_settle(const Ids& from, InputId input) {
    begin(from);
    for (size_t i = 0; i < queue_.size();) {
      const uint32_t at = queue_[i++];
      graph_.read(component_[at]);
      if (!Fairness::waits(graph_.runner(), graph_.world(), graph_.due(), input)) {
        const Reached last = reached_[at];
        return way_by(last.from, last.by, component_[at]);
      }
      for (const Move& move : graph_.due()) {
        const uint32_t next = graph_.follow(move);
        const uint32_t place = place_of(next);
        if (place == kNone) continue;
        if (move.input == input) return way_by(at, move, next);
        reach(place, at, move);
      }
    }
    CHECK(false, "{} waits in all of a component", graph_.runner().steps().print_input(input));
  }

  void begin(const Ids& from) {
    reached_.assign(component_.size(), {});
    queue_.clear();
    for (const uint32_t id : from) reach(place_of(id), kBeginning, {});
  }

  void reach(uint32_t place, uint32_t from, Move by) {
    if (reached_[place].from != kNone) return;
    reached_[place] = {from, by};
    queue_.push_back(place);
  }

  // The way to `at`, then this move.
  Way way_by(uint32_t at, Move last, uint32_t to) const {
    Way way{.to = to, .moves = {last}, .through = {component_[at]}};
    for (; reached_[at].from != kBeginning; at = reached_[at].from) {
      way.moves.push_back(reached_[at].by);
      way.through.push_back(component_[reached_[at].from]);
    }
    way.from = component_[at];
    std::ranges::reverse(way.moves);
    std::ranges::reverse(way.through);
    return way;
  }

  static constexpr uint32_t kBeginning = UINT32_MAX - 1;

  Graph& graph_;
  const Ids& component_;
  std::vector<Reached> reached_;
  Ids queue_;
};

}  // namespace

std::vector<Move> shortest_loop(Graph& graph, const std::vector<uint32_t>& component) {
  return LoopFinder(graph, component).find();
}

}  // namespace clew::explore
