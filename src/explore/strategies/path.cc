#include "explore/strategies/path.h"

#include <algorithm>
#include <tuple>

#include "explore/walk.h"

namespace clew::explore {

std::string_view name_of(Order order) {
  static constexpr std::string_view kNames[] = {"chain", "fifo", "round-robin"};
  return kNames[static_cast<size_t>(order)];
}

void PathRunner::begin() {
  path_ = {};
  path_.worlds.push_back(runner_.initial());
  waiting_.clear();
  roots_.clear();
  fresh_roots_ = moments_ = 0;
  last_at_.assign(runner_.cluster().size(), kNobody);
  for (const InputId envelope : runner_.under_way(path_.worlds[0])) note(envelope, kNobody, true);
  for (size_t i = 0; i < runner_.cluster().size(); ++i) renew(kNobody, static_cast<uint8_t>(i));
}

void PathRunner::note(InputId input, uint32_t creator, bool envelope) {
  const uint32_t root = creator == kNobody ? fresh_roots_++ : roots_[creator];
  waiting_.push_back({input, creator, root, moments_++, envelope});
}

const PathRunner::Waiting* PathRunner::waiting(InputId input) const {
  const auto found = std::ranges::find(waiting_, input, &Waiting::input);
  return found == waiting_.end() ? nullptr : &*found;
}

void PathRunner::forget(InputId input) {
  const auto found = std::ranges::find(waiting_, input, &Waiting::input);
  if (found != waiting_.end()) waiting_.erase(found);
}

// After an event: what clients may ask now, which timers of the node are set.
void PathRunner::renew(uint32_t creator, uint8_t node) {
  const World& world = path_.worlds.back();
  std::erase_if(waiting_, [&](const Waiting& one) {
    if (one.envelope || runner_.steps().input(one.input).kind != Input::Kind::kTimer) return false;
    if (runner_.steps().receiver(one.input).number != node) return false;
    const std::vector<InputId>& set = runner_.steps().timers(world[node]);
    return std::ranges::find(set, one.input) == set.end();
  });
  for (const InputId timer : runner_.steps().timers(world[node])) {
    if (waiting(timer) == nullptr) note(timer, creator, false);
  }
  possible_.clear();
  runner_.add_all_requests(world, possible_);
  for (const Move move : possible_) {
    if (waiting(move.input) == nullptr) note(move.input, creator, false);
  }
}

// All that may happen, or what must; nothing if that is not known and must not be found out.
void PathRunner::find(bool due) {
  const World& world = path_.worlds.back();
  if (!options_.foresee) return due ? runner_.due(world, moves_) : runner_.moves(world, moves_);
  if (!runner_.known_moves(world, moves_)) {
    path_.unknown = true;
    moves_.clear();
  }
  if (due) std::erase_if(moves_, [](Move move) { return !move.must() || move.early; });
}

// `out` is empty if it is not known and must not be found out.
const Step* PathRunner::apply(Move move, World& out) {
  const World& world = path_.worlds.back();
  if (!options_.foresee) return runner_.apply(world, move, out);
  const Step* step = nullptr;
  if (!runner_.known_apply(world, move, out, step)) out.clear();
  return step;
}

// What was planned may be a timer that was early then and is not now, or the other way round.
std::optional<Move> PathRunner::planned(Move wanted) {
  find(false);
  const auto found = std::ranges::find_if(
      moves_, [&](Move move) { return move.kind == wanted.kind && move.input == wanted.input; });
  if (found == moves_.end()) return std::nullopt;
  return *found;
}

bool PathRunner::changes(Move move) {
  const Step* step = apply(move, next_);
  return next_ != path_.worlds.back() || (step != nullptr && !step->failure.empty());
}

bool PathRunner::before(Move a, Move b) const {
  const Waiting* one = waiting(a.input);
  const Waiting* other = waiting(b.input);
  CHECK(one != nullptr && other != nullptr, "a move that nobody noted");
  const auto turn = [&](Move move) -> uint32_t {
    if (options_.order != Order::kRoundRobin || path_.events.empty()) return 0;
    const auto size = static_cast<uint32_t>(runner_.cluster().size());
    return (runner_.node_of(move).number + 2 * size - path_.events.back().node - 1) % size;
  };
  const auto root = [&](const Waiting& at) {
    return options_.order == Order::kChain ? at.root : 0;
  };
  return std::tuple(turn(a), root(*one), one->since) <
         std::tuple(turn(b), root(*other), other->since);
}

std::optional<Move> PathRunner::choose_at_random(Random& random) {
  find(false);
  while (!moves_.empty()) {
    const size_t which = random.uniform_below(moves_.size());
    if (changes(moves_[which])) return moves_[which];
    moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(which));
  }
  return std::nullopt;
}

