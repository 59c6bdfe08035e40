// Failures of connections between the processes of a run, all of which are on one machine.
//
//   Network network([&] { return processes; });   // who there is, and of which command
//   network.reset(call);                          // both ends learn that the connection is gone
//   network.has_failed();                         // false: nobody is to be told anything later
//
// A message on a stream is never lost silently: who loses it learns of it. What has timed out is
// told to whoever uses that connection next, at either end, once; then it is gone.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "inject/sockets.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

class Network {
 public:
  using Processes = std::map<pid_t, uint32_t>;  // and the command that each came of

  explicit Network(std::function<Processes()> processes) : processes_(std::move(processes)) {}

  // Of the socket of a call. False: it is no connection, or nobody is known at the other end.
  bool reset(const StoppedCall& call);
  bool time_out(const StoppedCall& call);
  bool cut(const StoppedCall& call);

  // What earlier failures make of a call that is about to be made; nothing: it is made.
  std::optional<Action> before(const StoppedCall& call);
  // And of the result of one that has been made, or was waiting at that time.
  int64_t after(const StoppedCall& call, int64_t result);
  bool has_failed() const { return !timed_out_.empty() || !cuts_.empty(); }

  void heal();  // what is broken stays so, but new connections work

 private:
  bool is_cut(uint32_t one, uint32_t other) const;
  std::optional<uint32_t> owner_of(uint64_t inode) const;
  // Which command waits at the address that a call names, or at the other end of its socket.
  std::optional<uint32_t> peer_of(const StoppedCall& call) const;
  std::optional<uint32_t> listener_at(const StoppedCall& call) const;
  void break_between(uint32_t one, uint32_t other);

  std::function<Processes()> processes_;
  std::set<uint64_t> timed_out_;  // sockets whose process has not been told
  std::set<std::pair<uint32_t, uint32_t>> cuts_;
};

bool is_stream(const StoppedCall& call);
bool is_datagram(const StoppedCall& call);

// Would the call come back at once with EAGAIN?
bool would_try_again(const StoppedCall& call);

}  // namespace clew::inject
