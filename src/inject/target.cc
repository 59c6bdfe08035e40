// Reading goes in two steps: toml++ makes a table of the text, and what follows takes out of it
// what it knows. Whatever is left over, or of another type, is a mistake with a place.
#include "inject/target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

#include "base/columns.h"
#include "base/files.h"
#include "base/text.h"
#include "base/toml.h"
#include "inject/facts.h"
#include "inject/regex.h"
#include "inject/target_checks.h"
#include "inject/told.h"

namespace clew::inject {

namespace {

constexpr uint64_t kMostTargetBytes = 256 << 10;

// Ends the reading; read_target catches it.
struct TargetMistake {
  Error error;
};

std::string name_of_type(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return node.is_array_of_tables() ? "an array of tables" : "an array";
  if (node.is_string()) return "a string";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number with a fraction";
  return node.is_boolean() ? "a boolean" : "a date or time";
}

// One table of the file, and where it is. Every complaint ends the reading.
class TargetTable {
 public:
  // `what`: "a node", as messages call it.
  TargetTable(const std::string& path, const toml::table& table, std::string what,
              std::vector<std::string> keys);

  [[noreturn]] void fail(const toml::node& at, const std::string& message,
                         std::string remedy) const {
    throw TargetMistake{{place(at.source()) + message, std::move(remedy)}};
  }
  [[noreturn]] void fail(const toml::node& at, const Error& error) const {
    fail(at, error.message, error.remedy);
  }
  // About the table itself.
  [[noreturn]] void fail(const std::string& message, std::string remedy) const {
    fail(table_, what_ + " " + message, std::move(remedy));
  }
  void check(const toml::node& at, const Status& status) const {
    if (!status.ok()) fail(at, status.error());
  }

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* find(std::string_view key) const { return table_.get(key); }
  const toml::node& at(std::string_view key) const;  // it must be there

  // What a key holds, or what it is without the key.
  std::string text(std::string_view key) const;
  bool boolean(std::string_view key, bool otherwise) const;
  template <class Number>
  Number number(std::string_view key, Number otherwise, Number least, Number most) const;
  // A string is as good as an array of one.
  std::vector<std::pair<std::string, const toml::node*>> texts(std::string_view key) const;
  std::vector<TargetTable> tables(std::string_view key, const std::string& what,
                                  const std::vector<std::string>& keys) const;
  std::optional<TargetTable> table(std::string_view key, const std::string& what,
                                   const std::vector<std::string>& keys) const;
  const toml::table& raw() const { return table_; }

  std::string as_text(const toml::node& node, std::string_view key) const;
  [[noreturn]] void fail_type(const toml::node& node, std::string_view key,
                              std::string_view expected) const {
    fail(node,
         fmt::format("{} must be {}, not {}", printable(key, 60), expected, name_of_type(node)),
         "docs/inject.md has an example of every key");
  }

 private:
  std::string place(const toml::source_region& region) const {
    return fmt::format("{}:{}:{}: ", path_, region.begin.line, region.begin.column);
  }

