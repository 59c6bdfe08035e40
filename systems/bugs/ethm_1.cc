// ETHM-1: go-ethereum pull request 15138 ("track peer drops and deassign state sync tasks"), and
// issue 16179, where its authors tell how peers come and go for ever.
//
// A node that fetches the state drops a peer that does not answer in time, and no other one.
//
// Requests are kept by the name of the peer. When a connection is lost, the peer is forgotten, but
// not what it was asked for. When the peer is back, it seems to be idle and gets a request; the old
// one "must not get lost" and ends without an answer. Without an answer is what "timed out" looks
// like, so a healthy peer is dropped. It comes back, has again an old request, is dropped again.
//
//   a asks b for the root; b crashes and comes back; a drops b, though it has just come.
//
// The repair: a request ends when its peer is dropped, and is marked so.
//
// inferred: that the connection is also noticed by a node that had nothing to send; that requests
// for blocks have no timer; that a's goroutines (which track requests, and which judge them) take
// one step; that fetching the state goes on while there is no peer.
#include <clew/explore.h>

#include "ethereum.h"

clew::Cluster describe() { return bugs::ethm_1(bugs::Variant::kBug); }
