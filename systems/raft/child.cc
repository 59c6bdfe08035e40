#include "systems/raft/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "base/check.h"

namespace clew::raft {

namespace {

// The child tells moves line by line, as they are made, and in the end, if it gets there, what was
// violated.
constexpr char kMove = '-';
constexpr char kEnd = '=';

void tell(std::FILE* out, char what, const std::string& text) {
  std::fprintf(out, "%c%s\n", what, text.c_str());
  std::fflush(out);
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[65536];
  for (ssize_t size; (size = ::read(descriptor, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(size));
  }
  return text;
}

// Whether the child told its end.
bool understand(const std::string& told, Outcome& outcome) {
  bool ended = false;
  for (size_t at = 0; at < told.size();) {
    const size_t end = told.find('\n', at);
    if (end == std::string::npos) break;
    const std::string text = told.substr(at + 1, end - at - 1);
    if (told[at] == kMove) outcome.moves.push_back(text);
    if (told[at] == kEnd) outcome.violation = text, ended = true;
    at = end + 1;
  }
  return ended;
}

std::string how_it_died(int status) {
  if (!WIFSIGNALED(status)) return "exit " + std::to_string(WEXITSTATUS(status));
  const int number = WTERMSIG(status);
  return "signal " + std::to_string(number) + ": " + ::strsignal(number);
}

}  // namespace

Outcome in_child(const std::function<Outcome(const OnMove&)>& run) {
  int ends[2];
  CHECK(::pipe(ends) == 0, "no pipe: {}", std::strerror(errno));
  std::fflush(nullptr);
  const pid_t child = ::fork();
  CHECK(child >= 0, "no process: {}", std::strerror(errno));
  if (child == 0) {
    ::close(ends[0]);
    std::FILE* out = ::fdopen(ends[1], "w");
    const Outcome outcome = run([out](const std::string& move) { tell(out, kMove, move); });
    tell(out, kEnd, outcome.violation);
    ::_exit(0);
  }
  ::close(ends[1]);
  Outcome outcome;
  const bool ended = understand(read_all(ends[0]), outcome);
  ::close(ends[0]);
  int status = 0;
  CHECK(::waitpid(child, &status, 0) == child, "a child is lost: {}", std::strerror(errno));
  if (!ended) outcome.violation = how_it_died(status);
  return outcome;
}

}  // namespace clew::raft
