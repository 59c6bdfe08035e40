#include "inject/socket_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace clew::inject {

namespace {

template <class T>
std::optional<T> take(std::string_view bytes) {
  T value{};
  if (bytes.size() < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string host_of(int family, const void* address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(family, address, text.data(), text.size());
  const std::string host = text.data();
  constexpr std::string_view kMapped = "::ffff:";
  const bool mapped = host.starts_with(kMapped) && host.find('.') != std::string::npos;
  return mapped ? host.substr(kMapped.size()) : host;
}

std::optional<SocketAddress> local_address(std::string_view path) {
  if (path.empty()) return std::nullopt;
  SocketAddress address{.is_local = true};
  if (path.front() == '\0') {
    address.path = "@" + std::string(path.substr(1));
  } else {
    address.path = path.substr(0, path.find('\0'));
  }
  return address;
}

template <class Call>
std::optional<SocketAddress> ask(Call call, int socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  auto* const to = reinterpret_cast<sockaddr*>(&storage);
  if (call(socket, to, &size) != 0 || size > sizeof storage) return std::nullopt;
  return read_address({reinterpret_cast<const char*>(&storage), size});
}

}  // namespace

std::optional<SocketAddress> read_address(std::string_view sockaddr) {
  const auto family = take<sa_family_t>(sockaddr);
  if (!family) return std::nullopt;
  if (*family == AF_INET) {
    const auto inet = take<sockaddr_in>(sockaddr);
    if (!inet || inet->sin_port == 0) return std::nullopt;
    return SocketAddress{false, host_of(AF_INET, &inet->sin_addr), ntohs(inet->sin_port), {}};
  }
  if (*family == AF_INET6) {
    const auto inet = take<sockaddr_in6>(sockaddr);
    if (!inet || inet->sin6_port == 0) return std::nullopt;
    return SocketAddress{false, host_of(AF_INET6, &inet->sin6_addr), ntohs(inet->sin6_port), {}};
  }
  if (*family != AF_UNIX) return std::nullopt;
  return local_address(sockaddr.substr(offsetof(sockaddr_un, sun_path)));
}

std::optional<SocketAddress> own_address(int socket) { return ask(::getsockname, socket); }
std::optional<SocketAddress> peer_address(int socket) { return ask(::getpeername, socket); }

}  // namespace clew::inject
