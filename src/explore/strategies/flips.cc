#include "explore/strategies/flips.h"

#include <algorithm>

namespace clew::explore {

namespace {

using Kind = Move::Kind;

// Of a set of paths that differ in the order of events of different nodes only.
class OrderKey {
 public:
  explicit OrderKey(size_t nodes) : nodes_(nodes, 0) {}

  void add(uint8_t node, Move move) {
    total_ -= mixed(nodes_[node] + node);
    const uint64_t what = (static_cast<uint64_t>(move.kind) << 32U) | move.input;
    nodes_[node] = mixed(nodes_[node] ^ what) + 0x9e3779b97f4a7c15U;
    total_ += mixed(nodes_[node] + node);
  }
  bool insert_into(WordSet& set) const {
    const uint32_t words[] = {static_cast<uint32_t>(total_), static_cast<uint32_t>(total_ >> 32U)};
    return set.insert(words).is_new;
  }
  bool is_in(const WordSet& set) const {
    const uint32_t words[] = {static_cast<uint32_t>(total_), static_cast<uint32_t>(total_ >> 32U)};
    return set.contains(words);
  }

 private:
  std::vector<uint64_t> nodes_;
  uint64_t total_ = 0;
};

std::vector<Move> moves_of(const Flip& flip) {
  std::vector<Move> moves;
  moves.reserve(flip.kept + flip.more.size());
  if (flip.base) moves.assign(flip.base->begin(), flip.base->begin() + std::ptrdiff_t(flip.kept));
  moves.insert(moves.end(), flip.more.begin(), flip.more.end());
  return moves;
}

}  // namespace

Flips::Flips(Runner& runner, const Parts& parts, bool faults, Analysed analysed)
    : runner_(runner),
      parts_(parts),
      faults_(faults),
      conflicts_(runner, parts, std::move(analysed)),
      abstract_(runner) {
  normal_.emplace_back();  // nothing is planned
}

std::optional<Plan> Flips::next() {
  ++asked_;
  if (parts_.random_every > 0 && asked_ % parts_.random_every == 0 && open() > 0) {
    return Plan{.random = true};
  }
  for (std::deque<Flip>* queue : {&high_, &normal_, &low_}) {
    if (queue->empty()) continue;
    const Flip flip = std::move(queue->front());
    queue->pop_front();
    return Plan{.prefix = moves_of(flip)};
  }
  return std::nullopt;
}

bool Flips::possible(WorldView world, Move move) {
  runner_.moves(world, moves_);
  return std::ranges::any_of(
      moves_, [&](Move other) { return other.kind == move.kind && other.input == move.input; });
}

bool Flips::follow(const Path& path, const Flip& flip, World& out) {
  out = path.worlds[flip.kept];
  for (const Move move : flip.more) {
    if (!possible(out, move)) return false;
    const Step* step = runner_.apply(out, move, next_);
    if (step != nullptr && !step->failure.empty()) return &move == &flip.more.back();
    std::swap(out, next_);
  }
  return true;
}

uint64_t Flips::mirror_of(WorldView world, Move move) {
  const uint64_t state =
      parts_.mirror == Mirror::kWorlds ? abstract_.of_world(world) : abstract_.of_nodes(world);
  const uint64_t numbers[] = {state, abstract_.of_event(world, move)};
  return hash_numbers(numbers);
}

// Whether each move of it was seen in such a state before, up to names.
bool Flips::mirrors(const Path& path, const Flip& flip) {
  if (parts_.mirror == Mirror::kNone) return false;
  World world = path.worlds[flip.kept];
  for (const Move move : flip.more) {
    const uint64_t key = mirror_of(world, move);
    const uint32_t words[] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32U)};
    if (!mirrored_.contains(words) || !possible(world, move)) return false;
    runner_.apply(world, move, next_);
    std::swap(world, next_);
  }
  return true;
}

// Whether nothing that is equivalent was run or planned.
bool Flips::is_new(const Path& path, const Flip& flip) {
  OrderKey key(runner_.cluster().size());
  for (size_t i = 0; i < flip.kept; ++i) key.add(path.events[i].node, path.events[i].move);
  for (const Move move : flip.more) key.add(runner_.node_of(move).number, move);
  if (key.is_in(seen_) || mirrors(path, flip)) return false;
  return key.insert_into(seen_);
}

