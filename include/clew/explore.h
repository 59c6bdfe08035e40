// All that a node and what is explored of it are written against: #include <clew/explore.h>.
//
//   struct Player : clew::Node<Player, Message> { ... };       // node/node.h
//
//   clew::Cluster describe() {                                  // explore/cluster.h
//     clew::Cluster cluster({"a", "b"});
//     cluster.node<Player>("a");
//     ...
//     return cluster;
//   }
//
// `clew explore FILE.cc` compiles it and explores what describe() says.
#pragma once

#include "explore/cluster.h"
#include "node/node.h"

namespace clew {

using explore::Channels;
using explore::Cluster;
using explore::kUnlimited;
using explore::Limits;
using explore::States;
using explore::Unit;
using node::Durable;
using node::Field;
using node::Id;
using node::Node;
using node::None;
using node::RequestId;

}  // namespace clew

// What is explored: written by whoever includes this.
clew::Cluster describe();
