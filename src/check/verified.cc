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
  files.reserve(verified.input->files.size());
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

bool same_program(const Verified& a, const Verified& b) {
  return a.input && b.input && same_files(a.input->files, *b.input);
}

bool covers(const Verified& one, const Verified& program, const std::string& promise) {
  return !one.seen.refusal && same_program(one, program) &&
         one.folder.certificate.promise == promise;
}

// What the programs promise beyond what was accepted, each once.
std::vector<std::string> not_covered(const std::vector<Verified>& all) {
  std::vector<std::string> names;
  for (const Verified& one : all) {
    if (!one.input) continue;
    for (const dedalus::PromiseInfo& promise : one.input->program.promises) {
      const bool covered = std::ranges::any_of(
          all, [&](const Verified& other) { return covers(other, one, promise.name); });
      const bool told = std::ranges::find(names, promise.name) != names.end();
      if (promise.defines_pre && !covered && !told) names.push_back(promise.name);
    }
  }
  return names;
}

// How a certificate is called among others.
std::string name_of(const Verified& verified) {
  const std::string& promise = verified.folder.certificate.promise;
  return promise.empty() ? verified.folder.path : promise;
}

std::string tell_all(const std::vector<Verified>& all) {
  std::vector<std::string> words;
  words.reserve(all.size());
  for (const Verified& one : all) {
    words.push_back(fmt::format("{} {}", name_of(one), one.seen.refusal ? "refused" : "accepted"));
  }
  const std::vector<std::string> others = not_covered(all);
  for (const std::string& name : others) {
    const bool refused = std::ranges::any_of(
        all, [&](const Verified& one) { return one.seen.refusal && name_of(one) == name; });
    if (!refused) words.push_back(name + " not covered");
  }
  if (words.size() == 1) return "";
  return fmt::format("promises: {}\n", fmt::join(words, ", "));
}

std::string to_text(const Verified& verified) {
  const std::optional<verify::Refusal>& refusal = verified.seen.refusal;
  if (!refusal) return tell_accepted(verified);
  const std::string where =
      refusal->file.empty() ? "" : (std::filesystem::path(verified.folder.path) / "").string();
  return fmt::format("refused: {}{}\n", where, verify::to_string(*refusal));
}

void add_verified(const Verified& verified, ordered_json& result) {
  const verify::Verification& seen = verified.seen;
  result["accepted"] = !seen.refusal;
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
}

}  // namespace

std::string to_text(const std::vector<Verified>& all) {
  std::string text;
  for (const Verified& one : all) text += (text.empty() ? "" : "\n") + to_text(one);
  const std::string told = tell_all(all);
  return text + (all.size() > 1 ? "\n" : "") + told;
}

std::string to_json(const std::vector<Verified>& all) {
  ordered_json result = {{"clew", "verify"}, {"version", 1}};
  if (all.size() == 1) {
    add_verified(all.front(), result);
  } else {
    result["accepted"] =
        std::ranges::none_of(all, [](const Verified& one) { return one.seen.refusal.has_value(); });
    ordered_json certificates = ordered_json::array();
    for (const Verified& one : all) {
      ordered_json certificate = {{"folder", one.folder.path}};
      add_verified(one, certificate);
      certificates.push_back(std::move(certificate));
    }
    result["certificates"] = std::move(certificates);
  }
  if (const std::vector<std::string> names = not_covered(all); !names.empty()) {
    result["not_covered"] = names;
  }
  return report::json_text(result, 2) + "\n";
}

}  // namespace clew::check
