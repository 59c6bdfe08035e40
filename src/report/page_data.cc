#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/check.h"
#include "base/watched.h"
#include "report/explanation.h"
#include "report/json_text.h"
#include "report/model_json.h"
#include "report/page.h"
#include "report/page_difference.h"
#include "report/page_tables.h"
#include "report/story.h"

namespace clew::report {

namespace {

using nlohmann::ordered_json;

std::string in_quotes(const std::string& word) {
  const bool plain = std::ranges::all_of(word, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || strchr("_./@-,", c) != nullptr;
  });
  if (plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// What one types to see the run in a terminal.
std::string run_command(const Record& record, const FaultSet& faults) {
  const FaultModel& model = record.check.verdict.model;
  std::string text = "clew run";
  for (size_t i = 0; i < record.inputs; ++i) text += ' ' + in_quotes(record.program[i].path);
  text += fmt::format(" --nodes {} --eot {}",
                      in_quotes(fmt::format("{}", fmt::join(model.nodes, ","))), model.eot);
  if (model.crash_model == CrashModel::kStop) text += " --crash-model stop";
  for (const Omission& one : faults.of<Omission>()) text += " --drop " + in_quotes(to_string(one));
  for (const Crash& one : faults.of<Crash>()) text += " --crash " + in_quotes(to_string(one));
  return text;
}

class PageWriter {
 public:
  PageWriter(const Record& record, const PageOptions& options)
      : record_(record), options_(options), tables_(model().nodes, record.program) {}

  std::string write() {
    std::string runs;
    for (const Record::Execution& execution : record_.runs) {
      if (!runs.empty()) runs += ',';
      const bool full = tables_.bytes() + runs.size() >= options_.most_bytes;
      runs += run(execution, !full && !(options_.hurry && options_.hurry()));
    }
    const std::string text = fmt::format(
        R"({{"clew":"page","version":2,"title":{},"verdict":{},"sweep":{},"nodes":{},"program":{},)"
        R"({},"runs":[{}],"runs_left_out":{}}})",
        json_text(record_.program.empty() ? "" : record_.program[0].path), json_text(verdict()),
        json_text(sweep()), json_text(model().nodes), json_text(program()), tables_.to_json(), runs,
        record_.runs_left_out);
    return without_tags(text);
  }

 private:
  const FaultModel& model() const { return record_.check.verdict.model; }

  ordered_json verdict() const {
    const Verdict& verdict = record_.check.verdict;
    return {{"kind", to_string(verdict.kind)},
            {"headline", headline(record_.check)},
            {"bounds", json_bounds(model())},
            {"crash_model", to_string(model().crash_model)},
            {"limits", describe(model().limits)},
            {"adversary", record_.check.adversary},
            {"executions", verdict.effort.executions},
            {"combinations", combinations(model())},
            {"all_found", verdict.all_found},
            {"minimal", verdict.minimal},
            {"vacuous", verdict.vacuous},
            {"why_unknown", verdict.why_unknown},
            {"certificate", record_.check.certificate}};
  }

  ordered_json sweep() const {
    ordered_json rows = ordered_json::array();
    for (const Verdict& step : record_.check.steps) {
      ordered_json row = json_bounds(step.model);
      row["verdict"] = to_string(step.kind);
      row["executions"] = step.effort.executions;
      rows.push_back(std::move(row));
    }
    return rows;
  }

  ordered_json program() const {
    ordered_json files = ordered_json::array();
    for (const Record::ProgramText& file : record_.program) {
      files.push_back({{"path", file.path}, {"text", file.text}});
    }
    return files;
  }

  std::string run(const Record::Execution& execution, bool may_grow) {
    const Counterexample* shown = execution.counterexample
                                      ? &record_.check.counterexamples[*execution.counterexample]
                                      : nullptr;
    std::optional<Run> run;
    if (may_grow || shown != nullptr || !base_) {
      run = unless_stopped([&] {
        look(Watched::kSteps);  // a run takes a while
        return record_.replay(execution.faults);
      });
    }
    ordered_json json = faults(execution.faults);
    json["story"] = ordered_json::array();
    json["partitions"] = ordered_json::array();
    json["outcome"] = to_string(execution.outcome);
    json["counterexample"] = shown == nullptr ? 0 : *execution.counterexample + 1;
    json["group"] = shown == nullptr ? 0 : shown->group + 1;
    json["goals"] = ordered_json::array();
    json["replay"] =
        shown == nullptr || shown->scenario.empty() ? "" : "clew replay " + shown->scenario;
    json["run"] = run_command(record_, execution.faults);
    const bool explained = shown != nullptr && !shown->explanation.summary.empty();
    json["explanation"] = explained ? explanation(shown->explanation) : ordered_json();
    const auto what_happened = unless_stopped([&] {
      const Run* told = run ? &*run : shown != nullptr ? &shown->run : nullptr;
      if (told != nullptr) add_story(*told, json);
      // What happens in a run is told by what is different without faults.
      const bool comparable = base_ || execution.faults.empty();
      return run && comparable ? detail(std::move(*run)) : std::string();
    });
    std::string text = json_text(json);
    text.pop_back();
    return text + what_happened.value_or("") + '}';
  }

  void add_story(const Run& run, ordered_json& json) {
    json["story"] = list_faults(run);
    json["goals"] = goals(run);
    json["partitions"] = partitions(run);
  }

  ordered_json faults(const FaultSet& faults) const {
    ordered_json omissions = ordered_json::array();
    for (const Omission& one : faults.of<Omission>()) {
      omissions.push_back({tables_.node(one.from), tables_.node(one.to), one.tick});
    }
    ordered_json crashes = ordered_json::array();
    for (const Crash& one : faults.of<Crash>()) {
      crashes.push_back({tables_.node(one.node), one.tick});
    }
    return {{"faults", to_string(faults)}, {"omissions", omissions}, {"crashes", crashes}};
  }

  ordered_json partitions(const Run& run) const {
    ordered_json rows = ordered_json::array();
    for (const Partition& one : partitions_of(run)) {
      ordered_json nodes = ordered_json::array();
      for (const NodeName& name : one.group) nodes.push_back(tables_.node(name));
      rows.push_back(
          {{"nodes", nodes}, {"first", one.first}, {"last", one.last}, {"one_way", one.one_way}});
    }
    return rows;
  }

  ordered_json goals(const Run& run) {
    ordered_json rows = ordered_json::array();
    for (const Outcome::Goal& goal : run.outcome().goals) {
      const Fact post = run.outcome().kept(goal);
      rows.push_back({tables_.fact(goal.pre), tables_.fact(post), goal.post, goal.tick});
    }
    return rows;
  }

  // As in `clew check --json`, and where in the program text the hints are.
  ordered_json explanation(const explain::Explanation& one) const {
    ordered_json json = json_value(to_json(one));
    for (size_t i = 0; i < one.hints.size(); ++i) {
      const Rule& rule = one.hints[i].rule;
      const long file = tables_.file(rule.path);
      json["hints"][i]["file"] = file;
      json["hints"][i]["line"] = file < 0 ? 0 : rule.line;
    }
    return json;
  }

  static std::string change(const std::vector<size_t>& before, const std::vector<size_t>& after) {
    std::vector<size_t> less;
    std::vector<size_t> more;
    std::ranges::set_difference(before, after, std::back_inserter(less));
    std::ranges::set_difference(after, before, std::back_inserter(more));
    return fmt::format(R"({{"less":[{}],"more":[{}]}})", fmt::join(less, ","),
                       fmt::join(more, ","));
  }

  // Relative to the first run, the one without faults.
  std::string detail(Run run) {
    auto shown = std::make_unique<PageRun>(std::move(run), tables_);
    static const NumberedRun kNothing;
    const NumberedRun& before = base_ ? base_->numbers : kNothing;
    const NumberedRun& after = shown->numbers;
    std::string text =
        fmt::format(R"(,"detail":{{"points":{},"messages":{},"firings":{}}})",
                    change(before.points, after.points), change(before.messages, after.messages),
                    change(before.firings, after.firings));
    if (base_) text += R"(,"difference":)" + difference_json(*base_, *shown, tables_);
    if (!base_) base_ = std::move(shown);
    return text;
  }

  const Record& record_;
  const PageOptions& options_;
  PageTables tables_;
  std::unique_ptr<const PageRun> base_;
};

}  // namespace

std::string page_data(const Record& record, const PageOptions& options) {
  return PageWriter(record, options).write();
}

std::string page_data(std::span<const Record> records, const PageOptions& options) {
  CHECK(!records.empty(), "a page about nothing");
  if (records.size() == 1) return page_data(records[0], options);
  PageOptions share = options;
  share.most_bytes = options.most_bytes / records.size();
  const auto worst = std::ranges::max_element(records, {}, [](const Record& record) {
    return record.replay ? badness(record.check.verdict.kind) : -1;
  });
  std::string text = fmt::format(R"({{"clew":"pages","version":1,"first":{},"promises":[)",
                                 worst - records.begin());
  for (const Record& record : records) {
    if (&record != records.data()) text += ',';
    const ordered_json promise = {{"promise", record.check.promise},
                                  {"kind", to_string(record.check.verdict.kind)}};
    std::string entry = without_tags(json_text(promise));
    entry.pop_back();
    text += entry + R"(,"page":)" + (record.replay ? page_data(record, share) : "null") + '}';
  }
  return text + "]}";
}

}  // namespace clew::report
