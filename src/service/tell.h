// What a campaign has found, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "service/report.h"

namespace clew::service {

// Ends in a newline, at most 80 columns wide but for single long words.
std::string to_text(const Report& report);
// docs/formats/inject.md. Of the points alone, nothing else is in it.
std::string to_json(const Report& report);
// Of a replay.
std::string replay_text(const Report& report);
// Failure points, what can go wrong there, and which are not stable.
std::string points_text(const Report& report);

// Why nothing can be said of it, if so.
std::optional<Error> nothing_said(const Report& report);

// What others say in the same words.
const char* verdict_of(const Report& report);            // `violated`
std::string headline_of(const Report& report);           // without the verdict
std::string counted(const Count& count);                 // `231 tried, 4 violate, 12 left`
std::string promise_of(const Report::Promise& promise);  // `applied to 231 runs, violated in 4`
// What has come of it in short: `"lost" in 5 of 5 runs`.
std::string often(const Group& group);
// Each failure of the plan, with its place: `master: the node is killed before rename, of "log2",
// at merge (master.cc:81)`.
std::vector<std::string> causes(const Group& group);
std::vector<std::string> caveats(const Report& report);

}  // namespace clew::service
