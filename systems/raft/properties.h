// What must hold of a cluster of servers, whatever happens (Ongaro, Ousterhout, "In search of an
// understandable consensus algorithm", figure 3), as predicates over states.
//
//   explore::Cluster cluster = cluster_of({"a", "b", "c"}, {.slow_disk = true});
//
// The library of Debian 12 breaks some of them (README.md), and a run ends with the first.
// They speak of the past where they have to: a server that crashed has still led in its term.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "explore/cluster.h"
#include "systems/raft/raft_node.h"

namespace clew::raft {

using explore::Cluster;
using explore::States;
using Servers = std::vector<const RaftNode*>;

// Nobody leads in a term in which another one led.
bool election_safety(const Servers& servers);
// Where two logs have an entry of the same index and term, they agree on it and on all before it.
bool log_matching(const Servers& servers);
// What one server applied, or took for committed, no other one takes for something else there.
bool state_machine_safety(const Servers& servers);
// Whoever leads has all that was committed in earlier terms.
bool leader_completeness(const Servers& servers);
// What somebody took for committed is on the disks of a majority.
bool majority(const Servers& servers);
// Messages are sent to members of the cluster.
bool known_receivers(const Servers& servers);
// The library never meets what it takes for impossible.
bool nobody_gives_up(const Servers& servers);

// With all these properties but those `without`, and nothing that clients ask yet.
Cluster cluster_of(const std::vector<std::string>& names, const Options& options,
                   const std::set<std::string>& without = {});

}  // namespace clew::raft
