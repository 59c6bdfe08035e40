// How long to wait for others: for a disk, for somebody at the other end of a pipe, for a folder
// that another process has locked.
//
// Who interrupts a command wants it to end soon: then it is in a hurry, and waits for hardly
// anything.
#pragma once

#include <atomic>
#include <chrono>

namespace clew {

namespace internal {
inline std::atomic<bool> g_hurry = false;
}  // namespace internal

// From now on, for the whole process. A signal handler may call it.
inline void hurry() { internal::g_hurry = true; }
inline bool in_a_hurry() { return internal::g_hurry; }

inline std::chrono::milliseconds patience() {
  return std::chrono::milliseconds(in_a_hurry() ? 500 : 10'000);
}

// What patience() gave.
inline const char* in_words(std::chrono::milliseconds patience) {
  return patience < std::chrono::seconds(1) ? "half a second" : "ten seconds";
}

}  // namespace clew
