// A scenario as JSON; scenario_from_json.cc reads it back.
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "domain/scenario.h"

namespace clew {

namespace {

using nlohmann::ordered_json;

ordered_json program_json(const Scenario& scenario) {
  ordered_json inputs = ordered_json::array();
  ordered_json includes = ordered_json::array();
  for (size_t i = 0; i < scenario.program.files.size(); ++i) {
    const ProgramFile& file = scenario.program.files[i];
    (i < scenario.program.inputs ? inputs : includes)
        .push_back({{"path", file.path}, {"fingerprint", file.fingerprint}});
  }
  return {{"inputs", std::move(inputs)}, {"includes", std::move(includes)}};
}

ordered_json faults_json(const FaultSet& faults) {
  ordered_json omissions = ordered_json::array();
  for (const Omission& omission : faults.of<Omission>()) {
    omissions.push_back({{"from", omission.from}, {"to", omission.to}, {"tick", omission.tick}});
  }
  ordered_json crashes = ordered_json::array();
  for (const Crash& crash : faults.of<Crash>()) {
    crashes.push_back({{"node", crash.node}, {"tick", crash.tick}});
  }
  return {{"omissions", std::move(omissions)}, {"crashes", std::move(crashes)}};
}

ordered_json limits_json(const Limits& limits) {
  ordered_json links = ordered_json::array();
  for (const Link& link : limits.reliable_links) {
    links.push_back({{"from", link.from}, {"to", link.to}});
  }
  return {{"reliable_nodes", limits.reliable_nodes},
          {"reliable_links", std::move(links)},
          {"no_crash", limits.no_crash}};
}

ordered_json files_json(const std::vector<ProgramFile>& files) {
  ordered_json list = ordered_json::array();
  for (const ProgramFile& file : files) {
    list.push_back({{"path", file.path}, {"fingerprint", file.fingerprint}});
  }
  return list;
}

ordered_json target_json(const Scenario& scenario) {
  return {
      {"clew", "scenario"},
      {"version", kScenarioVersion},
      {"target", files_json(scenario.target.files)},
      {"nodes", scenario.nodes},
      {"promise", scenario.target.promise},
      {"failures", scenario.target.failures},
  };
}

ordered_json source_json(const Scenario& scenario) {
  const SourcePart::Within& within = scenario.source.within;
  ordered_json root = {
      {"clew", "scenario"},
      {"version", kScenarioVersion},
      {"source", files_json(scenario.source.files)},
      {"nodes", scenario.nodes},
      {"within",
       {{"requests", within.requests},
        {"crashes", within.crashes},
        {"restarts", within.restarts},
        {"losses", within.losses},
        {"duplicates", within.duplicates},
        {"early_timers", within.early_timers},
        {"faults", within.faults}}},
      {"seed", scenario.seed},
      {"property", scenario.source.property},
      {"schedule", scenario.schedule.choices},
  };
  if (scenario.source.loop > 0) root["loop"] = scenario.source.loop;
  return root;
}

std::string printed(const ordered_json& root) {
  return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string to_json(const Scenario& scenario) {
  const Status status = validate(scenario);
  CHECK(status.ok(), "an invalid scenario is written: {}", status.error().message);
  if (!scenario.source.files.empty()) return printed(source_json(scenario));
  if (!scenario.target.files.empty()) return printed(target_json(scenario));
  CHECK(scenario.program.inputs <= scenario.program.files.size(), "{} inputs among {} files",
        scenario.program.inputs, scenario.program.files.size());
  const bool leaves_no_choice =
      scenario.schedule == Schedule{} && scenario.inputs.empty() && scenario.seed == 0;
  CHECK(leaves_no_choice, "version {} of the format is about programs alone", kScenarioVersion);
  ordered_json root = {
      {"clew", "scenario"},
      {"version", kScenarioVersion},
      {"program", program_json(scenario)},
      {"nodes", scenario.nodes},
      {"eot", scenario.program.eot},
      {"crash_model", to_string(scenario.program.crash_model)},
      {"faults", faults_json(scenario.faults)},
  };
  if (!scenario.limits.empty()) root["limits"] = limits_json(scenario.limits);
  return printed(root);
}

}  // namespace clew
