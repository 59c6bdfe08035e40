// What engine and twin say differently: the first thing, in words; empty if they agree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "domain/run.h"
#include "simulate/simulator.h"
#include "twin/naive_simulator.h"

namespace clew::simulate {

// Facts, messages, stray destinations, goals, outcome.
std::string compare_runs(const Run& engine, const twin::NaiveRun& twin);

std::string compare_firings(const Run& engine, const twin::NaiveRun& twin);

// The engine must fail at the twin's tick, in one of the expressions that fail there.
std::string compare_errors(const std::optional<RuntimeError>& engine, const twin::NaiveRun& twin,
                           const SourceSet& sources);

}  // namespace clew::simulate
