// What is found is shrunk: the smallest program and scenario, by greedy removal, that still show
// what a test complains about.
//
//   Subject small = shrink({text, scenario}, [&](const Subject& s) { return disagree(s); });
//
// Tried, in turns, until nothing more can go: clauses, literals of bodies, faults, ticks, nodes.
#pragma once

#include <functional>
#include <string>

#include "domain/scenario.h"

namespace clew::twins {

struct Subject {
  std::string text;  // a program; whoever judges it checks that it still is one
  Scenario scenario;
};

using Complaint = std::function<bool(const Subject&)>;

// Requires: still_shows(subject).
Subject shrink(Subject subject, const Complaint& still_shows);

// The program, and the scenario on one line.
std::string describe(const Subject& subject);

}  // namespace clew::twins
