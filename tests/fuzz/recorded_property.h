// What must be true of every text that is read as recorded facts.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/check.h"
#include "microspec/recorded.h"

namespace clew {

// One object a line, which reads as the same.
inline std::string to_lines(const microspec::Recorded& recorded) {
  using nlohmann::json;
  std::string text;
  for (const auto& [relation, columns] : recorded.relations) {
    text += json{{"relation", relation}, {"columns", columns}}.dump() + "\n";
  }
  for (size_t i = 0; i < recorded.facts.size(); ++i) {
    for (const Fact& fact : recorded.facts[i]) {
      json values = json::array();
      for (const Datum& datum : fact.values) {
        std::visit([&](const auto& value) { values.push_back(value); }, datum);
      }
      const json line = {{"tick", i + 1}, {"relation", fact.relation}, {"values", values}};
      text += line.dump() + "\n";
    }
  }
  return text + json{{"ticks", recorded.facts.size()}}.dump() + "\n";
}

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
