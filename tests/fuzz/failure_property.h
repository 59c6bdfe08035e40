// What must be true of every text that is read as a failure.
#pragma once

#include <string_view>

#include "base/check.h"
#include "inject/failure.h"

namespace clew::inject {

// Whatever is read survives being printed and read again, and the printed form stays. True if it
// was read.
inline bool check_failure_property(std::string_view text) {
  const Result<Failure> read = parse_failure(text);
  if (!read.ok()) {
    CHECK(!read.error().message.empty());
    CHECK(!read.error().remedy.empty());
    return false;
  }
  const std::string printed = to_string(*read);
  const Result<Failure> again = parse_failure(printed);
  CHECK(again.ok(), "{}: {}", printed, again.error().message);
  CHECK(*again == *read, "{}", printed);
  CHECK(read->is_power() == !read->keeps.empty(), "{}", printed);
  CHECK(read->occurrence >= 1, "{}", printed);
  return true;
}

}  // namespace clew::inject
