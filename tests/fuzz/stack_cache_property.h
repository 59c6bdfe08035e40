// What must be true of all bytes that a StackCache is sent.
#pragma once

#include <string>

#include "base/check.h"
#include "inject/surface/stack_cache.h"

namespace clew::inject {

// Nothing changes, or all that was sent is there and can be sent on. True if it was read.
inline bool check_stack_cache_property(const std::string& bytes) {
  StackCache cache;
  if (!cache.add_news(bytes)) {
    CHECK(cache.modules->empty());
    return false;
  }
  for (const auto& [key, module] : *cache.modules) {
    for (const auto& [offset, place] : module->places) {
      CHECK(!place.names.empty());
      CHECK(place.names.size() <= kMostFrames);
      module->news.push_back(offset);
    }
  }
  StackCache again;
  CHECK(again.add_news(cache.take_news()));
  for (const auto& [key, module] : *again.modules) {
    CHECK(module->places == cache.modules->at(key)->places);
  }
  return true;
}

}  // namespace clew::inject
