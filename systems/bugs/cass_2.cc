// CASS-2: CASSANDRA-6013, of Cassandra 2.0.0.
//
// Promised: a client that is told that its update was not applied finds it nowhere.
//
// A coordinator waits for two answers to what it proposes, yes or no, and tries again with a new
// ballot unless both are yes. But one replica may have accepted the update, and another coordinator
// that hears of it finishes it. The first one then reads the row, sees that the condition does not
// hold any more, because its own update is there, and says that it was not applied.
//
// Two clients: the first one's update changes the owner, and both want the owner to be as it was.
// Trigger: a prepares; a accepts a's update, but b has promised b's ballot and refuses. a tries
// again. b's coordinator hears of the update from a, finishes it, and a reads it.
//
// Repair: a coordinator tries again only what all three have refused; if somebody has accepted it,
// it says that it does not know.
//
// inferred: the order of events, from the code that was changed; that the row is read from the
// coordinator and the next replica; that coordinators have two ballots each.
#include <clew/explore.h>

#include "cassandra.h"

clew::Cluster describe() { return bugs::cass_2(bugs::Variant::kBug); }
