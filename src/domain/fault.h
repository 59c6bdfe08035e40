// Faults: what the world does wrong in one Run.
//
//   FaultSet faults;
//   faults.omissions.push_back(*parse_omission("a>b@2"));   // everything a sends to b at tick 2
//   faults.crashes.push_back(*parse_crash("c@3"));          // c is silent from tick 3 on
//
// The printed form is the parsed form: the same text in flags, JSON, logs and reports.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/fact.h"

namespace clew {

// Loses everything sent from `from` to `to` at `tick`. from != to: nobody loses a message to
// itself.
struct Omission {
  NodeName from;
  NodeName to;
  Tick tick = 1;

  friend bool operator==(const Omission&, const Omission&) = default;
  friend auto operator<=>(const Omission&, const Omission&) = default;
};

// Silences `node` towards the others from `tick` on.
struct Crash {
  NodeName node;
  Tick tick = 1;

  friend bool operator==(const Crash&, const Crash&) = default;
  friend auto operator<=>(const Crash&, const Crash&) = default;
};

// kSilent: a crashed node keeps its state, receives, and talks to itself.
// kStop: from the crash on no rule fires at the node and nothing exists there.
enum class CrashModel { kSilent, kStop };

struct FaultSet {
  std::vector<Omission> omissions;
  std::vector<Crash> crashes;

  bool empty() const { return omissions.empty() && crashes.empty(); }
  // Sorts and removes repetitions, so that equal sets compare equal.
  void normalize();
  friend bool operator==(const FaultSet&, const FaultSet&) = default;
};

std::string to_string(const Omission& omission);  // "a>b@2"
std::string to_string(const Crash& crash);        // "c@3"
std::string to_string(const FaultSet& faults);    // "drop a>b@2, crash c@3" or "no faults"
const char* to_string(CrashModel model);          // "silent" or "stop"

Result<Omission> parse_omission(std::string_view text);
Result<Crash> parse_crash(std::string_view text);
Result<CrashModel> parse_crash_model(std::string_view text);

}  // namespace clew
