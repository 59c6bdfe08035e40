#include "cli/command.h"

#include <fmt/format.h>

#include <cstdio>

namespace clew::cli {

int fail(const Error& error) {
  fmt::print(stderr, "clew: {}\n", error.message);
  if (!error.remedy.empty()) fmt::print(stderr, "  help: {}\n", error.remedy);
  return kInputError;
}

}  // namespace clew::cli
