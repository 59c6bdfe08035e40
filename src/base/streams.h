// What a command prints: results to stdout, all else to stderr.
//
//   prepare_streams();                            // first thing of main()
//   to_stderr("note: {} has changed\n", path);    // cannot fail: nobody depends on it
//   to_stdout("{}", report);                      // neither: it goes on after a failure
//   if (const auto failure = stdout_failure()) tell(*failure);  // which is told at the end
//
// Who cannot print still has files to write and a verdict to give, so neither throws nor ends the
// process: a stream may be closed, full, or a pipe that nobody reads.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace clew {

// Gives every standard stream that is closed a number that stays closed for writing, so that no
// file which is opened later takes its place and gets its text. A pipe without readers and a file
// that grows too large become failures of write(), not signals that end the process.
void prepare_streams();

// As it is, at once. After the first failure nothing more is written.
void write_stdout(std::string_view text);
void write_stderr(std::string_view text);

template <class... Args>
void to_stdout(fmt::format_string<Args...> format, Args&&... args) {
  write_stdout(fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void to_stderr(fmt::format_string<Args...> format, Args&&... args) {
  write_stderr(fmt::format(format, std::forward<Args>(args)...));
}

// Why something that was meant for stdout did not get there, and what to do; nothing if all did.
std::optional<Error> stdout_failure();

}  // namespace clew
