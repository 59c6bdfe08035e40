#include "drive/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/columns.h"
#include "base/files.h"
#include "base/text.h"
#include "drive/diagram.h"
#include "drive/exports.h"
#include "drive/kit.h"
#include "drive/report.h"
#include "report/json_text.h"
#include "report/page.h"

namespace clew::drive {

namespace {

using explore::Tale;
using explore::Told;
using nlohmann::ordered_json;

constexpr size_t kMostSourceText = 1 << 20;  // bytes of one file
constexpr size_t kMostFields = 200;          // of one state
constexpr size_t kLongText = 4000;           // characters
constexpr size_t kShortText = 120;           // once the page is full

class ExploredPage {
 public:
  ExploredPage(const Report& report, size_t most_bytes) : report_(report), most_bytes_(most_bytes) {
    for (const NodeName& name : report.program.nodes) number_of(name);
  }

  ordered_json write() {
    ordered_json runs = ordered_json::array();
    if (const auto& found = report_.counterexample) {
      runs.push_back(counterexample(*found));
      if (found->passing) runs.push_back(passing(*found));
    }
    return {{"clew", "page"},
            {"version", 2},
            {"title", cut(fmt::format("{}", fmt::join(report_.sources, " ")))},
            {"verdict", verdict()},
            {"properties", properties()},
            {"explored", explored()},
            {"nodes", names_},
            {"program", program()},
            {"facts", std::move(facts_)},
            {"runs", std::move(runs)}};
  }

 private:
  std::string cut(const std::string& text) {
    std::string result = printable(text, bytes_ < most_bytes_ ? kLongText : kShortText);
    bytes_ += result.size();
    return result;
  }

  size_t number_of(const NodeName& name) {
    const auto [at, is_new] = numbers_.try_emplace(name, names_.size());
    if (is_new) names_.push_back(cut(name));
    return at->second;
  }

  bool is_broken() const { return report_.counterexample && report_.counterexample->tale.broken; }

  ordered_json verdict() {
    ordered_json notes = ordered_json::array();
    if (const std::string end = end_of(report_); !end.empty() && !report_.counterexample) {
      notes.push_back(cut(end));
    }
    for (const std::string& one : caveats(report_)) notes.push_back(cut(one));
    return {{"kind", verdict_of(report_)},
            {"headline", cut(headline())},
            {"covers", covers()},
            {"notes", std::move(notes)}};
  }

  static std::string where_broken(const Tale& tale) {
    return tale.loop ? "by " + steps_of_loop(tale) + " again and again"
                     : fmt::format("at step {}", tale.moves.size());
  }

  std::string headline() const {
    if (const auto& found = report_.counterexample) {
      if (!found->tale.broken) {
        return fmt::format("\"{}\" is not violated by this schedule",
                           found->scenario.source.property);
      }
      return fmt::format("\"{}\" {}", *found->tale.broken, where_broken(found->tale));
    }
    if (const std::optional<Error> why = vacuous(report_)) return why->message;
    const Explored* largest = report_.largest();
    if (largest != nullptr) {
      return fmt::format("within {}: nothing is violated", bounds_of(largest->within));
    }
    return fmt::format("since {} before anything was explored as a whole", report_.why_ended);
  }

  // Names and values.
  ordered_json covers() {
    ordered_json rows = ordered_json::array();
    const auto add = [&](const char* name, const std::string& value) {
      rows.push_back({name, cut(value)});
    };
    const auto add_bounds = [&](const char* name, const SourcePart::Within& within) {
      add(name, bounds_of(within));
      if (within.faults > 0) add("faults", kinds_of(within));
    };
    if (const auto& found = report_.counterexample) {
      const bool searched = !report_.explored.empty();
      add_bounds(searched ? "found within" : "within", found->scenario.source.within);
      add("length", searched ? steps_of(*found) : count_noun(found->tale.moves.size(), "step"));
    } else if (const Explored* largest = report_.largest()) {
      add_bounds("within", largest->within);
      add("exhausted", exhausted_of(report_, *largest));
    }
    if (report_.explored.empty()) return rows;
    add("engine", report_.engine);
    add("looked at",
        count_noun(report_.looked_at(), report_.engine == "stateful" ? "state" : "path"));
    return rows;
  }

