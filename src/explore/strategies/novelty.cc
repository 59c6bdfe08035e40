#include "explore/strategies/novelty.h"

#include <algorithm>

namespace clew::explore {

namespace {

// What is certain to commute: steps of different nodes.
constexpr Parts kSound{.crash_independence = true};

}  // namespace

Novelty::Novelty(Runner& runner, uint64_t seed, bool symmetry)
    : runner_(runner),
      random_(seed),
      symmetry_(runner, symmetry),
      verdicts_(runner),
      conflicts_(runner, kSound, {}) {
  paths_.emplace_back();
  steps_.push_back({});  // nothing is planned
}

bool Novelty::visit(const Path& path, size_t at) {
  if (at == 0) new_worlds_.clear();
  const World& world = path.worlds[at];
  symmetry_.canonical(world, canonical_);
  const auto [id, is_new] = worlds_.insert(canonical_);
  if (!is_new) return false;
  new_worlds_.push_back(at);
  constexpr size_t kMany = 4'096;  // worlds, together with their likes
  const bool sampled = id * symmetry_.renamings() < kMany || (id & (id - 1)) == 0;
  if (symmetry_.renamings() > 1 && sampled && !not_alike_) not_alike_ = symmetry_.breaks(world);
  return true;
}

// Where moves lead, as far as steps that were taken before tell.
Novelty::Leads Novelty::look_ahead(WorldView world, const std::vector<Move>& more) {
  here_.assign(world.begin(), world.end());
  bool breaks = false;
  for (const Move move : more) {
    const Step* step = nullptr;
    if (!runner_.known_apply(here_, move, next_, step)) return Leads::kToNewStep;
    if (step != nullptr && !step->failure.empty()) return Leads::kToNewStep;
    if (verdicts_.has_steps() && verdicts_.judge(here_, next_, Verdicts::kStep)) breaks = true;
    std::swap(here_, next_);
  }
  if (breaks) return Leads::kToNewStep;
  if (!symmetry_.known_canonical(here_, other_, canonical_)) {
    symmetry_.canonical(here_, canonical_);
  }
  return worlds_.contains(canonical_) ? Leads::kToKnown : Leads::kToNewWorld;
}

void Novelty::wait(size_t kept, std::vector<Move> more, WorldView world, bool flip) {
  const Leads leads = look_ahead(world, more);
  if (leads == Leads::kToKnown) return;
  Waiting waiting{static_cast<uint32_t>(paths_.size() - 1), static_cast<uint32_t>(kept),
                  std::move(more)};
  std::vector<Waiting>& to = leads == Leads::kToNewStep ? steps_ : flip ? flips_ : rest_;
  to.push_back(std::move(waiting));
}

// What the later one needs goes before it, as in flips.cc.
void Novelty::flip_races(const Path& path) {
  const size_t fresh = new_worlds_.front();
  for (size_t second = fresh; second < path.events.size(); ++second) {
    for (size_t first = 0; first < second; ++first) {
      if (!conflicts_.races(first, second)) continue;
      std::vector<Move> more;
      for (size_t i = first + 1; i < second; ++i) {
        if (conflicts_.before(i, second) && !conflicts_.before(first, i)) {
          more.push_back(path.events[i].move);
        }
      }
      more.push_back(path.events[second].move);
      wait(first, std::move(more), path.worlds[first], true);
    }
  }
}

void Novelty::observe(const Path& path) {
  if (new_worlds_.empty()) return;
  std::vector<Move>& moves = paths_.emplace_back();
  for (const Happening& event : path.events) moves.push_back(event.move);
  if (path.broken) return;
  conflicts_.look(path);
  flip_races(path);
  std::vector<Move> possible;
  for (const size_t at : new_worlds_) {
    runner_.moves(path.worlds[at], possible);
    for (const Move move : possible) {
      const bool taken = at < path.events.size() && path.events[at].move == move;
      if (!taken) wait(at, {move}, path.worlds[at], false);
    }
  }
}

std::optional<Novelty::Waiting> Novelty::draw(std::vector<Waiting>& from) {
  if (from.empty()) return std::nullopt;
  std::swap(from[random_.uniform_below(from.size())], from.back());
  Waiting drawn = std::move(from.back());
  from.pop_back();
  return drawn;
}

World Novelty::world_at(const Waiting& waiting) {
  World world = runner_.initial(), next;
  for (size_t i = 0; i < waiting.kept; ++i) {
    runner_.apply(world, paths_[waiting.path][i], next);
    std::swap(world, next);
  }
  return world;
}

std::optional<Plan> Novelty::next() {
  for (std::vector<Waiting>* queue : {&steps_, &flips_, &rest_}) {
    while (std::optional<Waiting> drawn = draw(*queue)) {
      const std::vector<Move>& base = paths_[drawn->path];
      if (!drawn->more.empty() && look_ahead(world_at(*drawn), drawn->more) == Leads::kToKnown) {
        continue;
      }
      Plan plan;
      plan.prefix.assign(base.begin(), base.begin() + drawn->kept);
      plan.prefix.insert(plan.prefix.end(), drawn->more.begin(), drawn->more.end());
      return plan;
    }
  }
  return std::nullopt;
}

}  // namespace clew::explore
