#include "explore/runner.h"

#include <algorithm>

namespace clew::explore {

namespace {

// Which of the Limits.
enum : size_t { kCrashes, kRestarts, kLosses, kDuplicates, kEarly, kTotal };

// What the total rules out anyway need not be counted by itself.
uint8_t limit_of(const Limits& limits, size_t which) {
  const uint8_t all[] = {limits.crashes,    limits.restarts,     limits.losses,
                         limits.duplicates, limits.early_timers, limits.total};
  const bool ruled_out = which != kRestarts && which != kTotal && all[which] >= limits.total;
  return ruled_out ? kUnlimited : all[which];
}

// What a move of a kind takes of the Limits, if anything.
std::optional<size_t> cost_of(Move::Kind kind) {
  switch (kind) {
    case Move::Kind::kTimer:
      return kEarly;
    case Move::Kind::kCrash:
      return kCrashes;
    case Move::Kind::kRestart:
      return kRestarts;
    case Move::Kind::kLose:
      return kLosses;
    case Move::Kind::kDuplicate:
      return kDuplicates;
    case Move::Kind::kDeliver:
    case Move::Kind::kRequest:
      break;
  }
  return std::nullopt;
}

// A client: how many requests were asked, and whether the last one waits for its answer.
constexpr uint32_t kWaits = 1;

}  // namespace

Runner::Runner(const Cluster& cluster) : steps_(cluster), requests_(cluster.clients().size()) {
  fixed_ = client_word(requests_.size());
  if (cluster.sequential()) histories_.emplace(*cluster.sequential());
  for (size_t c = 0; c < requests_.size(); ++c) {
    uint32_t number = 0;
    for (const Request& request : cluster.clients()[c]) {
      const node::RequestId id{static_cast<uint32_t>(c), number++};
      requests_[c].push_back(steps_.number({.kind = Input::Kind::kRequest,
                                            .to = request.node,
                                            .request = id,
                                            .parts = {request.bytes}}));
    }
  }
}

World Runner::initial() {
  if (begun_) return *begun_;
  World world(fixed_, 0);
  for (size_t i = 0; i < cluster().size(); ++i) {
    world[i] = steps_.unborn(Id{static_cast<uint8_t>(i)});
  }
  for (size_t i = 0; i < cluster().size(); ++i) {
    World next;
    const Id id{static_cast<uint8_t>(i)};
    const Step* step = apply(world, {Move::Kind::kRestart, steps_.start_of(id)}, next);
    next[cluster().size()] = 0;  // the first start is no restart
    if (start_failure_.empty() && !step->failure.empty()) {
      start_failure_ = fmt::format("{}, when {} starts", step->failure, cluster().names().name(id));
    }
    world = std::move(next);
  }
  return world;
}

uint8_t Runner::spent(WorldView world, size_t which) const {
  return static_cast<uint8_t>(world[cluster().size() + which / 4] >> (8 * (which % 4)));
}

bool Runner::has_left(WorldView world, size_t which) const {
  const uint8_t limit = limit_of(cluster().limits, which);
  return limit == kUnlimited || spent(world, which) < limit;
}

bool Runner::may(WorldView world, size_t which) const {
  return has_left(world, which) && (which == kRestarts || has_left(world, kTotal));
}

void Runner::spend(World& world, size_t which) const {
  if (which != kRestarts && which != kTotal) spend(world, kTotal);
  if (limit_of(cluster().limits, which) == kUnlimited) return;
  world[cluster().size() + which / 4] += uint32_t{1} << (8 * (which % 4));
  if (which == kTotal && !has_left(world, kTotal)) {
    spent_all_.store(true, std::memory_order_relaxed);
  }
}

uint32_t Runner::budgets(Move::Kind kind) const {
  const std::optional<size_t> which = cost_of(kind);
  if (!which) return 0;
  const Limits& limits = cluster().limits;
  const uint8_t limit = limit_of(limits, *which);
  const uint32_t own = limit == kUnlimited ? 0 : uint32_t{1} << *which;
  if (*which == kRestarts || limits.total == kUnlimited || limit == 0) return own;
  const int all = limits.crashes + limits.losses + limits.duplicates + limits.early_timers;
  const bool runs_out = own == 0 || all > limits.total;
  return runs_out ? own | uint32_t{1} << kTotal : own;
}

void Runner::moves(WorldView world, std::vector<Move>& out) {
  if (known_moves(world, out)) return;
  learn_deliveries(world);
  for (size_t i = 0; i < cluster().size(); ++i) {
    if (steps_.up(world[i])) steps_.crashes(world[i]);
  }
  CHECK(known_moves(world, out), "how a node may crash is not known");
}

bool Runner::known_moves(WorldView world, std::vector<Move>& out) const {
  if (!known_musts(world, out) || !add_known_crashes(world, out)) return false;
  add_losses(world, out);
  return true;
}

void Runner::due(WorldView world, std::vector<Move>& out) {
  if (!known_musts(world, out)) {
    learn_deliveries(world);
    CHECK(known_musts(world, out), "what a delivery does is not known");
  }
  std::erase_if(out, [](Move move) { return move.early; });
}

// Clients that wait for others, and timers that are not early, wait for what changes something.
bool Runner::known_musts(WorldView world, std::vector<Move>& out) const {
  out.clear();
  add_deliveries(world, out);
  const bool waits = many_wait(world);
  if (!waits) add_all_requests(world, out);
  if (!waits && !has_timers(world)) return true;
  std::optional<bool> busy = known_busy(world, out);
  if (!busy) return false;
  if (waits && !*busy) {
    const size_t deliveries = out.size();
    add_all_requests(world, out);
    busy = out.size() > deliveries;
  }
  add_timers(world, *busy, out);
  return true;
}

// Whether one of these deliveries and requests changes anything: of envelopes that stay, most were
// delivered before. Nothing if that is not known.
std::optional<bool> Runner::known_busy(WorldView world, const std::vector<Move>& moves) const {
  if (cluster().channels != Channels::kSet) return !moves.empty();
  if (!moves.empty() && moves.back().kind == Move::Kind::kRequest) return true;
  World next;
  for (const Move move : moves) {
    const Step* step = nullptr;
    if (!known_apply(world, move, next, step)) return std::nullopt;
    if (!step->failure.empty() || !std::ranges::equal(next, world)) return true;
  }
  return false;
}

// What known_busy() asks.
void Runner::learn_deliveries(WorldView world) {
  if (cluster().channels != Channels::kSet) return;
  std::vector<Move> deliveries;
  add_deliveries(world, deliveries);
  for (const Move move : deliveries) learn(world, move);
}

// Of equal envelopes one, and of a FIFO channel the first.
bool Runner::is_head(WorldView all, size_t at) const {
  if (at == 0) return true;
  if (cluster().channels != Channels::kFifo) return all[at] != all[at - 1];
  return channel_before(all[at - 1], all[at]);
}

void Runner::add_deliveries(WorldView world, std::vector<Move>& out) const {
  const WorldView all = under_way(world);
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_head(all, i)) continue;
    if (steps_.up(local(world, steps_.receiver(all[i])))) {
      out.push_back({Move::Kind::kDeliver, all[i]});
    }
  }
}

