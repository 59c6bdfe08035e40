#include "host/socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/columns.h"
#include "base/files.h"

namespace clew::host {

namespace {

constexpr int kBacklog = 128;
constexpr unsigned kUnansweredMilliseconds = 10'000;  // then the other side is taken for gone

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

std::optional<SocketAddress> as_socket_address(const Address& address) {
  SocketAddress made;
  sockaddr_in four{};
  sockaddr_in6 six{};
  if (::inet_pton(AF_INET, address.host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET, four.sin_port = htons(address.port);
    std::memcpy(&made.storage, &four, sizeof four);
    made.size = sizeof four;
  } else if (::inet_pton(AF_INET6, address.host.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6, six.sin6_port = htons(address.port);
    std::memcpy(&made.storage, &six, sizeof six);
    made.size = sizeof six;
  } else {
    return std::nullopt;
  }
  return made;
}

void set_option(int socket, int level, int name, int value) {
  static_cast<void>(::setsockopt(socket, level, name, &value, sizeof value));
}

// Small frames leave at once, and whoever is gone without a word is noticed.
void prepare_connection(int socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 5);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 2);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, kUnansweredMilliseconds);
}

Descriptor make_socket(const SocketAddress& address) {
  return Descriptor(
      ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

}  // namespace

std::string Address::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

Result<Address> parse_address(std::string_view text) {
  const Error wrong{fmt::format("\"{}\" is no address", printable(text, 60)),
                    "write a port as 7101, or numbers and a port as \"10.0.0.1:7101\" or "
                    "\"[::1]:7101\""};
  Address address;
  const size_t colon = text.rfind(':');
  std::string_view port = text;
  if (colon != std::string_view::npos) {
    std::string_view host = text.substr(0, colon);
    port = text.substr(colon + 1);
    const bool bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (!bracketed && host.find(':') != std::string_view::npos) return wrong;
    address.host = host == "localhost" ? "127.0.0.1" : std::string(host);
  }
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (error != std::errc() || end != port.data() + port.size()) return wrong;
  if (!as_socket_address(address)) return wrong;
  return address;
}

Result<Descriptor> listen_on(const Address& address) {
  const auto cannot = [&](int code) {
    const char* remedy = code == EADDRINUSE      ? "end the other process, or choose another port"
                         : code == EADDRNOTAVAIL ? "use an address of this machine"
                                                 : "choose another port";
    return Error{fmt::format("cannot listen at {}: {}", address.text(), why_not(code)), remedy};
  };
  const auto where = as_socket_address(address);
  if (!where) return cannot(EINVAL);
  Descriptor socket = make_socket(*where);
  if (!socket.valid()) return cannot(errno);
  set_option(socket.number(), SOL_SOCKET, SO_REUSEADDR, 1);
  if (::bind(socket.number(), where->get(), where->size) != 0) return cannot(errno);
  if (::listen(socket.number(), kBacklog) != 0) return cannot(errno);
  return socket;
}

uint16_t port_of(const Descriptor& listener) {
  SocketAddress where;
  where.size = sizeof where.storage;
  auto* storage = reinterpret_cast<sockaddr*>(&where.storage);
  CHECK(::getsockname(listener.number(), storage, &where.size) == 0, "a socket without an address");
  if (where.storage.ss_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &where.storage, sizeof four);
    return ntohs(four.sin_port);
  }
  sockaddr_in6 six{};
  std::memcpy(&six, &where.storage, sizeof six);
  return ntohs(six.sin6_port);
}

Descriptor accept_from(const Descriptor& listener) {
  Descriptor socket(::accept4(listener.number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket.valid()) prepare_connection(socket.number());
  return socket;
}

Descriptor dial(const Address& address) {
  const auto where = as_socket_address(address);
  if (!where) return Descriptor();
  Descriptor socket = make_socket(*where);
  if (!socket.valid()) return socket;
  prepare_connection(socket.number());
  const int done = ::connect(socket.number(), where->get(), where->size);
  if (done != 0 && errno != EINPROGRESS) {
    const int code = errno;
    socket.close();
    errno = code;
  }
  return socket;
}

int socket_error(int socket) {
  int code = 0;
  socklen_t size = sizeof code;
  return ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
}

}  // namespace clew::host
