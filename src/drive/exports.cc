#include "drive/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "drive/diagram.h"
#include "drive/report.h"
#include "report/escape.h"
#include "report/sarif.h"

namespace clew::drive {

namespace {

using nlohmann::ordered_json;
using report::xml;

constexpr uint64_t kMostReadBytes = 16 << 20;

std::string name_of(const Report& report) {
  return std::filesystem::path(report.sources.front()).stem().string();
}

std::string length_of(const explore::Tale& tale) {
  const std::string steps = fmt::format("{} steps", tale.moves.size());
  return tale.loop ? fmt::format("{}, {} again and again", steps, steps_of_loop(tale)) : steps;
}

// What the report says of one property, as the element that a test case ends in.
std::string ending(const Report& report, const std::string& property) {
  if (const auto& found = report.counterexample) {
    if (found->scenario.source.property != property || !found->tale.broken) {
      return "      <skipped message=\"another property broke first\"/>\n";
    }
    return fmt::format("      <failure type=\"broken\" message=\"{}\">{}</failure>\n",
                       xml(length_of(found->tale)), xml(to_text(report)));
  }
  if (report.largest() == nullptr) {
    return fmt::format("      <error type=\"unknown\" message=\"{}\">{}</error>\n",
                       xml(report.why_ended), xml(to_text(report)));
  }
  if (const std::optional<Error> why = vacuous(report)) {
    return fmt::format("      <error type=\"vacuous\" message=\"{}\">{}</error>\n",
                       xml(why->message), xml(to_text(report)));
  }
  return fmt::format("      <system-out>{}</system-out>\n", xml(to_text(report)));
}

}  // namespace

std::vector<std::string> properties_of(const Report& report) {
  std::vector<std::string> names;
  names.reserve(report.program.properties.size() + 1);
  for (const Described::Property& property : report.program.properties) {
    names.push_back(property.name);
  }
  if (report.counterexample && report.counterexample->tale.broken) {
    const std::string& broken = report.counterexample->scenario.source.property;
    if (std::ranges::find(names, broken) == names.end()) names.push_back(broken);
  }
  return names;
}

// The first line of a source that has the name in quotes.
std::optional<std::pair<std::string, size_t>> place_of(const Report& report,
                                                       const std::string& property) {
  for (const std::string& source : report.sources) {
    const Result<std::string> text = read_file(source, kMostReadBytes);
    if (!text.ok()) continue;
    const std::string wanted =
        source.ends_with(".ded") ? ' ' + property + ':' : '"' + property + '"';
    const size_t at = text->find(wanted);
    if (at == std::string::npos) continue;
    const auto lines =
        std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return std::pair(source, static_cast<size_t>(lines) + 1);
  }
  return std::nullopt;
}

namespace {

ordered_json result_of(const Report& report, const std::string& root) {
  const Counterexample& found = *report.counterexample;
  const auto [path, line] = place_of(report, found.scenario.source.property)
                                .value_or(std::pair(report.sources.front(), 1));
  const ordered_json place = {{"artifactLocation", {{"uri", report::uri(path, root)}}},
                              {"region", {{"startLine", line}}}};
  ordered_json steps = ordered_json::array();
  for (size_t i = 0; i < found.tale.moves.size(); ++i) {
    const bool loops = found.tale.loop == i + 1;
    const std::string text =
        (loops ? "again and again from here: " : "") + found.tale.moves[i].move;
    steps.push_back({{"location", {{"physicalLocation", place}, {"message", {{"text", text}}}}}});
  }
  const ordered_json flow = {{"threadFlows", ordered_json::array({{{"locations", steps}}})}};
  return {{"ruleId", "clew/broken-property"},
          {"level", "error"},
          {"message", {{"text", to_text(report)}}},
          {"locations", ordered_json::array({{{"physicalLocation", place}}})},
          {"codeFlows", ordered_json::array({flow})}};
}

}  // namespace

std::string junit(const Report& report) {
  const std::vector<std::string> names = properties_of(report);
  const bool broken = report.counterexample && report.counterexample->tale.broken;
  const size_t errors =
      !report.counterexample && (report.largest() == nullptr || vacuous(report)) ? names.size() : 0;
  const size_t skipped = broken ? names.size() - 1 : 0;
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", names.size(),
                                         broken ? 1 : 0, errors);
  const std::string suite = xml(name_of(report));
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"clew explore\" {}>\n"
      "  <testsuite name=\"{}\" {} skipped=\"{}\">\n",
      counts, suite, counts, skipped);
  for (const std::string& name : names) {
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}    </testcase>\n", suite,
                        xml(name), ending(report, name));
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

std::string sarif(const Report& report, const std::string& root) {
  ordered_json results = ordered_json::array();
  const bool broken = report.counterexample && report.counterexample->tale.broken;
  if (broken) results.push_back(result_of(report, root));
  const ordered_json rule = {
      {"id", "clew/broken-property"},
      {"shortDescription", {{"text", "A schedule breaks what must hold"}}},
      {"help", {{"text", "clew replay runs the saved schedule again; see docs/explore.md."}}}};
  const ordered_json run = {
      {"tool", {{"driver", {{"name", "clew explore"}, {"rules", ordered_json::array({rule})}}}}},
      {"results", std::move(results)}};
  const ordered_json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", ordered_json::array({run})}};
  return log.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace clew::drive
