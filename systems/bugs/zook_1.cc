// ZOOK-1: ZOOKEEPER-335, in ZooKeeper 3.1.0. A server keeps a write that was never committed.
//
// ZooKeeper promises that all servers apply the same writes in the same order. s2 leads epoch 1,
// writes zxid (1,2) to its log, and crashes before anybody else has heard of it. s0 and s1 choose
// s1, whose epoch is 2, and commit (2,1). s2 comes back and knocks with (1,2): that is between the
// oldest and the newest zxid of s1, so s1 takes it for known, and sends what comes after it. From
// then on s2 has a write that the others do not have, and nobody will ever notice.
//
// The property "a zxid has one value" shows the other half of the report: the epoch is the one of
// the last zxid in the log, plus one. If a leader crashes before its first write has reached
// anybody, the next one begins the same epoch again, and two writes have the same zxid.
//
// The repair is what ZooKeeper does today. A leader has the follower drop what is later than the
// last zxid that both have (ZOOKEEPER-1154). An epoch is remembered by whoever takes part in it,
// and counts in votes; a server that was chosen does not lead those who are ahead of it. inferred:
// the fix of the report itself writes the new epoch to the log as if it were a write.
//
// The model: three servers, a leader from the start, two clients with one write each. Clients ask
// again after an election. inferred: followers notice that their leader is gone when it does not
// answer, as all else has come to rest; writes are in the log before they are sent; snapshots are
// left out, since logs are short. The report needs one crash: s2 first takes itself for the leader
// after its restart, because of notifications that have waited for it, and gives up.
#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_1(bugs::Variant::kBug); }
