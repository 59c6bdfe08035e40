#include "report/sarif.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/text.h"
#include "base/watched.h"
#include "report/json_text.h"
#include "report/model_json.h"
#include "report/story.h"

namespace clew::report {

std::string uri(const std::string& path, const std::string& root) {
  namespace fs = std::filesystem;
  fs::path file = fs::path(path).lexically_normal();
  bool absolute = file.is_absolute();
  if (absolute) {
    const fs::path relative = file.lexically_relative(root);
    if (!relative.empty() && *relative.begin() != "..") {
      file = relative;
      absolute = false;
    }
  }
  std::string text = absolute ? "file://" : "";
  for (const char byte : file.generic_string()) {
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') ||
                       std::string_view("/-._~").find(byte) != std::string_view::npos;
    text += plain ? std::string(1, byte) : fmt::format("%{:02X}", static_cast<unsigned char>(byte));
  }
  return text;
}

namespace {

using nlohmann::ordered_json;

constexpr const char* kRule = "clew/broken-promise";
constexpr const char* kHint = "clew/hint-";
constexpr size_t kMostSteps = 200;

ordered_json list(ordered_json one) { return ordered_json::array({std::move(one)}); }

std::string rule_id(const CheckReport& check) {
  return check.promise == "spec" ? kRule : "clew/promise/" + check.promise;
}

// From "file:line".
ordered_json physical_location(const std::string& where, const std::string& root) {
  const size_t colon = where.rfind(':');
  int line = 1;
  if (colon != std::string::npos) {
    std::from_chars(where.data() + colon + 1, where.data() + where.size(), line);
  }
  return {{"artifactLocation", {{"uri", uri(where.substr(0, colon), root)}}},
          {"region", {{"startLine", std::max(line, 1)}}}};
}

// Where rules stand, by what they derive.
class Places {
 public:
  void add(const Run& run) {
    for (const Firing& firing : run.firings) {
      const clew::Rule& rule = run.rule(firing);
      if (rule.path.empty()) continue;
      if (rule.kind == clew::Rule::Kind::kAsync) {
        sends_.try_emplace(firing.head.relation, rule.where());
      }
      rules_.try_emplace(firing.head.relation, rule.where());
    }
  }

  std::string rule(const std::string& relation) const { return find(rules_, relation); }
  std::string send(const std::string& relation) const { return find(sends_, relation); }

 private:
  static std::string find(const std::map<std::string, std::string>& all, const std::string& name) {
    const auto at = all.find(name);
    return at == all.end() ? "" : at->second;
  }

  std::map<std::string, std::string> rules_;
  std::map<std::string, std::string> sends_;
};

class ResultWriter {
 public:
  // `index` of the promise's rule.
  ResultWriter(const Record& record, size_t index, const std::string& root)
      : record_(record), index_(index), root_(root) {
    add_places({}, good_);
  }

  ordered_json results() const {
    ordered_json all = ordered_json::array();
    std::map<size_t, size_t> members;  // by group
    for (const Counterexample& one : record_.check.counterexamples) ++members[one.group];
    for (const Counterexample& one : record_.check.counterexamples) {
      const auto alike = members.find(one.group);
      if (alike == members.end()) continue;
      all.push_back(result(one, alike->second));
      members.erase(alike);  // the first one stands for them all
    }
    add_hints(all);
    return all;
  }

 private:
  // Each hint once, however many counterexamples it would help with.
  void add_hints(ordered_json& all) const {
    std::set<std::pair<std::string, std::string>> told;
    for (const Counterexample& one : record_.check.counterexamples) {
      for (const explain::Explanation::Hint& hint : one.explanation.hints) {
        if (!told.emplace(hint.text, hint.rule.where()).second) continue;
        const std::string where = hint.rule.path.empty() ? first_file() : hint.rule.where();
        all.push_back({{"ruleId", std::string(kHint) + to_string(hint.kind)},
                       {"ruleIndex", 1 + static_cast<int>(hint.kind)},
                       {"level", "note"},
                       {"message", {{"text", hint.text}}},
                       {"locations", list({{"physicalLocation", physical_location(where, root_)}})},
                       {"partialFingerprints",
                        {{"clewHint/v1", fingerprint(uri(where.substr(0, where.rfind(':')), root_) +
                                                     "\n" + hint.text)}}}});
      }
    }
  }

