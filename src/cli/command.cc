#include "cli/command.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/check.h"

namespace clew::cli {

void refuse_empty(CLI::Option& option) {
  option.check(CLI::Validator(
      [](const std::string& path) -> std::string {
        return path.empty() ? "the path is empty" : "";
      },
      ""));
}

int fail(const Error& error) {
  fmt::print(stderr, "clew: {}\n", error.message);
  if (!error.remedy.empty()) fmt::print(stderr, "  help: {}\n", error.remedy);
  return kInputError;
}

int fail_all(const std::vector<Error>& errors) {
  CHECK(!errors.empty(), "nothing failed");
  for (const Error& error : errors) fail(error);
  return kInputError;
}

}  // namespace clew::cli
