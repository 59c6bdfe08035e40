// What may fail, where, and within which limits.
#include <fmt/format.h>

#include <algorithm>

#include "base/columns.h"
#include "inject/target_reader.h"

namespace clew::inject {

namespace {

const std::vector<std::string> kFailureKeys = {"kinds",       "errors",      "most_errors",
                                               "most",        "occurrences", "torn_renames",
                                               "most_states", "loader"};
const std::vector<std::string> kFilterKeys = {"node", "call", "object", "function", "thread"};
const std::vector<std::string> kRenameKeys = {"pattern", "becomes"};
const std::vector<std::string> kLimitKeys = {"run_seconds", "ready_seconds", "isolate",
                                             "gate",        "memory_mib",    "processes"};

}  // namespace

void TargetReader::failures() {
  const auto table = top_.table("failures", "failures", kFailureKeys);
  if (!table) return;
  Kinds& kinds = target_.kinds;
  if (table->has("kinds")) {
    for (const std::string& word : kind_words()) kind_called(kinds, word) = false;
    for (const auto& [word, at] : table->texts("kinds")) {
      if (std::ranges::find(kind_words(), word) == kind_words().end()) {
        table->fail(*at, fmt::format("there is no kind of failure `{}`", printable(word, 60)),
                    remedy_for_word(word, kind_words()));
      }
      kind_called(kinds, word) = true;
    }
  }
  if (kinds.power && target_.state.empty()) {
    table->fail(table->at("kinds"), "a power cut needs files that it can take back",
                "name the folder with the key `state`, at the top");
  }
  for (const auto& [name, at] : table->texts("errors")) {
    const Result<int> number = check_error_name(name);
    if (!number.ok()) table->fail(*at, number.error());
    kinds.errors.push_back(*number);
  }
  kinds.torn_renames = table->boolean("torn_renames", false);
  kinds.loader = table->boolean("loader", false);
  kinds.most_errors = table->number<uint32_t>("most_errors", 2, 1, 100);
  kinds.most_states = table->number<uint32_t>("most_states", 200, 1, 100'000);
  target_.most_failures = table->number("most", target_.most_failures, 0U, 16U);
  target_.occurrences = table->number("occurrences", target_.occurrences, 1U, 1000U);
}

Filter TargetReader::filter(const TargetTable& table) const {
  if (table.raw().empty()) {
    table.fail("is about nothing", "say which points: node, call, object, function or thread");
  }
  Filter filter{table.text("node"), table.text("call"), table.text("object"),
                table.text("function"), table.text("thread")};
  if (const toml::node* at = table.find("call")) {
    table.check(*at, check_call_pattern(filter.call));
  }
  if (const toml::node* at = table.find("node")) {
    std::vector<std::string> names = {"workload"};
    names.reserve(target_.nodes.size() + 1);
    for (const NodeSpec& node : target_.nodes) names.push_back(node.name);
    const bool some = std::ranges::any_of(
        names, [&](const std::string& name) { return glob_matches(filter.node, name); });
    if (!some) {
      table.fail(*at, fmt::format("no node is called `{}`", printable(filter.node, 60)),
                 remedy_for_word(filter.node, names));
    }
  }
  return filter;
}

void TargetReader::filters() {
  for (const TargetTable& table : top_.tables("only", "a filter", kFilterKeys)) {
    target_.only.push_back(filter(table));
  }
  for (const TargetTable& table : top_.tables("never", "a filter", kFilterKeys)) {
    target_.never.push_back(filter(table));
  }
}

void TargetReader::renames() {
  for (const TargetTable& table : top_.tables("rename", "a rename", kRenameKeys)) {
    table.at("pattern");
    regex(table, "pattern");
    table.at("becomes");
    const auto* becomes = table.at("becomes").as_string();
    if (becomes == nullptr) table.fail_type(table.at("becomes"), "becomes", "a string");
    target_.renames.push_back({table.text("pattern"), becomes->get()});
  }
}

void TargetReader::limits() {
  const auto table = top_.table("limits", "limits", kLimitKeys);
  if (!table) return;
  target_.run_seconds = table->number("run_seconds", target_.run_seconds, 0.1, 3600.0);
  target_.ready_seconds = table->number("ready_seconds", target_.ready_seconds, 0.1, 3600.0);
  target_.isolate = table->boolean("isolate", target_.isolate);
  target_.gate = table->boolean("gate", target_.gate);
  target_.memory = table->number<uint64_t>("memory_mib", 0, 16, 1 << 20) << 20;
  target_.processes = table->number("processes", target_.processes, 1U, 32768U);
}

}  // namespace clew::inject
