// Which node: a number that prints as the node's name.
//
//   Id leader{2};
//   Names names{"a", "b", "c"};
//   names.name(leader);          // "c"
//
// Ids, and nothing else, are what renaming the nodes of a cluster changes. A node that keeps a
// peer's name as a string, or does arithmetic on Ids, does not treat its peers alike.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clew::node {

inline constexpr size_t kMostNodes = 250;

struct Id {
  uint8_t number = 0;

  friend bool operator==(Id, Id) = default;
  friend auto operator<=>(Id, Id) = default;
};

class Names {
 public:
  Names() = default;
  Names(std::initializer_list<std::string> names) : names_(names) {}
  explicit Names(std::vector<std::string> names) : names_(std::move(names)) {}

  size_t size() const { return names_.size(); }
  std::string name(Id id) const;  // "#7" if it is nobody's
  std::optional<Id> find(std::string_view name) const;

 private:
  std::vector<std::string> names_;
};

// Where each node's Id goes; what is beyond stays.
using Renaming = std::vector<Id>;

inline Id renamed(Id id, const Renaming& renaming) {
  return id.number < renaming.size() ? renaming[id.number] : id;
}

}  // namespace clew::node
