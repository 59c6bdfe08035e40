#include "dedalus/passes/wording.h"

#include <fmt/format.h>

#include "base/text.h"

namespace clew::dedalus {
namespace {

constexpr size_t kLongestShown = 60;

std::string cut(std::string_view name) {
  if (name.size() <= kLongestShown) return std::string(name);
  size_t end = kLongestShown;
  auto continues_a_code_point = [&] {
    return (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U;
  };
  while (end > 0 && continues_a_code_point()) --end;
  return fmt::format("{}...", name.substr(0, end));
}

}  // namespace

std::string name_of(std::string_view name) { return fmt::format("`{}`", cut(name)); }

std::string string_of(std::string_view name) { return fmt::format("\"{}\"", cut(name)); }

std::optional<std::string> Suggester::suggest(std::string_view word,
                                              const std::vector<std::string>& candidates) {
  comparisons_ += candidates.size();
  if (comparisons_ > kMostComparisons) return std::nullopt;
  return closest(word, candidates);
}

}  // namespace clew::dedalus
