#include "check/verified.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/json_text.h"
#include "report/model_json.h"

namespace clew::check {

namespace {

using nlohmann::ordered_json;

std::string tell_crash_model(CrashModel model) {
  return model == CrashModel::kStop
             ? "stop: no rule fires at a crashed node, and nothing exists there"
             : "silent: a crashed node keeps its state, receives, and talks to itself";
}

std::string tell_nodes(const Verified& verified) {
  const std::vector<NodeName>& nodes = verified.folder.certificate.model.nodes;
  std::string text = fmt::format("{}", fmt::join(nodes, ", "));
  std::vector<NodeName> left_out;
  std::ranges::set_difference(dedalus::mentioned_nodes(verified.input->program), nodes,
                              std::back_inserter(left_out));
  if (!left_out.empty()) {
    text += fmt::format("; the program also mentions {}", fmt::join(left_out, ", "));
  }
  return text;
}

std::string tell_promise(const Verified& verified) {
  const verify::Applies& applies = verified.seen.applies;
  const std::string& name = verified.folder.certificate.promise;
  std::string text =
      fmt::format("what is in pre at tick {} is in post; ", verified.folder.certificate.model.eot);
  if (name != dedalus::kSpec) text = name + "; ";
  if (applies.without_faults > 0) {
    return text + count_noun(applies.without_faults, "tuple") + " without faults";
  }
  text += "none without faults, ";
  return text + (applies.faults ? fmt::format("but with {}", to_string(*applies.faults))
                                : "and no run was found in which there is one");
}

std::string tell_accepted(const Verified& verified) {
  const FaultModel& model = verified.folder.certificate.model;
  const verify::Verification& seen = verified.seen;
  std::vector<std::string> files;
  for (const ProgramFile& file : verified.input->files) files.push_back(file.path);
  std::string text =
      fmt::format("accepted: no faults within {} violate the program\n", describe_bounds(model));
  text += fmt::format("  crash model: {}\n", tell_crash_model(model.crash_model));
  if (!model.limits.empty()) text += fmt::format("  limits: {}\n", describe(model.limits));
  text += fmt::format("  nodes: {}\n", tell_nodes(verified));
  text += fmt::format("  files: {}\n", fmt::join(files, ", "));
  text += fmt::format("  promise: {}\n", tell_promise(verified));
  return text + fmt::format("{} possible, {} of the certificate follow, {} of the proof\n",
                            count_noun(seen.facts, "fact"), count_noun(seen.clauses, "clause"),
                            count_noun(seen.lemmas, "lemma"));
}

ordered_json json_claim(const Verified& verified) {
  const FaultModel& model = verified.folder.certificate.model;
  const verify::Applies& applies = verified.seen.applies;
  ordered_json files = ordered_json::array();
  for (const ProgramFile& file : verified.input->files) {
    files.push_back({{"path", file.path}, {"fingerprint", file.fingerprint}});
  }
  ordered_json with = nullptr;
  if (applies.without_faults > 0) with = report::json_faults({});
  if (applies.faults) with = report::json_faults(*applies.faults);
  const ordered_json promise = {{"name", verified.folder.certificate.promise},
                                {"tuples_without_faults", applies.without_faults},
                                {"applies_with", std::move(with)}};
  ordered_json claim = {{"bounds", report::json_bounds(model)},
                        {"crash_model", to_string(model.crash_model)}};
  if (!model.limits.empty()) claim["limits"] = report::json_limits(model.limits);
  claim["nodes"] = model.nodes;
  claim["files"] = std::move(files);
  claim["inputs"] = verified.input->inputs;
  claim["promises"] = ordered_json::array({promise});
  return claim;
}

}  // namespace

std::string to_text(const Verified& verified) {
  const std::optional<verify::Refusal>& refusal = verified.seen.refusal;
  if (!refusal) return tell_accepted(verified);
  const std::string where =
      refusal->file.empty() ? "" : (std::filesystem::path(verified.folder.path) / "").string();
  return fmt::format("refused: {}{}\n", where, verify::to_string(*refusal));
}

std::string to_json(const Verified& verified) {
  const verify::Verification& seen = verified.seen;
  ordered_json result = {{"clew", "verify"}, {"version", 1}, {"accepted", !seen.refusal}};
  if (seen.refusal) {
    result["refusal"] = {{"file", seen.refusal->file},
                         {"line", seen.refusal->line},
                         {"message", seen.refusal->message}};
  } else {
    result["claim"] = json_claim(verified);
    result["facts"] = seen.facts;
    result["clauses"] = seen.clauses;
    result["lemmas"] = seen.lemmas;
  }
  return report::json_text(result, 2) + "\n";
}

}  // namespace clew::check
