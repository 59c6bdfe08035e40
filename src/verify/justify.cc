#include "verify/justify.h"

#include <algorithm>
#include <cstdlib>

#include "base/watched.h"

namespace clew::verify {

namespace {

struct Effort {
  size_t near;    // variables that may be split on
  size_t budget;  // assumptions that may be tried
};
constexpr Effort kEfforts[] = {{40, 400}, {400, 4'000}, {4'000, 20'000}};

}  // namespace

bool Justifier::follows(std::span<const Lit> clause, std::span<const Lit> given) {
  Propagator& clauses = circuit_.clauses();
  const size_t before = clauses.mark();
  bool conflict = false;
  for (const Lit lit : clause) conflict = conflict || !clauses.assume(-lit);
  for (const Lit lit : given) conflict = conflict || !clauses.assume(lit);
  std::vector<Lit> start(clause.begin(), clause.end());
  start.insert(start.end(), given.begin(), given.end());
  size_t reached = 0;
  for (const Effort& effort : kEfforts) {
    if (conflict) break;
    collect(start, effort.near);
    if (near_.size() == reached) break;
    reached = near_.size();
    budget_ = effort.budget;
    conflict = search();
  }
  clauses.undo(before);
  return conflict;
}

void Justifier::enter(Lit lit) {
  const auto variable = static_cast<size_t>(std::abs(lit));
  if (seen_[variable] || circuit_.parts(static_cast<Lit>(variable)).empty()) return;
  seen_[variable] = true;
  near_.push_back(static_cast<Lit>(variable));
}

// Breadth first from the clause downwards.
void Justifier::collect(std::span<const Lit> start, size_t most) {
  near_.clear();
  seen_.resize(static_cast<size_t>(circuit_.clauses().variables()) + 1);
  for (const Lit lit : start) enter(lit);
  for (size_t i = 0; i < near_.size() && near_.size() < most; ++i) {
    for (const Lit part : circuit_.parts(near_[i])) enter(part);
  }
  for (const Lit variable : near_) seen_[static_cast<size_t>(variable)] = false;
}

// It has its value, but none of its parts gives a reason for it. (A conjunction that is true, or a
// disjunction that is false, decides all its parts by propagation.)
bool Justifier::unjustified(Lit gate) const {
  const Propagator& clauses = circuit_.clauses();
  const int sign = circuit_.is_disjunction(gate) ? 1 : -1;
  if (clauses.value(gate) != sign) return false;
  const std::span<const Lit> parts = circuit_.parts(gate);
  return std::ranges::none_of(parts, [&](Lit part) { return clauses.value(part) == sign; });
}

// Whether what is assumed now is impossible. False may given mean: not found out.
bool Justifier::search() {
  look(1 + near_.size());
  const auto gate = std::ranges::find_if(near_, [&](Lit lit) { return unjustified(lit); });
  return gate != near_.end() && refute_all(*gate);
}

bool Justifier::refute_all(Lit gate) {
  Propagator& clauses = circuit_.clauses();
  const Lit sign = circuit_.is_disjunction(gate) ? 1 : -1;
  const std::span<const Lit> parts = circuit_.parts(gate);
  for (const Lit part : parts) {
    // Once the others are refuted, propagation itself names the last one as the reason.
    if (clauses.value(part) == sign) return search();
    if (clauses.value(part) != 0) continue;
    if (budget_ == 0) return false;
    --budget_;
    const size_t before = clauses.mark();
    const bool refuted = !clauses.assume(sign * part) || search();
    clauses.undo(before);
    if (!refuted) return false;
    if (!clauses.assume(-sign * part)) return true;
  }
  return false;
}

}  // namespace clew::verify
