// What a host counts, and the text that Prometheus reads.
//
//   Counters counters;
//   ++counters.steps;
//   counters.to_prometheus("a")
//
//   # HELP clew_host_steps_total steps that the node has taken
//   # TYPE clew_host_steps_total counter
//   clew_host_steps_total{node="a"} 1
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clew::host {

struct Counters {
  uint64_t turns = 0;
  uint64_t steps = 0;
  uint64_t envelopes_sent = 0;      // taken by the kernel
  uint64_t envelopes_received = 0;  // and handled
  uint64_t envelopes_lost = 0;      // no room in a queue, too large, or on a connection that broke
  uint64_t envelopes_refused = 0;   // no message of this node, or older than what came already
  uint64_t bytes_sent = 0;
  uint64_t bytes_received = 0;
  uint64_t requests = 0;
  uint64_t replies = 0;
  uint64_t replies_lost = 0;  // to a client that is gone, or to a request that was answered
  uint64_t requests_refused = 0;
  uint64_t timers_fired = 0;
  uint64_t flushes = 0;  // of the store
  uint64_t peers_opened = 0;
  uint64_t peers_closed = 0;
  uint64_t peers_refused = 0;  // a greeting or a proof was wrong, or did not come
  uint64_t clients_opened = 0;
  uint64_t clients_closed = 0;
  uint64_t clients_refused = 0;  // there were too many
  uint64_t frames_refused = 0;   // too long, half, or without a meaning; it cost the connection
  // What is now, rather than how often.
  uint64_t peers = 0;    // whom envelopes can be sent to
  uint64_t clients = 0;  // connections
  uint64_t waiting = 0;  // bytes that wait for peers
  uint64_t held = 0;     // bytes of and for clients
  uint64_t timers = 0;   // that are set

  std::string to_prometheus(std::string_view node) const;
};

}  // namespace clew::host
