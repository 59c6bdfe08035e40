#include "report/model_json.h"

#include <nlohmann/json.hpp>

namespace clew::report {

using nlohmann::ordered_json;

ordered_json json_faults(const FaultSet& faults) {
  ordered_json result = {{"omissions", ordered_json::array()}, {"crashes", ordered_json::array()}};
  for (const Omission& omission : faults.of<Omission>()) {
    result["omissions"].push_back(
        {{"from", omission.from}, {"to", omission.to}, {"tick", omission.tick}});
  }
  for (const Crash& crash : faults.of<Crash>()) {
    result["crashes"].push_back({{"node", crash.node}, {"tick", crash.tick}});
  }
  return result;
}

ordered_json json_bounds(const FaultModel& model) {
  ordered_json bounds = {{"eot", model.eot}, {"eff", model.eff}, {"crashes", model.crashes}};
  if (model.eventually > 0) bounds["eventually"] = model.eventually;
  return bounds;
}

ordered_json json_limits(const Limits& limits) {
  ordered_json links = ordered_json::array();
  for (const Link& link : limits.reliable_links) {
    links.push_back({{"from", link.from}, {"to", link.to}});
  }
  return {{"reliable_nodes", limits.reliable_nodes},
          {"reliable_links", std::move(links)},
          {"no_crash", limits.no_crash}};
}

}  // namespace clew::report
