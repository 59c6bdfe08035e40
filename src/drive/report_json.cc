#include <nlohmann/json.hpp>

#include "drive/report.h"

namespace clew::drive {

using explore::Tale;
using explore::Told;
using nlohmann::ordered_json;

namespace {

ordered_json within_json(const SourcePart::Within& within) {
  return {{"requests", within.requests},
          {"faults", within.faults},
          {"crashes", within.crashes},
          {"restarts", within.restarts},
          {"losses", within.losses},
          {"duplicates", within.duplicates},
          {"early_timers", within.early_timers}};
}

}  // namespace

ordered_json tale_json(const Tale& tale) {
  ordered_json moves = ordered_json::array();
  const auto list = [](const std::vector<Told::Sent>& all) {
    ordered_json result = ordered_json::array();
    for (const Told::Sent& one : all) result.push_back({{"to", one.to}, {"message", one.message}});
    return result;
  };
  for (const Told& told : tale.moves) {
    ordered_json move = {{"move", told.move}, {"kind", told.kind}, {"node", told.node}};
    if (!told.from.empty()) move["from"] = told.from;
    if (!told.what.empty()) move["what"] = told.what;
    if (told.kind == "deliver" || told.kind == "lose" || told.kind == "duplicate") {
      move["sent_by"] = told.sent_by;
    }
    move["fault"] = told.fault;
    move["sent"] = list(told.sent);
    move["answered"] = list(told.answered);
    move["state"] = told.state;
    moves.push_back(std::move(move));
  }
  ordered_json start = ordered_json::object();
  for (size_t i = 0; i < tale.nodes.size(); ++i) start[tale.nodes[i]] = tale.start[i];
  ordered_json result = {{"start", std::move(start)}, {"moves", std::move(moves)}};
  if (tale.loop) result["loop"] = *tale.loop;
  if (!tale.never_fire.empty()) result["never_fire"] = tale.never_fire;
  if (!tale.no_loop.empty()) result["no_loop"] = tale.no_loop;
  return result;
}

namespace {

ordered_json awaited_json(const std::map<std::string, Explored::Awaited>& all) {
  ordered_json result = ordered_json::object();
  for (const auto& [property, one] : all) {
    result[property] = {{"held", one.held}, {"awaited", one.awaited}};
  }
  return result;
}

ordered_json counterexample_json(const Counterexample& found) {
  ordered_json cures = ordered_json::array();
  for (const Cured& cure : found.cures) {
    ordered_json one = {{"step", cure.move + 1}};
    if (cure.instead != cure.move) one["after"] = cure.instead + 1;
    cures.push_back(std::move(one));
  }
  ordered_json result = {{"property", found.scenario.source.property},
                         {"violated", found.tale.broken.has_value()},
                         {"within", within_json(found.scenario.source.within)},
                         {"found_with", found.found_with},
                         {"schedule", found.scenario.schedule.choices},
                         {"left_out", found.tale.left_out},
                         {"run", tale_json(found.tale)},
                         {"cures", std::move(cures)}};
  if (found.scenario.source.loop > 0) result["loop"] = found.scenario.source.loop;
  if (found.passing) result["passing"] = tale_json(*found.passing);
  if (!found.saved.empty()) result["saved"] = found.saved;
  return result;
}

}  // namespace

const char* verdict_of(const Report& report) {
  if (report.counterexample) return report.counterexample->tale.broken ? "broken" : "holds";
  if (report.largest() == nullptr) return "unknown";
  return vacuous(report) ? "vacuous" : "robust";
}

std::string to_json(const Report& report) {
  ordered_json explored = ordered_json::array();
  for (const Explored& one : report.explored) {
    explored.push_back({{"within", within_json(one.within)},
                        {"states", one.states},
                        {"paths", one.paths},
                        {"moves", one.moves},
                        {"ends", one.ends},
                        {"depth", one.depth},
                        {"handlers", one.handlers},
                        {"applied", one.applied},
                        {"awaited", awaited_json(one.awaited)},
                        {"complete", one.complete}});
  }
  ordered_json properties = ordered_json::array();
  for (const Described::Property& property : report.program.properties) {
    properties.push_back({{"name", property.name}, {"kind", property.kind}});
  }
  ordered_json root = {{"clew", "explore"},
                       {"version", 1},
                       {"verdict", verdict_of(report)},
                       {"engine", report.engine},
                       {"sources", report.sources},
                       {"nodes", report.program.nodes},
                       {"properties", std::move(properties)},
                       {"explored", std::move(explored)},
                       {"everything", report.everything}};
  if (!report.why_ended.empty()) root["why_ended"] = report.why_ended;
  if (!report.not_alike.empty()) root["not_alike"] = report.not_alike;
  root["declares_state"] = report.program.declares_state;
  if (report.counterexample) root["counterexample"] = counterexample_json(*report.counterexample);
  return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace clew::drive
