// Connections that peers have made: what they send.
//
//   FRESH --hello--> CHALLENGED --proof--> ADMITTED: envelopes and answers
//
// (1) Nothing of a connection is believed before it is admitted. (2) Of each node one connection at
// most is admitted, the latest. (3) Of one incarnation of a peer, envelopes are given in the order
// of their numbers, each at most once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/frame.h"
#include "host/loop.h"
#include "host/stream.h"

namespace clew::host {

class Arrival;

class Arrivals : private Watcher {
 public:
  // What is done with a frame of an admitted peer; false if it means nothing to the node, which
  // costs the connection.
  using Take = std::function<bool(Id from, uint64_t incarnation, const PeerFrame& frame)>;

  // `loop` outlives this.
  Arrivals(Loop& loop, Descriptor listener, Take take);
  ~Arrivals() override;

  // Once a second, between two waits of the poller: forgets those that have ended, and gives up
  // what takes too long.
  void look_after();

 private:
  friend class Arrival;
  // What came of a node.
  struct Past {
    uint64_t incarnation = 0;
    uint64_t number = 0;  // of the latest envelope
  };

  void ready(uint32_t what) override;
  void admit(Arrival& arrival);
  bool take(Id from, uint64_t incarnation, bool parsed);  // frame_
  void limit_strangers();

  Loop& loop_;
  Descriptor listener_;
  bool paused_ = false;
  Take take_;
  std::vector<std::unique_ptr<Arrival>> arrivals_;
  std::vector<Past> pasts_;  // by node
  PeerFrame frame_;
};

}  // namespace clew::host
