#include "explore/verdicts.h"

#include <algorithm>

namespace clew::explore {

namespace {

// Notices which nodes are looked at.
class LookedAt : public States {
 public:
  LookedAt(Runner& runner, WorldView world, std::vector<uint8_t>& nodes)
      : states_(runner, world), nodes_(nodes) {}
  bool up(Id id) const override { return note(id), states_.up(id); }
  const node::AnyNode& any(Id id) const override { return note(id), states_.any(id); }
  Id id(std::string_view name) const override { return states_.id(name); }

 private:
  void note(Id id) const {
    const auto at = std::ranges::lower_bound(nodes_, id.number);
    if (at == nodes_.end() || *at != id.number) nodes_.insert(at, id.number);
  }

  WorldStates states_;
  std::vector<uint8_t>& nodes_;
};

}  // namespace

Verdicts::Verdicts(Runner& runner) : runner_(runner), looks_at_(runner.cluster().size(), 0) {
  for (const Property& property : runner.cluster().properties()) {
    if (property.of_ends()) continue;
    const bool is_step = property.kind == Property::Kind::kStep;
    all_.push_back({&property, is_step ? kStep : kAlways, {}, {}, {}});
    has_steps_ = has_steps_ || is_step;
  }
}

void Verdicts::key_of(const Known& known, WorldView before, WorldView after, World& out) {
  out.clear();
  for (const uint8_t node : known.before) out.push_back(before[node]);
  for (const uint8_t node : known.after) out.push_back(after[node]);
}

const Property* Verdicts::judge(WorldView before, WorldView after, Which which) {
  for (Known& known : all_) {
    if ((known.kind & which) == 0) continue;
    key_of(known, before, after, key_);
    if (known.holds.contains(key_)) continue;
    if (!ask(known, before, after)) return known.property;
  }
  return nullptr;
}

bool Verdicts::ask(Known& known, WorldView before, WorldView after) {
  const size_t looked_at = known.before.size() + known.after.size();
  const LookedAt was(runner_, before, known.before), is(runner_, after, known.after);
  const bool holds =
      known.kind == kStep ? known.property->holds(was, is) : known.property->holds(is, is);
  // What was known is about fewer nodes.
  if (known.before.size() + known.after.size() != looked_at) known.holds = {};
  if (known.kind == kAlways) {
    for (const uint8_t node : known.after) looks_at_[node] = 1;
  }
  key_of(known, before, after, key_);
  if (holds && known.holds.size() < kMost) known.holds.insert(key_);
  return holds;
}

Verdicts::Which Verdicts::unknown(WorldView before, WorldView after, Which which,
                                  World& room) const {
  uint8_t result = kNone;
  for (const Known& known : all_) {
    if ((known.kind & which) == 0) continue;
    key_of(known, before, after, room);
    if (!known.holds.contains(room)) result |= known.kind;
  }
  return static_cast<Which>(result);
}

size_t Verdicts::bytes() const {
  size_t bytes = 0;
  for (const Known& known : all_) bytes += known.holds.bytes();
  return bytes;
}

}  // namespace clew::explore
