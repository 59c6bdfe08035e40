// What recordings of hosted nodes show (explore/recorded.h), for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace clew::drive {

// `judged` is what Session::judge() gives.
std::string recordings_text(const nlohmann::json& judged);
// docs/formats/replay.md
std::string recordings_json(const nlohmann::json& judged);
// The first word of the text: `broken`, `impossible`, `differs`, `holds`, `same`.
std::string verdict_of_recordings(const nlohmann::json& judged);

}  // namespace clew::drive
