// The world, as a node sees it during one step.
//
//   env.send(peer, Promise{ballot});       // with all else for this peer, when the step is over
//   env.set_timer("election", 150ms);      // timer("election") is called some time after that
//   env.sync();                            // what is durable so far survives a crash
//   env.reply(request, Done{});
//
// A step is the handling of one input: an envelope, a client's request, a timer or a start. Nothing
// leaves before it is over. A node must not keep an Env, nor look at anything else: no clock, no
// thread, no file, no random number of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "node/value.h"

namespace clew::node {

// A client's request: the how-manieth of which client.
struct RequestId {
  uint32_t client = 0;
  uint32_t number = 0;
  CLEW_FIELDS(RequestId, client, number)
};

// Nothing to say.
struct None {
  CLEW_FIELDS(None)
};

class AnyEnv {
 public:
  virtual ~AnyEnv() = default;
  virtual Id self() const = 0;
  virtual const Names& names() const = 0;
  virtual void send_bytes(Id to, std::string message) = 0;
  virtual void reply_bytes(RequestId request, std::string reply) = 0;
  // Setting a timer that is set already sets it anew; one that fires is no longer set.
  virtual void set_timer(std::string_view name, std::chrono::milliseconds after) = 0;
  virtual void cancel_timer(std::string_view name) = 0;
  virtual void sync() = 0;
  // From 0 to below - 1; the same in every repetition of the run. Requires below > 0.
  virtual uint64_t random(uint64_t below) = 0;
};

// The same for a node that sends Messages and gives Replies.
template <class Message, class Reply>
class Env {
 public:
  explicit Env(AnyEnv& any) : any_(any) {}

  Id self() const { return any_.self(); }
  const Names& names() const { return any_.names(); }
  void send(Id to, const Message& message) { any_.send_bytes(to, encode(message)); }
  void reply(RequestId request, const Reply& reply) { any_.reply_bytes(request, encode(reply)); }
  void set_timer(std::string_view name, std::chrono::milliseconds after = {}) {
    any_.set_timer(name, after);
  }
  void cancel_timer(std::string_view name) { any_.cancel_timer(name); }
  void sync() { any_.sync(); }
  uint64_t random(uint64_t below) { return any_.random(below); }

 private:
  AnyEnv& any_;
};

}  // namespace clew::node
