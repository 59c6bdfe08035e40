// A condition of a handler, as `clew analyze` writes it down (docs/formats/analyze.md): evaluated
// before the handler runs.
//
//   const Condition condition = parse_condition(written);  // {">": [{"message": ["ballot"]}, ...]}
//   holds(condition, moment) == false                        // the handler does not go there
//
// Fields and messages are looked at as they print, so all that prints the same counts as the same.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "node/node.h"

namespace clew::explore {

struct Condition {
  enum class Kind : uint8_t {
    kUnknown,  // it may hold or not
    kNumber,
    kText,
    kField,
    kMessage,
    kFrom,
    kSelf,
    kTimer,
    kNot,
    kAnd,
    kOr,
    kPlus,
    kMinus,
    kHas,
    kSize,
    kEqual,
    kUnequal,
    kLess,
    kLessOrEqual,
    kMore,
    kMoreOrEqual,
  };
  Kind kind = Kind::kUnknown;
  int64_t number = 0;
  std::string text{};
  std::vector<std::string> path{};
  std::vector<Condition> parts{};
};

// What is not known is kUnknown.
Condition parse_condition(const nlohmann::json& written);

// A node that is about to handle something.
struct Moment {
  const node::AnyNode& node;
  const node::Names& names;
  node::Id self{};
  std::optional<node::Id> from{};  // of a message
  std::string message{};           // or request, as it prints
  std::optional<std::string> timer{};
};

// Nothing if that cannot be told.
std::optional<bool> holds(const Condition& condition, const Moment& moment);

// The member of a printed struct: of `Vote{term: 3, who: {a, b}}` and `term`, `3`.
std::optional<std::string> printed_member(std::string_view printed, std::string_view name);
// How many parts a printed container has.
std::optional<int64_t> printed_size(std::string_view printed);

}  // namespace clew::explore
