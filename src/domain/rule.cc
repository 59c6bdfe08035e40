#include "domain/rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace clew {

bool Rule::aggregates() const { return std::ranges::find(aggregate, true) != aggregate.end(); }

std::string Rule::where() const { return path.empty() ? "" : fmt::format("{}:{}", path, line); }

const char* to_string(Rule::Kind kind) {
  switch (kind) {
    case Rule::Kind::kDeductive:
      return "deductive";
    case Rule::Kind::kNext:
      return "next";
    case Rule::Kind::kAsync:
      return "async";
  }
  CHECK(false, "kind of rule {}", static_cast<int>(kind));
  return "";
}

}  // namespace clew