  ordered_json properties() {
    ordered_json rows = ordered_json::array();
    for (const std::string& name : properties_of(report_)) {
      const auto place = place_of(report_, name);
      const long file =
          place ? std::ranges::find(report_.sources, place->first) - report_.sources.begin() : -1;
      rows.push_back({{"name", cut(name)},
                      {"told", cut(told_of(name))},
                      {"file", file},
                      {"line", place ? place->second : 0}});
    }
    return rows;
  }

  std::string told_of(const std::string& name) const {
    if (is_broken() && *report_.counterexample->tale.broken == name) {
      return "broken " + where_broken(report_.counterexample->tale);
    }
    const Explored* largest = report_.largest();
    const auto& all = report_.program.properties;
    const auto property = std::ranges::find(all, name, &Described::Property::name);
    if (largest == nullptr || property == all.end()) return "not known";
    std::string text = "held in " + held_in(report_, *property);
    if (const auto applied = largest->applied.find(name); applied != largest->applied.end()) {
      text += fmt::format(", and applied in {}", with_thousands(applied->second));
    }
    return is_broken() ? fmt::format("{} within {}", text, bounds_of(largest->within)) : text;
  }

  ordered_json explored() const {
    ordered_json rows = ordered_json::array();
    for (const Explored& one : report_.explored) {
      const SourcePart::Within& within = one.within;
      rows.push_back({{"requests", within.requests},
                      {"faults", within.faults},
                      {"crashes", within.crashes},
                      {"restarts", within.restarts},
                      {"losses", within.losses},
                      {"duplicates", within.duplicates},
                      {"early_timers", within.early_timers},
                      {"states", one.states},
                      {"paths", one.paths},
                      {"moves", one.moves},
                      {"ends", one.ends},
                      {"depth", one.depth},
                      {"complete", one.complete}});
    }
    if (is_broken() && !rows.empty()) rows.back()["broken"] = true;
    return rows;
  }

  ordered_json program() {
    ordered_json files = ordered_json::array();
    for (const std::string& source : report_.sources) {
      const Result<std::string> text =
          is_program(source) ? Error{"", ""} : read_file(source, kMostSourceText);
      files.push_back({{"path", cut(source)}, {"text", text.ok() ? *text : ""}});
    }
    return files;
  }

  ordered_json counterexample(const Counterexample& found) {
    ordered_json data = run(found.tale);
    data["title"] = is_broken() ? "Counterexample" : "The schedule, run again";
    data["counterexample"] = is_broken() ? 1 : 0;
    data["replay"] = found.saved.empty() ? "" : "clew replay " + found.saved;
    if (found.tale.loop) data["loop"] = *found.tale.loop;
    data["explanation"] = explanation(found);
    return data;
  }

  ordered_json passing(const Counterexample& found) {
    ordered_json data = run(*found.passing);
    data["title"] = "Run that ends well";
    data["counterexample"] = 0;
    data["replay"] = "";
    data["explanation"] = ordered_json();
    return data;
  }

  ordered_json explanation(const Counterexample& found) {
    ordered_json cures = ordered_json::array();
    for (const Cured& cure : found.cures) {
      ordered_json one = {{"step", cure.move + 1}};
      if (cure.instead != cure.move) one["after"] = cure.instead + 1;
      cures.push_back(std::move(one));
    }
    ordered_json left_out = ordered_json::array();
    for (const std::string& one : found.tale.left_out) left_out.push_back(cut(one));
    return {{"property", cut(found.tale.broken.value_or(found.scenario.source.property))},
            {"cures", std::move(cures)},
            {"left_out", std::move(left_out)}};
  }

