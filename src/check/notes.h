// What a check says besides its results: warnings, notes about what was left out, and how far it
// is. Whoever begins the check decides where that goes:
//
//   const Notes notes{.write = write_stderr, .shows_progress = isatty(STDERR_FILENO) != 0};
//   std::optional<ProgramInput> input = read_program(paths, notes);
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "base/source.h"

namespace clew::check {

struct Notes {
  // Gets each text at once, as it is, from any thread. Empty: nobody listens.
  std::function<void(std::string_view text)> write{};
  // A line may be drawn, erased and drawn again, as on a terminal.
  bool shows_progress = false;

  template <class... Args>
  void tell(fmt::format_string<Args...> format, Args&&... args) const {
    if (write) write(fmt::format(format, std::forward<Args>(args)...));
  }
  // Sorted, if there are any.
  void show(Diagnostics& diagnostics, const SourceSet& sources) const;
};

}  // namespace clew::check
