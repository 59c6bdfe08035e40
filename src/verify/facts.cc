#include "verify/facts.h"

#include "verify/refusal.h"

namespace clew::verify {

namespace {

constexpr size_t kMostFacts = 3'000'000;

}  // namespace

Facts::Extent& Facts::extent(RelationIndex relation, Tick tick) {
  const auto row = static_cast<size_t>(tick - 1);
  while (extents_.size() <= row) extents_.emplace_back(program_.relations.size());
  std::unique_ptr<Extent>& extent = extents_[row][relation];
  if (!extent) {
    extent = std::make_unique<Extent>();
    extent->columns.resize(program_.relations[relation].arity);
  }
  return *extent;
}

FactId Facts::add(RelationIndex relation, Tick tick, const Tuple& tuple) {
  Extent& all = extent(relation, tick);
  auto [at, is_new] = all.ids.try_emplace(tuple, static_cast<FactId>(facts_.size()));
  if (!is_new) return at->second;
  if (facts_.size() >= kMostFacts) {
    refuse_program(fmt::format("more than {} facts are possible", kMostFacts));
  }
  all.rows.push_back(at->second);
  facts_.push_back({relation, tick, tuple, std::nullopt, {}, {}});
  return at->second;
}

std::optional<FactId> Facts::find(RelationIndex relation, Tick tick, const Tuple& tuple) const {
  const auto row = static_cast<size_t>(tick - 1);
  if (tick < 1 || row >= extents_.size() || !extents_[row][relation]) return std::nullopt;
  const auto& ids = extents_[row][relation]->ids;
  auto at = ids.find(tuple);
  if (at == ids.end()) return std::nullopt;
  return at->second;
}

const std::vector<FactId>& Facts::all(RelationIndex relation, Tick tick) {
  return extent(relation, tick).rows;
}

const std::vector<FactId>& Facts::with(RelationIndex relation, Tick tick, size_t column,
                                       ValueId value) {
  Extent& all = extent(relation, tick);
  Column& index = all.columns[column];
  for (; index.indexed < all.rows.size(); ++index.indexed) {
    const FactId fact = all.rows[index.indexed];
    index.rows[facts_[fact].tuple[column]].push_back(fact);
  }
  static const std::vector<FactId> kNone;
  auto at = index.rows.find(value);
  return at == index.rows.end() ? kNone : at->second;
}

}  // namespace clew::verify
