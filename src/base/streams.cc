#include "base/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/files.h"

namespace clew {

namespace {

std::atomic<bool> g_stdout_closed = false;
std::atomic<int> g_stdout_error = 0;

bool is_open(int number) { return ::fcntl(number, F_GETFD) >= 0; }

// The end of a pipe that nobody reads: whatever path leads to it, nothing can be written there, nor
// is anything there to be read.
void plug(int number) {
  int ends[2];
  if (::pipe(ends) != 0) return;
  // The lowest free numbers, so the first of them is the one that is to be filled.
  const int taken = number == STDIN_FILENO ? ends[0] : ends[1];
  if (taken != number) ::dup2(taken, number);
  for (const int end : ends) {
    if (end != number) ::close(end);
  }
}

}  // namespace

void prepare_streams() {
  g_stdout_closed = !is_open(STDOUT_FILENO);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_open(number)) plug(number);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

void write_stdout(std::string_view text) {
  if (g_stdout_error == 0 && !write_all(STDOUT_FILENO, text)) g_stdout_error = errno;
}

void write_stderr(std::string_view text) { write_all(STDERR_FILENO, text); }

std::optional<Error> stdout_failure() {
  const int code = g_stdout_error;
  if (code == 0) return std::nullopt;
  const std::string what = "the output could not be written: ";
  if (g_stdout_closed) return Error{what + "stdout is closed", "redirect it to a file"};
  if (code == EPIPE) {
    return Error{what + "who read it has stopped reading", "let it read all, or print to a file"};
  }
  return Error{what + why_not(code), remedy_for(code)};
}

}  // namespace clew
