#include "systems/raft/walk.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/random.h"
#include "node/value.h"

namespace clew::raft {

namespace {

using explore::Cluster;
using explore::Move;
using explore::Runner;
using explore::Step;
using explore::World;

// How often each kind of move is chosen, where it is possible; by Move::Kind, then for the timers
// but "timeout". Elections are what hinders all else most.
constexpr uint64_t kWeights[] = {60, 5, 2, 1, 6, 3, 3, 6, 20};
constexpr size_t kTickKind = 7, kDiskKind = 8;

// A run in progress.
class Run {
 public:
  Run(const Cluster& cluster, OnMove on_move) : runner_(cluster), on_move_(std::move(on_move)) {
    world_ = runner_.initial();
    outcome_.violation = runner_.start_failure();
    look();
  }

  bool over() const { return !outcome_.violation.empty() || moves_.empty(); }
  const std::vector<Move>& moves() const { return moves_; }
  Outcome outcome() && { return std::move(outcome_); }

  // Two ways to crash print alike, but leave different disks.
  std::string describe(const Move& move) {
    std::string text = runner_.print(move);
    const std::vector<uint32_t>& reached = runner_.steps().input(move.input).reached;
    if (std::ranges::any_of(reached, [](uint32_t writes) { return writes > 0; })) {
      text += " keeping " + node::print(reached, runner_.cluster().names());
    }
    return text;
  }

  size_t kind(const Move& move) {
    if (move.kind != Move::Kind::kTimer) return static_cast<size_t>(move.kind);
    const std::string& name = runner_.steps().input(move.input).parts.front();
    return name == "disk" ? kDiskKind : name == "tick" ? kTickKind : static_cast<size_t>(move.kind);
  }

  void make(const Move& move) {
    outcome_.moves.push_back(describe(move));
    if (on_move_) on_move_(outcome_.moves.back());
    World next;
    const Step* step = runner_.apply(world_, move, next);
    if (step != nullptr) outcome_.violation = step->failure;
    std::swap(world_, next);
    look();
  }

 private:
  void look() {
    moves_.clear();
    const auto& properties = runner_.cluster().properties();
    const std::vector<bool> holds =
        outcome_.violation.empty() ? runner_.judge(world_, world_) : std::vector<bool>();
    for (size_t i = 0; i < holds.size() && outcome_.violation.empty(); ++i) {
      if (!holds[i]) outcome_.violation = properties[i].name;
    }
    if (outcome_.violation.empty()) runner_.moves(world_, moves_);
  }

  Runner runner_;
  OnMove on_move_;
  World world_;
  std::vector<Move> moves_;
  Outcome outcome_;
};

// Of a kind of moves that is chosen by its weight, any.
const Move& choose(const std::vector<Move>& moves, const std::function<size_t(const Move&)>& kind,
                   Random& random) {
  std::vector<const Move*> by_kind[std::size(kWeights)];
  for (const Move& move : moves) by_kind[kind(move)].push_back(&move);
  uint64_t sum = 0;
  for (size_t i = 0; i < std::size(kWeights); ++i) sum += by_kind[i].empty() ? 0 : kWeights[i];
  uint64_t at = random.uniform_below(sum);
  for (size_t i = 0;; ++i) {
    if (by_kind[i].empty()) continue;
    if (at < kWeights[i]) return *random.pick(by_kind[i]);
    at -= kWeights[i];
  }
}

// `deliver a>b Append`, whatever it says.
std::string_view shape(std::string_view move) { return move.substr(0, move.find('{')); }

}  // namespace

Outcome walk(const Cluster& cluster, uint64_t seed, size_t most_moves, const OnMove& on_move) {
  Random random(seed);
  Run run(cluster, on_move);
  const auto kind = [&](const Move& move) { return run.kind(move); };
  for (size_t i = 0; i < most_moves && !run.over(); ++i) {
    run.make(Move(choose(run.moves(), kind, random)));
  }
  return std::move(run).outcome();
}

Outcome replay(const Cluster& cluster, const std::vector<std::string>& moves,
               const OnMove& on_move) {
  Run run(cluster, on_move);
  for (const std::string& move : moves) {
    if (run.over()) break;
    const Move* alike = nullptr;
    for (const Move& other : run.moves()) {
      const std::string text = run.describe(other);
      const bool same = text == move;
      if (same || (alike == nullptr && shape(text) == shape(move))) alike = &other;
      if (same) break;
    }
    if (alike != nullptr) run.make(Move(*alike));
  }
  return std::move(run).outcome();
}

namespace {

// Leaves out moves, if the same is violated after fewer then. Whether it is.
bool leave_out(Outcome& found, const std::vector<size_t>& which, const Replay& replay) {
  std::vector<std::string> fewer;
  for (size_t i = 0; i < found.moves.size(); ++i) {
    if (!std::ranges::count(which, i)) fewer.push_back(found.moves[i]);
  }
  Outcome outcome = replay(fewer);
  const bool shorter = outcome.moves.size() < found.moves.size();
  if (outcome.violation != found.violation || !shorter) return false;
  found = std::move(outcome);
  return true;
}

bool leave_out_one(Outcome& found, const Replay& replay) {
  bool any = false;
  for (size_t i = found.moves.size(); i-- > 0;) {
    if (i < found.moves.size() && leave_out(found, {i}, replay)) any = true;
  }
  return any;
}

bool leave_out_two(Outcome& found, const Replay& replay) {
  for (size_t i = 0; i < found.moves.size(); ++i) {
    for (size_t j = i + 1; j < found.moves.size(); ++j) {
      if (leave_out(found, {i, j}, replay)) return true;
    }
  }
  return false;
}

}  // namespace

Outcome shrink(Outcome found, const Replay& replay) {
  while (leave_out_one(found, replay) || leave_out_two(found, replay)) {
  }
  return found;
}

}  // namespace clew::raft
