#include "explore/strategies/flips.h"

#include <algorithm>

namespace clew::explore {

namespace {

using Kind = Move::Kind;

// Of a set of paths that differ in the order of events that do not conflict by their node: crashes
// conflict with each other, and with what comes from the node.
class OrderKey {
 public:
  OrderKey(const Runner& runner, bool crash_independence)
      : runner_(runner),
        apart_(crash_independence),
        nodes_(runner.cluster().size(), 0),
        crashes_(nodes_.size(), 0) {}

  void add(Move move) {
    const Input& input = runner_.steps().input(move.input);
    const uint8_t node = input.to.number;
    const uint8_t from = input.kind == Input::Kind::kEnvelope ? input.from.number : node;
    total_ -= mixed(nodes_[node] + node);
    uint64_t what = (static_cast<uint64_t>(move.kind) << 32U) | move.input;
    if (is_crash(move)) {
      ++crashes_[node];
      what += mixed(++all_crashes_);
    } else if (!apart_ && from != node) {
      what += mixed(crashes_[from]);
    }
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
  const Runner& runner_;
  const bool apart_;
  std::vector<uint64_t> nodes_, crashes_;
  uint64_t total_ = 0, all_crashes_ = 0;
};

// What waits until nothing else can happen: which of these comes first is no matter of nodes.
bool is_late(const Runner& runner, Move move) {
  return (move.kind == Kind::kTimer && !move.early) ||
         (move.kind == Kind::kRequest && runner.limits_requests());
}

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
  for (std::deque<Flip>* queue : {&high_, &normal_, &low_, &last_}) {
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
  for (const Move& move : flip.more) {
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

// Whether nothing that is equivalent was run or planned, and no mirror image was run.
bool Flips::is_new(const Path& path, const Flip& flip) {
  OrderKey key(runner_, parts_.crash_independence);
  for (size_t i = 0; i < flip.kept; ++i) key.add(path.events[i].move);
  for (const Move move : flip.more) key.add(move);
  if (key.is_in(seen_)) return false;
  if (!mirrors(path, flip)) return key.insert_into(seen_);
  if (parts_.postpone && key.insert_into(seen_)) last_.push_back(flip);
  return false;
}

bool Flips::flip(const Path& path, Pair pair, Flip& out) {
  Reordered reordered = reversed(path, conflicts_, pair);
  out = {base_, reordered.kept, std::move(reordered.more)};
  if (!follow(path, out, world_)) return false;
  const Move last = path.events[pair.first].move;
  if (possible(world_, last)) out.more.push_back(last);
  return true;
}

void Flips::flip_races(const Path& path, std::vector<Candidate>& out) {
  for (size_t second = std::min(path.events.size(), depth_); second-- > 0;) {
    for (size_t first = second; first-- > 0;) {
      if (!conflicts_.races(first, second)) continue;
      Candidate candidate{{first, second}};
      if (!flip(path, candidate.pair, candidate.flip)) continue;
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
      const bool same = next != nullptr && move == next->move;
      const bool late = is_late(runner_, move) && next != nullptr && is_late(runner_, next->move);
      if (move.must() && !move.early && !late) continue;
      const bool instead = next != nullptr && next->move.kind == move.kind && !same;
      const bool of_paths = faults_ && is_crash(move);  // which paths have anyway
      const bool delays =
          move.kind == Kind::kRestart && next != nullptr && is_late(runner_, next->move);
      const bool concerns = next == nullptr || runner_.node_of(move).number == next->node || delays;
      if (instead || (!of_paths && !same && (concerns || is_end))) try_fault(path, at, move);
    }
  }
}

void Flips::observe(const Path& path) {
  std::vector<Move> moves;
  moves.reserve(path.events.size());
  OrderKey key(runner_, parts_.crash_independence);
  for (size_t i = 0; i < path.events.size(); ++i) {
    const Happening& event = path.events[i];
    moves.push_back(event.move);
    key.add(event.move);
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
