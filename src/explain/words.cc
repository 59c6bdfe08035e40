#include "explain/words.h"

#include <fmt/format.h>

namespace clew::explain {

std::string list_some(const std::vector<std::string>& words, size_t most, const char* last_joint) {
  const size_t count = words.size() <= most + 1 ? words.size() : most;
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += i + 1 == words.size() ? last_joint : ", ";
    text += words[i];
  }
  if (count < words.size()) text += fmt::format(" and {} more", words.size() - count);
  return text;
}

std::string list_words(const std::vector<std::string>& words) {
  return list_some(words, words.size(), " and ");
}

std::string list_ticks(const std::vector<Tick>& ticks) {
  if (ticks.size() == 1) return fmt::format("tick {}", ticks[0]);
  const bool all = ticks.back() - ticks.front() + 1 == static_cast<Tick>(ticks.size());
  if (all && ticks.size() > 2) return fmt::format("ticks {} to {}", ticks.front(), ticks.back());
  std::vector<std::string> words;
  words.reserve(ticks.size());
  for (const Tick tick : ticks) words.push_back(std::to_string(tick));
  return "ticks " + list_words(words);
}

}  // namespace clew::explain
