// What a Stateless engine says of the worlds on its paths.
#include <algorithm>

#include "explore/again.h"
#include "explore/stateless.h"

namespace clew::explore {

bool Stateless::violated(std::string property) {
  result_.violation = {std::move(property), {}};
  for (size_t i = 0; i + 1 < path_.size(); ++i) {
    if (path_[i].event.label != kEnd) result_.violation->path.push_back(path_[i].event.move);
  }
  return false;
}

bool Stateless::judge_first() {
  const World& world = path_.front().world;
  if (!runner_.start_failure().empty()) {
    return violated("a handler fails: " + runner_.start_failure());
  }
  for (size_t i = 0; i < cluster_.properties().size(); ++i) {
    const Property& property = cluster_.properties()[i];
    if (property.kind == Property::Kind::kFinally) continue;
    const bool holds = looks_.judge(i, world, world);
    if (property.kind == Property::Kind::kAlways && !holds) return violated(property.name);
    if (property.kind == Property::Kind::kStep && !holds) judges_all_ = true, events_.tie_all();
  }
  looks_.grew();  // nothing has relied on it yet
  return judge_vain(world);
}

bool Stateless::judge(size_t at) {
  const Event& event = path_[at].event;
  if (event.label == kEnd) return true;
  const World& before = path_[at].world;
  const World& after = path_[at + 1].world;
  if (!event.failure.empty()) return violated("a handler fails: " + event.failure);
  if (runner_.unexplained(after)) return violated(cluster_.sequential()->name);
  for (size_t i = 0; i < cluster_.properties().size(); ++i) {
    const Property& property = cluster_.properties()[i];
    if (property.kind == Property::Kind::kFinally) continue;
    if (!judges_all_ && (event.access.seen >> (i % 64) & 1U) == 0) continue;
    if (!looks_.judge(i, before, after)) return violated(property.name);
    if (property.kind != Property::Kind::kStep || judges_all_) continue;
    // Somewhere something may happen that it does not look at: then it must hold, too.
    if (!looks_.judge(i, after, after)) judges_all_ = anew_ = true, events_.tie_all();
  }
  if (options_.reduction == Reduction::kOptimal && looks_.grew()) anew_ = true;
  return judge_vain(after);
}

// What changes nothing is a step all the same.
bool Stateless::judge_vain(const World& world) {
  if (!judges_all_) return true;
  std::vector<Move> moves;
  for (size_t i = 0; i < cluster_.properties().size(); ++i) {
    const Property& property = cluster_.properties()[i];
    if (property.kind != Property::Kind::kStep || looks_.judge(i, world, world)) continue;
    events_.vain(world, moves);
    if (moves.empty()) continue;
    violated(property.name);
    result_.violation->path.push_back(moves.front());
    return false;
  }
  return true;
}

bool Stateless::judge_end() {
  const WorldStates is(runner_, path_.back().world);
  for (const Property& property : cluster_.properties()) {
    if (property.kind != Property::Kind::kFinally || property.holds(is, is)) continue;
    return violated(property.name);
  }
  return true;
}

bool Stateless::repeat() {
  std::vector<Move> path;
  for (size_t i = 0; i + 1 < path_.size() && path_[i].event.label != kEnd; ++i) {
    path.push_back(path_[i].event.move);
  }
  const std::optional<Difference> other = run_again(runner_, path);
  if (!other) return true;
  path_.resize(other->moves + 1);
  return violated(other->why);
}

}  // namespace clew::explore
