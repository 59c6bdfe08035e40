#include "inject/surface/launch.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "inject/surface/filter.h"

namespace clew::inject {
namespace {

// What execve may be tried with, as execvp would, by the PATH of the command's own environment.
std::vector<std::string> places_of(const TracedCommand& command) {
  const std::string& word = command.words.front();
  if (word.find('/') != std::string::npos) return {word};
  std::string path = "/usr/local/bin:/usr/bin:/bin";
  for (const std::string& variable : command.environment) {
    if (variable.starts_with("PATH=")) path = variable.substr(5);
  }
  std::vector<std::string> places;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find(':', begin), path.size());
    const std::string folder = path.substr(begin, end - begin);
    places.push_back((folder.empty() ? "." : folder) + "/" + word);
    begin = end + 1;
  }
  return places;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Out of the way of what the command finds open.
constexpr int kFar = TracedCommand::kFacts + 1;

std::pair<Descriptor, Descriptor> make_pipe() {
  int ends[2] = {-1, -1};
  CHECK(pipe2(ends, O_CLOEXEC) == 0, "pipe2: {}", strerror(errno));
  const Descriptor out(ends[0]), in(ends[1]);
  return {Descriptor(fcntl(out.number(), F_DUPFD_CLOEXEC, kFar)),
          Descriptor(fcntl(in.number(), F_DUPFD_CLOEXEC, kFar))};
}

// Only calls that are safe between fork and exec; the first three descriptors become these.
bool place_descriptors(const std::array<int, 3>& wanted, int facts) {
  std::array<int, 3> copies{};
  for (size_t i = 0; i < 3; ++i) {
    copies[i] = wanted[i] >= 0 ? fcntl(wanted[i], F_DUPFD_CLOEXEC, kFar)
                               : open("/dev/null", O_RDWR | O_CLOEXEC);
    if (copies[i] < 0) return false;
  }
  for (int i = 0; i < 3; ++i) {
    if (dup2(copies[static_cast<size_t>(i)], i) < 0) return false;
  }
  if (facts >= 0) facts = fcntl(facts, F_DUPFD_CLOEXEC, kFar);
  return syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0 &&
         (facts < 0 || dup2(facts, TracedCommand::kFacts) >= 0);
}

void forget_signals() {
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &usual, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

bool install(const std::vector<sock_filter>& filter) {
  const sock_fprog program{static_cast<unsigned short>(filter.size()),
                           const_cast<sock_filter*>(filter.data())};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) ==
             0;
}

}  // namespace

// All that needs memory, made before fork.
struct Launch::Prepared {
  const TracedCommand& command;
  std::vector<std::string> places;
  std::vector<char*> words, environment;
  std::vector<sock_filter> filter;
  int go, failed;
};

Launch::Launch(const TracedCommand& command, unsigned long ptrace_options, bool gate)
    : command_(command) {
  CHECK(!command.words.empty(), "a command has at least one word");
  auto [go_out, go_in] = make_pipe();
  auto [failed_out, failed_in] = make_pipe();
  const Prepared prepared{command_,
                          places_of(command_),
                          pointers_to(command_.words),
                          pointers_to(command_.environment),
                          make_filter(gate),
                          go_out.number(),
                          failed_in.number()};
  process_ = fork();
  if (process_ == 0) {
    ::close(go_in.number());  // or the end of the tracer would not be seen
    be_child(prepared);
  }
  if (process_ < 0) {
    cannot_trace_ = fmt::format("fork: {}", strerror(errno));
    return;
  }
  if (ptrace(PTRACE_SEIZE, process_, nullptr, ptrace_options) != 0) {
    cannot_trace_ = fmt::format("ptrace: {}", strerror(errno));
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, __WALL);
    process_ = -1;
  }
  go_ = std::move(go_in);
  failed_ = std::move(failed_out);
}

void Launch::go() {
  const char byte = 1;
  // If the child is gone, there is no exec to wait for, and its end tells so.
  while (::write(go_.number(), &byte, 1) < 0 && errno == EINTR) {
  }
  go_.close();
}

void Launch::be_child(const Prepared& prepared) {
  const auto fail = [&](Step step) {
    const Failed failed{step, errno};
    const ssize_t written = ::write(prepared.failed, &failed, sizeof failed);
    _exit(written == sizeof failed ? 127 : 126);
  };
  char byte = 0;
  while (::read(prepared.go, &byte, 1) < 0 && errno == EINTR) {
  }
  if (byte == 0) _exit(126);  // the tracer is gone
  const TracedCommand& command = prepared.command;
  setpgid(0, 0);
  forget_signals();
  if (!place_descriptors({command.input, command.output, command.errors}, command.facts)) {
    fail(Step::kDescriptors);
  }
  if (!command.folder.empty() && chdir(command.folder.c_str()) != 0) fail(Step::kFolder);
  if (command.user || command.group) {
    const gid_t group = command.group.value_or(getgid());
    if (geteuid() == 0 && setgroups(1, &group) != 0) fail(Step::kGroup);
    if (setresgid(group, group, group) != 0) fail(Step::kGroup);
  }
  const uid_t user = command.user.value_or(geteuid());
  if (command.user && setresuid(user, user, user) != 0) fail(Step::kUser);
  if (!install(prepared.filter)) fail(Step::kFilter);
  int error = ENOENT;
  for (const std::string& place : prepared.places) {
    execve(place.c_str(), prepared.words.data(), prepared.environment.data());
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) break;
  }
  errno = error;
  fail(Step::kProgram);
  _exit(126);
}

Error Launch::trouble() const {
  const std::string& word = command_.words.front();
  if (!cannot_trace_.empty()) {
    return {fmt::format("cannot trace `{}`: {}", word, cannot_trace_),
            "the kernel must permit ptrace: in a container, add the capability SYS_PTRACE or a "
            "seccomp profile that permits it"};
  }
  Failed failed{};
  ssize_t got = 0;
  while ((got = ::read(failed_.number(), &failed, sizeof failed)) < 0 && errno == EINTR) {
  }
  if (got == sizeof failed) return error_of(failed);
  return {fmt::format("`{}` was killed before it began", word),
          "see whether the machine has memory left, and try again"};
}

Error Launch::error_of(const Failed& failed) const {
  const std::string reason = strerror(failed.error);
  const std::string& word = command_.words.front();
  switch (failed.step) {
    case Step::kDescriptors:
      return {fmt::format("cannot give `{}` its input and output: {}", word, reason),
              "see how many files may be open (ulimit -n)"};
    case Step::kFolder:
      return {fmt::format("cannot run `{}` in {}: {}", word, command_.folder, reason),
              "make that folder, or name another one"};
    case Step::kGroup:
    case Step::kUser:
      return {fmt::format("cannot run `{}` as another user: {}", word, reason),
              "run Clew as root, or leave the user out"};
    case Step::kFilter:
      return {fmt::format("cannot stop `{}` at its calls: seccomp: {}", word, reason),
              "the kernel must permit seccomp filters"};
    case Step::kProgram:
      break;
  }
  return {fmt::format("cannot run `{}`: {}", word, reason),
          "name a program that is there and may be executed, by its path or by a name in PATH"};
}

}  // namespace clew::inject
