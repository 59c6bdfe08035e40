#include "explore/stateful.h"

#include <fmt/format.h>

#include <algorithm>

#include "explore/again.h"
#include "explore/lasso.h"

namespace clew::explore {

namespace {

constexpr size_t kParts = 128;  // that threads share before what they found is inserted

}  // namespace

Stateful::Stateful(const Cluster& cluster, Options options)
    : cluster_(cluster),
      options_(std::move(options)),
      runner_(cluster),
      symmetry_(runner_, options_.symmetry && !cluster.has_eventually()),
      verdicts_(runner_),
      crew_(options_.threads) {}

Exploration Stateful::run() {
  result_.unfinished.clear();
  if (worlds_.size() == 0) begin();
  explore();
  if (result_.not_alike && symmetry_.renamings() > 1) {
    begin_anew();
    explore();
  }
  if (result_.complete) result_.complete = repeats(static_cast<uint32_t>(worlds_.size() - 1));
  if (result_.complete) find_lasso();
  result_.states = worlds_.size();
  result_.terminals = terminals_.size();
  result_.bytes = worlds_.bytes();
  return result_;
}

void Stateful::begin() {
  const World first = runner_.initial();
  symmetry_.canonical(first, canonical_);
  packed_.assign(canonical_);
  worlds_.insert(packed_.view(), 0);
  judge_beginning(first);
  level_end_ = 1;
}

// What was found may be wrong.
void Stateful::begin_anew() {
  symmetry_ = Symmetry(runner_, false);
  worlds_ = {};
  terminals_.clear();
  result_ = {.not_alike = std::move(result_.not_alike)};
  told_ = 0;
  due_ = batch_begin_ = batch_end_ = 0;
  begin();
}

void Stateful::explore() {
  bool goes_on = !begins_badly() && (due_ == 0 || may_go_on(due_ - 1));
  while (goes_on && due_ < worlds_.size()) {
    if (due_ == batch_end_) expand_known();
    goes_on = expand_rest();
  }
}

// Parts begin where the store knows the place of a world.
void Stateful::expand_known() {
  constexpr auto kWorlds = static_cast<uint32_t>(Expansion::kWorlds);
  const uint32_t first = due_ / kWorlds;
  const auto last = static_cast<uint32_t>((worlds_.size() + kWorlds - 1) / kWorlds);
  const size_t parts = std::min<size_t>(kParts, last - first);
  while (parts_.size() < parts) parts_.emplace_back(runner_, symmetry_, verdicts_);
  const auto bound = [&](size_t part) {
    const size_t id = (first + part) * kWorlds;
    return static_cast<uint32_t>(std::clamp<size_t>(id, due_, worlds_.size()));
  };
  crew_.each(parts,
             [&](size_t part, size_t) { parts_[part].run(worlds_, bound(part), bound(part + 1)); });
  batch_begin_ = due_;
  batch_end_ = bound(parts);
}

bool Stateful::expand_rest() {
  other_bytes_ = runner_.bytes() + verdicts_.bytes();
  for (const Expansion& part : parts_) other_bytes_ += part.bytes();
  uint32_t id = batch_begin_;
  for (const Expansion& part : parts_) {
    if (id == batch_end_) break;
    for (const Finding& found : part.all_findings()) worlds_.expect(found.hash);
    for (const Expansion::OfWorld& of : part.worlds()) {
      if (id++ < due_) continue;
      if (!is_due(due_)) return false;
      if (of.redo) {
        expand(due_);
      } else {
        insert_all(due_, part, of);
      }
      if (!may_go_on(due_++)) return false;
    }
  }
  return true;
}

// Whether there is a reason to look at this world.
bool Stateful::is_due(uint32_t id) {
  if (id == level_end_) {
    if (result_.violation) return false;
    level_end_ = worlds_.size(), ++result_.depth;
  }
  constexpr uint32_t kSeldom = 16;  // asking may take longer than a world does
  if (id % kSeldom == 0) {
    if (options_.now_and_then) options_.now_and_then();
    if (options_.stop && options_.stop()) {
      result_.unfinished = "it was stopped";
      return false;
    }
  }
  const bool sampled = (id & (id - 1)) == 0;
  return treats_alike(id) && (!sampled || repeats(id));
}

bool Stateful::may_go_on(uint32_t id) {
  if (options_.progress && result_.moves - told_ >= kProgress) tell_progress(id);
  result_.complete = !result_.violation && id + 1 == worlds_.size();
  if (result_.complete) return true;
  if (worlds_.size() >= options_.most_states) {
    result_.unfinished = fmt::format("there are more than {} states", options_.most_states);
    return false;
  }
  if (other_bytes_ + worlds_.bytes_after(Expansion::kWorlds) > options_.most_bytes) {
    result_.unfinished = fmt::format("more than {} bytes are needed", options_.most_bytes);
    return false;
  }
  return true;
}

void Stateful::tell_progress(uint32_t id) {
  told_ = result_.moves;
  options_.progress({.states = worlds_.size(),
                     .frontier = worlds_.size() - id - 1,
                     .depth = result_.depth,
                     .moves = result_.moves,
                     .bytes = other_bytes_ + worlds_.bytes()});
}

bool Stateful::treats_alike(uint32_t id) {
  constexpr size_t kMany = 4'096;  // worlds, together with their likes
  const bool sampled = id * symmetry_.renamings() < kMany || (id & (id - 1)) == 0;
  if (symmetry_.renamings() == 1 || !sampled) return true;
  result_.not_alike = symmetry_.breaks(worlds_[id]);
  return !result_.not_alike;
}

bool Stateful::repeats(uint32_t id) {
  std::optional<std::vector<Move>> path = way_to(id);
  CHECK(path || loaded_, "no moves lead to world {}", id);
  if (!path) {
    result_.unfinished = "what was kept is not what an exploration leaves: somebody has changed it";
    return false;
  }
  const std::optional<Difference> other = run_again(runner_, *path);
  if (!other) return true;
  path->resize(other->moves);
  result_.violation = {other->why, *std::move(path)};
  return false;
}

void Stateful::expand(uint32_t id) {
  worlds_.read(id, world_);
  runner_.moves(world_, moves_);
  bool ends = true;
  for (const Move& move : moves_) {
    ++result_.moves;
    const Step* step = follow(move);
    packed_.assign(canonical_);
    const bool is_new = worlds_.insert(packed_.view(), id).is_new;
    const bool fails = step != nullptr && !step->failure.empty();
    if (move.must() && (fails || canonical_ != world_)) ends = false;
    if (!result_.violation) judge(id, move, step, is_new ? Verdicts::kAll : Verdicts::kStep);
  }
  if (!ends) return;
  terminals_.push_back(id);
  judge_end(id);
}

const Step* Stateful::follow(Move move) {
  const Step* step = runner_.apply(world_, move, next_);
  symmetry_.canonical(next_, canonical_);
  return step;
}

void Stateful::insert_all(uint32_t id, const Expansion& part, const Expansion::OfWorld& of) {
  result_.moves += of.moves;
  for (const Finding& found : part.findings(of)) {
    const bool is_new = found.is_new && worlds_.insert(part.packed(found), id).is_new;
    const uint8_t unknown = found.unknown & (is_new ? Verdicts::kAll : Verdicts::kStep);
    if (unknown == Verdicts::kNone || result_.violation) continue;
    worlds_.read(id, world_);
    judge(id, found.move, follow(found.move), static_cast<Verdicts::Which>(unknown));
  }
}

void Stateful::judge_beginning(const World& first) {
  if (!runner_.start_failure().empty()) {
    result_.violation = {"a handler fails: " + runner_.start_failure(), {}};
  } else if (const Property* broken = verdicts_.judge(first, first, Verdicts::kAll)) {
    result_.violation = {broken->name, {}};
  }
}

// Of likes it is the canonical one that properties of states are asked about, so that they are
// asked about one only.
void Stateful::judge(uint32_t id, Move move, const Step* step, Verdicts::Which which) {
  std::string broken;
  if (step != nullptr && !step->failure.empty()) {
    broken = "a handler fails: " + step->failure;
  } else if (runner_.unexplained(next_)) {
    broken = cluster_.sequential()->name;
  } else {
    const auto always = static_cast<Verdicts::Which>(which & Verdicts::kAlways);
    const auto steps = static_cast<Verdicts::Which>(which & Verdicts::kStep);
    const Property* property = verdicts_.judge(canonical_, canonical_, always);
    if (property == nullptr) property = verdicts_.judge(world_, next_, steps);
    if (property == nullptr) return;
    broken = property->name;
  }
  std::vector<Move> path = path_to(id);
  // Of the world on that path, the move that is this one of its like.
  path.push_back(like(path, move));
  result_.violation = {broken, std::move(path)};
}

// A world is judged after its moves: what violates at its end is shorter than what one of them did.
void Stateful::judge_end(uint32_t id) {
  const WorldStates is(runner_, world_);
  for (const Property& property : cluster_.properties()) {
    if (!property.of_ends() || property.holds(is, is)) continue;
    std::vector<Move> path = path_to(id);
    const bool shorter = !result_.violation || path.size() < result_.violation->path.size();
    if (shorter) result_.violation = {property.name, std::move(path)};
    return;
  }
}

void Stateful::find_lasso() {
  if (!cluster_.has_eventually()) return;
  const size_t used = std::min(other_bytes_ + worlds_.bytes(), options_.most_bytes);
  Lassos lassos(runner_, worlds_, options_.stop, options_.most_bytes - used);
  for (const Property& property : cluster_.properties()) {
    if (property.kind != Property::Kind::kEventually) continue;
    const std::optional<Lasso> lasso = lassos.find(property);
    if (lasso) {
      std::vector<Move> path = path_to(lasso->begin);
      const size_t loop = path.size();
      path.insert(path.end(), lasso->loop.begin(), lasso->loop.end());
      result_.violation = {property.name, std::move(path), loop};
    }
    result_.unfinished = lassos.unfinished();
    result_.complete = !lasso && result_.unfinished.empty();
    if (!result_.complete) return;
    result_.awaited.push_back({property.name, lassos.held(), lassos.awaited()});
  }
}

// The worlds on the way are canonical; the moves are those of a run that has their likes.
std::vector<Move> Stateful::path_to(uint32_t id) {
  std::optional<std::vector<Move>> path = way_to(id);
  CHECK(path.has_value(), "no moves lead to world {}", id);
  return *std::move(path);
}

std::optional<std::vector<Move>> Stateful::way_to(uint32_t id) {
  std::vector<uint32_t> way{id};
  while (way.back() != 0) way.push_back(worlds_.parent(way.back()));
  std::ranges::reverse(way);
  std::vector<Move> path;
  World world = runner_.initial(), next, canonical;
  for (size_t i = 1; i < way.size(); ++i) {
    const World wanted = worlds_[way[i]];
    std::vector<Move> moves;
    runner_.moves(world, moves);
    bool found = false;
    for (const Move& move : moves) {
      runner_.apply(world, move, next);
      symmetry_.canonical(next, canonical);
      found = canonical == wanted;
      if (!found) continue;
      path.push_back(move);
      world = next;
      break;
    }
    if (!found) return std::nullopt;
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
