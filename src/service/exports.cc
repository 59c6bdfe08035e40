#include "service/exports.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "report/escape.h"
#include "report/json_text.h"
#include "report/sarif.h"
#include "service/story.h"
#include "service/tell.h"

namespace clew::service {

namespace {

using nlohmann::ordered_json;
using report::xml;

constexpr size_t kMostSteps = 200;

// The element that the test case of a promise ends in.
std::string ending(const Report& report, const Report::Promise& promise) {
  const auto element = [&](const char* name, const char* type, const std::string& message) {
    return fmt::format("      <{0} type=\"{1}\" message=\"{2}\">{3}</{0}>\n", name, type,
                       xml(message), xml(to_text(report)));
  };
  if (promise.violated > 0) return element("failure", "violated", promise_of(promise));
  if (promise.tested == 0) return element("error", "vacuous", promise_of(promise));
  if (const std::optional<Error> why = nothing_said(report)) {
    return element("error", "vacuous", why->message);
  }
  if (!report.why_ended.empty()) return element("error", "unknown", report.why_ended);
  return fmt::format("      <system-out>{}</system-out>\n", xml(to_text(report)));
}

bool is_error(const Report& report, const Report::Promise& promise) {
  if (promise.violated > 0) return false;
  return promise.tested == 0 || nothing_said(report) || !report.why_ended.empty();
}

struct Place {
  std::string path;
  size_t line = 1;
};

// Of `merge (master.cc:81)`.
std::optional<Place> place_in(const std::string& frame) {
  const size_t open = frame.rfind(" (");
  const size_t colon = frame.rfind(':');
  if (open == std::string::npos || colon == std::string::npos || colon < open ||
      !frame.ends_with(')')) {
    return std::nullopt;
  }
  Place place{frame.substr(open + 2, colon - open - 2)};
  const char* const end = frame.data() + frame.size() - 1;
  const auto [stopped, error] = std::from_chars(frame.data() + colon + 1, end, place.line);
  if (error != std::errc() || stopped != end || place.line == 0) return std::nullopt;
  return place;
}

ordered_json location_of(const Report& report, const Group& group, const std::string& root) {
  Place place{report.target};
  if (!group.points.empty()) {
    place = place_in(group.points.front().place()).value_or(std::move(place));
  }
  return {{"artifactLocation", {{"uri", report::uri(place.path, root)}}},
          {"region", {{"startLine", place.line}}}};
}

ordered_json result_of(const Report& report, const Group& group, const std::string& root) {
  const ordered_json place = location_of(report, group, root);
  std::string message = fmt::format("{}: {}", often(group), fmt::join(causes(group), "; "));
  if (!group.saved.empty()) message += fmt::format(". clew replay {} runs it again", group.saved);
  ordered_json result = {{"ruleId", "clew/violated-promise"},
                         {"level", "error"},
                         {"message", {{"text", message}}},
                         {"locations", ordered_json::array({{{"physicalLocation", place}}})},
                         {"partialFingerprints", {{"clewFailures/v1", to_string(group.plan)}}}};
  if (!group.observed) return result;
  ordered_json steps = ordered_json::array();
  for (const Moment& one : in_short(story(*group.observed, group.plan), kMostSteps)) {
    const std::string text = fmt::format("{}: {}", one.who, one.what);
    ordered_json step = {
        {"location", {{"physicalLocation", place}, {"message", {{"text", text}}}}}};
    if (one.kind == Moment::Kind::kFailure) step["importance"] = "essential";
    steps.push_back(std::move(step));
  }
  if (steps.empty()) return result;
  const ordered_json flow = {{"threadFlows", ordered_json::array({{{"locations", steps}}})}};
  result["codeFlows"] = ordered_json::array({flow});
  return result;
}

// Whether it could say what there is to say.
ordered_json invocation_of(const Report& report) {
  const std::optional<Error> why = nothing_said(report);
  ordered_json notes = ordered_json::array();
  if (why) {
    notes.push_back({{"level", "error"}, {"message", {{"text", why->message}}}});
  } else if (!report.why_ended.empty()) {
    notes.push_back({{"level", "warning"}, {"message", {{"text", headline_of(report)}}}});
  }
  return {{"executionSuccessful", !why}, {"toolExecutionNotifications", std::move(notes)}};
}

}  // namespace

std::string junit(const Report& report) {
  const auto count = [&](const auto& test) { return std::ranges::count_if(report.promises, test); };
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", report.promises.size(),
                  count([](const Report::Promise& one) { return one.violated > 0; }),
                  count([&](const Report::Promise& one) { return is_error(report, one); }));
  const std::string suite = xml(std::filesystem::path(report.target).stem().string());
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"clew inject\" {}>\n"
      "  <testsuite name=\"{}\" {} skipped=\"0\">\n",
      counts, suite, counts);
  for (const Report::Promise& one : report.promises) {
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}    </testcase>\n", suite,
                        xml(one.name), ending(report, one));
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

std::string sarif(const Report& report, const std::string& root) {
  ordered_json results = ordered_json::array();
  for (const Group& group : report.groups) results.push_back(result_of(report, group, root));
  const ordered_json rule = {
      {"id", "clew/violated-promise"},
      {"shortDescription", {{"text", "Failures break what was promised"}}},
      {"help", {{"text", "clew replay runs the saved failures again; see docs/inject.md."}}}};
  const ordered_json run = {
      {"tool", {{"driver", {{"name", "clew inject"}, {"rules", ordered_json::array({rule})}}}}},
      {"invocations", ordered_json::array({invocation_of(report)})},
      {"results", std::move(results)}};
  const ordered_json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", ordered_json::array({run})}};
  return report::json_text(log, 2) + '\n';
}

}  // namespace clew::service
