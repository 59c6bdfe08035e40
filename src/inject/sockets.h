// The sockets of this network namespace, as the kernel lists them.
//
//   listens(7000);                             // somebody waits for connections there
//   const std::vector<SocketRow> rows = list_sockets();
//   const SocketRow* one = find_socket(rows, socket_inode(::getpid(), connection));
//   other_end(rows, *one);                     // what it is connected to; null: nothing here
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/descriptor.h"

namespace clew::inject {

struct SocketRow {
  uint64_t inode = 0;         // 0: nobody has accepted it yet
  std::string local, remote;  // address and port, in the kernel's own digits
  uint16_t local_port = 0;
  bool listening = false;
};

std::vector<SocketRow> list_sockets();  // of streams
std::vector<SocketRow> list_datagram_sockets();
// Without a look at all of the kernel's table of connections, which takes milliseconds.
bool listens(int port);
const SocketRow* find_socket(const std::vector<SocketRow>& rows, uint64_t inode);
const SocketRow* other_end(const std::vector<SocketRow>& rows, const SocketRow& one);

// Of what a process has open under this number; 0: that is no socket.
uint64_t socket_inode(pid_t process, int descriptor);
// A second descriptor of the same socket, in our process.
Descriptor copy_descriptor(pid_t process, int descriptor);

// Both ends learn that the connection is gone, and this one has been told so.
void break_connection(int socket);

}  // namespace clew::inject
