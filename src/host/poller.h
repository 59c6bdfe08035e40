// Waits until something can be read or written (epoll).
//
//   Poller poller;
//   poller.watch(socket, watcher, Poller::kRead);
//   poller.watch(socket, watcher, Poller::kRead | Poller::kWrite);   // from now on both
//   poller.wait(10ms);                        // calls watcher.ready(what) for each that is ready
//
// A watcher that is called may end others: whoever owns them keeps them until the wait is over.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/descriptor.h"

namespace clew::host {

class Watcher {
 public:
  virtual ~Watcher() = default;
  // Any of Poller's bits. kBroken: reading gives what there is, then the end.
  virtual void ready(uint32_t what) = 0;
};

class Poller {
 public:
  static constexpr uint32_t kRead = 1;
  static constexpr uint32_t kWrite = 2;
  static constexpr uint32_t kBroken = 4;  // is always watched

  Poller();
  // Is forgotten when the descriptor is closed.
  void watch(int descriptor, Watcher& watcher, uint32_t what);
  // Without a time: until something happens.
  void wait(std::optional<std::chrono::nanoseconds> most);

 private:
  Descriptor epoll_;
};

}  // namespace clew::host
