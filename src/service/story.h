// What happened in one run, moment by moment, as text, page and exports show it.
//
//   const std::vector<Moment> all = story(observed, plan);
//   all[2].who;                                          // "n"
//   all[2].what;                                         // "pwrite64 fails with EIO (b)"
//   const std::vector<Moment> few = in_short(all, 40);   // what struck, and what led to it
//
// A moment is a happening, by its number; a failure and the call that it strikes are one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inject/failure.h"
#include "inject/observed.h"

namespace clew::service {

struct Moment {
  enum class Kind { kCall, kLine, kChange, kFailure, kFact };

  uint32_t at = 0;    // the number of the happening, from 1
  std::string who{};  // a node, `workload` or `check`
  Kind kind = Kind::kCall;
  std::string what{};
  bool failed = false;  // a call that gave an error
  bool dies = false;    // a node, or it starts again
  bool comes_back = false;
  std::string point{};  // of a call and a failure: its id

  friend bool operator==(const Moment&, const Moment&) = default;
};

const char* to_string(Moment::Kind kind);  // "call", "line", "change", "failure", "fact"

std::vector<Moment> story(const inject::Observed& seen, const inject::Plan& plan);

// `log2 to log`; empty: nothing.
std::string objects_of(const inject::Object& first, const inject::Object& second);

// At most so many: what became of nodes, what struck, what was said, and what led to it.
std::vector<Moment> in_short(const std::vector<Moment>& all, size_t most);
// The same, with as many of the calls that follow the first failure as there is room for, then of
// those before it.
std::vector<Moment> around(const std::vector<Moment>& all, size_t most);

}  // namespace clew::service
