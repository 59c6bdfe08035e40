// A scenario from JSON, by a strict decoder.
//
// Reading goes in three steps, each of which may rely on the one before: guarded_json (syntax,
// nesting, repeated keys), the Decoder (which keys, which types), and validate().
#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/columns.h"
#include "base/text.h"
#include "domain/json_guard.h"
#include "domain/scenario.h"

namespace clew {

namespace {

using nlohmann::json;

constexpr const char* kRemedy =
    "write the file anew with `clew run --save`, or mend it as docs/formats/scenario.md says";

// The first mistake sticks; what is read after it does not matter.
class Decoder {
 public:
  Scenario scenario(const json& root);
  const std::optional<Error>& error() const { return error_; }

 private:
  void fail(std::string message, std::string remedy = kRemedy) {
    if (!error_) error_ = Error{std::move(message), std::move(remedy)};
  }
  void fail_type(const json& value, const std::string& path, const char* expected) {
    fail(fmt::format("{} must be {}, not {}", path, expected, describe(value)));
  }
  static std::string describe(const json& value) {
    if (value.is_null()) return "null";
    if (value.is_number_float()) return "a number with a fraction";
    return fmt::format("{} {}", value.is_array() || value.is_object() ? "an" : "a",
                       value.type_name());
  }

  void kind(const json& root);
  bool object(const json& value, const std::string& path, std::initializer_list<const char*> keys,
              const char* optional = nullptr);
  void unknown_key(const std::string& key, const std::string& where,
                   std::initializer_list<const char*> keys);
  std::string text(const json& value, const std::string& path);
  Tick tick(const json& value, const std::string& path);
  template <class Each>
  void array(const json& value, const std::string& path, Each each);

  ProgramFile program_file(const json& value, const std::string& path);
  void program(const json& value, Scenario& scenario);
  void faults(const json& value, Scenario& scenario);
  void limits(const json& value, Scenario& scenario);
  uint64_t number(const json& value, const std::string& path, uint64_t most);
  void within(const json& value, SourcePart::Within& within);
  void source(const json& root, Scenario& scenario);
  void target(const json& root, Scenario& scenario);
  void nodes(const json& value, Scenario& scenario);
  void loop(const json& value, Scenario& scenario);

