// Result<T> is a T or an Error: what the environment (a file, a saved scenario, a flag) got wrong.
//
//   Result<std::string> text = read_file(path, most_bytes);
//   if (!text.ok()) return text.error();
//   use(*text);
//
// A mistake in a user's program is not an Error but a Diagnostic, which points at the source.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace clew {

// `message` says what is wrong; `remedy` (may be empty) says what to do next.
struct Error {
  std::string message;
  std::string remedy;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  T&& operator*() && { return std::move(value()); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  const Error& error() const {
    CHECK(!ok(), "error() of a Result that holds a value");
    return std::get<Error>(state_);
  }

 private:
  const T& value() const {
    CHECK(ok(), "value of a Result that holds an error: {}", std::get<Error>(state_).message);
    return std::get<T>(state_);
  }
  T& value() {
    CHECK(ok(), "value of a Result that holds an error: {}", std::get<Error>(state_).message);
    return std::get<T>(state_);
  }

  std::variant<T, Error> state_;
};

struct Nothing {};
using Status = Result<Nothing>;

}  // namespace clew
