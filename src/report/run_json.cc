// The outer structure is written by hand, piece by piece, since a Run can be far larger as a tree
// of JSON values than it is as text; the library writes one fact, message or firing at a time.
#include "report/run_json.h"

#include <nlohmann/json.hpp>

namespace clew::report {

namespace {

using nlohmann::ordered_json;

constexpr int kVersion = 1;

ordered_json to_value(const Fact& fact) {
  ordered_json values = ordered_json::array();
  for (const Datum& datum : fact.values) {
    std::visit([&](const auto& value) { values.push_back(value); }, datum);
  }
  return {{"relation", fact.relation}, {"values", std::move(values)}};
}

ordered_json to_value(const Message& message) {
  return {{"from", message.from},
          {"to", message.to},
          {"sent_at", message.sent_at},
          {"fact", to_value(message.fact)},
          {"fate", to_string(message.fate)}};
}

ordered_json to_value(const Firing& firing) {
  ordered_json used = ordered_json::array();
  for (const Firing::Use& use : firing.used) {
    used.push_back({{"fact", to_value(use.fact)}, {"tick", use.tick}});
  }
  ordered_json absences = ordered_json::array();
  for (const Firing::Absence& absence : firing.absences) {
    absences.push_back({{"pattern", absence.pattern}, {"tick", absence.tick}});
  }
  return {{"rule", firing.rule},           {"rule_where", firing.rule_where},
          {"head", to_value(firing.head)}, {"head_tick", firing.head_tick},
          {"used", std::move(used)},       {"absences", std::move(absences)}};
}

ordered_json to_value(const Outcome::Goal& goal) {
  return {{"pre", to_value(goal.pre)}, {"post", goal.post}};
}

ordered_json to_value(const std::string& text) { return text; }

std::string one_line(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

template <class T>
void write_array(std::string& text, const std::vector<T>& items, const std::string& indent) {
  if (items.empty()) {
    text += "[]";
    return;
  }
  const char* separator = "[";
  for (const T& item : items) {
    text += separator;
    text += '\n' + indent + "  " + one_line(to_value(item));
    separator = ",";
  }
  text += '\n' + indent + ']';
}

// A text of several lines, all but the first moved to the right. No JSON string contains a newline.
std::string indented(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::string result;
  for (const char byte : text) {
    result += byte;
    if (byte == '\n') result += "  ";
  }
  return result;
}

void write_ticks(std::string& text, const Run& run) {
  for (size_t i = 0; i < run.facts.size(); ++i) {
    text +=
        fmt::format("{}\n    {{\n      \"tick\": {},\n      \"facts\": ", i == 0 ? "" : ",", i + 1);
    write_array(text, run.facts[i], "      ");
    text += "\n    }";
  }
}

}  // namespace

std::string run_to_json(const Run& run) {
  std::string text = fmt::format("{{\n  \"clew\": \"run\",\n  \"version\": {},\n", kVersion);
  text += "  \"scenario\": " + indented(to_json(run.scenario));
  text += ",\n  \"ticks\": [";
  write_ticks(text, run);
  text += "\n  ],\n  \"messages\": ";
  write_array(text, run.messages, "  ");
  text += ",\n  \"stray\": ";
  write_array(text, run.stray, "  ");
  text += fmt::format(",\n  \"outcome\": {{\n    \"kind\": \"{}\",\n    \"defines_pre\": {},\n",
                      to_string(run.outcome.kind), run.outcome.defines_pre);
  text += "    \"goals\": ";
  write_array(text, run.outcome.goals, "    ");
  text += "\n  }";
  if (!run.firings.empty()) {
    text += ",\n  \"firings\": ";
    write_array(text, run.firings, "  ");
  }
  return text + "\n}\n";
}

}  // namespace clew::report
