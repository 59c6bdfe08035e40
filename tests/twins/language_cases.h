// The language by examples: one small program for every clause of its meaning, with the run worked
// out by hand. The twin is held against these tables, and the engine against the twin.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "domain/scenario.h"

namespace clew::twins {

struct LanguageCase {
  const char* name;
  const char* world;  // "a b, eot 3, stop, drop a>b@1, crash b@2": nodes first, eot 2 if not given
  const char* program;
  const char* expected;  // one line for each tick, then messages, stray destinations, the outcome
};

// How GoogleTest names one.
inline void PrintTo(const LanguageCase& test, std::ostream* out) { *out << test.name; }

std::vector<LanguageCase> language_cases();

// What a LanguageCase's `world` says.
Scenario scenario_of(const std::string& world);

}  // namespace clew::twins
