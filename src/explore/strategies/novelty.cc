#include "explore/strategies/novelty.h"

#include <algorithm>
#include <array>

namespace clew::explore {

namespace {

constexpr size_t kMostKnownInARow = 100;  // worlds, before a path is left
constexpr size_t kTogether = 20;          // flips of several pairs, for each path
constexpr size_t kNear = 64;              // plans that are late, or early
constexpr double kFlipsFirst = 0.25;      // of the plans, though new steps wait
constexpr size_t kDrawn = 8;              // plans, of which one is run
constexpr size_t kAhead = 8;              // worlds after a plan that are looked at

constexpr Parts kWorthwhile{
    .independence = Sets::kObserved, .increments = true, .crash_independence = true};

}  // namespace

Novelty::Novelty(Runner& runner, const StrategyOptions& options)
    : runner_(runner),
      random_(options.seed),
      symmetry_(runner, options.symmetry),
      verdicts_(runner),
      conflicts_(runner, kWorthwhile, {}),
      newness_(runner),
      ahead_(runner, {.order = options.order,
                      .faults = options.faults,
                      .longest = options.longest,
                      .foresee = true}) {
  paths_.emplace_back();
  steps_.emplace_back();  // nothing is planned
}

void Novelty::reached(const Path& path, size_t at) {
  if (at == 0) {
    new_worlds_.clear();
    known_in_a_row_ = 0;
    turns_ = random_.chance(0.5);
  }
  const World& world = path.worlds[at];
  symmetry_.canonical(world, canonical_);
  const auto [id, is_new] = worlds_.insert(canonical_);
  known_in_a_row_ = is_new ? 0 : known_in_a_row_ + 1;
  if (!is_new) return;
  new_worlds_.push_back(at);
  newness_.see(world);
  constexpr size_t kMany = 4'096;  // worlds, together with their likes
  const bool sampled = id * symmetry_.renamings() < kMany || (id & (id - 1)) == 0;
  if (symmetry_.renamings() > 1 && sampled && !not_alike_) not_alike_ = symmetry_.breaks(world);
}

std::optional<Move> Novelty::choose(const Path& path, const std::vector<Move>& possible) {
  if (known_in_a_row_ > (turns_ ? kMostKnownInARow : 0)) return std::nullopt;
  if (!turns_) return possible.front();
  const auto is_new = [&](Move move) {
    return look_ahead(path.worlds.back(), {move}) != Leads::kToKnown;
  };
  const auto found = std::ranges::find_if(possible, is_new);
  return found == possible.end() ? possible.front() : *found;
}

bool Novelty::possible_here(Move move) {
  runner_.moves(here_, moves_);
  return std::ranges::any_of(
      moves_, [move](Move other) { return other.kind == move.kind && other.input == move.input; });
}

// By the steps that were taken before. What is not possible leads nowhere. Two of one node may be a
// violation of a step property, though both worlds were seen.
Novelty::Leads Novelty::look_ahead(WorldView world, const std::vector<Move>& more) {
  here_.assign(world.begin(), world.end());
  bool breaks = false;
  for (const Move move : more) {
    if (more.size() > 1 && !possible_here(move)) return Leads::kToKnown;
    const Step* step = nullptr;
    if (!runner_.known_apply(here_, move, next_, step)) return Leads::kToNewStep;
    if (step != nullptr && !step->failure.empty()) return Leads::kToNewStep;
    breaks = breaks || (verdicts_.has_steps() && verdicts_.judge(here_, next_, Verdicts::kStep));
    std::swap(here_, next_);
  }
  if (breaks) return Leads::kToNewStep;
  if (!symmetry_.known_canonical(here_, other_, canonical_)) {
    symmetry_.canonical(here_, canonical_);
  }
  return worlds_.contains(canonical_) ? Leads::kToKnown : Leads::kToNewWorld;
}

void Novelty::wait(Reordered plan, WorldView world, std::vector<Waiting>& otherwise) {
  const Leads leads = look_ahead(world, plan.more);
  if (leads == Leads::kToKnown) return;
  std::vector<Waiting>& to = leads == Leads::kToNewStep ? steps_ : otherwise;
  to.push_back({static_cast<uint32_t>(paths_.size() - 1), static_cast<uint32_t>(plan.kept),
                std::move(plan.more)});
}

// Pairs of which both happened before anything new did were looked at with an earlier path.
void Novelty::flip_races(const Path& path) {
  std::vector<Pair> fresh, all;
  for (size_t second = 0; second < path.events.size(); ++second) {
    for (size_t first = 0; first < second; ++first) {
      if (!conflicts_.races(first, second)) continue;
      all.push_back({first, second});
      if (second >= new_worlds_.front()) fresh.push_back({first, second});
    }
  }
  for (const Pair pair : fresh) {
    Reordered plan = reversed(path, conflicts_, pair);
    const World& world = path.worlds[plan.kept];
    wait(std::move(plan), world, flips_);
  }
  flip_together(path, fresh, all);
}

void Novelty::flip_together(const Path& path, const std::vector<Pair>& fresh,
                            std::vector<Pair>& all) {
  for (size_t i = 0; i < kTogether && fresh.size() > 1; ++i) {
    std::vector<Pair> group{random_.pick(fresh)};
    const size_t wanted = 2 + random_.uniform_below(2);
    random_.shuffle(all);
    for (const Pair pair : all) {
      const auto fits = [&](Pair other) { return are_unrelated(path, conflicts_, other, pair); };
      if (group.size() < wanted && std::ranges::all_of(group, fits)) group.push_back(pair);
    }
    if (group.size() < 2) continue;
    Reordered plan = reversed(path, conflicts_, group);
    const World& world = path.worlds[plan.kept];
    wait(std::move(plan), world, flips_);
  }
}

// A fault right before what its node does next, or at an end: elsewhere it might as well be later.
bool Novelty::is_near_fault(const Path& path, size_t at, Move move) const {
  if (move.must()) return false;
  return at == path.events.size() || runner_.node_of(move).number == path.events[at].node;
}

void Novelty::observe(const Path& path) {
  if (new_worlds_.empty()) return;
  std::vector<Move>& moves = paths_.emplace_back();
  moves.reserve(path.events.size());
  for (const Happening& event : path.events) moves.push_back(event.move);
  if (path.broken) return;
  conflicts_.look(path);
  flip_races(path);
  std::vector<Move> possible;
  for (const size_t at : new_worlds_) {
    runner_.moves(path.worlds[at], possible);
    for (const Move move : possible) {
      const bool taken = at < path.events.size() && path.events[at].move == move;
      if (taken) continue;
      wait({at, {move}}, path.worlds[at], is_near_fault(path, at, move) ? flips_ : rest_);
    }
  }
}

std::optional<Novelty::Waiting> Novelty::draw(std::vector<Waiting>& from) {
  if (from.empty()) return std::nullopt;
  const size_t near = random_.uniform_below(std::min(from.size(), kNear));
  const size_t anywhere = random_.uniform_below(from.size());
  const size_t which = random_.uniform_below(4);
  const size_t at = which < 2 ? from.size() - 1 - near : which == 2 ? near : anywhere;
  std::swap(from[at], from.back());
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

// Nothing if it is known by now where it leads.
std::optional<Plan> Novelty::plan_of(const Waiting& waiting) {
  const bool first = waiting.more.empty();
  if (!first && look_ahead(world_at(waiting), waiting.more) == Leads::kToKnown) return std::nullopt;
  const std::vector<Move>& base = paths_[waiting.path];
  Plan plan;
  plan.prefix.assign(base.begin(), base.begin() + waiting.kept);
  plan.prefix.insert(plan.prefix.end(), waiting.more.begin(), waiting.more.end());
  return plan;
}

std::optional<Novelty::Drawn> Novelty::draw() {
  std::array<std::vector<Waiting>*, 3> queues{&steps_, &flips_, &rest_};
  if (random_.chance(kFlipsFirst)) std::swap(queues[0], queues[1]);
  for (std::vector<Waiting>* queue : queues) {
    while (std::optional<Waiting> drawn = draw(*queue)) {
      std::optional<Plan> plan = plan_of(*drawn);
      if (plan) return Drawn{queue, std::move(*drawn), std::move(*plan)};
    }
  }
  return std::nullopt;
}

// How much of it is new, as far as is known. A step that nobody has taken, wherever it comes,
// counts as a new state.
size_t Novelty::promise_of(const Plan& plan) {
  const Path& path = ahead_.run(plan);
  const size_t end = std::min(path.worlds.size(), plan.prefix.size() + kAhead);
  return newness_.of(path.worlds, 1, end) + (path.unknown ? Newness::kOne : 0);
}

std::optional<Plan> Novelty::next() {
  std::optional<Drawn> best;
  std::vector<Drawn> others;
  size_t most = 0;
  for (size_t i = 0; i < kDrawn; ++i) {
    std::optional<Drawn> drawn = draw();
    if (!drawn) break;
    const size_t promise = promise_of(drawn->plan);
    const bool better = !best || promise > most;
    if (better) {
      std::swap(best, drawn);
      most = promise;
    }
    if (drawn) others.push_back(std::move(*drawn));
  }
  for (Drawn& other : others) other.from->push_back(std::move(other.waiting));
  if (!best) return std::nullopt;
  return std::move(best->plan);
}

}  // namespace clew::explore
