#include "explore/looks.h"

#include <algorithm>
#include <utility>

namespace clew::explore {

namespace {

constexpr uint64_t kAllFields = UINT64_MAX;

}  // namespace

// A World that notes what is looked at. The same state may be in two of them, before and after a
// step: `typed` has those of both.
class Looks::Noting : public States {
 public:
  using Typed = std::vector<std::pair<Id, LocalId>>;

  Noting(Runner& runner, WorldView world, Look& look, Typed& typed)
      : runner_(runner), world_(world), look_(look), typed_(typed) {}

  bool up(Id id) const override {
    look_.up[id.number] = true;
    return runner_.steps().up(world_[id.number]);
  }
  const node::AnyNode& any(Id id) const override {
    look_.up[id.number] = true;
    look_.fields[id.number] = kAllFields;
    return runner_.steps().node(world_[id.number]);
  }
  const node::AnyNode& typed(Id id) const override {
    const std::pair<Id, LocalId> looked{id, world_[id.number]};
    const node::AnyNode& node = runner_.steps().node(looked.second);
    look_.up[id.number] = true;
    if (!node.declares_state()) look_.fields[id.number] = kAllFields;
    if (std::ranges::find(typed_, looked) != typed_.end()) return node;
    runner_.steps().clear_looks(looked.second);
    typed_.push_back(looked);
    return node;
  }
  Id id(std::string_view name) const override { return runner_.cluster().id(name); }
  std::string name(Id id) const override { return runner_.cluster().names().name(id); }

 private:
  Runner& runner_;
  WorldView world_;
  Look& look_;
  Typed& typed_;
};

Looks::Looks(Runner& runner) : runner_(runner) {
  const size_t nodes = runner.cluster().size();
  looks_.assign(runner.cluster().properties().size(),
                {std::vector<bool>(nodes, false), std::vector<uint64_t>(nodes, 0)});
}

bool Looks::judge(size_t property, WorldView before, WorldView after) {
  Look& look = looks_[property];
  const Look old = look;
  const Property& judged = runner_.cluster().properties()[property];
  Noting::Typed typed;
  const Noting was(runner_, before, look, typed), is(runner_, after, look, typed);
  const bool holds = judged.holds(was, is);
  for (const auto& [id, local] : typed) {
    look.fields[id.number] |= runner_.steps().node(local).footprint().reads;
  }
  if (look.up != old.up || look.fields != old.fields) {
    grew_ = true;
    known_ = {};
    masks_.clear();
  }
  return holds;
}

bool Looks::grew() { return std::exchange(grew_, false); }

uint64_t Looks::seen_by(LocalId before, LocalId after, Id node) {
  if (looks_.empty() || before == after) return 0;
  const uint64_t key = (uint64_t{before} << 32U) | after;
  if (const uint32_t* found = known_.find(key)) return masks_[*found];
  uint64_t mask = 0;
  const bool came_or_went = runner_.steps().up(before) != runner_.steps().up(after);
  for (size_t i = 0; i < looks_.size(); ++i) {
    if (!looks_[i].up[node.number]) continue;
    const bool seen = came_or_went || differs(before, after, looks_[i].fields[node.number]);
    if (seen) mask |= uint64_t{1} << (i % 64);
  }
  known_.insert(key, static_cast<uint32_t>(masks_.size()));
  masks_.push_back(mask);
  return mask;
}

bool Looks::differs(LocalId before, LocalId after, uint64_t fields) {
  if (fields == kAllFields) return true;
  const std::vector<node::AnyField*>& was = runner_.steps().node(before).fields();
  const std::vector<node::AnyField*>& is = runner_.steps().node(after).fields();
  for (size_t i = 0; i < was.size(); ++i) {
    if ((fields >> std::min<size_t>(i, 63) & 1U) == 0) continue;
    std::string one, other;
    was[i]->encode_to(one);
    is[i]->encode_to(other);
    if (one != other) return true;
  }
  return false;
}

}  // namespace clew::explore
