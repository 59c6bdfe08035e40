// A node as a process: one thread, which turns.
//
//   Result<std::unique_ptr<Host>> host = Host::open(std::move(setup));   // it listens
//   const Host::End end = (*host)->run();                                // until stop()
//
// In each turn it reads what has arrived, takes the steps that follow, syncs once, and then sends
// what these steps have sent (docs/architecture.md, "A node as a process").
//
// (1) Nothing leaves that a step has sent before what the step has changed is on the disk. (2) What
// the node sends to itself is taken in the turn in which it was sent, or is on the disk when the
// turn is over: it is never lost. (3) When the node or the disk fails, nothing more leaves.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "host/config.h"
#include "host/recorder.h"
#include "host/store.h"

namespace clew::host {

class Host {
 public:
  struct Setup {
    std::unique_ptr<node::AnyNode> node;
    node::Names names;  // of the cluster
    Id self;
    Config config;
    std::string secret;
    std::unique_ptr<Store> store;
    std::unique_ptr<Recorder> recorder{};  // or null
    // With half a frame, or with a greeting that does not go on, a connection may be so old.
    std::chrono::milliseconds patience{5000};
    int lines = 2;          // the descriptor that lines about what happens go to
    std::string metrics{};  // a file that has the counters, anew each second; empty: none
  };

  struct End {
    enum class Why { kStopped, kNode, kDisk };
    Why why = Why::kStopped;
    Error error{};  // unless it was stopped
  };

  // It listens, and has what the store recovered. An Error: it cannot begin.
  static Result<std::unique_ptr<Host>> open(Setup setup);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Once. The incarnation is on the disk before anything leaves.
  End run();
  // Any thread may call it, and a signal handler.
  void stop();

  uint64_t incarnation() const;
  std::string metrics() const;  // while it does not run

 private:
  class Core;

  explicit Host(std::unique_ptr<Core> core);

  std::unique_ptr<Core> core_;
};

}  // namespace clew::host
