// Two literals of each clause are watched; only when one of them becomes false is the clause looked
// at. Assumptions are taken back without touching any clause.
#include "verify/propagator.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/check.h"
#include "base/watched.h"
#include "verify/refusal.h"

namespace clew::verify {

Lit Propagator::new_variable() {
  values_.resize(values_.size() + 2, 0);
  watches_.resize(watches_.size() + 2);
  reasons_.push_back(kNoReason);
  return variables();
}

ClauseRef Propagator::add(std::span<const Lit> clause) {
  CHECK(trail_.size() == root_, "a clause is added under assumptions");
  if (arena_.size() + clause.size() + kHeader >= std::numeric_limits<ClauseRef>::max()) {
    throw Refusal{"", 0, "the clauses are too many for this checker"};
  }
  look(1 + clause.size());
  const auto ref = static_cast<ClauseRef>(arena_.size());
  arena_.push_back(0);
  arena_.push_back(0);
  const size_t begin = arena_.size();
  arena_.insert(arena_.end(), clause.begin(), clause.end());
  const auto first = arena_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, arena_.end(), [](Lit a, Lit b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b;
  });
  arena_.erase(std::unique(first, arena_.end()), arena_.end());
  arena_[ref] = static_cast<Lit>(arena_.size() - begin);
  const bool tautology =
      std::adjacent_find(arena_.begin() + static_cast<std::ptrdiff_t>(begin), arena_.end(),
                         [](Lit a, Lit b) { return a == -b; }) != arena_.end();
  if (!tautology) attach(ref);
  return ref;
}

// Brings literals that are not false to the front and watches the first two.
void Propagator::attach(ClauseRef clause) {
  Lit* lits = &arena_[clause] + kHeader;
  const auto size = static_cast<size_t>(arena_[clause]);
  std::stable_partition(lits, lits + size, [&](Lit lit) { return value(lit) >= 0; });
  if (size >= 2) {
    watches_[index(lits[0])].push_back({clause, lits[1]});
    watches_[index(lits[1])].push_back({clause, lits[0]});
  }
  if (size == 0 || value(lits[0]) < 0) {
    contradictory_ = true;
    return;
  }
  const bool unit = size == 1 || value(lits[1]) < 0;
  if (!unit || value(lits[0]) > 0) return;
  assign(lits[0], clause);
  if (!propagate()) contradictory_ = true;
  head_ = trail_.size();
  root_ = trail_.size();
}

bool Propagator::remove(ClauseRef clause) {
  CHECK(trail_.size() == root_, "a clause is removed under assumptions");
  for (const Lit lit : literals(clause)) {
    if (reasons_[static_cast<size_t>(std::abs(lit))] == clause) return false;
  }
  arena_[clause + 1] = 1;
  return true;
}

bool Propagator::assume(Lit lit) {
  CHECK(!conflict_, "{} is assumed after a conflict", lit);
  if (contradictory_ || value(lit) < 0) return false;
  if (value(lit) > 0) return true;
  assign(lit, kNoReason);
  conflict_ = !propagate();
  return !conflict_;
}

void Propagator::undo(size_t mark) {
  CHECK(mark >= root_, "what holds for good is taken back");
  while (trail_.size() > mark) {
    const Lit lit = trail_.back();
    trail_.pop_back();
    values_[index(lit)] = 0;
    values_[index(-lit)] = 0;
    reasons_[static_cast<size_t>(std::abs(lit))] = kNoReason;
  }
  head_ = trail_.size();
  conflict_ = false;
}

void Propagator::assign(Lit lit, ClauseRef reason) {
  values_[index(lit)] = 1;
  values_[index(-lit)] = -1;
  reasons_[static_cast<size_t>(std::abs(lit))] = reason;
  trail_.push_back(lit);
}

bool Propagator::propagate() {
  while (head_ < trail_.size()) {
    const Lit falsified = -trail_[head_++];
    std::vector<Watch>& list = watches_[index(falsified)];
    look(1 + list.size());
    size_t kept = 0;
    bool fine = true;
    for (size_t i = 0; i < list.size(); ++i) {
      bool keep = true;
      const Watch watch = list[i];
      if (fine && value(watch.blocker) <= 0) fine = visit(falsified, watch, keep);
      if (keep) list[kept++] = watch;
    }
    list.resize(kept);
    if (!fine) return false;
  }
  return true;
}

// One watched literal has become false: another one takes over, or the clause is unit or false.
bool Propagator::visit(Lit falsified, Watch watch, bool& keep) {
  if (arena_[watch.clause + 1] != 0) {
    keep = false;
    return true;
  }
  Lit* lits = &arena_[watch.clause] + kHeader;
  const auto size = static_cast<size_t>(arena_[watch.clause]);
  if (lits[0] == falsified) std::swap(lits[0], lits[1]);
  if (value(lits[0]) > 0) return true;
  for (size_t k = 2; k < size; ++k) {
    if (value(lits[k]) < 0) continue;
    std::swap(lits[1], lits[k]);
    watches_[index(lits[1])].push_back({watch.clause, lits[0]});
    keep = false;
    return true;
  }
  if (value(lits[0]) < 0) return false;
  assign(lits[0], watch.clause);
  return true;
}

}  // namespace clew::verify
