// Bugs that were found in systems that people rely on, each as a compact model of the protocol:
// with the bug, and with its repair.
//
//   clew::Cluster describe() { return bugs::cass_1(bugs::Variant::kBug); }
//
// A model is a header of its protocol (cassandra.h), which has a function for each of its bugs, and
// a file for each bug (cass_1.cc) that clew explore takes.
#pragma once

#include <cstdint>

#include "explore/cluster.h"
#include "node/node.h"

namespace bugs {

using clew::explore::Cluster;
using clew::explore::States;
using clew::node::Durable;
using clew::node::Field;
using clew::node::Id;

enum class Variant : uint8_t { kBug, kRepair };

}  // namespace bugs