// What must happen and would change something, in order.
void PathRunner::find_due() {
  find(true);
  std::erase_if(moves_, [this](Move move) { return !changes(move); });
  std::ranges::stable_sort(moves_, [this](Move a, Move b) { return before(a, b); });
}

// A node that is down comes back; else the first one that may crashes.
std::optional<Move> PathRunner::choose_fault() {
  find(false);
  for (const Move::Kind kind : {Move::Kind::kRestart, Move::Kind::kCrash}) {
    const auto found = std::ranges::find(moves_, kind, &Move::kind);
    if (found != moves_.end()) return *found;
  }
  return std::nullopt;
}

bool PathRunner::take(Move move, Guide* guide) {
  const World& before = path_.worlds.back();
  World next;
  const Step* step = apply(move, next);
  path_.unknown = next.empty();
  if (path_.unknown) return false;
  const auto at = static_cast<uint32_t>(path_.events.size());
  const Input& input = runner_.steps().input(move.input);
  const uint8_t node = input.to.number;
  const bool crashes = is_crash(move);
  Happening happening{move, kNobody, node, node};
  if (input.kind == Input::Kind::kEnvelope) happening.from = input.from.number;
  if (crashes) {
    happening.creator = move.kind == Move::Kind::kRestart ? last_at_[node] : kNobody;
    roots_.push_back(happening.creator == kNobody ? fresh_roots_++ : roots_[happening.creator]);
  } else {
    const Waiting* noted = waiting(move.input);
    CHECK(noted != nullptr, "a move that nobody noted");
    happening.creator = noted->creator;
    roots_.push_back(noted->root);
  }
  const LocalId local = before[node];
  if (step != nullptr) {
    ++steps_;
    const bool known = runner_.steps().taken() == taken_;
    if (known) ++known_steps_;
    if (known && !options_.remember) runner_.steps().repeat(local, move.input);
  }
  path_.broken = broken_by(runner_, verdicts_, before, step, next);
  const bool stays =
      move.kind == Move::Kind::kDuplicate ||
      (move.kind == Move::Kind::kDeliver && runner_.cluster().channels == Channels::kSet);
  if (!crashes && !stays) forget(move.input);
  path_.events.push_back(happening);
  path_.worlds.push_back(std::move(next));
  last_at_[node] = at;
  if (step != nullptr) {
    for (const InputId envelope : step->sent) {
      const bool there =
          runner_.cluster().channels == Channels::kSet && waiting(envelope) != nullptr;
      if (!there) note(envelope, at, true);
    }
    renew(at, node);
  }
  if (guide != nullptr) guide->reached(path_, path_.worlds.size() - 1);
  return !path_.broken;
}

// Whether all is well, if nothing is left that must happen.
bool PathRunner::judge_if_ended() {
  find(true);
  if (path_.unknown) return false;
  if (std::ranges::any_of(moves_, [this](Move move) { return changes(move); })) return true;
  const size_t at = path_.worlds.size() - 1;
  if (path_.ends.empty() || path_.ends.back() != at) path_.ends.push_back(at);
  path_.broken = broken_at_end(runner_, path_.worlds.back());
  return !path_.broken;
}

const Path& PathRunner::run(const Plan& plan, Random* random, Guide* guide) {
  begin();
  path_.broken = broken_by(runner_, verdicts_, path_.worlds[0], nullptr, path_.worlds[0]);
  if (!runner_.start_failure().empty()) {
    path_.broken = std::string(kHandlerFails) + runner_.start_failure();
  }
  if (path_.broken) return path_;
  if (guide != nullptr) guide->reached(path_, 0);
  for (const Move wanted : plan.prefix) {
    taken_ = runner_.steps().taken();
    const std::optional<Move> move = planned(wanted);
    if (path_.unknown) return path_;
    if (!move) {
      path_.diverged = true;
      break;
    }
    ++path_.planned;
    if (!move->must() && !judge_if_ended()) return path_;
    if (!take(*move, guide)) return path_;
  }
  while (path_.events.size() < options_.longest) {
    taken_ = runner_.steps().taken();
    const std::optional<Move> next = go_on(plan, random, guide);
    if (!next || !take(*next, guide)) return path_;
  }
  path_.cut = true;
  return path_;
}

// What comes after what was planned; nothing at the end.
std::optional<Move> PathRunner::go_on(const Plan& plan, Random* random, Guide* guide) {
  if (plan.random) {
    const std::optional<Move> next = choose_at_random(*random);
    if ((!next || !next->must()) && !judge_if_ended()) return std::nullopt;
    return next;
  }
  find_due();
  if (!moves_.empty()) {
    if (guide == nullptr) return moves_.front();
    const std::optional<Move> next = guide->choose(path_, moves_);
    path_.left = !next.has_value();
    return next;
  }
  if (!judge_if_ended() || !options_.faults) return std::nullopt;
  return choose_fault();
}

}  // namespace clew::explore
