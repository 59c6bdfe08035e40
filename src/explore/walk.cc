#include "explore/walk.h"

#include <algorithm>

namespace clew::explore {

bool is_fault(Move move) {
  return move.early || (!move.must() && move.kind != Move::Kind::kRestart);
}

std::optional<std::string> broken_by(Runner& runner, WorldView before, const Step* step,
                                     WorldView after) {
  if (step != nullptr && !step->failure.empty()) return std::string(kHandlerFails) + step->failure;
  if (runner.unexplained(after)) return runner.cluster().sequential()->name;
  const WorldStates was(runner, before), is(runner, after);
  for (const Property& property : runner.cluster().properties()) {
    if (property.kind == Property::Kind::kFinally) continue;
    if (!property.holds(was, is)) return property.name;
  }
  return std::nullopt;
}

std::optional<std::string> broken_at_end(Runner& runner, WorldView world) {
  const WorldStates is(runner, world);
  for (const Property& property : runner.cluster().properties()) {
    if (property.kind == Property::Kind::kFinally && !property.holds(is, is)) return property.name;
  }
  return std::nullopt;
}

size_t Walk::faults() const { return static_cast<size_t>(std::ranges::count_if(path, is_fault)); }

size_t Walk::flips() const {
  size_t count = 0;
  for (size_t late = 0; late < path.size(); ++late) {
    for (size_t early = 0; early < late; ++early) {
      if (possible_at[late] < possible_at[early]) ++count;
    }
  }
  return count;
}

namespace {

bool same(Move a, Move b) { return a.kind == b.kind && a.input == b.input; }

}  // namespace

Walk Walker::begin() {
  Walk walk;
  walk.worlds.push_back(runner_.initial());
  if (!runner_.start_failure().empty()) {
    walk.broken = std::string(kHandlerFails) + runner_.start_failure();
  } else {
    walk.broken = broken_by(runner_, walk.worlds[0], nullptr, walk.worlds[0]);
  }
  moves_.clear();
  since_.clear();
  if (!walk.broken) look(walk);
  return walk;
}

void Walker::look(const Walk& walk) {
  const std::vector<Move> before = std::move(moves_);
  const std::vector<size_t> since = std::move(since_);
  moves_.clear();
  since_.clear();
  runner_.moves(walk.worlds.back(), moves_);
  for (const Move move : moves_) {
    const auto known = std::ranges::find_if(before, [&](Move other) { return same(move, other); });
    since_.push_back(known == before.end() ? walk.path.size()
                                           : since[static_cast<size_t>(known - before.begin())]);
  }
}

void Walker::take(Walk& walk, size_t which) {
  World next;
  const Move move = moves_[which];
  const Step* step = runner_.apply(walk.worlds.back(), move, next);
  walk.broken = broken_by(runner_, walk.worlds.back(), step, next);
  walk.possible_at.push_back(since_[which]);
  walk.path.push_back(move);
  walk.worlds.push_back(std::move(next));
  // If the same can happen once more, that is new.
  moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(which));
  since_.erase(since_.begin() + static_cast<std::ptrdiff_t>(which));
  if (!walk.broken) look(walk);
}

bool Walker::changes(const Walk& walk, Move move) {
  World next;
  runner_.apply(walk.worlds.back(), move, next);
  return next != walk.worlds.back();
}

// Of what must happen, what has been possible for the longest time.
void Walker::go_on(Walk& walk) {
  while (!walk.broken && walk.path.size() < kMostMoves) {
    std::optional<size_t> oldest;
    for (size_t i = 0; i < moves_.size(); ++i) {
      if (!moves_[i].must() || moves_[i].early || !changes(walk, moves_[i])) continue;
      if (!oldest || since_[i] < since_[*oldest]) oldest = i;
    }
    if (!oldest) return;
    take(walk, *oldest);
  }
}

void Walker::judge_end(Walk& walk) {
  if (walk.broken) return;
  walk.ended =
      std::ranges::none_of(moves_, [&](Move move) { return move.must() && changes(walk, move); });
  if (walk.ended) walk.broken = broken_at_end(runner_, walk.worlds.back());
}

Walk Walker::walk_those(size_t count, const IsWanted& is_wanted, Then then) {
  Walk walk = begin();
  for (size_t i = 0; i < count && !walk.broken; ++i) {
    const auto found = std::ranges::find_if(moves_, [&](Move move) { return is_wanted(i, move); });
    if (found == moves_.end()) {
      walk.left_out.push_back(i);
    } else {
      take(walk, static_cast<size_t>(found - moves_.begin()));
    }
  }
  if (then == Then::kGoOn) go_on(walk);
  judge_end(walk);
  return walk;
}

Walk Walker::walk(const std::vector<Move>& wanted, Then then) {
  return walk_those(
      wanted.size(), [&](size_t i, Move move) { return same(move, wanted[i]); }, then);
}

Walk Walker::walk_printed(const std::vector<std::string>& wanted, Then then) {
  return walk_those(
      wanted.size(), [&](size_t i, Move move) { return runner_.print(move) == wanted[i]; }, then);
}

}  // namespace clew::explore
