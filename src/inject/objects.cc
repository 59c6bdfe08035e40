#include "inject/objects.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "inject/surface/memory.h"
#include "inject/surface/process_files.h"

namespace clew::inject {

namespace {

constexpr size_t kMostAsked = 1024;
constexpr size_t kMostPathBytes = 4096;
constexpr std::string_view kDeletedMark = " (deleted)";

int int_of(const StoppedCall& call, int argument) {
  return static_cast<int>(call.arguments[static_cast<size_t>(argument)]);
}

Object::Kind kind_of(const std::optional<struct stat>& status) {
  if (!status || S_ISREG(status->st_mode)) return Object::Kind::kFile;
  if (S_ISDIR(status->st_mode)) return Object::Kind::kFolder;
  if (S_ISSOCK(status->st_mode)) return Object::Kind::kSocket;
  return S_ISFIFO(status->st_mode) ? Object::Kind::kPipe : Object::Kind::kOther;
}

// Where the call itself says who it is for: connect, bind, sendto, sendmsg.
std::optional<SocketAddress> address_argument(const StoppedCall& call) {
  uint64_t at = 0;
  uint64_t size = 0;
  msghdr message{};
  switch (call.row->number) {
    case SYS_connect:
    case SYS_bind:
      at = call.arguments[1];
      size = call.arguments[2];
      break;
    case SYS_sendto:
      at = call.arguments[4];
      size = call.arguments[5];
      break;
    case SYS_sendmsg:
    case SYS_sendmmsg:  // the first message
      if (!read_exactly(call.thread, call.arguments[1], &message, sizeof message)) return {};
      at = reinterpret_cast<uint64_t>(message.msg_name);
      size = message.msg_namelen;
      break;
    default:
      break;
  }
  std::array<char, sizeof(sockaddr_storage)> bytes{};
  if (at == 0 || size == 0 || size > bytes.size()) return std::nullopt;
  if (!read_exactly(call.thread, at, bytes.data(), size)) return std::nullopt;
  return read_address({bytes.data(), size});
}

Object::Kind kind_of_socket(const Descriptor& socket) {
  int type = 0;
  socklen_t size = sizeof type;
  const bool known =
      socket.valid() && ::getsockopt(socket.number(), SOL_SOCKET, SO_TYPE, &type, &size) == 0;
  return known && type == SOCK_DGRAM ? Object::Kind::kDatagrams : Object::Kind::kSocket;
}

// Whether a link that is found at the end of a path counts, or what it leads to.
bool follows(const StoppedCall& call) {
  if (call.row->io == Io::kNames) return false;
  const bool at = call.row->number == SYS_openat;
  const bool opens = at || call.row->number == SYS_open;
  return !opens || (int_of(call, at ? 2 : 1) & O_NOFOLLOW) == 0;
}

bool makes_folder(const CallRow& row) {
  return row.number == SYS_mkdir || row.number == SYS_mkdirat || row.number == SYS_rmdir;
}

}  // namespace

void Peers::add(const std::string& host, uint16_t port, std::string node, bool fixed) {
  peers_[{host, port}] = {std::move(node), fixed};
  ++version_;
}

const Peers::Peer* Peers::find(const std::string& host, uint16_t port) const {
  for (const std::string& at : {host, std::string("0.0.0.0"), std::string("::")}) {
    const auto found = peers_.find({at, port});
    if (found != peers_.end()) return &found->second;
  }
  return nullptr;
}

void Objects::add(const SocketAddress& address, const std::string& node) {
  if (address.is_local) return;
  const Peers::Peer* known = peers_->find(address.host, address.port);
  const bool fixed = !is_passing_port(address.port);
  // A port that many use in turn belongs to whoever uses it now.
  if (!known || (!fixed && known->node != node)) {
    peers_->add(address.host, address.port, node, fixed);
  }
}

const Peers::Peer* Objects::find_peer(const SocketAddress& address) {
  if (const Peers::Peer* known = peers_->find(address.host, address.port)) return known;
  // Whoever has asked may not have been told yet, and is known by its own end.
  std::erase_if(asked_, [&](const Asked& asked) {
    const Descriptor socket = copy_of(asked.process, asked.descriptor);
    const std::optional<SocketAddress> own = own_address(socket.number());
    if (own) add(*own, asked.node);
    return own.has_value() || !socket.valid();
  });
  return peers_->find(address.host, address.port);
}

// Of a socket: who is at its other end, or, if nobody can be, where it listens.
std::optional<SocketAddress> Objects::peer_of(const StoppedCall& call, int descriptor,
                                              const Descriptor& socket, const std::string& node) {
  if (!socket.valid()) return std::nullopt;
  const std::optional<SocketAddress> own = own_address(socket.number());
  std::optional<SocketAddress> said = address_argument(call);
  if (own) add(*own, node);
  if (said && call.row->number == SYS_bind) {
    add(*said, node);
    return said;
  }
  if (call.row->io == Io::kConnect && !own && asked_.size() < kMostAsked) {
    asked_.push_back({call.process, descriptor, node});
  }
  if (std::optional<SocketAddress> peer = peer_address(socket.number())) return peer;
  return said ? said : own;
}

Object Objects::of_socket(const StoppedCall& call, int descriptor, const std::string& node) {
  const Descriptor socket = copy_of(call.process, descriptor);
  const Object::Kind kind = kind_of_socket(socket);
  const std::optional<SocketAddress> address = peer_of(call, descriptor, socket, node);
  if (!address) return {kind, "socket", "socket"};
  if (address->is_local) return {kind, names_->path(address->path), address->path};
  const Peers::Peer* peer = find_peer(*address);
  std::string name = peer ? peer->node : names_->address(address->host, address->port);
  if (peer && peer->fixed) name += fmt::format(":{}", address->port);
  return {kind, std::move(name), fmt::format("{}:{}", address->host, address->port)};
}

// Of a file with a path. `link` is what /proc says.
Object Objects::of_file(const StoppedCall& call, int descriptor, const std::string& link) {
  const std::optional<struct stat> status = stat_of(call.thread, descriptor);
  std::string_view path = link;
  if (path.ends_with(kDeletedMark) && status && status->st_nlink == 0) {
    path.remove_suffix(kDeletedMark.size());
  }
  if (path.starts_with("/memfd:")) return {Object::Kind::kOther, std::string(path.substr(1)), link};
  const bool is_output = (descriptor == 1 || descriptor == 2) && path.starts_with("/dev/");
  if (is_output) return {Object::Kind::kOutput, descriptor == 1 ? "stdout" : "stderr", link};
  return {kind_of(status), names_->path(path), link};
}

Object Objects::of_descriptor(const StoppedCall& call, int descriptor, const std::string& node) {
  const std::string link = link_of(call.thread, descriptor);
  if (link.empty()) return {Object::Kind::kOther, "unknown", "unknown"};
  if (link.starts_with('/')) return of_file(call, descriptor, link);
  const bool is_socket = link.starts_with("socket:");
  if (!is_socket && !link.starts_with("pipe:")) {
    // anon_inode:[eventpoll], anon_inode:inotify, net:[4026531840]
    constexpr std::string_view kAnonymous = "anon_inode:";
    std::string name = link.starts_with(kAnonymous) ? link.substr(kAnonymous.size())
                                                    : link.substr(0, link.find(':'));
    std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
    return {Object::Kind::kOther, std::move(name), link};
  }
  for (const int output : {descriptor == 2 ? 2 : 1, 2}) {
    if (descriptor == output || (descriptor > 2 && link == link_of(call.thread, output))) {
      return {Object::Kind::kOutput, output == 1 ? "stdout" : "stderr", link};
    }
  }
  if (is_socket) return of_socket(call, descriptor, node);
  return {Object::Kind::kPipe, descriptor == 0 ? "stdin" : "pipe", link};
}

Object Objects::of_path(const StoppedCall& call, int path, int folder) {
  const std::optional<std::string> text =
      read_string(call.thread, call.arguments[static_cast<size_t>(path)], kMostPathBytes);
  if (!text) return {Object::Kind::kOther, "unknown", "unknown"};
  const int from = folder < 0 ? AT_FDCWD : int_of(call, folder);
  if (text->empty() && from != AT_FDCWD) return of_descriptor(call, from, {});
  const Located found = locate(call.thread, from, *text, follows(call));
  const Object::Kind kind = makes_folder(*call.row) ? Object::Kind::kFolder : kind_of(found.status);
  return {kind, names_->path(found.path), found.path};
}

Objects::Both Objects::of(const StoppedCall& call, const std::string& node) {
  const CallRow& row = *call.row;
  Both both;
  if (row.path >= 0) {
    both.first = of_path(call, row.path, row.descriptor);
  } else if (row.descriptor >= 0) {
    both.first = of_descriptor(call, int_of(call, row.descriptor), node);
  }
  if (row.path2 >= 0) {
    both.second = of_path(call, row.path2, row.descriptor2);
  } else if (row.descriptor2 >= 0 && row.io == Io::kCopy) {
    both.second = of_descriptor(call, int_of(call, row.descriptor2), node);
  }
  return both;
}

std::optional<SocketAddress> Objects::listens_at(const StoppedCall& call) {
  const Descriptor socket = copy_of(call.process, int_of(call, call.row->descriptor));
  return socket.valid() ? own_address(socket.number()) : std::nullopt;
}

std::string Objects::peer_node(const StoppedCall& call, const std::string& node) {
  if (call.row->descriptor < 0) return {};
  const int descriptor = int_of(call, call.row->descriptor);
  if (!link_of(call.thread, descriptor).starts_with("socket:")) return {};
  const Descriptor socket = copy_of(call.process, descriptor);
  const std::optional<SocketAddress> address = peer_of(call, descriptor, socket, node);
  const Peers::Peer* peer = address && !address->is_local ? find_peer(*address) : nullptr;
  return peer ? peer->node : std::string();
}

// NSpid:	4711	3
pid_t own_number(pid_t process) {
  const std::string path = fmt::format("/proc/{}/status", process);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> bytes;
  const ssize_t size = ::read(file.number(), bytes.data(), bytes.size());
  const std::string_view text(bytes.data(), static_cast<size_t>(std::max<ssize_t>(size, 0)));
  const size_t at = text.find("\nNSpid:");
  if (at == std::string_view::npos) return 0;
  const std::string_view line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  const std::string_view last = line.substr(line.find_last_of("\t ") + 1);
  pid_t number = 0;
  std::from_chars(last.data(), last.data() + last.size(), number);
  return number;
}

}  // namespace clew::inject