  ordered_json run(const Tale& tale) {
    ordered_json start = ordered_json::array();
    for (size_t i = 0; i < tale.nodes.size(); ++i) {
      start.push_back(state(number_of(tale.nodes[i]), tale.start[i]));
    }
    ordered_json steps = ordered_json::array();
    std::vector<std::string> faults;
    ordered_json story = ordered_json::array();
    for (const Told& told : tale.moves) {
      steps.push_back(step(told));
      if (!told.fault) continue;
      faults.push_back(printable(told.move, kShortText));
      story.push_back(fmt::format("step {}: {}", steps.size(), faults.back()));
    }
    return {
        {"faults", faults.empty() ? "no faults" : cut(fmt::format("{}", fmt::join(faults, ", ")))},
        {"story", std::move(story)},
        {"outcome", tale.broken ? "violated" : "holds"},
        {"start", std::move(start)},
        {"steps", std::move(steps)},
        {"ended", tale.ended}};
  }

  ordered_json step(const Told& told) {
    const size_t node = number_of(told.node);
    const bool passed = told.kind == "deliver" || told.kind == "lose" || told.kind == "duplicate";
    ordered_json data = {{"move", cut(told.move)}, {"kind", told.kind}, {"node", node}};
    if (passed) {
      data["from"] = number_of(told.from);
      data["sent_by"] = told.sent_by;
    } else if (!told.from.empty()) {
      data["client"] = cut(told.from);
    }
    if (!told.what.empty()) data["what"] = cut(told.what);
    data["fault"] = told.fault;
    ordered_json sent = ordered_json::array();
    for (const Told::Sent& one : told.sent) sent.push_back({number_of(one.to), cut(one.message)});
    data["sent"] = std::move(sent);
    ordered_json answered = ordered_json::array();
    for (const Told::Sent& one : told.answered) answered.push_back({cut(one.to), cut(one.message)});
    data["answered"] = std::move(answered);
    // Of what is lost, nobody knows; of a handler that failed, nothing is left.
    if (!told.state.empty()) data["state"] = state(node, told.state);
    return data;
  }

  // Numbers of facts.
  ordered_json state(size_t node, const std::string& text) {
    ordered_json numbers = ordered_json::array();
    std::vector<std::string> fields =
        bytes_ < most_bytes_ ? fields_of(text) : std::vector<std::string>{text};
    if (fields.size() > kMostFields) {
      const size_t more = fields.size() - kMostFields;
      fields.resize(kMostFields);
      fields.push_back(fmt::format("and {} more", count_noun(more, "field")));
    }
    for (const std::string& field : fields) numbers.push_back(fact(node, field));
    return numbers;
  }

  size_t fact(size_t node, const std::string& text) {
    const auto [at, is_new] = fact_numbers_.try_emplace({node, fingerprint(text)}, facts_.size());
    if (is_new) facts_.push_back({{"text", cut(text)}, {"node", node}});
    return at->second;
  }

  const Report& report_;
  const size_t most_bytes_;
  size_t bytes_ = 0;  // of texts so far
  std::map<NodeName, size_t> numbers_{};
  std::vector<std::string> names_{};
  std::map<std::pair<size_t, std::string>, size_t> fact_numbers_{};  // by node and fingerprint
  ordered_json facts_ = ordered_json::array();
};

}  // namespace

std::vector<std::string> fields_of(const std::string& state) {
  std::vector<std::string> fields(state.empty() ? 0 : 1);
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < state.size(); ++i) {
    const char c = state[i];
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '(' || c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ')' || c == ']' || c == '}')) --depth;
    if (depth < 0) return {state};
    if (!quoted && depth == 0 && state.compare(i, 2, ", ") == 0) {
      fields.emplace_back();
      ++i;
    } else {
      fields.back() += c;
    }
  }
  return depth == 0 && !quoted ? fields : std::vector{state};
}

std::string page_data(const Report& report, size_t most_bytes) {
  return report::without_tags(report::json_text(ExploredPage(report, most_bytes).write()));
}

std::string page(const Report& report) { return report::page_with(page_data(report)); }

}  // namespace clew::drive
