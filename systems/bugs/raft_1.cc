// RAFT-1: LogCabin's issue 174, "resiliency in InstallSnapshot".
//
// A server never panics, and one that follows a leader sooner or later has what is committed.
//
// A follower that is too far behind gets the leader's snapshot in several chunks. It keeps what it
// has got in a file that it does not look for when it starts again. The leader counts for itself
// what it has sent: if the follower crashes between two chunks, the next one begins beyond what the
// follower has, and it panics. It does so again whenever it comes back, until there is another
// term.
//
//   a leads, b has its entry, a keeps a snapshot instead; c gets a chunk, crashes and comes back;
//   the next chunk arrives.
//
// The repair: a follower says how much it has, and the leader goes on from there.
//
// inferred: as published, it takes two crashes, since c is down while the others elect and agree
// (found/raft_1_two_crashes.txt); here it is enough that what is sent to it is late, so one crash
// does. A snapshot is three chunks. Where LogCabin ends the process, a server only notes that it
// has panicked.
#include <clew/explore.h>

#include "raft_snapshot.h"

clew::Cluster describe() { return bugs::raft_1(bugs::Variant::kBug); }
