#include "domain/fact.h"

namespace clew {

std::string to_string(const Datum& datum) {
  if (const auto* number = std::get_if<int64_t>(&datum)) return std::to_string(*number);
  return '"' + std::get<std::string>(datum) + '"';
}

std::string to_string(const Fact& fact) {
  std::string text = fact.relation + '(';
  const char* separator = "";
  for (const Datum& value : fact.values) {
    text += separator + to_string(value);
    separator = ", ";
  }
  return text += ')';
}

}  // namespace clew
