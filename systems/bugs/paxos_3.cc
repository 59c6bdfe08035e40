// Paxos-3: three concurrent updates of a row of Cassandra with all its repairs, by replicas that
// nobody disturbs, to be explored as a whole: 54 messages on the way to the end.
#include <clew/explore.h>

#include "cassandra.h"

clew::Cluster describe() { return bugs::paxos_updates(3); }
