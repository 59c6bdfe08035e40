// One table of a target file: what its keys hold, each of its type. Whatever is left over, or of
// another type, is a mistake with a place, and ends the reading: it is thrown, and caught where the
// reading began.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/toml.h"

namespace clew::inject {

std::string name_of_type(const toml::node& node);  // "a table", "an integer", ...

// Ends the reading; read_target catches it.
struct TargetMistake {
  Error error;
};

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
                              std::string_view expected) const;

 private:
  std::string place(const toml::source_region& region) const;

  std::string path_;
  const toml::table& table_;
  std::string what_;
};

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

}  // namespace clew::inject