  ordered_json result(const Counterexample& one, size_t alike) const {
    Places places = good_;
    add_places(one.run.scenario.faults, places);
    const std::string post = places.rule(one.run.outcome().post);
    const std::string pre = places.rule(one.run.outcome().pre);
    const std::string place = !post.empty() ? post : !pre.empty() ? pre : first_file();
    ordered_json value = {
        {"ruleId", rule_id(record_.check)},
        {"ruleIndex", index_},
        {"level", "error"},
        {"message", {{"text", message(one, alike)}}},
        {"locations", list({{"physicalLocation", physical_location(place, root_)}})},
        {"partialFingerprints",
         {{"clewCounterexample/v1", fingerprint(uri(place.substr(0, place.rfind(':')), root_) +
                                                "\n" + to_string(one.run.scenario.faults))}}}};
    if (!post.empty() && !pre.empty()) {
      value["relatedLocations"] = list({{"physicalLocation", physical_location(pre, root_)},
                                        {"message", {{"text", "when the promise applies"}}}});
    }
    // They are by far the largest part: where there is no time, there are none.
    const auto steps = unless_stopped([&] { return flow(one.run, places, place); });
    if (steps && !steps->empty()) {
      value["codeFlows"] = list({{"threadFlows", list({{"locations", *steps}})}});
    }
    return value;
  }

  // Where there is no time for a run, its rules have no place.
  void add_places(const FaultSet& faults, Places& places) const {
    if (!record_.replay) return;
    if (const auto run = unless_stopped([&] { return record_.replay(faults); })) places.add(*run);
  }

  std::string first_file() const {
    return record_.program.empty() ? "unknown:1" : record_.program.front().path + ":1";
  }

  std::string message(const Counterexample& one, size_t alike) const {
    const std::vector<std::string> faults = list_faults(one.run);
    std::string text =
        fmt::format("Broken within {}. ", describe_bounds(record_.check.verdict.model));
    text += faults.empty() ? "No fault is needed."
                           : fmt::format("Faults: {}.", fmt::join(faults, "; "));
    for (const Outcome::Goal& goal : one.run.outcome().goals) {
      if (goal.post) continue;
      text += fmt::format(" At tick {}{}, {} holds, but is not in {}.", goal.tick,
                          goal.tick == one.run.scenario.program.eot ? ", the last" : "",
                          to_string(goal.pre), one.run.outcome().post);
      break;
    }
    if (alike > 1) {
      text += fmt::format(" So do {} more counterexamples that are alike up to renaming nodes.",
                          alike - 1);
    }
    if (!one.scenario.empty()) text += fmt::format(" Replay it with: clew replay {}", one.scenario);
    return text;
  }

  // Crashes and messages in the order of time.
  ordered_json flow(const Run& run, const Places& places, const std::string& place) const {
    look(Watched::kSteps);  // it takes a while
    ordered_json steps = ordered_json::array();
    size_t next = 0;
    for (Tick tick = 1; tick <= run.scenario.program.eot && steps.size() < kMostSteps; ++tick) {
      for (const Crash& crash : run.scenario.faults.of<Crash>()) {
        if (crash.tick != tick) continue;
        add_step(steps, place, fmt::format("tick {}: {} crashes", tick, crash.node), true);
      }
      for (; next < run.messages.size() && run.messages[next].sent_at <= tick; ++next) {
        const Message& message = run.messages[next];
        const std::string where = places.send(message.fact.relation);
        if (message.from == message.to || tick == run.scenario.program.eot) continue;
        if (where.empty() || steps.size() >= kMostSteps) continue;
        std::string text = fmt::format("tick {}: {} sends {} to {}", tick, message.from,
                                       to_string(message.fact), message.to);
        if (message.lost()) text += fmt::format(", lost: {}", to_string(message.fate));
        add_step(steps, where, text, message.lost());
      }
    }
    return steps;
  }

  void add_step(ordered_json& steps, const std::string& where, const std::string& text,
                bool essential) const {
    steps.push_back(
        {{"location",
          {{"physicalLocation", physical_location(where, root_)}, {"message", {{"text", text}}}}},
         {"executionOrder", steps.size() + 1},
         {"importance", essential ? "essential" : "important"}});
  }

