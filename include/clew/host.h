// For a server of one's own that runs a node: #include <clew/host.h>.
//
//   int main(int, char** argv) {
//     return clew::serve({.config = argv[1], .node = argv[2]}, clew::Names{"a", "b", "c"},
//                        [](clew::Id) { return std::make_unique<Keeper>(clew::Id{0}); });
//   }
//
// host/serve.h says what it does and how it ends; host/host.h has the parts, for whoever wants
// another store or several nodes in a process. docs/host.md tells how to link.
#pragma once

#include "host/host.h"
#include "host/log.h"
#include "host/serve.h"
#include "node/node.h"

namespace clew {

using host::serve;
using node::Durable;
using node::Field;
using node::Id;
using node::Names;
using node::Node;
using node::None;
using node::RequestId;

}  // namespace clew
