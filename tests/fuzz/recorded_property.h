// What must be true of every text that is read as recorded facts.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "microspec/recorded.h"

namespace clew {

// Whatever is read is in order, and survives being written and read again. True if it was read.
inline bool check_recorded_property(std::string_view text) {
  const Result<microspec::Recorded> read = microspec::read_recorded(text);
  if (!read.ok()) {
    CHECK(!read.error().message.empty());
    CHECK(!read.error().remedy.empty());
    return false;
  }
  CHECK(!read->facts.empty());
  CHECK(read->facts.size() <= static_cast<size_t>(kMostTicks));
  for (const std::vector<Fact>& facts : read->facts) {
    CHECK(std::ranges::adjacent_find(facts, std::ranges::greater_equal()) == facts.end());
    for (const Fact& fact : facts) {
      CHECK(fact.values.size() == read->relations.at(fact.relation));
    }
  }
  const Result<microspec::Recorded> again = microspec::read_recorded(to_lines(*read));
  CHECK(again.ok(), "{}", again.error().message);
  CHECK(again->facts == read->facts);
  CHECK(again->relations == read->relations);
  return true;
}

}  // namespace clew