  const Record& record_;
  size_t index_;
  const std::string& root_;
  Places good_;  // of the run without faults
};

ordered_json rule_of(const CheckReport& check) {
  ordered_json rule = {
      {"id", rule_id(check)},
      {"name", "BrokenPromise"},
      {"shortDescription", {{"text", "Faults within the stated bounds break the protocol."}}},
      {"fullDescription",
       {{"text",
         check.promise == "spec"
             ? "There is a combination of lost messages and crashes after which a tuple of pre is "
               "not in post at the last tick."
             : fmt::format("There is a combination of lost messages and crashes after which the "
                           "promise {} is not kept.",
                           check.promise)}}},
      {"help",
       {{"text",
         "Replay the counterexample with clew replay to see the run. The protocol needs "
         "redundancy that survives these faults: in time, in space, or in what nodes know."}}},
      {"defaultConfiguration", {{"level", "error"}}}};
  return rule;
}

ordered_json driver(std::span<const Record> records) {
  ordered_json rules = ordered_json::array();
  for (const Record& record : records) rules.push_back(rule_of(record.check));
  using HintKind = explain::Explanation::Hint::Kind;
  const std::pair<HintKind, const char*> hints[] = {
      {HintKind::kTime, "Redundancy in time is missing: a message is sent once."},
      {HintKind::kSpace, "Redundancy in space is missing: everything starts at one node."},
      {HintKind::kKnowledge,
       "A decision rests on an absence that a lost message or a crash can fake."}};
  for (const auto& [kind, text] : hints) {
    rules.push_back({{"id", std::string(kHint) + to_string(kind)},
                     {"shortDescription", {{"text", text}}},
                     {"defaultConfiguration", {{"level", "note"}}}});
  }
  return {{"name", "clew"}, {"rules", rules}};
}

ordered_json notifications(const char* level, const std::string& text) {
  return list({{"level", level}, {"message", {{"text", text}}}});
}

ordered_json invocation(const CheckReport& check) {
  const bool vacuous = check.verdict.kind == Verdict::Kind::kVacuous;
  const bool failed = check.verdict.kind == Verdict::Kind::kFailed || vacuous;
  const std::string why = vacuous ? headline(check) : check.verdict.why_unknown;
  ordered_json value = {{"executionSuccessful", !failed}};
  if (failed) {
    value["toolExecutionNotifications"] = notifications("error", why);
  } else if (check.verdict.kind == Verdict::Kind::kUnknown) {
    value["toolExecutionNotifications"] = notifications(
        "warning", fmt::format("unknown within {}: {}", describe_bounds(check.verdict.model), why));
  } else if (check.interrupted) {
    value["toolExecutionNotifications"] =
        notifications("warning", "interrupted: larger bounds were not checked");
  }
  return value;
}

ordered_json results_of(std::span<const Record> records, const std::string& root) {
  ordered_json all = ordered_json::array();
  for (size_t i = 0; i < records.size(); ++i) {
    for (ordered_json& one : ResultWriter(records[i], i, root).results()) {
      all.push_back(std::move(one));
    }
  }
  return all;
}

ordered_json properties_of(std::span<const Record> records) {
  const Record& worst = *std::ranges::max_element(
      records, {}, [](const Record& one) { return badness(one.check.verdict.kind); });
  const FaultModel& model = worst.check.verdict.model;
  ordered_json properties = {{"verdict", to_string(worst.check.verdict.kind)}};
  properties.update(json_bounds(model));
  if (!model.limits.empty()) properties["limits"] = describe(model.limits);
  if (records.size() > 1) {
    for (const Record& one : records) {
      properties["promises"][one.check.promise] = to_string(one.check.verdict.kind);
    }
  }
  return properties;
}

}  // namespace

std::string sarif(std::span<const Record> records, const std::string& root) {
  CHECK(!records.empty(), "a log of nothing");
  ordered_json invocations = ordered_json::array();
  for (const Record& record : records) invocations.push_back(invocation(record.check));
  const ordered_json run = {{"tool", {{"driver", driver(records)}}},
                            {"invocations", invocations},
                            {"columnKind", "unicodeCodePoints"},
                            {"results", results_of(records, root)},
                            {"properties", properties_of(records)}};
  const ordered_json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                            {"version", "2.1.0"},
                            {"runs", list(run)}};
  return json_text(log, 2) + "\n";
}

}  // namespace clew::report
