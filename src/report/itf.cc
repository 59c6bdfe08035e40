#include "report/itf.h"

#include <nlohmann/json.hpp>
#include <set>

#include "base/watched.h"
#include "report/json_text.h"

namespace clew::report {

namespace {

using nlohmann::ordered_json;

ordered_json number(int64_t value) { return {{"#bigint", std::to_string(value)}}; }

ordered_json tuple(const Fact& fact) {
  look(1 + fact.values.size());
  ordered_json cells = ordered_json::array();
  for (const Datum& value : fact.values) {
    const auto* integer = std::get_if<int64_t>(&value);
    cells.push_back(integer != nullptr ? number(*integer)
                                       : ordered_json(std::get<std::string>(value)));
  }
  return {{"#tup", cells}};
}

ordered_json empty_set() { return {{"#set", ordered_json::array()}}; }

// What goes wrong from this tick on (a crash) or at it (an omission).
ordered_json faults_at(const Run& run, Tick tick) {
  ordered_json all = empty_set();
  for (const Omission& omission : run.scenario.faults.of<Omission>()) {
    if (omission.tick == tick) all["#set"].push_back("drop " + to_string(omission));
  }
  for (const Crash& crash : run.scenario.faults.of<Crash>()) {
    if (crash.tick == tick) all["#set"].push_back("crash " + to_string(crash));
  }
  return all;
}

ordered_json message(const Message& message) {
  look();
  return {{"from", message.from},
          {"to", message.to},
          {"fact", to_string(message.fact)},
          {"fate", to_string(message.fate)}};
}

std::set<std::string> relations_of(const Run& run) {
  std::set<std::string> all;
  for (const std::vector<Fact>& facts : run.facts) {
    for (const Fact& fact : facts) all.insert(fact.relation);
  }
  return all;
}

class StateWriter {
 public:
  explicit StateWriter(const Run& run) : run_(run), relations_(relations_of(run)) {}

  ordered_json variables() const {
    ordered_json names = {"clew::tick", "clew::faults", "clew::messages"};
    for (const std::string& relation : relations_) names.push_back(relation);
    return names;
  }

  // To be called tick by tick.
  ordered_json state(Tick tick) {
    ordered_json result = {{"#meta", {{"index", tick - 1}}},
                           {"clew::tick", number(tick)},
                           {"clew::faults", faults_at(run_, tick)},
                           {"clew::messages", empty_set()}};
    for (; next_ < run_.messages.size() && run_.messages[next_].sent_at <= tick; ++next_) {
      result["clew::messages"]["#set"].push_back(message(run_.messages[next_]));
    }
    for (const std::string& relation : relations_) result[relation] = empty_set();
    for (const Fact& fact : run_.facts[static_cast<size_t>(tick) - 1]) {
      result[fact.relation]["#set"].push_back(tuple(fact));
    }
    return result;
  }

 private:
  const Run& run_;
  std::set<std::string> relations_;
  size_t next_ = 0;
};

}  // namespace

std::string itf(const Run& run, const std::string& description) {
  ordered_json meta = {
      {"format", "ITF"},
      {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
      {"description", description},
      {"status", run.outcome().kind == Outcome::Kind::kViolated ? "violation" : "ok"}};
  if (!run.scenario.program.files.empty()) meta["source"] = run.scenario.program.files.front().path;
  StateWriter writer(run);
  std::string text = "{\n\"#meta\": " + json_text(meta) +
                     ",\n\"vars\": " + json_text(writer.variables()) + ",\n\"states\": [";
  for (Tick tick = 1; tick <= run.scenario.program.eot; ++tick) {
    text += tick == 1 ? "\n" : ",\n";
    text += json_text(writer.state(tick));
  }
  return text + "\n]\n}\n";
}

}  // namespace clew::report
