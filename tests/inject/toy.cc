// What the tests of whole runs run: a small server that keeps what it is told in a file, and its
// client. Linked statically, so that it makes few calls before its own.
//
//   inject_toy serve PORT FILE     a line comes, goes to the file, is synced, and `ok` goes back
//   inject_toy ask PORT WORD...    each word is a line; prints what came back, or what went wrong
//   inject_toy send PORT WORD...   the words as datagrams
//   inject_toy take PORT           prints datagrams
//   inject_toy again               reads a pipe that is empty twice, then has something in it
//   inject_toy eat MEGABYTES       uses so much memory, and waits
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int kTries = 400;
constexpr useconds_t kPause = 5'000;

sockaddr_in address_of(const char* port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(std::atoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

void say(const std::string& text) {
  const std::string line = text + "\n";
  if (write(STDOUT_FILENO, line.data(), line.size()) < 0) _exit(3);
}

std::string why() { return strerrorname_np(errno); }

// Up to a line end; empty: the other side has gone, or `why()` says what went wrong.
std::string read_line(int socket) {
  std::string line;
  char c = 0;
  errno = 0;
  while (read(socket, &c, 1) == 1) {
    if (c == '\n') return line;
    line.push_back(c);
  }
  return "";
}

bool keep(int file, const std::string& text) {
  const std::string line = text + "\n";
  size_t done = 0;
  while (done < line.size()) {
    const ssize_t count = write(file, line.data() + done, line.size() - done);
    if (count < 0) return false;
    done += static_cast<size_t>(count);
  }
  return fdatasync(file) == 0;
}

bool send_whole(int socket, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = send(socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (count < 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

int serve(const char* port, const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  const sockaddr_in address = address_of(port);
  if (file < 0 ||
      bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 5) != 0) {
    say("cannot serve: " + why());
    return 1;
  }
  say("ready");
  while (true) {
    const int connection = accept(listener, nullptr, nullptr);
    if (connection < 0) return 2;
    for (std::string line = read_line(connection); !line.empty(); line = read_line(connection)) {
      const std::string answer = keep(file, line) ? "ok\n" : "failed " + why() + "\n";
      if (!send_whole(connection, answer)) break;
    }
    if (errno != 0) say("lost " + why());
    close(connection);
  }
}

int connected(const char* port) {
  const sockaddr_in address = address_of(port);
  for (int i = 0; i < kTries; ++i) {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      return connection;
    }
    const int error = errno;
    close(connection);
    errno = error;
    if (error != ECONNREFUSED) return -1;
    usleep(kPause);
  }
  return -1;
}

int ask(const char* port, char** words) {
  int connection = -1;
  for (; *words != nullptr; ++words) {
    if (connection < 0) connection = connected(port);
    if (connection < 0) {
      say(std::string(*words) + " not sent " + why());
      continue;
    }
    const std::string line = std::string(*words) + "\n";
    std::string answer;
    if (send_whole(connection, line)) answer = read_line(connection);
    if (answer.empty()) {
      answer = "lost " + (errno == 0 ? "END" : why());
      close(connection);
      connection = -1;
    }
    say(std::string(*words) + " " + answer);
  }
  return 0;
}

int send_all(const char* port, char** words) {
  const int socket_number = socket(AF_INET, SOCK_DGRAM, 0);
  const sockaddr_in address = address_of(port);
  for (; *words != nullptr; ++words) {
    const ssize_t sent = sendto(socket_number, *words, strlen(*words), 0,
                                reinterpret_cast<const sockaddr*>(&address), sizeof address);
    say("sent " + std::to_string(sent));
  }
  return 0;
}

int take(const char* port) {
  const int socket_number = socket(AF_INET, SOCK_DGRAM, 0);
  const sockaddr_in address = address_of(port);
  const auto* const plain = reinterpret_cast<const sockaddr*>(&address);
  if (bind(socket_number, plain, sizeof address) != 0) return 1;
  say("ready");
  while (true) {
    char bytes[100];
    const ssize_t count = recvfrom(socket_number, bytes, sizeof bytes, 0, nullptr, nullptr);
    if (count < 0) return 2;
    say("took " + std::string(bytes, static_cast<size_t>(count)));
  }
}

int again() {
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) != 0) return 1;
  char byte = 0;
  for (int i = 0; i < 3; ++i) {
    if (i == 2 && write(ends[1], "x", 1) != 1) return 1;
    const ssize_t count = read(ends[0], &byte, 1);
    say(count == 1 ? "read" : why());
  }
  return 0;
}

int eat(const char* megabytes) {
  std::vector<char> all(static_cast<size_t>(std::atoi(megabytes)) << 20U, 'x');
  say("full");
  pause();
  return all[0] == 'x' ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const std::string what = count > 1 ? words[1] : "";
  if (what == "serve" && count == 4) return serve(words[2], words[3]);
  if (what == "ask" && count > 2) return ask(words[2], words + 3);
  if (what == "send" && count > 2) return send_all(words[2], words + 3);
  if (what == "take" && count == 3) return take(words[2]);
  if (what == "again") return again();
  if (what == "eat" && count == 3) return eat(words[2]);
  return 9;
}
