// Sockets that never block, and their addresses.
//
//   Result<Address> address = parse_address("127.0.0.1:7101");
//   Result<Descriptor> listener = listen_on(*address);
//   Descriptor one = accept_from(*listener);        // not valid() if nobody is waiting
//   Descriptor other = dial(*address);              // is connected later; socket_error() says how
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace clew::host {

// Numbers, no names: 127.0.0.1 or ::1, and a port. No port is 0 but for listening, where the system
// chooses one.
struct Address {
  std::string host = "127.0.0.1";
  uint16_t port = 0;

  std::string text() const;
  friend bool operator==(const Address&, const Address&) = default;
};

// `7101`, `127.0.0.1:7101`, `[::1]:7101`, `localhost:7101`.
Result<Address> parse_address(std::string_view text);

Result<Descriptor> listen_on(const Address& address);
uint16_t port_of(const Descriptor& listener);
// errno says why it is not valid.
Descriptor accept_from(const Descriptor& listener);
Descriptor dial(const Address& address);
// Why a connection has failed, or 0.
int socket_error(int socket);

}  // namespace clew::host
