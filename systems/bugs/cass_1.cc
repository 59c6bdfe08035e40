// CASS-1: CASSANDRA-6023, of Cassandra 2.0.0.
//
// Promised: updates with a condition (UPDATE ... IF ...) are applied one after the other; one that
// is overwritten stays so.
//
// A replica stores the update that it accepted last, but not the ballot at which it did. What it
// tells a coordinator is that update with the ballot that it promised last, which may be much
// higher. So an update that is long decided and committed seems to be in progress at a ballot above
// the last commit, and a coordinator that hears of it finishes it once more: over another update
// that was decided since.
//
// Three clients ask three replicas for an update each: 54 messages. Trigger: a's update is decided
// by a and c. c promises b's ballot, so it seems to have a's update in progress at b's ballot. b's
// update is decided by a and b, before c hears of it. c's coordinator hears first of its own
// replica, then of a, and proposes a's update at its ballot: decided again.
//
// It takes 24 messages, which is as few as three decisions can do with (found/cass_1.txt), or 26 if
// a replica has committed a's update before (found/cass_1_committed.txt). In the former b's
// coordinator does not finish a's update because of the same mistake: of two replicas that seem to
// have something in progress at ballot 1 it takes the first one's word, which has promised that
// ballot only.
//
// Repair: the ballot at which an update was accepted is stored beside it, in proposal_ballot.
//
// inferred: that no coordinator tries again. In the system one that was refused, or that finished
// somebody else's update, goes on with a new ballot; the trigger needs none of that. Nor is
// there a row, which nobody would read: in the system it ends with one column of the first update
// and one of the second.
#include <clew/explore.h>

#include "cassandra.h"

clew::Cluster describe() { return bugs::cass_1(bugs::Variant::kBug); }
