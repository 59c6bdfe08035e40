// Facts as a line of text, as processes tell them (include/clew/facts.h) and fact rules write them:
//
//   Result<Fact> fact = read_told("acked(\"w1\", 7)");
//   Result<FactTemplate> is = FactTemplate::make("acked(\"$1\", $2)", 2);
//   Result<Fact> made = is->fill({"write w1 took 7 ms", "w1", "7"});   // acked("w1", 7)
//
// Strings stand in quotes, with `\"`, `\\`, `\n`, `\r`, `\t` and `\x1b` for what cannot; integers
// have 64 bits. In a template `$1` is what the first group matched, `$0` the line, `$$` a dollar.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/fact.h"

namespace clew::inject {

inline constexpr size_t kMostTold = 64 << 10;  // bytes of one fact
inline constexpr size_t kMostToldColumns = 100;

Result<Fact> read_told(std::string_view text);
// The same, on one line: read_told gives the fact back.
std::string to_told(const Fact& fact);

class FactTemplate {
 public:
  // An Error if it asks for a group that there is not.
  static Result<FactTemplate> make(std::string_view text, size_t groups);

  const std::string& relation() const { return relation_; }
  uint32_t columns() const { return static_cast<uint32_t>(values_.size()); }
  // `groups`: the line and its groups. An Error if a value without quotes is no integer.
  Result<Fact> fill(const std::vector<std::string>& groups) const;

 private:
  // Text, and the group that comes after it, if there is one.
  struct Piece {
    std::string text;
    int group = -1;
  };
  struct Value {
    bool quoted = false;
    std::vector<Piece> pieces;
  };

  static Result<std::vector<Piece>> split(std::string_view text, size_t groups);

  std::string relation_;
  std::vector<Value> values_;
};

}  // namespace clew::inject
