// Raft with an established leader, three servers and one update: to be explored to the end.
// Modelled after the exhaustive workloads of FlyMC (Lukman and others: FlyMC: Highly Scalable
// Testing of Complex Interleavings in Distributed Systems), whose exact sizes are not published.
#include <clew/explore.h>

#include "raft_updates.h"

clew::Cluster describe() { return bugs::raft_updates(1); }
