// What is made to go wrong at a failure point. Its printed form is its parsed form:
//
//   EIO@4c1be0d2            the first time that the point is reached, the call fails with EIO
//   EIO!@4c1be0d2#3         the third time; and from then on every call on the same target fails so
//   EIO@4c1be0d2~2          the first time since the node was started again: in its second life
//   crash-before@4c1be0d2   the node's processes are killed before the call, or
//   crash-after@4c1be0d2    after it
//   short@4c1be0d2          half of what was asked for is read or written
//   torn@4c1be0d2           half of it is written, then the node is killed
//   corrupt@4c1be0d2        one bit of what is read, or of what is written, differs
//   reset@4c1be0d2          the connection is reset, for both ends
//   timeout@4c1be0d2        the call fails with ETIMEDOUT, and so does whoever uses the connection
//   cut@4c1be0d2            the two nodes cannot reach each other any more
//   drop@4c1be0d2           a datagram is lost
//   power-before(none)@4c1be0d2   the node dies, and its files become a legal crash state (disk.h):
//   power-after(all-but-3)@4c1be0d2   here all that was not synced is there but the third operation
//
//   const Failure failure = *parse_failure("EIO!@4c1be0d2#3");
//   failure.occurrence == 3;
//   to_string(failure) == "EIO!@4c1be0d2#3";
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inject/point.h"

namespace clew::inject {

enum class Effect {
  kError,
  kShort,
  kTorn,
  kCorrupt,
  kCrashBefore,
  kCrashAfter,
  kReset,
  kTimeout,
  kCut,
  kDrop,
  kPowerBefore,
  kPowerAfter,
};

struct Failure {
  std::string point{};      // its id
  uint32_t life = 1;        // of its node, which begins with its how many-th start
  uint32_t occurrence = 1;  // the how many-th time in this life that it is reached
  Effect effect = Effect::kError;
  int error = 0;         // of kError
  bool lasting = false;  // of kError: later calls on the same target fail likewise
  std::string keeps{};   // of a power cut: the name of a disk::Choice

  bool is_power() const { return effect == Effect::kPowerBefore || effect == Effect::kPowerAfter; }
  bool ends_node() const;  // by a crash or a power cut
  friend bool operator==(const Failure&, const Failure&) = default;
  friend auto operator<=>(const Failure&, const Failure&) = default;
};

// Whether this state of a disk has a rename that was not done in one piece (docs/crash-states.md).
bool tears_a_rename(std::string_view keeps);

std::string to_string(const Failure& failure);
Result<Failure> parse_failure(std::string_view text);

// "write fails with EIO", "the node is killed after rename, the 3rd time": without the place.
std::string describe(const Failure& failure, const Point& point);

// What one run is to suffer; sorted, distinct.
using Plan = std::vector<Failure>;
std::string to_string(const Plan& plan);  // "EIO@4c1be0d2, torn@99ab01ff", or "no failures"

// Which kinds a user asks for, by the words of a target file: crash, error, lasting, short, torn,
// corrupt, reset, timeout, cut, drop, power.
struct Kinds {
  bool crash = true, error = true, lasting = false, short_io = false, torn = false, corrupt = false,
       reset = false, timeout = false, cut = false, drop = false, power = false;
  bool torn_renames = false;  // of a power cut: it may come in the middle of a rename
  bool loader = false;        // also where programs are loaded, before they begin
  std::vector<int> errors{};  // only these; empty: all that the call can return
  size_t most_errors = 2;     // of one point, the first of its row's, if `errors` is empty
  size_t most_states = 200;   // that one power cut may leave
};

// All that can go wrong at this point, by these kinds; but for power cuts, which depend on what the
// disk has not synced. Sorted by effect. Errors are those that the call's row names, as far as the
// object can give them: no full disk on a socket, no lost connection on a file. What reads changes
// nothing, so there is no crash after it; what is torn or corrupt is a file's; a connection is
// reset, times out and is cut where something is sent or received (the last two also where it is
// made). Datagrams are lost and cut off, but have no connection that could end, and none is half
// sent.
std::vector<Failure> failures_at(const Point& point, uint32_t occurrence, const Kinds& kinds);

}  // namespace clew::inject
