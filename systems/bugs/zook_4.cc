// ZOOK-4: ZOOKEEPER-1492, in ZooKeeper 3.4.3. A leader stays without a majority of voters.
//
// ZooKeeper promises that a leader that has lost the majority steps down, so that clients are not
// left with a server that can commit nothing. Some servers are observers: they follow, but do not
// vote. A leader looks now and then who still answers, and counts all of them, observers too. Two
// voters and an observer: one voter crashes, the leader counts itself and the observer, which
// is more than half of two, and goes on to lead.
//
// The repair: only voters are counted.
//
// The model: voters a and b, of which b is chosen, and an observer; one crash. inferred: all of it
// but the title of the report ("leader cannot switch to LOOKING state when lost the majority"),
// from what the leader of 3.4.3 counts, and from ZOOKEEPER-1294 and 1450, which mend such counts.
#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_4(bugs::Variant::kBug); }
