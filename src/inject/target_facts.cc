// Where facts come from.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/columns.h"
#include "base/text.h"
#include "inject/target_reader.h"
#include "inject/told.h"

namespace clew::inject {

namespace {

const std::vector<std::string> kFactKeys = {"from", "command", "file", "line", "is"};

}  // namespace

void TargetReader::facts() {
  for (const TargetTable& table : top_.tables("fact", "a fact rule", kFactKeys)) fact(table);
}

void TargetReader::columns(const TargetTable& table, const toml::node& at,
                           const std::string& relation, uint32_t columns) {
  if (built_in_relations().contains(relation)) {
    table.fail(at, fmt::format("`{}` is a relation that Clew fills", relation),
               "choose another name (docs/inject.md, Facts, lists those that are taken)");
  }
  const auto [known, is_new] = columns_.try_emplace(relation, columns);
  if (known->second == columns) return;
  table.fail(at,
             fmt::format("`{}` has {} here, but {} before", relation, count_noun(columns, "column"),
                         known->second),
             "give all facts of a relation as many columns");
}

void TargetReader::fact_from(const TargetTable& table, FactRule& rule) {
  if (table.has("from") + table.has("command") + table.has("file") != 1) {
    table.fail("comes from exactly one of from, command and file",
               "write from = \"workload\" for what the workload prints");
  }
  if (table.has("command")) rule.command = command(table).words;
  if (table.has("file")) rule.file = below(table.text("file"));
  if (!table.has("from")) return;
  rule.from = table.text("from");
  std::vector<std::string> known;
  known.reserve(target_.nodes.size() + 2);
  for (const NodeSpec& node : target_.nodes) known.push_back(node.name);
  if (target_.workload) known.emplace_back("workload");
  if (target_.check) known.emplace_back("check");
  if (std::ranges::find(known, rule.from) != known.end()) return;
  table.fail(table.at("from"), fmt::format("nothing here is called `{}`", printable(rule.from, 60)),
             remedy_for_word(rule.from, known));
}

void TargetReader::fact(const TargetTable& table) {
  FactRule rule;
  fact_from(table, rule);
  table.at("line");
  rule.line = table.text("line");
  const size_t groups = regex(table, "line").groups();
  const toml::node& at = table.at("is");
  rule.is = table.text("is");
  const Result<FactTemplate> is = FactTemplate::make(rule.is, groups);
  if (!is.ok()) table.fail(at, "is: " + is.error().message, is.error().remedy);
  columns(table, at, is->relation(), is->columns());
  target_.facts.push_back(std::move(rule));
}

void TargetReader::tells() {
  const auto table = top_.table("tells", "tells", {});
  if (!table) return;
  for (const auto& [key, value] : table->raw()) {
    const std::string relation(key.str());
    const auto* number = value.as_integer();
    if (number == nullptr) table->fail_type(value, relation, "the number of its columns");
    const auto most = static_cast<int64_t>(kMostToldColumns);
    if (number->get() < 0 || number->get() > most) {
      table->fail(value,
                  fmt::format("{} must have from 0 to {} columns", printable(relation, 60), most),
                  "say how many values its facts have");
    }
    const Result<Fact> name = read_told(relation + "()");
    if (!name.ok() || name->relation != relation) {
      table->fail(value, fmt::format("`{}` cannot be a relation", printable(relation, 60)),
                  "use letters, digits, `_`, `.` and `?`");
    }
    const auto count = static_cast<uint32_t>(number->get());
    columns(*table, value, relation, count);
    target_.tells[relation] = count;
  }
}

}  // namespace clew::inject
