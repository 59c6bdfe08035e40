#include "inject/sockets.h"

#include <fmt/format.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace clew::inject {

namespace {

constexpr int kListeningState = 10;  // TCP_LISTEN, of which there are two headers
constexpr std::string_view kListening = "0A";
constexpr std::string_view kMappedIpv4 = "0000000000000000FFFF0000";

// An IPv4 address is one however the socket calls it.
std::string plain_address(const std::string& text) {
  return text.starts_with(kMappedIpv4) ? text.substr(kMappedIpv4.size()) : text;
}

uint16_t port_of(std::string_view address) {
  const size_t colon = address.rfind(':');
  uint16_t port = 0;
  if (colon == std::string_view::npos) return 0;
  std::from_chars(address.data() + colon + 1, address.data() + address.size(), port, 16);
  return port;
}

void add_sockets(const char* path, std::vector<SocketRow>& rows) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string number, local, remote, state, skipped;
    uint64_t inode = 0;
    words >> number >> local >> remote >> state;
    for (int i = 0; i < 5; ++i) words >> skipped;
    words >> inode;
    if (!words) continue;
    SocketRow row{.inode = inode, .local = plain_address(local), .remote = plain_address(remote)};
    row.local_port = port_of(local);
    row.listening = state == kListening;
    rows.push_back(std::move(row));
  }
}

// Reads what the kernel answers to one question, until it says that this was all.
bool read_ports(int netlink, std::set<int>& ports) {
  alignas(nlmsghdr) std::array<char, 32768> answer{};
  for (;;) {
    const ssize_t size = ::recv(netlink, answer.data(), answer.size(), 0);
    if (size <= 0) return false;
    size_t left = static_cast<size_t>(size);
    for (auto* head = reinterpret_cast<nlmsghdr*>(answer.data()); NLMSG_OK(head, left);
         head = NLMSG_NEXT(head, left)) {
      if (head->nlmsg_type == NLMSG_DONE) return true;
      if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY) return false;
      ports.insert(ntohs(static_cast<const inet_diag_msg*>(NLMSG_DATA(head))->id.idiag_sport));
    }
  }
}

bool ask_for_listening(int netlink, int family) {
  struct {
    nlmsghdr head;
    inet_diag_req_v2 wanted;
  } question{};
  question.head.nlmsg_len = sizeof(question);
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  question.wanted.sdiag_family = static_cast<uint8_t>(family);
  question.wanted.sdiag_protocol = IPPROTO_TCP;
  question.wanted.idiag_states = 1U << kListeningState;
  return ::send(netlink, &question, sizeof(question), 0) == sizeof(question);
}

// Nothing where the kernel cannot be asked in this way.
std::optional<std::set<int>> listening_ports() {
  const Descriptor netlink(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG));
  if (!netlink.valid()) return std::nullopt;
  std::set<int> ports;
  for (const int family : {AF_INET, AF_INET6}) {
    if (!ask_for_listening(netlink.number(), family)) return std::nullopt;
    if (!read_ports(netlink.number(), ports)) return std::nullopt;
  }
  return ports;
}

}  // namespace

std::vector<SocketRow> list_sockets() {
  std::vector<SocketRow> rows;
  add_sockets("/proc/self/net/tcp", rows);
  add_sockets("/proc/self/net/tcp6", rows);
  return rows;
}

std::vector<SocketRow> list_datagram_sockets() {
  std::vector<SocketRow> rows;
  add_sockets("/proc/self/net/udp", rows);
  add_sockets("/proc/self/net/udp6", rows);
  return rows;
}

bool listens(int port) {
  const std::optional<std::set<int>> ports = listening_ports();
  if (ports) return ports->contains(port);
  return std::ranges::any_of(list_sockets(), [&](const SocketRow& row) {
    return row.listening && row.local_port == port;
  });
}

const SocketRow* find_socket(const std::vector<SocketRow>& rows, uint64_t inode) {
  const auto found = std::ranges::find(rows, inode, &SocketRow::inode);
  return inode == 0 || found == rows.end() ? nullptr : &*found;
}

const SocketRow* other_end(const std::vector<SocketRow>& rows, const SocketRow& one) {
  const auto found = std::ranges::find_if(rows, [&](const SocketRow& row) {
    return !row.listening && row.local == one.remote && row.remote == one.local;
  });
  return found == rows.end() ? nullptr : &*found;
}

uint64_t socket_inode(pid_t process, int descriptor) {
  constexpr std::string_view kPrefix = "socket:[";
  std::array<char, 64> link{};
  const std::string path = fmt::format("/proc/{}/fd/{}", process, descriptor);
  const ssize_t size = ::readlink(path.c_str(), link.data(), link.size());
  if (size <= 0) return 0;
  std::string_view text(link.data(), static_cast<size_t>(size));
  if (!text.starts_with(kPrefix)) return 0;
  text.remove_prefix(kPrefix.size());
  uint64_t inode = 0;
  std::from_chars(text.data(), text.data() + text.size(), inode);
  return inode;
}

Descriptor copy_descriptor(pid_t process, int descriptor) {
  const Descriptor of(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
  if (!of.valid()) return Descriptor();
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_getfd, of.number(), descriptor, 0)));
}

// A TCP socket that is told to forget its peer resets the connection, unlike one that is shut down.
// What is left of it then looks to its process as after a reset by the peer: the end of the stream
// when reading, EPIPE when writing, and whoever polls wakes up.
void break_connection(int socket) {
  struct sockaddr nobody {};
  nobody.sa_family = AF_UNSPEC;
  [[maybe_unused]] const int forgotten = ::connect(socket, &nobody, sizeof(nobody));
  ::shutdown(socket, SHUT_RDWR);
  int error = 0;
  socklen_t size = sizeof(error);
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
}

}  // namespace clew::inject
