// CASS-5: a bug of Cassandra 2.0 that FlyMC found (Lukman and others: FlyMC: Highly Scalable
// Testing of Complex Interleavings in Distributed Systems, figure 14).
//
// Promised: a replica that takes part in an update has the updates before; or else, it gets them
// while the update is prepared.
//
// A coordinator that hears of an update which some replicas have committed, and others that
// promised have not, should send it to these. The list of these replicas is never filled. So a
// replica that was down when an update was committed takes part in the next one without it, and
// never gets it: whoever reads from there misses an update.
//
// One client that asks twice, with a crash and a restart. Trigger: all accept the first update. c
// crashes before it hears that it is decided, and the others commit it. c comes back; the second
// update writes another column; c promises, accepts and commits.
//
// Repair: what the promises show to be missing is sent, and the coordinator prepares again.
//
// inferred: that the list is the cause, from the change that filled it, which came with the repair
// of CASSANDRA-6023; that messages get lost because connections break: a replica that comes back
// hears from another one only what that sends once it has noticed. A replica whose promise came too
// late to count may still miss an update, with the repair, too; nothing is promised of it.
#include <clew/explore.h>

#include "cassandra.h"

clew::Cluster describe() { return bugs::cass_5(bugs::Variant::kBug); }
