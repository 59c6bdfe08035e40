#include "report/json_text.h"

#include <nlohmann/json.hpp>

namespace clew::report {

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

nlohmann::ordered_json json_value(const std::string& text) {
  return nlohmann::ordered_json::parse(text);
}

nlohmann::ordered_json json_bounds(const FaultModel& model) {
  nlohmann::ordered_json bounds = {
      {"eot", model.eot}, {"eff", model.eff}, {"crashes", model.crashes}};
  if (model.eventually > 0) bounds["eventually"] = model.eventually;
  return bounds;
}

}  // namespace clew::report
