#include "drive/recordings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/text.h"
#include "drive/report.h"

namespace clew::drive {

namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

std::string what_was_replayed(const json& judged) {
  std::string text = fmt::format("{} of {}, {} of a process",
                                 count_noun(judged.at("steps").get<uint64_t>(), "step"),
                                 fmt::join(judged.at("nodes").get<Lines>(), ", "),
                                 count_noun(judged.at("lives").get<uint64_t>(), "start"));
  return text;
}

std::string listed(const char* head, const Lines& lines) {
  constexpr size_t kMostShown = 10;
  std::string text;
  for (size_t i = 0; i < std::min(lines.size(), kMostShown); ++i) {
    text += fmt::format("{}: {}\n", head, lines[i]);
  }
  if (lines.size() > kMostShown) {
    text += fmt::format("{}: and {} more\n", head, lines.size() - kMostShown);
  }
  return text;
}

}  // namespace

std::string verdict_of_recordings(const json& judged) {
  if (!judged.at("differences").empty()) return "differs";
  if (!judged.at("impossible").empty()) return "impossible";
  if (judged.contains("broken")) return "broken";
  return judged.at("judged").get<bool>() ? "holds" : "same";
}

std::string recordings_text(const json& judged) {
  const std::string replayed = what_was_replayed(judged);
  std::string text = listed("differs", judged.at("differences").get<Lines>()) +
                     listed("impossible", judged.at("impossible").get<Lines>());
  if (judged.contains("broken")) {
    const auto tale = judged.at("tale").get<explore::Tale>();
    text += fmt::format("broken: \"{}\"\n", judged.at("broken").get<std::string>());
    const auto left_out = judged.at("left_out").get<uint64_t>();
    if (left_out > 0) text += fmt::format("  after {}\n", count_noun(left_out, "move"));
    text += '\n' + told_text(tale);
  }
  const std::string verdict = verdict_of_recordings(judged);
  if (verdict == "holds") {
    text += fmt::format(
        "holds: {}\n  each does what its node's code does, and nothing that is "
        "promised is violated\n",
        replayed);
  } else if (verdict == "same") {
    text += fmt::format("same: {}\n  each does what its node's code does\n", replayed);
  } else {
    text += fmt::format("  in {}\n", replayed);
  }
  for (const auto& one : judged.at("not_judged").get<Lines>()) {
    text += fmt::format("  not judged: {}\n", one);
  }
  if (const auto missing = judged.at("missing").get<Lines>(); !missing.empty()) {
    text += fmt::format(
        "  what is promised of all nodes was not judged: recordings of {} are "
        "missing\n",
        fmt::join(missing, ", "));
  }
  return text;
}

std::string recordings_json(const json& judged) {
  using nlohmann::ordered_json;
  ordered_json root = {{"clew", "replay"}, {"version", 1}};
  root["verdict"] = verdict_of_recordings(judged);
  for (const char* key : {"nodes", "missing", "steps", "crashes"}) root[key] = judged.at(key);
  root["starts"] = judged.at("lives");
  for (const char* key : {"differences", "impossible", "not_judged"}) root[key] = judged.at(key);
  if (judged.contains("broken")) {
    root["counterexample"] = {{"property", judged.at("broken")},
                              {"left_out", judged.at("left_out")},
                              {"run", tale_json(judged.at("tale").get<explore::Tale>())}};
  }
  return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace clew::drive
