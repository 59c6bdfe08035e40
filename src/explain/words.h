// Lists, as people write them.
#pragma once

#include <string>
#include <vector>

#include "domain/fact.h"

namespace clew::explain {

// "a, b, c", "a, b and 4 more": the first few, and how many more.
std::string list_some(const std::vector<std::string>& words, size_t most,
                      const char* last_joint = ", ");
// "a", "a and b", "a, b and c"
std::string list_words(const std::vector<std::string>& words);
// "tick 3", "ticks 3 and 5", "ticks 3 to 6"; sorted, distinct.
std::string list_ticks(const std::vector<Tick>& ticks);

}  // namespace clew::explain
