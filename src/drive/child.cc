#include "drive/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <csignal>
#include <ctime>

#include "base/check.h"

extern char** environ;

namespace clew::drive {

namespace {

constexpr size_t kMostPrinted = 64 << 10;

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  int sockets[2] = {-1, -1}, pipe[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return;
  socket_ = Descriptor(sockets[0]);
  const Descriptor theirs(sockets[1]);
  if (::pipe2(pipe, O_CLOEXEC) != 0) return;
  output_ = Descriptor(pipe[0]);
  const Descriptor printer(pipe[1]);
  const Descriptor page(::memfd_create("clew", MFD_CLOEXEC));
  if (!page.valid() || ::ftruncate(page.number(), sizeof(explore::Page)) != 0) return;
  void* shared =
      ::mmap(nullptr, sizeof(explore::Page), PROT_READ | PROT_WRITE, MAP_SHARED, page.number(), 0);
  if (shared == MAP_FAILED) return;
  page_ = static_cast<explore::Page*>(shared);
  ::fcntl(output_.number(), F_SETFL, O_NONBLOCK);
  start(command, theirs.number(), page.number(), printer.number());
}

void Child::start(const std::vector<std::string>& command, int socket, int page, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  // Far away first, so that none of them is overwritten by another.
  constexpr int kFar = 100;
  posix_spawn_file_actions_adddup2(&actions, socket, kFar + explore::kQuestions);
  posix_spawn_file_actions_adddup2(&actions, page, kFar + explore::kPage);
  for (const int number : {1, 2}) posix_spawn_file_actions_adddup2(&actions, output, number);
  for (const int number : {explore::kQuestions, explore::kPage}) {
    posix_spawn_file_actions_adddup2(&actions, kFar + number, number);
    posix_spawn_file_actions_addclose(&actions, kFar + number);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigfillset(&usual);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  // A group of its own: Ctrl-C is clew's, which tells it.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int code =
      ::posix_spawnp(&process_, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (code != 0) process_ = -1, errno = code;
}

Child::~Child() {
  if (valid() && !ended_) {
    signal(SIGKILL);
    wait();
  }
  if (page_ != nullptr) ::munmap(page_, sizeof(explore::Page));
}

void Child::say(const std::string& line) {
  // Whoever has ended does not listen; that is noticed when nothing is heard.
  for (size_t at = 0; at < line.size();) {
    const ssize_t count =
        ::send(socket_.number(), line.data() + at, line.size() - at, MSG_NOSIGNAL);
    if (count <= 0) return;
    at += static_cast<size_t>(count);
  }
}

void Child::read_printed() {
  char buffer[4096];
  for (ssize_t count = 0; (count = ::read(output_.number(), buffer, sizeof buffer)) > 0;) {
    printed_.append(buffer, static_cast<size_t>(count));
    if (printed_.size() > 2 * kMostPrinted) printed_.erase(0, printed_.size() - kMostPrinted);
  }
}

bool Child::read_socket() {
  char buffer[65536];
  const ssize_t count = ::recv(socket_.number(), buffer, sizeof buffer, MSG_DONTWAIT);
  if (count > 0) heard_.append(buffer, static_cast<size_t>(count));
  if (count == 0) over_ = true;
  return count > 0;
}

std::optional<std::string> Child::hear(std::chrono::milliseconds within) {
  if (heard_.find('\n') == std::string::npos && !over_) {
    pollfd waiting[] = {{socket_.number(), POLLIN, 0}, {output_.number(), POLLIN, 0}};
    ::poll(waiting, 2, static_cast<int>(within.count()));
    read_printed();
    while (read_socket()) {
    }
  }
  const size_t end = heard_.find('\n');
  if (end == std::string::npos) return std::nullopt;
  std::string line = heard_.substr(0, end);
  heard_.erase(0, end + 1);
  return line;
}

double Child::processor_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(process_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void Child::signal(int number) const {
  if (valid() && !ended_) ::kill(-process_, number);
}

Child::Ended Child::wait() {
  CHECK(valid(), "waiting for a process that was not started");
  if (ended_) return *ended_;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  read_printed();
  ended_ = WIFSIGNALED(status) ? Ended{true, WTERMSIG(status)} : Ended{false, WEXITSTATUS(status)};
  return *ended_;
}

}  // namespace clew::drive