  std::optional<Error> error_;
};

// Before anything else: the keys of another kind of file, or of another version, differ.
void Decoder::kind(const json& root) {
  if (!root.is_object()) return fail_type(root, "a scenario", "an object");
  const auto clew = root.find("clew");
  if (clew == root.end() || *clew != "scenario") {
    return fail("this is not a scenario: the key \"clew\" with the value \"scenario\" is missing");
  }
  const auto version = root.find("version");
  if (version == root.end()) return fail("the key \"version\" is missing");
  if (*version == kScenarioVersion && version->is_number_integer()) return;
  fail(fmt::format("version is {}, but this Clew reads version {}",
                   version->is_number_integer() ? version->dump() : describe(*version),
                   kScenarioVersion),
       "use the Clew that wrote the file, or write it anew with `clew run --save`");
}

bool Decoder::object(const json& value, const std::string& path,
                     std::initializer_list<const char*> keys, const char* optional) {
  if (error_) return false;
  const std::string where = path.empty() ? "the scenario" : path;
  if (!value.is_object()) fail_type(value, where, "an object");
  for (const char* key : keys) {
    if (!error_ && !value.contains(key)) {
      fail(fmt::format("the key \"{}\" is missing in {}", key, where));
    }
  }
  const size_t more = optional != nullptr && !error_ && value.contains(optional) ? 1 : 0;
  if (error_ || value.size() == keys.size() + more) return !error_;
  for (const auto& [key, member] : value.items()) {
    if (more == 0 || key != optional) unknown_key(key, where, keys);
  }
  return false;
}

void Decoder::unknown_key(const std::string& key, const std::string& where,
                          std::initializer_list<const char*> keys) {
  if (std::ranges::find(keys, key) != keys.end()) return;
  const std::optional<std::string> meant =
      closest(printable(key, 60), std::vector<std::string>(keys.begin(), keys.end()));
  fail(fmt::format("there is an unknown key \"{}\" in {}", printable(key, 60), where),
       meant ? fmt::format("did you mean \"{}\"?", *meant) : "leave it out");
}

std::string Decoder::text(const json& value, const std::string& path) {
  if (error_) return {};
  if (value.is_string()) return value.get<std::string>();
  fail_type(value, path, "a string");
  return {};
}

Tick Decoder::tick(const json& value, const std::string& path) {
  if (error_) return 1;
  if (!value.is_number_integer()) {
    fail_type(value, path, "an integer");
    return 1;
  }
  // Unsigned numbers beyond 63 bits compare as what they are.
  if (value >= 1 && value <= kMostTicks) return value.get<Tick>();
  fail(fmt::format("{} is {}, not a tick from 1 to {}", path, printable(value.dump(), 30),
                   with_thousands(kMostTicks)));
  return 1;
}

template <class Each>
void Decoder::array(const json& value, const std::string& path, Each each) {
  if (error_) return;
  if (!value.is_array()) return fail_type(value, path, "an array");
  for (size_t i = 0; i < value.size() && !error_; ++i) {
    each(value[i], fmt::format("{}[{}]", path, i));
  }
}

ProgramFile Decoder::program_file(const json& value, const std::string& path) {
  if (!object(value, path, {"path", "fingerprint"})) return {};
  ProgramFile file{text(value["path"], path + ".path"),
                   text(value["fingerprint"], path + ".fingerprint")};
  if (file.path.empty()) fail(path + ".path is empty");
  if (file.path.find('\0') != std::string::npos) fail(path + ".path has a NUL character in it");
  const bool hexadecimal =
      file.fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!hexadecimal || file.fingerprint.size() != 16) {
    fail(path + ".fingerprint must be 16 hexadecimal digits (0-9, a-f)");
  }
  return file;
}

void Decoder::program(const json& value, Scenario& scenario) {
  if (!object(value, "program", {"inputs", "includes"})) return;
  const auto add = [&](const json& file, const std::string& path) {
    scenario.program.files.push_back(program_file(file, path));
  };
  array(value["inputs"], "program.inputs", add);
  scenario.program.inputs = scenario.program.files.size();
  array(value["includes"], "program.includes", add);
  if (scenario.program.inputs == 0) fail("program.inputs names no file");
}

void Decoder::faults(const json& value, Scenario& scenario) {
  if (!object(value, "faults", {"omissions", "crashes"})) return;
  array(value["omissions"], "faults.omissions", [&](const json& item, const std::string& path) {
    if (!object(item, path, {"from", "to", "tick"})) return;
    scenario.faults.insert(Omission{text(item["from"], path + ".from"),
                                    text(item["to"], path + ".to"),
                                    tick(item["tick"], path + ".tick")});
  });
  array(value["crashes"], "faults.crashes", [&](const json& item, const std::string& path) {
    if (!object(item, path, {"node", "tick"})) return;
    scenario.faults.insert(
        Crash{text(item["node"], path + ".node"), tick(item["tick"], path + ".tick")});
  });
}

void Decoder::limits(const json& value, Scenario& scenario) {
  if (!object(value, "limits", {"reliable_nodes", "reliable_links", "no_crash"})) return;
  Limits& limits = scenario.limits;
  array(value["reliable_nodes"], "limits.reliable_nodes",
        [&](const json& node, const std::string& path) {
          limits.reliable_nodes.insert(text(node, path));
        });
  array(value["reliable_links"], "limits.reliable_links",
        [&](const json& item, const std::string& path) {
          if (!object(item, path, {"from", "to"})) return;
          limits.reliable_links.insert(
              {text(item["from"], path + ".from"), text(item["to"], path + ".to")});
        });
  array(value["no_crash"], "limits.no_crash", [&](const json& node, const std::string& path) {
    limits.no_crash.insert(text(node, path));
  });
}

uint64_t Decoder::number(const json& value, const std::string& path, uint64_t most) {
  if (error_) return 0;
  if (value.is_number_unsigned() && value <= most) return value.get<uint64_t>();
  fail(fmt::format("{} must be a whole number from 0 to {}", path, most));
  return 0;
}

void Decoder::within(const json& value, SourcePart::Within& within) {
  if (!object(
          value, "within",
          {"requests", "crashes", "restarts", "losses", "duplicates", "early_timers", "faults"})) {
    return;
  }
  const auto read = [&](const char* key, uint32_t most) {
    return static_cast<uint32_t>(number(value[key], fmt::format("within.{}", key), most));
  };
  within = {.requests = read("requests", kMostOften),
            .crashes = read("crashes", kMostOften),
            .restarts = read("restarts", kMostOften),
            .losses = read("losses", kMostOften),
            .duplicates = read("duplicates", kMostOften),
            .early_timers = read("early_timers", kMostOften),
            .faults = read("faults", kMostOften)};
}

void Decoder::source(const json& root, Scenario& scenario) {
  if (!object(root, "",
              {"clew", "version", "source", "nodes", "within", "seed", "property", "schedule"},
              "loop")) {
    return;
  }
  array(root["source"], "source", [&](const json& file, const std::string& path) {
    scenario.source.files.push_back(program_file(file, path));
  });
  if (scenario.source.files.empty()) fail("source names no file");
  nodes(root["nodes"], scenario);
  within(root["within"], scenario.source.within);
  scenario.seed = number(root["seed"], "seed", UINT64_MAX);
  scenario.source.property = text(root["property"], "property");
  array(root["schedule"], "schedule", [&](const json& choice, const std::string& path) {
    scenario.schedule.choices.push_back(text(choice, path));
  });
  if (!error_ && root.contains("loop")) loop(root["loop"], scenario);
}

void Decoder::nodes(const json& value, Scenario& scenario) {
  array(value, "nodes", [&](const json& node, const std::string& path) {
    scenario.nodes.push_back(text(node, path));
  });
  std::ranges::sort(scenario.nodes);
}

void Decoder::target(const json& root, Scenario& scenario) {
  if (!object(root, "", {"clew", "version", "target", "nodes", "promise", "failures"})) return;
  TargetPart& target = scenario.target;
  array(root["target"], "target", [&](const json& file, const std::string& path) {
    target.files.push_back(program_file(file, path));
  });
  if (target.files.empty()) fail("target names no file");
  nodes(root["nodes"], scenario);
  target.promise = text(root["promise"], "promise");
  array(root["failures"], "failures", [&](const json& failure, const std::string& path) {
    target.failures.push_back(text(failure, path));
  });
}

void Decoder::loop(const json& value, Scenario& scenario) {
  const size_t choices = scenario.schedule.choices.size();
  const uint64_t begin = number(value, "loop", UINT32_MAX);
  if (!error_ && (begin < 1 || begin > choices)) {
    fail(fmt::format("loop is {}, not a step of the schedule, which has {}", begin, choices));
  }
  scenario.source.loop = static_cast<uint32_t>(begin);
}

Scenario Decoder::scenario(const json& root) {
  Scenario scenario;
  kind(root);
  if (!error_ && root.contains("source")) return source(root, scenario), scenario;
  if (!error_ && root.contains("target")) return target(root, scenario), scenario;
  if (!object(root, "", {"clew", "version", "program", "nodes", "eot", "crash_model", "faults"},
              "limits")) {
    return scenario;
  }
  program(root["program"], scenario);
  nodes(root["nodes"], scenario);
  scenario.program.eot = tick(root["eot"], "eot");
  const Result<CrashModel> model = parse_crash_model(text(root["crash_model"], "crash_model"));
  if (!model.ok()) fail("crash_model: " + model.error().message, model.error().remedy);
  if (model.ok()) scenario.program.crash_model = *model;
  faults(root["faults"], scenario);
  if (!error_ && root.contains("limits")) limits(root["limits"], scenario);
  return scenario;
}

}  // namespace

Result<Scenario> scenario_from_json(std::string_view text) {
  if (text.size() > kMostScenarioBytes) {
    return Error{fmt::format("a scenario of {} bytes is too large: at most {} are read",
                             with_thousands(text.size()), with_thousands(kMostScenarioBytes)),
                 kRemedy};
  }
  const Result<json> root = guarded_json(text);
  if (!root.ok()) return Error{root.error().message, kRemedy};
  Decoder decoder;
  Scenario scenario = decoder.scenario(*root);
  if (decoder.error()) return *decoder.error();
  if (const Status status = validate(scenario); !status.ok()) return status.error();
  return scenario;
}

}  // namespace clew
