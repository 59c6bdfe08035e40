// ZOOK-3: ZOOKEEPER-1419, in ZooKeeper 3.4. An election goes round and does not end.
//
// ZooKeeper promises that a majority that is up agrees on a leader. A vote has an epoch, a zxid and
// a server, and the greatest one wins. The comparison takes a greater server for better whenever
// the zxids are equal, even if its epoch is lower. So (epoch 2, s1) is better than (epoch 1, s2),
// and (epoch 1, s2) is better than (epoch 2, s1): servers go from one to the other, tell the others
// each time, and make them do the same.
//
// s2 crashes; s0 and s1 agree on epoch 2, but nothing is written in it. All crash and come back,
// and the election is between the two votes above.
//
// The repair: epochs count first, then zxids, then servers.
//
// The model: three servers, of which s2 leads from the start, no writes. inferred: the sequence;
// the report is about five servers. With a right order no server ever comes back to a vote in the
// same round; "an election does not go round" is broken when one has done so three times, which is
// something that all engines see. zook_3_election() is the election alone, without faults, where
// found/zook_3_for_ever.txt ends in a loop of twelve messages.
#include <clew/explore.h>

#include "zookeeper.h"

clew::Cluster describe() { return bugs::zook_3(bugs::Variant::kBug); }
