#include "inject/network.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "inject/buffers.h"

namespace clew::inject {

namespace {

int descriptor_of(const StoppedCall& call) {
  if (call.row->descriptor < 0) return -1;
  return static_cast<int>(call.arguments[static_cast<size_t>(call.row->descriptor)]);
}

Descriptor socket_of(const StoppedCall& call) {
  const int number = descriptor_of(call);
  return number < 0 ? Descriptor() : copy_descriptor(call.process, number);
}

std::optional<int> type_of(const StoppedCall& call) {
  const Descriptor socket = socket_of(call);
  int type = 0;
  socklen_t size = sizeof(type);
  if (!socket.valid() || ::getsockopt(socket.number(), SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    return std::nullopt;
  }
  return type;
}

bool uses_connection(Io io) {
  return io == Io::kRead || io == Io::kWrite || io == Io::kSend || io == Io::kReceive;
}

// Where the address of the other side is among the arguments of a call, and how long it is.
struct NamedAddress {
  uint64_t at = 0;
  uint64_t size = 0;
};

NamedAddress named_address(const StoppedCall& call) {
  const std::string_view name = call.row->name;
  if (name == "connect") return {call.arguments[1], call.arguments[2]};
  if (name == "sendto") return {call.arguments[4], call.arguments[5]};
  if (name == "sendmsg" || name == "sendmmsg") {
    struct msghdr message {};
    if (!Tracer::read_memory(call.thread, call.arguments[1], &message, sizeof(message))) return {};
    return {reinterpret_cast<uint64_t>(message.msg_name), message.msg_namelen};
  }
  return {};
}

std::optional<uint16_t> port_in(const struct sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  }
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return std::nullopt;
}

std::optional<uint16_t> named_port(const StoppedCall& call) {
  const NamedAddress named = named_address(call);
  struct sockaddr_storage address {};
  if (named.at == 0 || named.size > sizeof(address)) return std::nullopt;
  if (!Tracer::read_memory(call.thread, named.at, &address, named.size)) return std::nullopt;
  return port_in(address);
}

std::optional<uint16_t> connected_port(const StoppedCall& call) {
  const Descriptor socket = socket_of(call);
  struct sockaddr_storage address {};
  socklen_t size = sizeof(address);
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (!socket.valid() || ::getpeername(socket.number(), plain, &size) != 0) return std::nullopt;
  return port_in(address);
}

bool has_open(pid_t process, uint64_t inode) {
  std::error_code error;
  const std::filesystem::directory_iterator all(fmt::format("/proc/{}/fd", process), error);
  if (error) return false;
  return std::ranges::any_of(all, [&](const auto& entry) {
    return socket_inode(process, std::atoi(entry.path().filename().c_str())) == inode;
  });
}

// Of a datagram socket that is bound there.
std::optional<uint64_t> bound_inode(uint16_t port) {
  for (const SocketRow& row : list_datagram_sockets()) {
    if (row.local_port == port) return row.inode;
  }
  return std::nullopt;
}

}  // namespace

bool is_stream(const StoppedCall& call) { return type_of(call) == SOCK_STREAM; }
bool is_datagram(const StoppedCall& call) { return type_of(call) == SOCK_DGRAM; }

bool would_try_again(const StoppedCall& call) {
  const Io io = call.row->io;
  if (!uses_connection(io) && io != Io::kAccept) return false;
  const Descriptor copy = socket_of(call);
  if (!copy.valid()) return false;
  const bool writes = io == Io::kWrite || io == Io::kSend;
  const bool asks = (io == Io::kReceive || io == Io::kSend) &&
                    (call.arguments[3] & static_cast<uint64_t>(MSG_DONTWAIT)) != 0;
  if (!asks && (::fcntl(copy.number(), F_GETFL) & O_NONBLOCK) == 0) return false;
  struct pollfd one {
    copy.number(), static_cast<short>(writes ? POLLOUT : POLLIN), 0
  };
  return ::poll(&one, 1, 0) == 0;
}

bool Network::reset(const StoppedCall& call) {
  const Descriptor socket = socket_of(call);
  if (!socket.valid() || !is_stream(call)) return false;
  break_connection(socket.number());
  return true;
}

bool Network::time_out(const StoppedCall& call) {
  if (!is_stream(call)) return false;
  if (call.row->io == Io::kConnect) return true;
  const std::vector<SocketRow> rows = list_sockets();
  const SocketRow* const own = find_socket(rows, socket_inode(call.process, descriptor_of(call)));
  if (own != nullptr) {
    const SocketRow* const other = other_end(rows, *own);
    if (other != nullptr && other->inode != 0) timed_out_.insert(other->inode);
  }
  return reset(call);
}

std::optional<uint32_t> Network::owner_of(uint64_t inode) const {
  if (inode == 0) return std::nullopt;
  for (const auto& [process, root] : processes_()) {
    if (has_open(process, inode)) return root;
  }
  return std::nullopt;
}

std::optional<uint32_t> Network::listener_at(const StoppedCall& call) const {
  std::optional<uint16_t> port = named_port(call);
  if (!port) port = connected_port(call);
  if (!port) return std::nullopt;
  if (is_datagram(call)) {
    const std::optional<uint64_t> inode = bound_inode(*port);
    return inode ? owner_of(*inode) : std::nullopt;
  }
  for (const SocketRow& row : list_sockets()) {
    if (row.listening && row.local_port == *port) return owner_of(row.inode);
  }
  return std::nullopt;
}

std::optional<uint32_t> Network::peer_of(const StoppedCall& call) const {
  if (call.row->io == Io::kConnect || is_datagram(call)) return listener_at(call);
  const std::vector<SocketRow> rows = list_sockets();
  const SocketRow* const own = find_socket(rows, socket_inode(call.process, descriptor_of(call)));
  const SocketRow* const other = own == nullptr ? nullptr : other_end(rows, *own);
  if (other == nullptr) return std::nullopt;
  // A connection that nobody has accepted yet is the listener's.
  return other->inode != 0 ? owner_of(other->inode) : listener_at(call);
}

bool Network::cut(const StoppedCall& call) {
  const std::optional<uint32_t> peer = peer_of(call);
  if (!peer || *peer == call.root) return false;
  cuts_.insert(std::minmax(call.root, *peer));
  break_between(call.root, *peer);
  timed_out_.erase(socket_inode(call.process, descriptor_of(call)));  // this call tells it
  return true;
}

// From the side of `one`; the other is told when it uses the connection next.
void Network::break_between(uint32_t one, uint32_t other) {
  const std::vector<SocketRow> rows = list_sockets();
  for (const auto& [process, root] : processes_()) {
    if (root != one) continue;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", process), error)) {
      const int number = std::atoi(entry.path().filename().c_str());
      const SocketRow* const own = find_socket(rows, socket_inode(process, number));
      const SocketRow* const end =
          own == nullptr || own->listening ? nullptr : other_end(rows, *own);
      if (end == nullptr || owner_of(end->inode) != other) continue;
      timed_out_.insert(own->inode);
      timed_out_.insert(end->inode);
      const Descriptor copy = copy_descriptor(process, number);
      if (copy.valid()) break_connection(copy.number());
    }
  }
}

