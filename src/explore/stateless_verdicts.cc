// What a Stateless engine says of the worlds on its paths.
#include <algorithm>

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

const std::vector<Answer>& Stateless::answers(size_t at) {
  const Move move = path_[at].event.move;
  return runner_.steps().take(path_[at].world[runner_.node_of(move).number], move.input).answered;
}

// Steps that were computed once are not computed again: what depends on something that changes
// behind a node's back shows only if all is run anew.
bool Stateless::repeat() {
  Runner again(cluster_);
  World world = again.initial(), next;
  const std::string why = "a handler fails: it is not deterministic: ";
  if (again.encode(world) != runner_.encode(path_.front().world)) {
    result_.violation = {why + "a start had another effect when it was run again", {}};
    return false;
  }
  for (size_t i = 0; i + 1 < path_.size(); ++i) {
    if (path_[i].event.label == kEnd) break;
    const Move move = path_[i].event.move;
    const Move same{move.kind, again.steps().number(runner_.steps().input(move.input)), move.early};
    const Step* step = again.apply(world, same, next);
    const bool alike = step == nullptr || (step->failure.empty() && step->answered == answers(i));
    std::swap(world, next);
    if (alike && again.encode(world) == runner_.encode(path_[i + 1].world)) continue;
    path_.resize(i + 2);
    return violated(why + runner_.print(move) + " had another effect when the path was run again");
  }
  return true;
}

}  // namespace clew::explore
