#include "explore/events.h"

#include <algorithm>

namespace clew::explore {

namespace {

using Kind = Move::Kind;

// Bits of Access::shared.
enum class Shared : uint64_t { kHistory, kFirstAnswer };

uint64_t bit_of(uint64_t number) { return uint64_t{1} << (number % 64); }
uint64_t bit_of(Shared which) { return bit_of(static_cast<uint64_t>(which)); }

uint64_t answer_bit(node::RequestId request) {
  constexpr auto kFirst = static_cast<uint64_t>(Shared::kFirstAnswer);
  return bit_of(kFirst + (request.client * 7 + request.number) % (64 - kFirst));
}

bool takes_envelope(Kind kind) {
  return kind == Kind::kDeliver || kind == Kind::kLose || kind == Kind::kDuplicate;
}

}  // namespace

uint32_t Events::queue_of(InputId envelope) const {
  if (runner_.cluster().channels != Channels::kFifo) return envelope;
  const Input& input = runner_.steps().input(envelope);
  return input.from.number * static_cast<uint32_t>(runner_.cluster().size()) + input.to.number;
}

LabelId Events::label_of(Move move) {
  const uint32_t object = takes_envelope(move.kind) ? queue_of(move.input) : move.input;
  const uint64_t key = (static_cast<uint64_t>(move.kind) << 32U) | object;
  if (const uint32_t* found = number_of_.find(key)) return *found;
  const auto id = static_cast<LabelId>(labels_.size());
  number_of_.insert(key, id);
  labels_.push_back(described(move));
  labels_.back().object = object;
  return id;
}

Label Events::described(Move move) const {
  const Cluster& cluster = runner_.cluster();
  const Input& input = runner_.steps().input(move.input);
  Label label{.kind = move.kind, .budgets = runner_.budgets(move.kind)};
  if (move.kind != Kind::kLose) label.node = input.to.number;
  if (takes_envelope(move.kind)) label.queue = queue_of(move.input);
  const bool stays = cluster.channels == Channels::kSet;
  const bool arrives = move.kind == Kind::kDeliver || move.kind == Kind::kDuplicate;
  label.may_be_vain = move.kind == Kind::kTimer || (arrives && (stays || input.from == input.to)) ||
                      (move.kind == Kind::kDuplicate && label.budgets == 0);
  return label;
}

bool Events::waits(const Label& label) const {
  return label.kind == Kind::kTimer && !label.ends && label.budgets != 0;
}

bool Events::changes(WorldView world, Move move, LabelId label) {
  if (!labels_[label].may_be_vain) return true;
  const Step* step = runner_.apply(world, move, next_);
  return !step->failure.empty() || !std::ranges::equal(world, next_);
}

void Events::enabled(WorldView world, std::vector<Choice>& out) {
  out.clear();
  runner_.moves(world, moves_);
  bool ends = true;
  for (const Move& move : moves_) {
    const LabelId label = label_of(move);
    if (!changes(world, move, label)) continue;
    out.push_back({label, move});
    if (move.must()) ends = false;
  }
  if (ends) out.push_back({});
}

bool Events::ends(WorldView world) {
  enabled(world, enabled_);
  return !enabled_.empty() && enabled_.back().label == kEnd;
}

void Events::vain(WorldView world, std::vector<Move>& out) {
  out.clear();
  runner_.moves(world, moves_);
  for (const Move& move : moves_) {
    if (!changes(world, move, label_of(move))) out.push_back(move);
  }
}

std::optional<Move> Events::find(WorldView world, LabelId label) {
  runner_.moves(world, moves_);
  for (const Move& move : moves_) {
    if (move.kind == labels_[label].kind && label_of(move) == label) return move;
  }
  return std::nullopt;
}

bool Events::take(WorldView world, LabelId label, Event& event, World& next) {
  event = {.label = label};
  if (label == kEnd) {
    if (!ends(world)) return false;
    event.access.everything = true;
    next.assign(world.begin(), world.end());
    return true;
  }
  const std::optional<Move> move = find(world, label);
  if (!move) return false;
  event.move = *move;
  const Step* step = runner_.apply(world, *move, next);
  if (step != nullptr) event.failure = step->failure;
  const bool vain = event.failure.empty() && std::ranges::equal(world, next);
  if (vain && labels_[label].may_be_vain) return false;
  event.access = access_of(world, labels_[label], *move, step);
  if (step == nullptr) return true;
  for (const InputId envelope : step->sent) {
    const bool stays = runner_.cluster().channels == Channels::kSet;
    const WorldView before = runner_.under_way(world);
    const uint32_t queue = queue_of(envelope);
    const bool there = std::ranges::find(before, envelope) != before.end() ||
                       std::ranges::find(event.sent, queue) != event.sent.end();
    if (!stays || !there) event.sent.push_back(queue);
  }
  return true;
}

Access Events::access_of(WorldView world, const Label& label, Move move, const Step* step) {
  Access access{.budgets = label.budgets, .queue = label.queue};
  access.everything = all_tied_ || waits(label);
  const Cluster& cluster = runner_.cluster();
  const Input& input = runner_.steps().input(move.input);
  if (label.node != Label::kNobody) access.nodes |= bit_of(label.node);
  // Whether sending it again makes a difference.
  const bool stays = cluster.channels == Channels::kSet;
  if (move.kind == Kind::kLose && stays) access.nodes |= bit_of(input.from.number);
  if (move.kind == Kind::kRequest) {
    access.shared |= answer_bit(input.request);
    if (input.request.number > 0) {
      access.shared |= answer_bit({input.request.client, input.request.number - 1});
    }
    access.asks = runner_.limits_requests();
    access.everything |= runner_.many_wait(world);
  }
  if (step == nullptr) return access;
  for (const Answer& answer : step->answered) access.shared |= answer_bit(answer.request);
  access.answers = !step->answered.empty() && runner_.limits_requests();
  const bool clients_see = move.kind == Kind::kRequest || !step->answered.empty();
  if (clients_see && cluster.sequential()) access.shared |= bit_of(Shared::kHistory);
  access.seen = looks_.seen_by(world[label.node], step->after, Id{label.node});
  return access;
}

void Events::conceivable(WorldView world, std::vector<LabelId>& out) {
  const auto add = [&](Move move) { out.push_back(label_of(move)); };
  runner_.moves(world, moves_);
  if (runner_.limits_requests()) runner_.add_all_requests(world, moves_);
  for (const Move& move : moves_) add(move);
  const Limits& limits = runner_.cluster().limits;
  for (const InputId envelope : runner_.under_way(world)) {
    add({Kind::kDeliver, envelope});
    if (runner_.steps().input(envelope).from == runner_.steps().input(envelope).to) continue;
    if (limits.losses > 0) add({Kind::kLose, envelope});
    if (limits.duplicates > 0) add({Kind::kDuplicate, envelope});
  }
  Steps& steps = runner_.steps();
  for (size_t i = 0; i < runner_.cluster().size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    for (const InputId timer : steps.timers(world[i])) add({Kind::kTimer, timer});
    if (!steps.up(world[i])) {
      if (limits.restarts > 0) add({Kind::kRestart, steps.start_of(id)});
      continue;
    }
    if (limits.crashes == 0) continue;
    for (const InputId way : steps.crashes(world[i])) add({Kind::kCrash, way});
  }
}

bool Events::may_disable(const Label& one, const Label& other) const {
  if ((one.budgets & other.budgets) != 0) return true;
  const bool asks = one.kind == Kind::kRequest && other.kind == Kind::kRequest;
  if (asks && runner_.limits_requests()) return true;
  const bool takes = one.kind == Kind::kDeliver || one.kind == Kind::kLose;
  if (takes && one.queue == other.queue && other.queue != kNoQueue) return true;
  if (one.node != other.node || one.node == Label::kNobody) return false;
  return one.kind == Kind::kCrash || other.kind == Kind::kTimer || other.kind == Kind::kCrash ||
         other.kind == Kind::kRestart || other.may_be_vain;
}

}  // namespace clew::explore
