#include <array>
#include <nlohmann/json.hpp>

#include "report/json_text.h"
#include "report/why.h"
#include "service/story.h"
#include "service/tell.h"

namespace clew::service {

namespace {

using nlohmann::ordered_json;

const char* name_of(inject::Object::Kind kind) {
  constexpr std::array<const char*, 7> kNames = {"none", "file",   "folder", "socket",
                                                 "pipe", "output", "other"};
  return kNames[static_cast<size_t>(kind)];
}

ordered_json object_json(const inject::Object& object) {
  return {{"kind", name_of(object.kind)}, {"name", object.name}};
}

ordered_json point_json(const inject::Point& point) {
  ordered_json result = {{"id", point.id()},          {"node", point.node},
                         {"thread", point.thread},    {"call", point.call},
                         {"io", to_string(point.io)}, {"place", point.place()},
                         {"stack", point.stack},      {"truncated", point.truncated}};
  for (const auto& [key, object] :
       {std::pair("object", &point.object), std::pair("object2", &point.object2)}) {
    if (object->kind != inject::Object::Kind::kNone) result[key] = object_json(*object);
  }
  return result;
}

ordered_json seen_json(const PointSeen& seen) {
  ordered_json result = point_json(seen.point);
  result["runs"] = seen.runs;
  result["fewest"] = seen.fewest;
  result["most"] = seen.most;
  result["stable"] = seen.stable();
  result["ids"] = seen.ids;
  return result;
}

ordered_json count_json(const Count& count) {
  return {{"failures", count.failures},
          {"tried", count.tried},
          {"violating", count.violating},
          {"covered", count.covered},
          {"not_reached", count.not_reached},
          {"failed", count.failed},
          {"left", count.left},
          {"unlikely", count.unlikely}};
}

ordered_json moment_json(const Moment& moment) {
  ordered_json result = {{"at", moment.at},
                         {"who", moment.who},
                         {"kind", to_string(moment.kind)},
                         {"what", moment.what}};
  if (!moment.point.empty()) result["point"] = moment.point;
  return result;
}

ordered_json group_json(const Group& group) {
  ordered_json failures = ordered_json::array();
  for (size_t i = 0; i < group.plan.size(); ++i) {
    failures.push_back({{"failure", to_string(group.plan[i])},
                        {"what", inject::describe(group.plan[i], group.points[i])},
                        {"point", point_json(group.points[i])}});
  }
  ordered_json alike = ordered_json::array();
  for (const inject::Plan& plan : group.alike) alike.push_back(to_string(plan));
  ordered_json happened = ordered_json::array();
  if (group.observed) {
    for (const Moment& one : story(*group.observed, group.plan)) {
      happened.push_back(moment_json(one));
    }
  }
  ordered_json why = ordered_json::array();
  for (const check::Broken& broken : group.broken) {
    why.push_back({{"promise", broken.promise},
                   {"tick", broken.goal.tick},
                   {"why", report::json_why(broken.pre)},
                   {"why_not", report::json_why_not(broken.post)}});
  }
  ordered_json result = {{"promises", group.promises},      {"failures", std::move(failures)},
                         {"minimal", group.minimal},        {"violations", group.violations},
                         {"replays", group.replays},        {"violated", group.violated},
                         {"alike", std::move(alike)},       {"why", std::move(why)},
                         {"happened", std::move(happened)}, {"saved", group.saved}};
  if (group.like) result["like"] = *group.like + 1;
  return result;
}

ordered_json warnings_json(const Report& report) {
  ordered_json result = ordered_json::array();
  for (const inject::Warning& one : report.warnings) {
    result.push_back({{"what", one.what}, {"remedy", one.remedy}});
  }
  return result;
}

template <class List, class ToJson>
ordered_json list_json(const List& list, const ToJson& to_json) {
  ordered_json result = ordered_json::array();
  for (const auto& one : list) result.push_back(to_json(one));
  return result;
}

ordered_json promise_json(const Report::Promise& promise) {
  return {{"name", promise.name},
          {"applied", promise.applied},
          {"tested", promise.tested},
          {"violated", promise.violated}};
}

}  // namespace

std::string to_json(const Report& report) {
  const ordered_json result = {{"clew", "inject"},
                               {"version", 1},
                               {"verdict", verdict_of(report)},
                               {"headline", headline_of(report)},
                               {"target", report.target},
                               {"nodes", report.nodes},
                               {"promises", list_json(report.promises, promise_json)},
                               {"most_failures", report.most_failures},
                               {"occurrences", report.occurrences},
                               {"ids", report.ids},
                               {"counts", list_json(report.counts, count_json)},
                               {"runs", report.runs},
                               {"failure_free", report.failure_free},
                               {"hung", report.hung},
                               {"lineage_tried", report.lineage_tried},
                               {"nothing_left", report.nothing_left},
                               {"why_ended", report.why_ended},
                               {"points", list_json(report.points, seen_json)},
                               {"groups", list_json(report.groups, group_json)},
                               {"warnings", warnings_json(report)}};
  return report::json_text(result, 2) + "\n";
}

}  // namespace clew::service
