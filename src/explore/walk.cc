#include "explore/walk.h"

#include <algorithm>
#include <map>

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
    if (property.of_ends()) continue;
    if (!property.holds(was, is)) return property.name;
  }
  return std::nullopt;
}

std::optional<std::string> broken_by(Runner& runner, Verdicts& verdicts, WorldView before,
                                     const Step* step, WorldView after) {
  if (step != nullptr && !step->failure.empty()) return std::string(kHandlerFails) + step->failure;
  if (runner.unexplained(after)) return runner.cluster().sequential()->name;
  const Property* broken = verdicts.judge(before, after, Verdicts::kAll);
  if (broken == nullptr) return std::nullopt;
  return broken->name;
}

std::optional<std::string> broken_at_end(Runner& runner, WorldView world) {
  const WorldStates is(runner, world);
  for (const Property& property : runner.cluster().properties()) {
    if (property.of_ends() && !property.holds(is, is)) return property.name;
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
  const Step* step = runner_.apply(walk.worlds.back(), move, next);
  return next != walk.worlds.back() || (step != nullptr && !step->failure.empty());
}

std::vector<uint32_t> Walker::situation(const Walk& walk) const {
  std::vector<uint32_t> result = walk.worlds.back();
  for (const size_t one : since_) {
    const auto is_older = [one](size_t other) { return other < one; };
    result.push_back(static_cast<uint32_t>(std::ranges::count_if(since_, is_older)));
  }
  return result;
}

bool Walker::goes_well_since(const Walk& walk, size_t begin) {
  return std::ranges::all_of(runner_.cluster().properties(), [&](const Property& property) {
    const auto holds = [&](const World& world) {
      const WorldStates is(runner_, world);
      return property.holds(is, is);
    };
    const auto first = walk.worlds.begin() + static_cast<std::ptrdiff_t>(begin);
    return property.kind != Property::Kind::kEventually ||
           std::any_of(first, walk.worlds.end(), holds);
  });
}

// Of what must happen, what has been possible for the longest time; unless that goes round.
void Walker::go_on(Walk& walk) {
  std::map<std::vector<uint32_t>, size_t> situations;  // and when
  while (!walk.broken && walk.path.size() < most_moves_) {
    const auto [seen, is_new] = situations.emplace(situation(walk), walk.path.size());
    if (!is_new) {
      walk.goes_round = goes_well_since(walk, seen->second);
      return;
    }
    std::optional<size_t> oldest;
    for (size_t i = 0; i < moves_.size(); ++i) {
      if (!moves_[i].must() || moves_[i].early || !changes(walk, moves_[i])) continue;
      if (!oldest || since_[i] < since_[*oldest]) oldest = i;
    }
    if (!oldest) return;
    take(walk, *oldest);
  }
}

void Walker::judge_loop(Walk& walk, size_t begin) {
  LoopVerdict verdict = explore::judge_loop(runner_, walk.path, walk.worlds, begin);
  walk.broken = std::move(verdict.broken);
  walk.no_loop = std::move(verdict.no_loop);
  walk.never_fire = std::move(verdict.never_fire);
  if (walk.broken) walk.loop = begin;
}

void Walker::judge_end(Walk& walk) {
  if (walk.broken) return;
  walk.ended =
      std::ranges::none_of(moves_, [&](Move move) { return move.must() && changes(walk, move); });
  if (walk.ended) walk.broken = broken_at_end(runner_, walk.worlds.back());
}

Walk Walker::walk_those(size_t count, const IsWanted& is_wanted, Then then, Loop loop) {
  Walk walk = begin();
  size_t loop_begin = 0;
  for (size_t i = 0; i < count && !walk.broken; ++i) {
    if (i == loop) loop_begin = walk.path.size();
    const auto found = std::ranges::find_if(moves_, [&](Move move) { return is_wanted(i, move); });
    if (found == moves_.end()) {
      walk.left_out.push_back(i);
    } else {
      take(walk, static_cast<size_t>(found - moves_.begin()));
    }
  }
  if (loop && !walk.broken) judge_loop(walk, loop_begin);
  if (then == Then::kGoOn) go_on(walk);
  judge_end(walk);
  return walk;
}

Walk Walker::walk(const std::vector<Move>& wanted, Then then, Loop loop) {
  return walk_those(
      wanted.size(), [&](size_t i, Move move) { return same(move, wanted[i]); }, then, loop);
}

Walk Walker::walk_printed(const std::vector<std::string>& wanted, Then then, Loop loop) {
  return walk_those(
      wanted.size(), [&](size_t i, Move move) { return runner_.print(move) == wanted[i]; }, then,
      loop);
}

}  // namespace clew::explore
