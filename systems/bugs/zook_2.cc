// ZOOK-2: ZOOKEEPER-790, in ZooKeeper 3.3.1. A server that came back is locked out for good.
//
// ZooKeeper promises that a server that comes back finds the leader that the others follow. A
// follower crashes and comes back. Others send it the last notification once more, in case it was
// lost: if that is still the one of the election, all servers seem to be looking for a leader, and
// its own zxid is the greatest, so it leads. That should do no harm, as nobody follows it. But it
// has set its last zxid to a new epoch before anybody has supported it. When it gives up and finds
// the leader, the leader's epoch is lower than its own, so it refuses to follow; it looks again,
// finds the same leader, refuses again, and so on for ever.
//
// The repair: the last zxid is that of the new epoch once a majority supports the leader.
//
// The model: three servers that look for a leader; one crash, one restart, no writes. inferred:
// that the false leader comes from notifications that are sent again; the patch speaks of setting
// the zxid too early, and its test of a follower that is locked out. "Nobody is locked out" is
// broken by the first refusal, which is something that all engines see. zook_2(variant,
// Ends::kNever) has the promise itself instead, for the stateful engine: found/zook_2_for_ever.txt
// ends in the loop.
#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_2(bugs::Variant::kBug); }
