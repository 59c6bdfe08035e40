// CHECK states what must hold. It stays on in every build; when it fails, the bug is ours.
//
//   CHECK(row < size(), "row {} of {}", row, size());
//
// prints the condition and the message to stderr and ends the process with exit code 1.
#pragma once

#include <fmt/format.h>

#include <string>

namespace clew {

[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               const std::string& message);

}  // namespace clew

#define CHECK(condition, ...)                                                              \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      ::clew::check_failed(__FILE__, __LINE__, #condition, ::fmt::format("" __VA_ARGS__)); \
    }                                                                                      \
  } while (false)