  std::string path_;
  const toml::table& table_;
  std::string what_;
};

TargetTable::TargetTable(const std::string& path, const toml::table& table, std::string what,
                         std::vector<std::string> keys)
    : path_(path), table_(table), what_(std::move(what)) {
  // The first one in the file, not in the alphabet.
  const toml::key* unknown = nullptr;
  for (const auto& [key, value] : table) {
    if (keys.empty() || std::ranges::find(keys, key.str()) != keys.end()) continue;
    const auto begins = [](const toml::key& k) {
      return std::pair(k.source().begin.line, k.source().begin.column);
    };
    if (unknown == nullptr || begins(key) < begins(*unknown)) unknown = &key;
  }
  if (unknown == nullptr) return;
  throw TargetMistake{{place(unknown->source()) +
                           fmt::format("{} has no key `{}`", what_, printable(unknown->str(), 60)),
                       remedy_for_word(unknown->str(), keys)}};
}

const toml::node& TargetTable::at(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) {
    fail(fmt::format("needs the key `{}`", key), "docs/inject.md has an example of every key");
  }
  return *node;
}

std::string TargetTable::as_text(const toml::node& node, std::string_view key) const {
  const auto* text = node.as_string();
  if (text == nullptr) fail_type(node, key, "a string");
  if (text->get().empty()) {
    fail(node, fmt::format("{} is empty", printable(key, 60)), "leave it out, or fill it in");
  }
  if (text->get().find('\0') != std::string::npos) {
    fail(node, fmt::format("{} has a zero byte in it", printable(key, 60)), "leave that out");
  }
  return text->get();
}

std::string TargetTable::text(std::string_view key) const {
  const toml::node* node = find(key);
  return node == nullptr ? "" : as_text(*node, key);
}

bool TargetTable::boolean(std::string_view key, bool otherwise) const {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  if (!node->is_boolean()) fail_type(*node, key, "true or false");
  return node->as_boolean()->get();
}

template <class Number>
Number TargetTable::number(std::string_view key, Number otherwise, Number least,
                           Number most) const {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  constexpr bool kWhole = std::is_integral_v<Number>;
  const bool fits = kWhole ? node->is_integer() : node->is_number();
  if (!fits) fail_type(*node, key, kWhole ? "an integer" : "a number");
  const double asked = *node->value<double>();
  if (!(asked >= static_cast<double>(least) && asked <= static_cast<double>(most))) {
    fail(*node, fmt::format("{} must be from {} to {}", key, least, most), "choose one of these");
  }
  return static_cast<Number>(asked);
}

std::vector<std::pair<std::string, const toml::node*>> TargetTable::texts(
    std::string_view key) const {
  std::vector<std::pair<std::string, const toml::node*>> found;
  const toml::node* node = find(key);
  if (node == nullptr) return found;
  if (node->is_string()) return {{as_text(*node, key), node}};
  if (!node->is_array()) fail_type(*node, key, "an array of strings");
  for (const toml::node& one : *node->as_array()) found.emplace_back(as_text(one, key), &one);
  return found;
}

std::vector<TargetTable> TargetTable::tables(std::string_view key, const std::string& what,
                                             const std::vector<std::string>& keys) const {
  std::vector<TargetTable> found;
  const toml::node* node = find(key);
  if (node == nullptr) return found;
  if (!node->is_array()) fail_type(*node, key, fmt::format("an array of tables ([[{}]])", key));
  for (const toml::node& one : *node->as_array()) {
    if (!one.is_table()) fail_type(one, key, fmt::format("an array of tables ([[{}]])", key));
    found.emplace_back(path_, *one.as_table(), what, keys);
  }
  return found;
}

std::optional<TargetTable> TargetTable::table(std::string_view key, const std::string& what,
                                              const std::vector<std::string>& keys) const {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_table()) fail_type(*node, key, fmt::format("a table ([{}])", key));
  return TargetTable(path_, *node->as_table(), what, keys);
}

const std::vector<std::string> kTopKeys = {"state", "spec",  "node",   "workload",
                                           "check", "fact",  "tells",  "failures",
                                           "only",  "never", "rename", "limits"};
const std::vector<std::string> kCommandKeys = {"command", "folder", "environment", "user"};
const std::vector<std::string> kNodeKeys = {"name",        "command", "folder",  "environment",
                                            "user",        "ready",   "restart", "most_restarts",
                                            "runs_to_end", "inject",  "files"};
const std::vector<std::string> kWorkloadKeys = {"command", "folder", "environment", "user",
                                                "inject"};
const std::vector<std::string> kReadyKeys = {"line", "file", "port"};
const std::vector<std::string> kFactKeys = {"from", "command", "file", "line", "is"};
const std::vector<std::string> kFailureKeys = {"kinds",       "errors",      "most_errors",
                                               "most",        "occurrences", "torn_renames",
                                               "most_states", "loader"};
const std::vector<std::string> kFilterKeys = {"node", "call", "object", "function", "thread"};
const std::vector<std::string> kRenameKeys = {"pattern", "becomes"};
const std::vector<std::string> kLimitKeys = {"run_seconds", "ready_seconds", "isolate",
                                             "gate",        "memory_mib",    "processes"};

// Fills in a Target, table by table, in the order in which one needs the other.
class TargetReader {
 public:
  TargetReader(const std::string& path, const toml::table& root)
      : top_(path, root, "a target", kTopKeys) {
    std::error_code error;
    target_.path = path;
    target_.folder = std::filesystem::absolute(path, error).parent_path().lexically_normal();
  }

  Target read() &&;

 private:
  void state();
  void spec();
  void node(const TargetTable& table);
  void node_name(const TargetTable& table);
  Ready ready(const TargetTable& node) const;
  CommandSpec command(const TargetTable& table);
  std::string program(const TargetTable& table, const toml::node& at, const std::string& word,
                      const CommandSpec& command);
  void fact(const TargetTable& table);
  void fact_from(const TargetTable& table, FactRule& rule);
  void columns(const TargetTable& table, const toml::node& at, const std::string& relation,
               uint32_t columns);
  void tells();
  void failures();
  Filter filter(const TargetTable& table) const;
  void limits();
  Regex regex(const TargetTable& table, std::string_view key) const;
  std::string below(const std::string& path) const { return absolute_path(path, target_.folder); }

