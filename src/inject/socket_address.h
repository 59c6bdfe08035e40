// Where a socket is: a host and a port, or the path of a socket of this machine.
//
//   const std::optional<SocketAddress> address = read_address(bytes);   // of a sockaddr
//   address->host;                                                      // "127.0.0.1"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clew::inject {

struct SocketAddress {
  bool is_local = false;  // AF_UNIX
  std::string host{};     // IPv4 addresses in their usual form also if they come as IPv6
  uint16_t port = 0;
  std::string path{};  // `@name` if it is no file
  friend bool operator==(const SocketAddress&, const SocketAddress&) = default;
};

// Nothing: of another family, or nobody's (no port, no path).
std::optional<SocketAddress> read_address(std::string_view sockaddr);
std::optional<SocketAddress> own_address(int socket);
std::optional<SocketAddress> peer_address(int socket);

}  // namespace clew::inject
