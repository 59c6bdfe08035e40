// What a stopped call is about: a file, a folder, a peer, by names that are the same in every run.
//
//   Peers peers;
//   peers.add("127.0.0.1", 7000, "master", true);
//   Objects objects(names, peers);
//   Objects::Both about = objects.of(call, "client");   // before it is made
//   about.first.name;                                   // "log", or "master:7000"
//
// Descriptors are read from /proc, paths out of the memory of the process and followed from its own
// root, and who is at the other end of a socket is asked of a copy of it (pidfd_getfd).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "inject/call.h"
#include "inject/names.h"
#include "inject/socket_address.h"
#include "inject/surface/tracer.h"

namespace clew::inject {

// Which node is at an address. Objects adds the addresses that it sees nodes use.
class Peers {
 public:
  struct Peer {
    std::string node;
    bool fixed = false;  // the port is the same in every run
  };

  // "0.0.0.0" and "::" stand for all addresses of this port.
  void add(const std::string& host, uint16_t port, std::string node, bool fixed);
  // Rises whenever somebody else is at an address.
  uint64_t version() const { return version_; }
  const Peer* find(const std::string& host, uint16_t port) const;  // null: nobody that is known

 private:
  std::map<std::pair<std::string, uint16_t>, Peer> peers_;
  uint64_t version_ = 0;
};

class Objects {
 public:
  Objects(const Names& names, Peers& peers) : names_(&names), peers_(&peers) {}

  struct Both {
    Object first, second;  // kNone: the call is about nothing, or about one thing only
  };
  // Of a call that `node` is about to make. What cannot be found out is kOther, "unknown".
  Both of(const StoppedCall& call, const std::string& node);

  // Of a `listen` that is about to be made. Nothing: its socket has no address yet.
  static std::optional<SocketAddress> listens_at(const StoppedCall& call);

  // Which node is at the other end of the socket that the call is about; empty: none that is
  // known, or it is about no socket.
  std::string peer_node(const StoppedCall& call, const std::string& node);

 private:
  struct Asked {  // a connect whose own port was not known yet
    pid_t process = 0;
    int descriptor = -1;
    std::string node;
  };

  Object of_descriptor(const StoppedCall& call, int descriptor, const std::string& node);
  Object of_path(const StoppedCall& call, int path, int folder);
  Object of_file(const StoppedCall& call, int descriptor, const std::string& link);
  Object of_socket(const StoppedCall& call, int descriptor, const std::string& node);
  // `socket`: a copy of ours.
  std::optional<SocketAddress> peer_of(const StoppedCall& call, int descriptor,
                                       const Descriptor& socket, const std::string& node);
  const Peers::Peer* find_peer(const SocketAddress& address);
  void add(const SocketAddress& address, const std::string& node);

  const Names* names_;
  Peers* peers_;
  std::vector<Asked> asked_;
};

// The number that a process knows of itself, in its innermost pid namespace. 0: it is gone.
pid_t own_number(pid_t process);

}  // namespace clew::inject
