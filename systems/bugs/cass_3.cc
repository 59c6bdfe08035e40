// CASS-3: CASSANDRA-5925, of Cassandra 2.0 before its first release.
//
// Promised: a replica that has accepted an update goes on to work, and accepts nothing older.
//
// Accepting an update stores it, but not its ballot as the one in progress. A replica that was
// asked to accept before it was asked to promise has an update, and null as its ballot; whatever it
// hears next fails when this is loaded.
//
// One client. Trigger, 6 messages: two replicas promise, so the update is proposed; it reaches the
// third one before the promise that it was asked for.
//
// A second face, with two updates (bugs::cass_3(Variant::kBug, 2)): if the replica has promised an
// older ballot before, nothing fails, but that ballot's update is accepted in place of the newer
// one.
//
// Repair: accepting an update stores its ballot as the one in progress.
//
// inferred: that one update is enough. The other half of the report, conditions that expire, has
// nothing to do with order and is left out.
#include <clew/explore.h>

#include "cassandra.h"

clew::Cluster describe() { return bugs::cass_3(bugs::Variant::kBug); }
