// MAPR-1: MAPREDUCE-5505, clients are told that a job has ended before the resource manager knows.
//
// A job that a client has seen to end has ended: it is not run again, and does not fail.
//
// The master of a job shows "succeeded" as soon as the output is committed. Then it writes the
// history and tells the manager, until that answers that the master is unregistered. If the master
// crashes in between, the manager sees one that ended too early and begins the next attempt: the
// job runs again, though the client was told that it has succeeded.
//
//   the job succeeds, a client asks; the host of the master crashes and comes back; the manager
//   starts the master again.
//
// The repair: until it is unregistered, a master shows what it was before.
//
// inferred: most of it. That a host which comes back is how the manager learns of the crash; that a
// client asks three times at most, waits for an answer, and asks nobody but the master; that a
// worker which comes back goes on where it was.
#include <clew/explore.h>

#include "mapreduce.h"

clew::Cluster describe() { return bugs::mapr_1(bugs::Variant::kBug); }
