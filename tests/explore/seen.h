// All that can be seen of an exploration, as text.
#pragma once

#include <fmt/format.h>

#include <string>

#include "explore/stateful.h"
#include "explore/stateless.h"

namespace clew::explore {

inline std::string seen(Runner& runner, const Exploration& found) {
  std::string text = fmt::format(
      "{} states, {} paths, {} blocked, {} cut, {} moves, {} terminals, depth {}, {} bytes, {} {} "
      "{}\n",
      found.states, found.paths, found.blocked, found.cut, found.moves, found.terminals,
      found.depth, found.bytes, found.complete, found.unfinished,
      found.not_alike.value_or("alike"));
  if (found.violation) {
    text += found.violation->property;
    for (const Move& move : found.violation->path) text += "; " + runner.print(move);
  }
  return text + fmt::format("\n{} {} {} {}", runner.steps().locals(), runner.steps().inputs(),
                            runner.steps().taken(), runner.spent_all());
}

inline std::string seen(Stateful& engine, const Exploration& found) {
  uint64_t worlds = 0;
  WorldStore::Cursor cursor(engine.worlds(), 0);
  World world;
  for (size_t i = 0; i < engine.worlds().size(); ++i) {
    const uint32_t parent = cursor.parent();
    cursor.next(world);
    worlds = mixed(worlds + hash_words(world) + parent);
  }
  uint64_t ends = 0;
  for (const uint32_t id : engine.terminals()) ends = mixed(ends + id);
  return seen(engine.runner(), found) + fmt::format(" {:x} {:x}", worlds, ends);
}

inline std::string seen(Stateless& engine, const Exploration& found) {
  uint64_t ends = 0;
  for (uint32_t i = 0; i < engine.terminals().size(); ++i) {
    ends = mixed(ends + hash_words(engine.terminals()[i]));
  }
  return seen(engine.runner(), found) + fmt::format(" {:x}", ends);
}

}  // namespace clew::explore
