// The analysis as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyze/analysis.h"

namespace clew::analyze {

using nlohmann::json;
using node::Footprint;

namespace {

std::string set_line(const char* name, std::vector<std::string> fields) {
  std::ranges::replace(fields, std::string(NodeField::kOthers), std::string("other fields"));
  return fields.empty() ? "" : fmt::format("      {:<7} {}\n", name, fmt::join(fields, ", "));
}

std::string text_of_sets(const NodeSets& node, const Footprint& sets) {
  std::vector<std::string> updates = node.names(sets.updates);
  const std::vector<std::string> increments = node.names(sets.increments);
  for (std::string& field : updates) {
    if (std::ranges::find(increments, field) != increments.end()) field += "++";
  }
  const std::string text = set_line("read", node.names(sets.reads)) + set_line("update", updates) +
                           set_line("send", node.names(sets.sends)) +
                           set_line("disk", node.names(sets.disk));
  return text.empty() ? "      nothing\n" : text;
}

std::string text_of_record(const NodeSets& node, const Record& record) {
  std::vector<std::string> guards;
  for (const Guard& guard : record.guards) {
    const std::string words = guard.words();
    const bool wide = words.find("||") != std::string::npos && record.guards.size() > 1;
    guards.push_back(wide ? "(" + words + ")" : words);
  }
  const std::string text =
      guards.empty() ? fmt::format("    always{}\n", record.crash_path ? ", crash path" : "")
                     : fmt::format("    if {}{}\n", fmt::join(guards, " && "),
                                   record.crash_path ? ", crash path" : "");
  return text + text_of_sets(node, record.sets);
}

std::string text_of_handler(const NodeSets& node, const HandlerSets& handler) {
  std::string text =
      fmt::format("  {}{}{}\n", handler.kind, handler.input.empty() ? "" : " ", handler.input);
  for (const Record& record : handler.records) text += text_of_record(node, record);
  for (const Note& note : handler.notes) {
    text += fmt::format("    note: {}: {}\n", note.place.text(), note.why);
  }
  return text;
}

}  // namespace

std::string to_text(const Analysis& analysis) {
  std::string text;
  for (const NodeSets& node : analysis.nodes) {
    text += fmt::format("{}{}, {}:{}\n", text.empty() ? "" : "\n", node.name, node.place.file,
                        node.place.line);
    if (!node.opaque.empty()) {
      text +=
          fmt::format("  {}: every handler may read, update and send everything\n", node.opaque);
      continue;
    }
    for (const HandlerSets& handler : node.handlers) text += text_of_handler(node, handler);
    if (const Footprint crash = node.of_crash_paths(); crash != Footprint()) {
      text += "  crash paths together\n" + text_of_sets(node, crash);
    }
  }
  return text;
}

namespace {

json json_of_sets(const NodeSets& node, const Footprint& sets) {
  return {{"read", node.names(sets.reads)},
          {"update", node.names(sets.updates)},
          {"increment", node.names(sets.increments)},
          {"send", node.names(sets.sends)},
          {"disk", node.names(sets.disk)}};
}

json json_of_record(const NodeSets& node, const Record& record) {
  json guards = json::array();
  for (const Guard& guard : record.guards) {
    guards.push_back({{"text", guard.words()},
                      {"where", to_json(guard.holds ? guard.term : make_not(guard.term))}});
  }
  json result = json_of_sets(node, record.sets);
  result["guards"] = std::move(guards);
  result["sends"] = record.sends;
  result["crash_path"] = record.crash_path;
  return result;
}

json json_of_handler(const NodeSets& node, const HandlerSets& handler) {
  json records = json::array(), notes = json::array();
  for (const Record& record : handler.records) records.push_back(json_of_record(node, record));
  for (const Note& note : handler.notes) {
    notes.push_back({{"at", note.place.text()}, {"why", note.why}});
  }
  return {{"handler", handler.kind},
          {"input", handler.input},
          {"at", handler.place.line == 0 ? "" : handler.place.text()},
          {"records", std::move(records)},
          {"notes", std::move(notes)}};
}

}  // namespace

std::string to_json(const Analysis& analysis) {
  json nodes = json::array();
  for (const NodeSets& node : analysis.nodes) {
    json fields = json::array(), handlers = json::array();
    for (const NodeField& field : node.fields) {
      fields.push_back({{"name", field.name}, {"durable", field.durable}});
    }
    for (const HandlerSets& handler : node.handlers) {
      handlers.push_back(json_of_handler(node, handler));
    }
    nodes.push_back({{"class", node.name},
                     {"at", node.place.text()},
                     {"opaque", node.opaque},
                     {"fields", std::move(fields)},
                     {"handlers", std::move(handlers)},
                     {"crash_paths", json_of_sets(node, node.of_crash_paths())}});
  }
  return json{{"clew", "analyze"}, {"version", 1}, {"nodes", std::move(nodes)}}.dump(
      2, ' ', false, json::error_handler_t::replace);
}

}  // namespace clew::analyze
