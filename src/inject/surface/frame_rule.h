// How to get from a place in a program to its caller: where the registers of the caller are.
#pragma once

#include <cstdint>

namespace clew::inject {

struct FrameRule {
  // `base + offset`, or what memory has there.
  struct Where {
    enum class Base : uint8_t { kNothing, kSame, kSp, kBp, kCfa } base = Base::kNothing;
    bool in_memory = false;
    int32_t offset = 0;
    friend bool operator==(const Where&, const Where&) = default;
  };
  enum class Kind : uint8_t {
    kUnknown,       // nobody knows how to go on
    kEnd,           // there is no caller
    kFramePointer,  // no rule: the frame pointer may help
    kRule,
  };

  Kind kind = Kind::kUnknown;
  bool is_signal = false;  // the caller was interrupted: its place is not behind a call
  Where cfa{};             // the stack pointer of the caller
  Where return_address{};
  Where bp{.base = Where::Base::kSame};
  friend bool operator==(const FrameRule&, const FrameRule&) = default;
};

}  // namespace clew::inject
