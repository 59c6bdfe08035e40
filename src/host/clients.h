// Connections of clients: requests in, replies out.
//
// answer() keeps a reply in memory, go_on() handles the next of what those have sent ahead who were
// answered, and write() gives the kernels what they take.
//
// A connection is a client, with a number that no connection of the cluster has had before:
// eight bits of node, 24 of a count that goes on over restarts. Its requests are numbered from 0.
//
// (1) The node gets them in that order, at most limits.pipeline of them that were not answered. (2)
// Who does not read replies is not read from. (3) What a client sends that means nothing costs its
// connection, or where it was a text, is answered with the reason.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "host/frame.h"
#include "host/loop.h"
#include "host/stream.h"

namespace clew::host {

inline Id node_of_client(uint32_t client) { return Id{static_cast<uint8_t>(client >> 24U)}; }

class Client;

// What clients are for.
class ClientHandler {
 public:
  virtual ~ClientHandler() = default;
  virtual uint32_t new_client() = 0;  // its number
  // Takes the step. False: the bytes are no request.
  virtual bool request(node::RequestId request, std::string_view bytes) = 0;
  virtual Result<std::string> parse(std::string_view text) = 0;  // to bytes of a request
  virtual std::string print_reply(std::string_view bytes) = 0;
};

class Clients : private Watcher {
 public:
  // `loop` and `handler` outlive this.
  Clients(Loop& loop, Descriptor listener, ClientHandler& handler);
  ~Clients() override;

  // Nobody may wait for it any more; then it is counted.
  void answer(node::RequestId request, std::string_view reply);
  // True if there may be more to do.
  bool go_on();
  void write();  // between two waits of the poller
  // Once a second, between two waits of the poller: ends what takes too long.
  void look_after();

 private:
  friend class Client;

  void ready(uint32_t what) override;
  void limit_memory();

  Loop& loop_;
  Descriptor listener_;
  ClientHandler& handler_;
  bool paused_ = false;
  std::unordered_map<uint32_t, std::unique_ptr<Client>> clients_;
  std::vector<std::unique_ptr<Client>> ended_;  // in this turn
  std::vector<uint32_t> going_on_;              // with requests that were sent ahead
  std::vector<uint32_t> to_write_;
};

}  // namespace clew::host