// What the later one needs goes before it: what must come before it and need not come after the
// earlier one.
bool Flips::flip(const Path& path, size_t first, size_t second, Flip& out) {
  out = {.base = base_, .kept = first};
  for (size_t i = first + 1; i < second; ++i) {
    if (conflicts_.before(i, second) && !conflicts_.before(first, i)) {
      out.more.push_back(path.events[i].move);
    }
  }
  out.more.push_back(path.events[second].move);
  if (!follow(path, out, world_)) return false;
  const Move last = path.events[first].move;
  if (possible(world_, last)) out.more.push_back(last);
  return true;
}

void Flips::flip_races(const Path& path, std::vector<Candidate>& out) {
  for (size_t second = std::min(path.events.size(), depth_); second-- > 0;) {
    for (size_t first = second; first-- > 0;) {
      if (!conflicts_.races(first, second)) continue;
      Candidate candidate{first, second};
      if (!flip(path, first, second, candidate.flip)) continue;
      if (is_crash(path.events[second].move) && parts_.recovery &&
          !recovery_.is_new(abstract_, path.worlds[first], path.events[second].move,
                            path.events[second].node)) {
        continue;
      }
      if (!is_new(path, candidate.flip)) continue;
      out.push_back(std::move(candidate));
      break;
    }
  }
}

void Flips::try_fault(const Path& path, size_t at, Move fault) {
  const uint8_t node = runner_.node_of(fault).number;
  if (parts_.recovery && is_crash(fault) &&
      !recovery_.is_new(abstract_, path.worlds[at], fault, node)) {
    return;
  }
  Flip flip{base_, at, {fault}};
  if (is_new(path, flip)) normal_.push_back(std::move(flip));
}

// A fault that comes right before something that it has to do with, or at an end.
void Flips::put_in_faults(const Path& path) {
  std::vector<Move> moves;
  const size_t last = std::min(path.events.size(), depth_);
  for (size_t at = 0; at <= last; ++at) {
    const bool is_end = std::ranges::find(path.ends, at) != path.ends.end();
    if (at == path.events.size() && !is_end) break;
    const Happening* next = at < path.events.size() ? &path.events[at] : nullptr;
    runner_.moves(path.worlds[at], moves);
    for (const Move move : moves) {
      if (move.must() && !move.early) continue;
      const bool same = next != nullptr && move == next->move;
      const bool instead = next != nullptr && next->move.kind == move.kind && !same;
      const bool of_paths = faults_ && is_crash(move);  // which paths have anyway
      const bool concerns = next == nullptr || runner_.node_of(move).number == next->node;
      if (instead || (!of_paths && !same && (concerns || is_end))) try_fault(path, at, move);
    }
  }
}

void Flips::observe(const Path& path) {
  std::vector<Move> moves;
  moves.reserve(path.events.size());
  OrderKey key(runner_.cluster().size());
  for (size_t i = 0; i < path.events.size(); ++i) {
    const Happening& event = path.events[i];
    moves.push_back(event.move);
    key.add(event.node, event.move);
    key.insert_into(seen_);
    if (parts_.mirror == Mirror::kNone) continue;
    const uint64_t mirror = mirror_of(path.worlds[i], event.move);
    const uint32_t words[] = {static_cast<uint32_t>(mirror), static_cast<uint32_t>(mirror >> 32U)};
    mirrored_.insert(words);
  }
  if (parts_.bounded && depth_ == SIZE_MAX) depth_ = std::max<size_t>(moves.size() / 2, 1);
  if (path.broken) return;
  base_ = std::make_shared<const std::vector<Move>>(std::move(moves));
  conflicts_.look(path);
  std::vector<Candidate> candidates;
  flip_races(path, candidates);
  put_in_faults(path);
  if (parts_.parallel) {
    for (Flip& merged : merge(path, candidates)) high_.push_back(std::move(merged));
  }
  for (Candidate& one : candidates) normal_.push_back(std::move(one.flip));
}

}  // namespace clew::explore
