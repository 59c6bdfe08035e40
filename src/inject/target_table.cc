#include "inject/target_table.h"

#include <algorithm>

#include "base/columns.h"
#include "inject/target_checks.h"

namespace clew::inject {

std::string name_of_type(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return node.is_array_of_tables() ? "an array of tables" : "an array";
  if (node.is_string()) return "a string";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number with a fraction";
  return node.is_boolean() ? "a boolean" : "a date or time";
}

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

void TargetTable::fail_type(const toml::node& node, std::string_view key,
                            std::string_view expected) const {
  fail(node, fmt::format("{} must be {}, not {}", printable(key, 60), expected, name_of_type(node)),
       "docs/inject.md has an example of every key");
}

std::string TargetTable::place(const toml::source_region& region) const {
  return fmt::format("{}:{}:{}: ", path_, region.begin.line, region.begin.column);
}

}  // namespace clew::inject
