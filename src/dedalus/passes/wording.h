// How the passes word what they report.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clew::dedalus {

// `name` in backquotes; cut if it is very long.
std::string name_of(std::string_view name);
// "name" in double quotes, as one writes a string; cut likewise.
std::string string_of(std::string_view name);

// Answers "did you mean ...?" until it has made kMostComparisons, so that a program of nothing but
// mistakes is still checked quickly.
class Suggester {
 public:
  // The candidate that `word` was probably meant to be.
  std::optional<std::string> suggest(std::string_view word,
                                     const std::vector<std::string>& candidates);

 private:
  static constexpr size_t kMostComparisons = 50'000;
  size_t comparisons_ = 0;
};

}  // namespace clew::dedalus
