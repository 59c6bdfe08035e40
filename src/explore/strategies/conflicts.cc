#include "explore/strategies/conflicts.h"

#include <algorithm>

namespace clew::explore {

namespace {

using Kind = Move::Kind;
using node::Footprint;

// What runs a handler, and is no start.
bool is_message(Move move) {
  return move.kind == Kind::kDeliver || move.kind == Kind::kRequest ||
         move.kind == Kind::kDuplicate || move.kind == Kind::kTimer;
}

bool is_discarded(const Step& step, LocalId before) {
  return step.failure.empty() && step.after == before && step.sent.empty() && step.answered.empty();
}

// Adds to counters, and does nothing else.
bool is_increment(const Step& step) {
  return step.failure.empty() && step.footprint.updates != 0 &&
         step.footprint.updates == step.footprint.increments && step.sent.empty() &&
         step.answered.empty();
}

// The rule of FlyMC's section 3.2, with what section 4.2 adds.
bool disjoint(const Footprint& a, const Footprint& b, bool increments) {
  if ((a.disk & b.disk) != 0) return false;
  if ((a.sends & b.updates) != 0 || (b.sends & a.updates) != 0) return false;
  const bool apart =
      (a.reads & b.updates) == 0 && (b.reads & a.updates) == 0 && (a.updates & b.updates) == 0;
  if (apart) return true;
  return increments && a.updates == b.updates && a.updates == a.increments &&
         b.updates == b.increments;
}

}  // namespace

// As SAMC's rules say: one changes nothing, also after the other; or both only add to counters; or
// both leave the same behind, whichever comes last.
bool Conflicts::commute_locally(LocalId local, const Happening& one, const Happening& other) {
  Steps& steps = runner_.steps();
  const Step first = steps.take(local, one.move.input);
  const Step second = steps.take(local, other.move.input);
  if (!first.failure.empty() || !second.failure.empty()) return false;
  if (!steps.up(first.after) || !steps.up(second.after)) return false;
  if (is_increment(first) && is_increment(second)) return true;
  const auto stays_discarded = [&](const Step& discarded, LocalId after, InputId input) {
    return is_discarded(discarded, local) && is_discarded(steps.take(after, input), after);
  };
  if (stays_discarded(first, second.after, one.move.input)) return true;
  if (stays_discarded(second, first.after, other.move.input)) return true;
  const bool silent = first.sent.empty() && second.sent.empty() && first.answered.empty() &&
                      second.answered.empty();
  const bool constant = (first.footprint.reads | second.footprint.reads |
                         first.footprint.increments | second.footprint.increments) == 0;
  return silent && constant && first.after == second.after;
}

Footprint Conflicts::footprint(LocalId local, const Happening& event) {
  if (parts_.independence == Sets::kAnalysed) {
    return analysed_(runner_.steps(), local, event.move.input);
  }
  const Step& step = runner_.steps().take(local, event.move.input);
  constexpr uint64_t kAll = UINT64_MAX;  // of what fails it is not known what it would have done
  if (!step.failure.empty()) return {.reads = kAll, .updates = kAll};
  return step.footprint;
}

bool Conflicts::are_disjoint(LocalId local, const Happening& one, const Happening& other) {
  return disjoint(footprint(local, one), footprint(local, other), parts_.increments);
}

bool Conflicts::conflict_with_crash(const Happening& crash, const Happening& other,
                                    WorldView world) const {
  if (is_crash(other.move)) return true;
  if (other.node == crash.node) return true;
  if (parts_.crash_independence || other.from != crash.node) return false;
  if (!parts_.crash_message) return true;
  // SAMC: the others go on as before if there are enough of them.
  size_t up = 0;
  for (size_t i = 0; i < runner_.cluster().size(); ++i) {
    if (i != crash.node && runner_.steps().up(world[i])) ++up;
  }
  return up * 2 <= runner_.cluster().size();
}

bool Conflicts::conflict_at_node(const Happening& one, const Happening& other, LocalId local) {
  const bool same_channel = runner_.cluster().channels == Channels::kFifo &&
                            one.from == other.from && one.move.kind != Kind::kTimer &&
                            other.move.kind != Kind::kTimer;
  const bool declared = runner_.steps().node(local).declares_state();
  if (!is_message(one.move) || !is_message(other.move) || same_channel) return true;
  if (!runner_.steps().up(local) || !declared) return true;
  if (parts_.local && commute_locally(local, one, other)) return false;
  return parts_.independence == Sets::kNone || !are_disjoint(local, one, other);
}

bool Conflicts::conflict(const Path& path, size_t earlier, size_t later) {
  const Happening& one = path.events[earlier];
  const Happening& other = path.events[later];
  const World& world = path.worlds[earlier];
  if (is_crash(one.move)) return conflict_with_crash(one, other, world);
  if (is_crash(other.move)) return conflict_with_crash(other, one, world);
  return one.node == other.node && conflict_at_node(one, other, world[one.node]);
}

void Conflicts::add(std::vector<uint64_t>& sets, size_t earlier, size_t later) const {
  for (size_t w = 0; w < words_; ++w) sets[later * words_ + w] |= sets[earlier * words_ + w];
  sets[later * words_ + earlier / 64] |= uint64_t{1} << (earlier % 64);
}

void Conflicts::look(const Path& path) {
  const size_t count = path.events.size();
  words_ = (count + 63) / 64;
  for (auto* sets : {&past_, &causes_, &races_}) sets->assign(count * words_, 0);
  std::vector<size_t> last(runner_.cluster().size(), count);  // by node: its latest event
  for (size_t later = 0; later < count; ++later) {
    const uint32_t creator = path.events[later].creator;
    size_t& latest = last[path.events[later].node];
    if (creator != kNobody) add(past_, creator, later), add(causes_, creator, later);
    if (latest != count) add(causes_, latest, later);
    latest = later;
    for (size_t earlier = later; earlier-- > 0;) {
      if (before(earlier, later) || !conflict(path, earlier, later)) continue;
      races_[later * words_ + earlier / 64] |= uint64_t{1} << (earlier % 64);
      add(past_, earlier, later);
      add(causes_, earlier, later);
    }
  }
}

}  // namespace clew::explore