bool Runner::many_wait(WorldView world) const {
  if (!limits_requests()) return false;
  size_t waiting = 0;
  for (size_t c = 0; c < requests_.size(); ++c) waiting += world[client_word(c)] & kWaits;
  return waiting >= cluster().limits.requests;
}

void Runner::add_all_requests(WorldView world, std::vector<Move>& out) const {
  for (size_t c = 0; c < requests_.size(); ++c) {
    const uint32_t at = world[client_word(c)];
    if ((at & kWaits) != 0 || at / 2 >= requests_[c].size()) continue;
    const InputId next = requests_[c][at / 2];
    if (steps_.up(local(world, steps_.receiver(next)))) {
      out.push_back({Move::Kind::kRequest, next});
    }
  }
}

bool Runner::has_timers(WorldView world) const {
  return std::ranges::any_of(world.first(cluster().size()),
                             [this](LocalId local) { return steps_.has_timers(local); });
}

void Runner::add_timers(WorldView world, bool early, std::vector<Move>& out) const {
  if (early && !may(world, kEarly)) return;
  for (size_t i = 0; i < cluster().size(); ++i) {
    if (!steps_.has_timers(world[i])) continue;
    for (const InputId timer : steps_.timers(world[i])) {
      out.push_back({Move::Kind::kTimer, timer, early});
    }
  }
}

bool Runner::add_known_crashes(WorldView world, std::vector<Move>& out) const {
  const bool crashes = may(world, kCrashes), restarts = may(world, kRestarts);
  for (size_t i = 0; i < cluster().size() && (crashes || restarts); ++i) {
    if (!steps_.up(world[i])) {
      const Id id{static_cast<uint8_t>(i)};
      if (restarts) out.push_back({Move::Kind::kRestart, steps_.start_of(id)});
    } else if (crashes) {
      const std::vector<InputId>* ways = steps_.known_crashes(world[i]);
      if (ways == nullptr) return false;
      for (const InputId way : *ways) out.push_back({Move::Kind::kCrash, way});
    }
  }
  return true;
}

