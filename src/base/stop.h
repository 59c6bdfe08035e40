// Work that may take long ends when it is told to: the time or the memory is used up, or the user
// has interrupted it.
//
//   Watch watch(stop);                     // a Stop: true once the work shall end
//   for (int64_t number : numbers) {
//     watch.look();                        // now and then asks, and throws Stopped
//     sum += number;
//   }
//
// Whoever begins the work catches what is thrown and keeps what is known by then:
//
//   std::optional<int64_t> sum = unless_stopped([&] { return add_up(numbers, stop); });
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <optional>

namespace clew {

// Asked often, by any thread: true ends the work.
using Stop = std::function<bool()>;

struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

class Watch {
 public:
  Watch() = default;  // nobody stops the work
  explicit Watch(Stop stop) : stop_(std::move(stop)) {}

  // So many steps more have been done, or are about to be: each a fraction of a microsecond.
  void look(size_t steps = 1) {
    if (steps < left_) {
      left_ -= steps;
    } else {
      ask();
    }
  }
  // Asks now: before something that takes a while.
  void ask();

 private:
  static constexpr size_t kSteps = 10'000;

  Stop stop_;
  size_t left_ = kSteps;
};

// What the work gives; nothing if it was stopped, or if there was no memory left for it.
template <class Work>
auto unless_stopped(const Work& work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const Stopped&) {
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

}  // namespace clew