bool Network::is_cut(uint32_t one, uint32_t other) const {
  return cuts_.contains(std::minmax(one, other));
}

std::optional<Action> Network::before(const StoppedCall& call) {
  const Io io = call.row->io;
  if (uses_connection(io) && !timed_out_.empty() &&
      timed_out_.erase(socket_inode(call.process, descriptor_of(call))) > 0) {
    const Descriptor socket = socket_of(call);
    if (socket.valid()) break_connection(socket.number());
    return Action{.kind = Action::Kind::kFail, .number = ETIMEDOUT};
  }
  if (cuts_.empty() || (io != Io::kConnect && io != Io::kSend && io != Io::kWrite)) {
    return std::nullopt;
  }
  const bool datagram = is_datagram(call);
  if (io != Io::kConnect && !datagram) return std::nullopt;
  const std::optional<uint32_t> peer = listener_at(call);
  if (!peer || !is_cut(call.root, *peer)) return std::nullopt;
  if (!datagram) return Action{.kind = Action::Kind::kFail, .number = EHOSTUNREACH};
  if (io == Io::kConnect) return std::nullopt;
  const std::optional<Buffer> buffer = Buffer::of(call);
  return Action{.kind = Action::Kind::kGive,
                .number = static_cast<int64_t>(buffer ? buffer->total() : 0)};
}

int64_t Network::after(const StoppedCall& call, int64_t result) {
  const bool told = result == -ECONNRESET || result == -EPIPE || result == 0;
  if (!told || timed_out_.empty() || !uses_connection(call.row->io)) return result;
  if (timed_out_.erase(socket_inode(call.process, descriptor_of(call))) == 0) return result;
  return -ETIMEDOUT;
}

void Network::heal() {
  cuts_.clear();
  timed_out_.clear();
}

}  // namespace clew::inject