void Runner::add_losses(WorldView world, std::vector<Move>& out) const {
  const bool losses = may(world, kLosses), duplicates = may(world, kDuplicates);
  if (!losses && !duplicates) return;
  const WorldView all = under_way(world);
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_head(all, i)) continue;
    const Input& envelope = steps_.input(all[i]);
    if (envelope.from == envelope.to) continue;  // nobody loses a message to itself
    if (losses) out.push_back({Move::Kind::kLose, all[i]});
    if (duplicates && steps_.up(local(world, envelope.to))) {
      out.push_back({Move::Kind::kDuplicate, all[i]});
    }
  }
}

const Step* Runner::apply(WorldView world, Move move, World& out) {
  learn(world, move);
  const Step* step = nullptr;
  CHECK(known_apply(world, move, out, step), "what a move does is not known");
  return step;
}

void Runner::learn(WorldView world, Move move) {
  if (move.kind == Move::Kind::kLose) return;
  const Step& step = steps_.take(local(world, node_of(move)), move.input);
  if (makes_history(move, step)) learn_history(move, step, world[history_word()]);
}

bool Runner::known_apply(WorldView world, Move move, World& out, const Step*& step) const {
  out.assign(world.begin(), world.end());
  step = nullptr;
  if (move.kind == Move::Kind::kLose) {
    spend(out, kLosses);
    take_away(out, move.input);
    return true;
  }
  const Id id = node_of(move);
  step = steps_.known(local(world, id), move.input);
  if (step == nullptr || !count_move(move, *step, out)) return false;
  out[id.number] = step->after;
  for (const InputId envelope : step->sent) put(out, envelope);
  for (const Answer& answer : step->answered) {
    uint32_t& at = out[client_word(answer.request.client)];
    if (at / 2 == answer.request.number + 1) at &= ~kWaits;
  }
  return true;
}

// What a move takes, what clients then have seen.
bool Runner::count_move(Move move, const Step& step, World& out) const {
  switch (move.kind) {
    case Move::Kind::kDeliver:
      if (cluster().channels != Channels::kSet) take_away(out, move.input);
      break;
    case Move::Kind::kRequest:
      out[client_word(steps_.input(move.input).request.client)] += 2 + kWaits;
      break;
    case Move::Kind::kTimer:
      if (move.early) spend(out, kEarly);
      break;
    case Move::Kind::kCrash:
    case Move::Kind::kRestart:
    case Move::Kind::kDuplicate:
      spend(out, *cost_of(move.kind));
      break;
    case Move::Kind::kLose:
      break;
  }
  if (!makes_history(move, step)) return true;
  uint32_t& history = out[history_word()];
  const uint32_t* next = next_history_.find((uint64_t{history} << 32U) | step.number);
  if (next == nullptr) return false;
  history = *next;
  return true;
}

bool Runner::makes_history(Move move, const Step& step) const {
  return histories_ && (move.kind == Move::Kind::kRequest || !step.answered.empty());
}

void Runner::learn_history(Move move, const Step& step, HistoryId history) {
  const uint64_t key = (uint64_t{history} << 32U) | step.number;
  if (next_history_.find(key) != nullptr) return;
  const Input& input = steps_.input(move.input);
  if (move.kind == Move::Kind::kRequest) {
    history = histories_->asked(history, input.request, input.parts.front());
  }
  for (const Answer& answer : step.answered) {
    history = histories_->answered(history, answer.request, answer.reply);
  }
  next_history_.insert(key, history);
}

// By receiver and sender: the order of envelopes in a world with FIFO channels.
bool Runner::channel_before(InputId a, InputId b) const {
  const Input& x = steps_.input(a);
  const Input& y = steps_.input(b);
  return std::tie(x.to, x.from) < std::tie(y.to, y.from);
}

void Runner::put(World& world, InputId envelope) const {
  const auto begin = world.begin() + static_cast<std::ptrdiff_t>(fixed_);
  if (cluster().channels == Channels::kFifo) {
    const auto less = [this](InputId a, InputId b) { return channel_before(a, b); };
    world.insert(std::upper_bound(begin, world.end(), envelope, less), envelope);
    return;
  }
  const auto at = std::lower_bound(begin, world.end(), envelope);
  const bool there = at != world.end() && *at == envelope;
  if (there && cluster().channels == Channels::kSet) return;
  world.insert(at, envelope);
}

void Runner::take_away(World& world, InputId envelope) const {
  const auto begin = world.begin() + static_cast<std::ptrdiff_t>(fixed_);
  const auto at = std::find(begin, world.end(), envelope);
  CHECK(at != world.end(), "envelope {} is not under way", envelope);
  world.erase(at);
}

