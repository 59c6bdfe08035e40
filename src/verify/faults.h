// The free inputs of the circuit: which faults happen, and what they mean for nodes and messages.
#pragma once

#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "verify/circuit.h"
#include "verify/claim.h"

namespace clew::verify {

using NodeIndex = uint32_t;

// T(i, k) for i = 0 .. n: at least k of the first i literals are true. Gives back T(n, 0 .. most).
std::vector<Lit> at_least(const std::vector<Lit>& lits, size_t most, Circuit& circuit);

class Faults {
 public:
  // States the FaultModel as clauses.
  Faults(const Claim& claim, Circuit& circuit);

  std::optional<NodeIndex> find(std::string_view node) const;
  size_t nodes() const { return claim_.model.nodes.size(); }
  const NodeName& name(NodeIndex node) const { return claim_.model.nodes[node]; }
  bool stops() const { return claim_.model.crash_model == CrashModel::kStop; }

  // kFalse if the FaultModel does not admit it.
  Lit omission(NodeIndex from, NodeIndex to, Tick tick);
  Lit crash(NodeIndex node, Tick tick) const;

  // All that omission() has been asked for, and all crashes that are admissible.
  std::vector<std::pair<Fault, Lit>> all() const;

  // The node has crashed at this tick or before.
  Lit dead(NodeIndex node, Tick tick) const;
  // Rules fire at the node: always, except under stop after its crash.
  Lit fires(NodeIndex node, Tick tick) const { return stops() ? -dead(node, tick) : kTrue; }
  // A message that is sent at the tick arrives: the literals whose conjunction says so.
  std::vector<Lit> arrives(NodeIndex from, NodeIndex to, Tick tick);

 private:
  void read_limits();
  bool may_lose(NodeIndex from, NodeIndex to) const;
  void add_crashes();
  void limit_crashes();

  const Claim& claim_;
  Circuit& circuit_;
  std::unordered_map<std::string_view, NodeIndex> index_;
  std::map<std::tuple<NodeIndex, NodeIndex, Tick>, Lit> omissions_;
  // By node: what the limits say of it.
  std::vector<bool> reliable_;
  std::vector<bool> immortal_;
  std::vector<std::vector<bool>> reliable_link_;
  // Both by node, by tick - 1; empty for a node that does not crash.
  std::vector<std::vector<Lit>> crashes_;
  std::vector<std::vector<Lit>> dead_;
};

}  // namespace clew::verify
