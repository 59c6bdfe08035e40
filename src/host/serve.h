// From a config to a process: what `clew host` starts, and servers of one's own.
//
// What there is to say goes to descriptor 2, as Lines. SIGTERM and SIGINT end it once the turn is
// over. Exit codes: 0 it was told to end, 2 it could not begin, 10 a handler failed, 3 the disk
// did.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/host.h"

namespace clew::host {

enum ServeCode { kServed = 0, kCannotServe = 2, kDiskFailed = 3, kNodeFailed = 10 };

struct Serve {
  std::string config;     // path
  std::string node;       // who of the cluster this is
  std::string metrics{};  // a file for the counters; empty: none
  std::string record{};   // a file for each step (record.h); empty: none
};

using MakeNode = std::function<std::unique_ptr<node::AnyNode>(Id)>;

int serve(const Serve& wanted, const node::Names& names, const MakeNode& make);

}  // namespace clew::host