std::vector<bool> Runner::judge(WorldView before, WorldView after) {
  std::vector<bool> holds;
  holds.reserve(cluster().properties().size());
  const WorldStates was(*this, before), is(*this, after);
  for (const Property& property : cluster().properties()) holds.push_back(property.holds(was, is));
  return holds;
}

std::string Runner::print(Move move) {
  static constexpr const char* kWords[] = {"deliver ", "ask ",  "fire ",     "",
                                           "re",       "lose ", "duplicate "};
  return kWords[static_cast<size_t>(move.kind)] + steps_.print_input(move.input);
}

uint32_t Runner::known(const Renamed& table, size_t permutation, uint32_t number) {
  if (permutation >= table.size() || number >= table[permutation].size()) return 0;
  return table[permutation][number];
}

uint32_t& Runner::entry(Renamed& table, size_t permutation, uint32_t number) {
  if (permutation >= table.size()) table.resize(permutation + 1);
  std::vector<uint32_t>& of = table[permutation];
  if (number >= of.size()) of.resize(number + number / 2 + 64, 0);
  return of[number];
}

std::string Runner::encode(WorldView world) const {
  std::vector<std::string> parts;
  for (size_t i = 0; i < cluster().size(); ++i) parts.push_back(steps_.encode_local(world[i]));
  for (size_t i = cluster().size(); i < fixed_; ++i) {
    if (i != history_word()) parts.push_back(node::encode(world[i]));
  }
  for (const InputId envelope : under_way(world)) {
    parts.push_back(node::encode(steps_.input(envelope)));
  }
  const auto sent = parts.begin() + static_cast<std::ptrdiff_t>(fixed_ - 1);
  if (cluster().channels != Channels::kFifo) std::sort(sent, parts.end());
  return node::encode(parts);
}

void Runner::rename(WorldView world, const node::Renaming& renaming, size_t permutation,
                    World& out) {
  out.resize(world.size());
  rename_nodes(world, renaming, permutation, out);
  rename_envelopes(world, renaming, permutation, out);
}

void Runner::rename_nodes(WorldView world, const node::Renaming& renaming, size_t permutation,
                          World& out) {
  for (size_t i = 0; i < cluster().size(); ++i) {
    if (known(renamed_locals_, permutation, world[i]) != 0) continue;
    const LocalId other = steps_.renamed(LocalId{world[i]}, renaming);
    entry(renamed_locals_, permutation, world[i]) = other + 1;
  }
  CHECK(known_rename_nodes(world, renaming, permutation, out), "a renamed node is not known");
}

void Runner::rename_envelopes(WorldView world, const node::Renaming& renaming, size_t permutation,
                              World& out) {
  for (const InputId envelope : under_way(world)) {
    if (known(renamed_inputs_, permutation, envelope) != 0) continue;
    const InputId other = steps_.renamed_input(envelope, renaming);
    entry(renamed_inputs_, permutation, envelope) = other + 1;
  }
  CHECK(known_rename_envelopes(world, permutation, out), "a renamed envelope is not known");
}

bool Runner::known_rename_nodes(WorldView world, const node::Renaming& renaming, size_t permutation,
                                World& out) const {
  for (size_t i = 0; i < cluster().size(); ++i) {
    const uint32_t other = known(renamed_locals_, permutation, world[i]);
    if (other == 0) return false;
    out[renaming[i].number] = other - 1;
  }
  for (size_t i = cluster().size(); i < fixed_; ++i) out[i] = world[i];
  return true;
}

bool Runner::known_rename_envelopes(WorldView world, size_t permutation, World& out) const {
  for (size_t i = fixed_; i < world.size(); ++i) {
    const uint32_t other = known(renamed_inputs_, permutation, world[i]);
    if (other == 0) return false;
    out[i] = other - 1;
  }
  sort_envelopes(out);
  return true;
}

void Runner::sort_envelopes(World& world) const {
  const auto begin = world.begin() + static_cast<std::ptrdiff_t>(fixed_);
  if (cluster().channels == Channels::kFifo) {
    std::stable_sort(begin, world.end(),
                     [this](InputId a, InputId b) { return channel_before(a, b); });
  } else {
    std::sort(begin, world.end());
  }
}

size_t Runner::bytes() const {
  size_t bytes = steps_.bytes() + next_history_.bytes();
  if (histories_) bytes += histories_->bytes();
  for (const auto& of : renamed_locals_) bytes += of.size() * sizeof(uint32_t);
  for (const auto& of : renamed_inputs_) bytes += of.size() * sizeof(uint32_t);
  return bytes;
}

}  // namespace clew::explore
