// What is run: nodes, the workload and the check.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/columns.h"
#include "inject/target_reader.h"

namespace clew::inject {

namespace {

const std::vector<std::string> kCommandKeys = {"command", "folder", "environment", "user"};
const std::vector<std::string> kNodeKeys = {"name",        "command", "folder",  "environment",
                                            "user",        "ready",   "restart", "most_restarts",
                                            "runs_to_end", "inject",  "files"};
const std::vector<std::string> kWorkloadKeys = {"command", "folder", "environment", "user",
                                                "inject"};
const std::vector<std::string> kReadyKeys = {"line", "file", "port"};

}  // namespace

void TargetReader::nodes() {
  for (const TargetTable& table : top_.tables("node", "a node", kNodeKeys)) node(table);
}

void TargetReader::workload() {
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

}  // namespace clew::inject
