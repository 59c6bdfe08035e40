// Values as small numbers, so that tuples compare and hash quickly.
//
// Equal Datums have equal ids. Ids do not follow the order of values: compare the Datums.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "domain/fact.h"

namespace clew::verify {

using ValueId = uint32_t;
using Tuple = std::vector<ValueId>;

struct TupleHash {
  size_t operator()(const Tuple& tuple) const {
    uint64_t hash = tuple.size();
    for (const ValueId value : tuple) hash = (hash ^ (hash >> 29U) ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ (hash >> 32U);
  }
};

class Values {
 public:
  ValueId intern(const Datum& datum) {
    auto [at, is_new] = ids_.try_emplace(datum, static_cast<ValueId>(data_.size()));
    if (is_new) data_.push_back(datum);
    return at->second;
  }

  // The id if the value occurs anywhere.
  std::optional<ValueId> find(const Datum& datum) const {
    auto at = ids_.find(datum);
    if (at == ids_.end()) return std::nullopt;
    return at->second;
  }

  const Datum& datum(ValueId id) const { return data_[id]; }

  // `("a", 4)`
  std::string print(const Tuple& tuple) const {
    Fact fact;
    for (const ValueId value : tuple) fact.values.push_back(data_[value]);
    return to_string(fact);
  }

 private:
  std::vector<Datum> data_;
  std::unordered_map<Datum, ValueId> ids_;
};

}  // namespace clew::verify
