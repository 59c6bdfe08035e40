// The slow, obvious twin of src/simulate: a Program under a Scenario, tick by tick.
//
//   NaiveRun run = naive_run(program, scenario);
//   for (const Fact& fact : run.facts[t - 1]) ...   // every fact of tick t
//
// It works on the program as written, with sets and nested loops, and shares no code with the
// engine, so that the two can be compared on any program and any faults. Whoever only wants to know
// how a run ends spares it the rest:
//
//   NaiveRun end = naive_run(program, scenario, kOnlyTheOutcome);
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dedalus/program.h"
#include "domain/run.h"
#include "twin/naive_rule.h"

namespace clew::twin {

// One application of one rule that put a fact at a tick.
struct NaiveFiring {
  std::string rule;  // on one line, as print() shows it
  Tick head_tick = 1;
  Fact head;
  Ground ground;

  friend bool operator==(const NaiveFiring&, const NaiveFiring&) = default;
  friend auto operator<=>(const NaiveFiring&, const NaiveFiring&) = default;
};

struct NaiveRun {
  std::vector<std::set<Fact>> facts;  // by tick - 1
  std::vector<Message> messages;      // by tick, sender, receiver, fact
  std::set<std::string> stray;        // destinations of messages that are not nodes
  std::multiset<NaiveFiring> firings;
  std::vector<Outcome> outcomes;  // by promise
  const Outcome& outcome() const { return worst_of(outcomes); }

  // The first tick at which some binding fails ends the run; facts and messages are then those of
  // the ticks before it. An engine meets one of `failures` first: which one depends on its order.
  std::optional<Tick> failed_at;
  std::set<Failure> failures;
  // What is sent at the last tick could not be calculated: `messages` has none of it.
  bool in_vain = false;

  bool gave_up = false;  // too many steps: nothing else here means anything
};

struct NaiveOptions {
  uint64_t most_steps = 300'000;
  bool firings = true;  // whether they are wanted
  bool trace = true;    // facts, messages and strays are wanted
  Stop stop{};          // asked often; true ends the run with Stopped
};
inline const NaiveOptions kOnlyTheOutcome{
    .most_steps = UINT64_MAX, .firings = false, .trace = false};

NaiveRun naive_run(const dedalus::Program& program, const Scenario& scenario,
                   const NaiveOptions& options = {});

}  // namespace clew::twin
