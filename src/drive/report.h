// What an exploration has found, for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "drive/session.h"

namespace clew::drive {

// Ends in a newline, at most 80 columns wide but for single long messages. The same on every
// machine, but for how far the time went.
std::string to_text(const Report& report);
std::string told_text(const explore::Tale& tale);  // the diagram, and step by step
// docs/formats/explore.md
std::string to_json(const Report& report);
nlohmann::ordered_json tale_json(const explore::Tale& tale);  // `run` there

// Why what was explored says nothing, if so: nothing happened, or something was never judged.
std::optional<Error> vacuous(const Report& report);

// What others say in the same words.
const char* verdict_of(const Report& report);             // `broken`
std::string bounds_of(const SourcePart::Within& within);  // `1 request at a time and no fault`
std::string kinds_of(const SourcePart::Within& within);   // `crashes; with restarts`
std::string steps_of(const Counterexample& found);        // `9 steps, shortened to 8`
std::string exhausted_of(const Report& report, const Explored&);  // `20 states, 32 moves, ...`
// `20 states`. Requires that something was explored as a whole.
std::string held_in(const Report& report, const Described::Property& property);
// Why it went no further, and what lets it; empty if it was not ended.
std::string end_of(const Report& report);
std::vector<std::string> caveats(const Report& report);

}  // namespace clew::drive
