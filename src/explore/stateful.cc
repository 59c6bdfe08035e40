#include "explore/stateful.h"

#include <algorithm>

namespace clew::explore {

Stateful::Stateful(const Cluster& cluster, Options options)
    : cluster_(cluster),
      options_(std::move(options)),
      runner_(cluster),
      symmetry_(runner_, options_.symmetry) {}

Exploration Stateful::run() {
  Exploration result = explore();
  if (!result.not_alike) return result;
  // What was found may be wrong.
  const std::optional<std::string> why = result.not_alike;
  symmetry_ = Symmetry(runner_, false);
  worlds_ = {};
  parents_.clear();
  terminals_.clear();
  result_ = {};
  result = explore();
  result.not_alike = why;
  return result;
}

Exploration Stateful::explore() {
  const World first = runner_.initial();
  symmetry_.canonical(first, canonical_);
  worlds_.insert(canonical_);
  parents_.push_back(0);
  if (!runner_.start_failure().empty()) {
    result_.violation = {"a handler fails: " + runner_.start_failure(), {}};
  } else {
    judge(first, nullptr, first, true, [] { return std::vector<Move>(); });
  }
  size_t level_end = 1;
  for (uint32_t id = 0; id < worlds_.size() && !begins_badly(); ++id) {
    if (id == level_end) {
      if (result_.violation) break;
      level_end = worlds_.size(), ++result_.depth;
    }
    if (options_.stop && options_.stop()) break;
    if (!treats_alike(id)) break;
    expand(id);
    result_.complete = !result_.violation && id + 1 == worlds_.size();
    if (worlds_.size() >= options_.most_states) break;
  }
  result_.states = worlds_.size();
  result_.terminals = terminals_.size();
  result_.bytes = worlds_.bytes() + parents_.size() * sizeof(uint32_t);
  return result_;
}

bool Stateful::treats_alike(uint32_t id) {
  constexpr size_t kMany = 4'096;  // worlds, together with their likes
  const bool sampled = id * symmetry_.renamings() < kMany || (id & (id - 1)) == 0;
  if (symmetry_.renamings() == 1 || !sampled) return true;
  const World world(worlds_[id].begin(), worlds_[id].end());
  result_.not_alike = symmetry_.breaks(world);
  return !result_.not_alike;
}

void Stateful::expand(uint32_t id) {
  const WorldView from = worlds_[id];
  world_.assign(from.begin(), from.end());
  runner_.moves(world_, moves_);
  bool ends = true;
  for (const Move& move : moves_) {
    ++result_.moves;
    const Step* step = runner_.apply(world_, move, next_);
    symmetry_.canonical(next_, canonical_);
    const auto [other, is_new] = worlds_.insert(canonical_);
    if (is_new) parents_.push_back(id);
    if (move.must() && other != id) ends = false;
    if (result_.violation) continue;
    judge(world_, step, next_, is_new, [&] {
      std::vector<Move> path = path_to(id);
      // Of the world on that path, the move that is this one of its like.
      path.push_back(like(path, move));
      return path;
    });
  }
  if (!ends) return;
  terminals_.push_back(id);
  judge_end(id);
}

void Stateful::judge(WorldView before, const Step* step, WorldView after, bool is_new,
                     const std::function<std::vector<Move>()>& path) {
  if (step != nullptr && !step->failure.empty()) {
    result_.violation = {"a handler fails: " + step->failure, path()};
    return;
  }
  if (runner_.unexplained(after)) {
    result_.violation = {cluster_.sequential()->name, path()};
    return;
  }
  const WorldStates was(runner_, before);
  const WorldStates is(runner_, after);
  for (const Property& property : cluster_.properties()) {
    if (property.kind == Property::Kind::kFinally) continue;
    if (property.kind == Property::Kind::kAlways && !is_new) continue;
    if (property.holds(was, is)) continue;
    result_.violation = {property.name, path()};
    return;
  }
}

// A world is judged after its moves: what violates at its end is shorter than what one of them did.
void Stateful::judge_end(uint32_t id) {
  const WorldStates is(runner_, worlds_[id]);
  for (const Property& property : cluster_.properties()) {
    if (property.kind != Property::Kind::kFinally || property.holds(is, is)) continue;
    std::vector<Move> path = path_to(id);
    const bool shorter = !result_.violation || path.size() < result_.violation->path.size();
    if (shorter) result_.violation = {property.name, std::move(path)};
    return;
  }
}

// The worlds on the way are canonical; the moves are those of a run that has their likes.
std::vector<Move> Stateful::path_to(uint32_t id) {
  std::vector<uint32_t> way{id};
  while (way.back() != 0) way.push_back(parents_[way.back()]);
  std::ranges::reverse(way);
  std::vector<Move> path;
  World world = runner_.initial(), next, canonical;
  for (size_t i = 1; i < way.size(); ++i) {
    std::vector<Move> moves;
    runner_.moves(world, moves);
    bool found = false;
    for (const Move& move : moves) {
      runner_.apply(world, move, next);
      symmetry_.canonical(next, canonical);
      const WorldView wanted = worlds_[way[i]];
      found = std::ranges::equal(canonical, wanted);
      if (!found) continue;
      path.push_back(move);
      world = next;
      break;
    }
    CHECK(found, "no move leads from world {} to {}", way[i - 1], way[i]);
  }
  return path;
}

// With symmetry the path leads to a world that is only like the canonical one; so is its move.
Move Stateful::like(const std::vector<Move>& path, Move move) {
  World world = runner_.initial(), next, wanted, found;
  for (const Move& one : path) runner_.apply(world, one, next), std::swap(world, next);
  const Step* step = runner_.apply(world_, move, next);
  symmetry_.canonical(next, wanted);
  const bool fails = step != nullptr && !step->failure.empty();
  std::vector<Move> moves;
  runner_.moves(world, moves);
  for (const Move& other : moves) {
    const Step* taken = runner_.apply(world, other, next);
    const bool also_fails = taken != nullptr && !taken->failure.empty();
    symmetry_.canonical(next, found);
    if (found == wanted && fails == also_fails && other.kind == move.kind) return other;
  }
  CHECK(false, "no move is like {}", runner_.print(move));
}

}  // namespace clew::explore
