#include "verify/certificate.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/columns.h"
#include "base/text.h"

namespace clew::verify {

namespace {

using nlohmann::json;

constexpr const char* kFormat = "clew-certificate/1";
constexpr int kMostNesting = 8;
constexpr int64_t kMostCount = int64_t{1} << 40;
constexpr const char* kRemedy = "write the certificate anew with `clew check --certificate`";

// Refuses deep nesting and repeated keys while the text is read.
class Guard {
 public:
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (depth > kMostNesting) throw Error{"this is nested too deeply", kRemedy};
    const auto level = static_cast<size_t>(depth);
    if (keys_.size() <= level + 1) keys_.resize(level + 2);
    if (event == json::parse_event_t::object_start) keys_[level + 1].clear();
    if (event == json::parse_event_t::key && !keys_[level].insert(parsed).second) {
      throw Error{fmt::format("the key {} occurs twice", printable(parsed.dump(), 60)), kRemedy};
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;  // of the object at each depth
};

[[noreturn]] void fail(std::string message) { throw Error{std::move(message), kRemedy}; }

const json& member(const json& object, const std::string& where, const char* key) {
  if (!object.is_object()) fail(fmt::format("{} must be an object", where));
  const auto at = object.find(key);
  if (at == object.end()) fail(fmt::format("the key \"{}\" is missing in {}", key, where));
  return *at;
}

void only(const json& object, const std::string& where, std::initializer_list<const char*> keys) {
  for (const auto& [key, value] : object.items()) {
    const std::string& name = key;
    if (std::ranges::none_of(keys, [&](const char* known) { return name == known; })) {
      fail(fmt::format("there is an unknown key \"{}\" in {}", printable(name, 60), where));
    }
  }
}

std::string text(const json& object, const std::string& where, const char* key) {
  const json& value = member(object, where, key);
  if (!value.is_string()) fail(fmt::format("\"{}\" in {} must be a string", key, where));
  return value.get<std::string>();
}

int64_t integer(const json& object, const std::string& where, const char* key, int64_t least,
                int64_t most) {
  const json& value = member(object, where, key);
  const bool fits = value.is_number_integer() && value >= least && value <= most;
  if (!fits) {
    fail(fmt::format("\"{}\" in {} must be an integer from {} to {}", key, where, least, most));
  }
  return value.get<int64_t>();
}

const json& array(const json& object, const std::string& where, const char* key) {
  const json& value = member(object, where, key);
  if (!value.is_array()) fail(fmt::format("\"{}\" in {} must be an array", key, where));
  return value;
}

ProgramFile program_file(const json& value, const std::string& where) {
  ProgramFile file{text(value, where, "path"), text(value, where, "fingerprint")};
  only(value, where, {"path", "fingerprint"});
  if (file.path.empty() || file.path.find('\0') != std::string::npos) {
    fail(fmt::format("the path in {} is none", where));
  }
  return file;
}

void read_nodes(const json& root, Certificate& certificate) {
  for (const json& node : array(root, "the certificate", "nodes")) {
    if (!node.is_string()) fail("\"nodes\" must hold strings");
    certificate.model.nodes.push_back(node.get<std::string>());
  }
  std::ranges::sort(certificate.model.nodes);
  Scenario scenario;
  scenario.nodes = certificate.model.nodes;
  if (const Status status = validate(scenario); !status.ok()) throw Error{status.error()};
}

NodeName node_in(const json& node, const FaultModel& model) {
  const bool known =
      node.is_string() && std::ranges::binary_search(model.nodes, node.get<NodeName>());
  if (!known) fail("\"limits\" must name nodes of the certificate");
  return node.get<NodeName>();
}

void read_limits(const json& limits, FaultModel& model) {
  only(limits, "limits", {"reliable_nodes", "reliable_links", "no_crash"});
  for (const json& node : array(limits, "limits", "reliable_nodes")) {
    model.limits.reliable_nodes.insert(node_in(node, model));
  }
  for (const json& link : array(limits, "limits", "reliable_links")) {
    const NodeName from = node_in(member(link, "reliable_links", "from"), model);
    const NodeName to = node_in(member(link, "reliable_links", "to"), model);
    only(link, "reliable_links", {"from", "to"});
    model.limits.reliable_links.insert({from, to});
  }
  for (const json& node : array(limits, "limits", "no_crash")) {
    model.limits.no_crash.insert(node_in(node, model));
  }
}

Certificate decode(const json& root) {
  const std::string whole = "the certificate";
  if (text(root, whole, "format") != kFormat) {
    fail(fmt::format("\"format\" is not \"{}\", which is all that is read", kFormat));
  }
  only(root, whole,
       {"format", "program", "inputs", "promise", "nodes", "crash_model", "limits", "bounds",
        "variables", "clauses"});
  Certificate certificate;
  for (const json& file : array(root, whole, "program")) {
    const std::string where = fmt::format("program[{}]", certificate.program.size());
    certificate.program.push_back(program_file(file, where));
  }
  const auto files = static_cast<int64_t>(certificate.program.size());
  certificate.inputs = static_cast<size_t>(integer(root, whole, "inputs", 1, files));
  if (root.contains("promise")) certificate.promise = text(root, whole, "promise");
  read_nodes(root, certificate);
  const Result<CrashModel> model = parse_crash_model(text(root, whole, "crash_model"));
  if (!model.ok()) throw Error{model.error()};
  certificate.model.crash_model = *model;
  if (root.contains("limits")) read_limits(root["limits"], certificate.model);
  const json& bounds = member(root, whole, "bounds");
  only(bounds, "bounds", {"eot", "eff", "crashes", "eventually"});
  certificate.model.eot = static_cast<Tick>(integer(bounds, "bounds", "eot", 1, kMostTicks));
  certificate.model.eff = static_cast<Tick>(integer(bounds, "bounds", "eff", 0, kMostTicks));
  certificate.model.crashes = static_cast<int>(integer(bounds, "bounds", "crashes", 0, INT32_MAX));
  if (bounds.contains("eventually")) {
    certificate.model.eventually =
        static_cast<Tick>(integer(bounds, "bounds", "eventually", 1, kMostTicks));
  }
  if (const Status status = validate(certificate.model); !status.ok()) throw Error{status.error()};
  certificate.announced.variables =
      static_cast<size_t>(integer(root, whole, "variables", 0, kMostCount));
  certificate.announced.clauses =
      static_cast<size_t>(integer(root, whole, "clauses", 0, kMostCount));
  return certificate;
}

}  // namespace

Result<Certificate> certificate_from_json(std::string_view text) {
  if (text.size() > kMostCertificateBytes) return Error{"this is too large", kRemedy};
  try {
    return decode(json::parse(text, Guard()));
  } catch (const Error& error) {
    return error;
  } catch (const json::exception& exception) {
    return Error{fmt::format("this is not JSON: {}", printable(exception.what())), kRemedy};
  }
}

}  // namespace clew::verify
