// An argument between the engine and its twin over one program.
//
//   Loaded loaded = load(text);
//   Session session{text, {scenario, another}, {}};
//   EXPECT_EQ(argue(session, loaded, tally), "");
//
// A disagreement is shrunk before it is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "dedalus/program.h"
#include "simulate/simulator.h"
#include "twin/naive_simulator.h"

namespace clew::simulate {

struct Loaded {
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<dedalus::Program> program;  // nothing if it has errors
};

Loaded load(const std::string& text);

// What both were asked, and how often something happened.
struct Tally {
  uint64_t programs = 0;
  uint64_t rejected = 0;  // by the checker
  uint64_t runs = 0;
  uint64_t gave_up = 0;  // too long for the twin
  uint64_t failed = 0;   // with a run-time error
  uint64_t facts = 0;
  uint64_t firings = 0;
  uint64_t messages = 0;
  uint64_t lost = 0;
  uint64_t holds = 0;
  uint64_t violated = 0;
  uint64_t in_vain = 0;      // what is sent at the last tick could not be calculated
  uint64_t all_stopped = 0;  // at the last tick
  uint64_t mixed = 0;        // programs that compare integers with strings
  uint64_t reused = 0;       // ticks that the engine took over from the run before

  void add(const twin::NaiveRun& run);
};

std::ostream& operator<<(std::ostream& out, const Tally& tally);

// A program and the scenarios that one simulator runs in turn.
struct Session {
  std::string text;
  std::vector<Scenario> scenarios;  // with the same nodes and crash model
  SimulatorOptions options;
  uint64_t most_steps = twin::NaiveOptions{}.most_steps;
};

// Argues over all scenarios; the shrunk complaint about the first that differs, or nothing.
std::string argue(const Session& session, const Loaded& loaded, Tally& tally);

}  // namespace clew::simulate