  TargetTable top_;
  Target target_;
  std::map<std::string, uint32_t> columns_ = built_in_relations();
};

void TargetReader::state() {
  for (const auto& [text, node] : top_.texts("state")) {
    const std::string path = below(text);
    top_.check(*node, check_state(path, target_.state));
    target_.state.push_back(path);
  }
}

void TargetReader::spec() {
  for (const auto& [text, node] : top_.texts("spec")) {
    const std::string path = below(text);
    top_.check(*node, check_spec(path));
    target_.spec.push_back(path);
  }
  if (!target_.spec.empty()) return;
  top_.fail("promises nothing",
            "say what must hold: spec = [\"promises.ded\"] (docs/inject.md, Promises)");
}

std::string TargetReader::program(const TargetTable& table, const toml::node& at,
                                  const std::string& word, const CommandSpec& command) {
  const char* search = getenv("PATH");
  const auto own = command.environment.find("PATH");
  const std::string folders = own != command.environment.end() ? own->second
                              : search != nullptr              ? search
                                                               : "";
  const Result<std::string> found = find_program(word, target_.folder, folders);
  if (!found.ok()) table.fail(at, found.error());
  if (sets_user_id(*found)) {
    target_.warnings.push_back(
        {fmt::format("{} sets its user or group: in a run it does not, it keeps those of its "
                     "caller",
                     *found),
         "name the user with the key `user`"});
  }
  return *found;
}

CommandSpec TargetReader::command(const TargetTable& table) {
  CommandSpec command;
  command.folder = target_.folder;
  if (const toml::node* folder = table.find("folder")) {
    command.folder = below(table.text("folder"));
    table.check(*folder, check_folder(command.folder));
  }
  if (const auto names = table.table("environment", "an environment", {})) {
    for (const auto& [key, value] : names->raw()) {
      const auto* text = value.as_string();
      if (text == nullptr) names->fail_type(value, key.str(), "a string");
      const std::string name(key.str());
      if (name.empty() || (name + text->get()).find('\0') != std::string::npos ||
          name.find('=') != std::string::npos) {
        names->fail(value, fmt::format("`{}` cannot be in an environment", printable(name, 60)),
                    "choose a name without =, and neither with a zero byte");
      }
      command.environment[name] = text->get();
    }
  }
  if (const toml::node* user = table.find("user")) {
    command.user = table.text("user");
    table.check(*user, check_user(command.user));
  }
  const toml::node& words = table.at("command");
  if (!words.is_array()) {
    table.fail(words, "command must be an array of strings, not " + name_of_type(words),
               R"(write ["./server", "--port", "7000"], or ["sh", "-c", "..."] for a shell)");
  }
  for (const toml::node& word : *words.as_array()) {
    const auto* text = word.as_string();
    if (text == nullptr) table.fail_type(word, "a word of a command", "a string");
    if (text->get().find('\0') != std::string::npos) {
      table.fail(word, "a word of a command has a zero byte in it", "leave that out");
    }
    command.words.push_back(text->get());
  }
  if (command.words.empty() || command.words.front().empty()) {
    table.fail(words, "command names no program", "write its name first: [\"./server\"]");
  }
  command.words.front() = program(table, words, command.words.front(), command);
  return command;
}

Regex TargetReader::regex(const TargetTable& table, std::string_view key) const {
  const Result<Regex> made = Regex::make(table.text(key));
  if (made.ok()) return *made;
  table.fail(table.at(key),
             fmt::format("{} is no regular expression: {}", key, made.error().message),
             made.error().remedy);
}

Ready TargetReader::ready(const TargetTable& node) const {
  Ready ready;
  const auto table = node.table("ready", "what tells that a node is ready", kReadyKeys);
  if (!table) return ready;
  if (table->raw().size() != 1) {
    table->fail("is exactly one of line, file and port", "write ready = { line = \"listening\" }");
  }
  if (table->has("line")) {
    regex(*table, "line");
    ready.line = table->text("line");
  }
  if (table->has("file")) ready.file = below(table->text("file"));
  ready.port = table->number("port", 0, 1, 65535);
  return ready;
}

