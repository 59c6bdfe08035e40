#include "verify/faults.h"

#include <algorithm>

#include "verify/refusal.h"

namespace clew::verify {

namespace {

// Pairs of crashes of one node, each of which becomes a clause.
constexpr uint64_t kMostPairs = 20'000'000;

// Whatever happens leaves as many ticks as were promised, and one at least: without a tick to
// follow, nothing would come of it.
Tick last_fault(const FaultModel& model) {
  return model.eventually > 1 ? model.eot - model.eventually : model.eot - 1;
}

}  // namespace

std::vector<Lit> at_least(const std::vector<Lit>& lits, size_t most, Circuit& circuit) {
  std::vector<Lit> row(most + 1, kFalse);
  row[0] = kTrue;
  for (const Lit lit : lits) {
    for (size_t k = most; k > 0; --k) {
      row[k] = circuit.disjunction({row[k], circuit.conjunction({row[k - 1], lit})});
    }
  }
  return row;
}

Faults::Faults(const Claim& claim, Circuit& circuit) : claim_(claim), circuit_(circuit) {
  for (NodeIndex node = 0; node < claim.model.nodes.size(); ++node) {
    index_[claim.model.nodes[node]] = node;
  }
  read_limits();
  if (claim.model.crashes == 0 || last_fault(claim.model) < 1) return;
  const auto ticks = static_cast<uint64_t>(claim.model.eot);
  if (ticks * ticks * claim.model.nodes.size() > kMostPairs) {
    refuse_program("it has too many nodes and ticks for crashes to be counted");
  }
  add_crashes();
  limit_crashes();
}

// The limits by number. A limit on what is no node limits nothing.
void Faults::read_limits() {
  const Limits& limits = claim_.model.limits;
  const size_t count = nodes();
  reliable_.resize(count);
  immortal_.resize(count);
  reliable_link_.assign(count, std::vector<bool>(count));
  for (const NodeName& node : limits.reliable_nodes) {
    if (auto index = find(node)) reliable_[*index] = true;
  }
  for (const NodeName& node : limits.no_crash) {
    if (auto index = find(node)) immortal_[*index] = true;
  }
  for (const Link& link : limits.reliable_links) {
    const auto from = find(link.from);
    const auto to = find(link.to);
    if (from && to) reliable_link_[*from][*to] = true;
  }
}

bool Faults::may_lose(NodeIndex from, NodeIndex to) const {
  return from != to && !reliable_[from] && !reliable_[to] && !reliable_link_[from][to];
}

void Faults::add_crashes() {
  for (NodeIndex node = 0; node < claim_.model.nodes.size(); ++node) {
    std::vector<Lit>& crashes = crashes_.emplace_back();
    std::vector<Lit>& dead = dead_.emplace_back();
    if (immortal_[node]) continue;
    for (Tick tick = 1; tick <= last_fault(claim_.model); ++tick) {
      const Lit crash = circuit_.input();
      for (const Lit earlier : crashes) circuit_.require({-earlier, -crash});
      crashes.push_back(crash);
      dead.push_back(dead.empty() ? crash : circuit_.disjunction({dead.back(), crash}));
    }
  }
}

void Faults::limit_crashes() {
  std::vector<Lit> crashed;
  for (NodeIndex node = 0; node < crashes_.size(); ++node) {
    if (immortal_[node]) continue;
    crashed.push_back(circuit_.disjunction(crashes_[node]));
    // The same said in two ways: without this, propagation would not see it.
    circuit_.require({-dead_[node].back(), crashed.back()});
  }
  const auto most = static_cast<size_t>(claim_.model.crashes);
  if (most >= crashed.size()) return;
  circuit_.require({-at_least(crashed, most + 1, circuit_)[most + 1]});
}

std::optional<NodeIndex> Faults::find(std::string_view node) const {
  auto at = index_.find(node);
  if (at == index_.end()) return std::nullopt;
  return at->second;
}

Lit Faults::omission(NodeIndex from, NodeIndex to, Tick tick) {
  const bool admissible = may_lose(from, to) && tick >= 1 && tick < claim_.model.eff;
  if (!admissible || tick > last_fault(claim_.model)) return kFalse;
  auto [at, is_new] = omissions_.try_emplace({from, to, tick}, kFalse);
  if (is_new) at->second = circuit_.input();
  return at->second;
}

Lit Faults::crash(NodeIndex node, Tick tick) const {
  const bool never = crashes_.empty() || crashes_[node].empty();
  if (never || tick < 1 || tick > last_fault(claim_.model)) return kFalse;
  return crashes_[node][static_cast<size_t>(tick - 1)];
}

std::vector<std::pair<Fault, Lit>> Faults::all() const {
  std::vector<std::pair<Fault, Lit>> result;
  for (const auto& [link, lit] : omissions_) {
    const auto& [from, to, tick] = link;
    result.emplace_back(Omission{name(from), name(to), tick}, lit);
  }
  for (NodeIndex node = 0; node < crashes_.size(); ++node) {
    for (size_t i = 0; i < crashes_[node].size(); ++i) {
      result.emplace_back(Crash{name(node), static_cast<Tick>(i + 1)}, crashes_[node][i]);
    }
  }
  return result;
}

Lit Faults::dead(NodeIndex node, Tick tick) const {
  if (dead_.empty() || dead_[node].empty() || tick < 1) return kFalse;
  return dead_[node][static_cast<size_t>(std::min(tick, last_fault(claim_.model)) - 1)];
}

std::vector<Lit> Faults::arrives(NodeIndex from, NodeIndex to, Tick tick) {
  std::vector<Lit> all;
  if (from != to) all = {-omission(from, to, tick), -dead(from, tick)};
  if (stops()) all.push_back(-dead(to, tick + 1));
  return all;
}

}  // namespace clew::verify