void TargetReader::node_name(const TargetTable& table) {
  const toml::node& at = table.at("name");
  const std::string name = table.text("name");
  const bool plain = std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
  if (!plain || name.size() > 60) {
    table.fail(at, fmt::format("`{}` cannot be the name of a node", printable(name, 60)),
               "use letters, digits, `_`, `-` and `.`, at most 60");
  }
  if (name == "workload" || name == "check") {
    table.fail(at, fmt::format("a node cannot be called `{}`", name),
               "choose another name: this one stands for the command that is called so");
  }
  const bool taken =
      std::ranges::any_of(target_.nodes, [&](const NodeSpec& other) { return other.name == name; });
  if (taken) table.fail(at, fmt::format("there are two nodes `{}`", name), "rename one of them");
  target_.nodes.emplace_back().name = name;
}

void TargetReader::node(const TargetTable& table) {
  static const std::map<std::string, Restart> kRestarts = {
      {"at once", Restart::kAtOnce},
      {"after workload", Restart::kAfterWorkload},
      {"never", Restart::kNever}};
  node_name(table);
  NodeSpec& node = target_.nodes.back();
  node.command = command(table);
  node.ready = ready(table);
  if (const toml::node* at = table.find("restart")) {
    const std::string word = table.text("restart");
    const auto found = kRestarts.find(word);
    if (found == kRestarts.end()) {
      table.fail(*at, fmt::format("restart cannot be `{}`", printable(word, 60)),
                 remedy_for_word(word, {"at once", "after workload", "never"}));
    }
    node.restart = found->second;
  }
  node.most_restarts = table.number("most_restarts", node.most_restarts, 0U, 1000U);
  node.runs_to_end = table.boolean("runs_to_end", node.runs_to_end);
  node.inject = table.boolean("inject", node.inject);
  node.files = target_.state;
  if (table.has("files")) node.files.clear();
  for (const auto& [text, at] : table.texts("files")) {
    const std::string path = below(text);
    const bool inside = std::ranges::any_of(target_.state, [&](const std::string& state) {
      return path == state || path.starts_with(state + "/");
    });
    if (!inside) {
      table.fail(*at, fmt::format("{} is not in the state", printable(path)),
                 "files are folders of the state: what lies elsewhere is not copied for a run");
    }
    node.files.push_back(path);
  }
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

Target TargetReader::read() && {
  state();
  for (const TargetTable& table : top_.tables("node", "a node", kNodeKeys)) node(table);
  if (const auto table = top_.table("workload", "the workload", kWorkloadKeys)) {
    target_.workload = command(*table);
    target_.inject_workload = table->boolean("inject", false);
  }
  if (const auto table = top_.table("check", "the check", kCommandKeys)) {
    target_.check = command(*table);
  }
  if (target_.nodes.empty() && !target_.workload) {
    top_.fail("starts nothing", "name a command in a [[node]] or in [workload]");
  }
  spec();
  tells();
  for (const TargetTable& table : top_.tables("fact", "a fact rule", kFactKeys)) fact(table);
  failures();
  for (const TargetTable& table : top_.tables("only", "a filter", kFilterKeys)) {
    target_.only.push_back(filter(table));
  }
  for (const TargetTable& table : top_.tables("never", "a filter", kFilterKeys)) {
    target_.never.push_back(filter(table));
  }
  for (const TargetTable& table : top_.tables("rename", "a rename", kRenameKeys)) {
    table.at("pattern");
    regex(table, "pattern");
    table.at("becomes");
    const auto* becomes = table.at("becomes").as_string();
    if (becomes == nullptr) table.fail_type(table.at("becomes"), "becomes", "a string");
    target_.renames.push_back({table.text("pattern"), becomes->get()});
  }
  limits();
  std::ranges::sort(target_.warnings);
  target_.warnings.erase(std::unique(target_.warnings.begin(), target_.warnings.end()),
                         target_.warnings.end());
  return std::move(target_);
}

}  // namespace

Result<Target> parse_target(std::string_view text, const std::string& path) {
  const Result<toml::table> root = parse_toml(text, path, "a target file");
  if (!root.ok()) return root.error();
  try {
    return TargetReader(path, *root).read();
  } catch (const TargetMistake& mistake) {
    return mistake.error;
  }
}

Result<Target> read_target(const std::string& path) {
  const Result<std::string> text = read_file(path, kMostTargetBytes);
  if (!text.ok()) return text.error();
  return parse_target(*text, path);
}

}  // namespace clew::inject
