#include "verify/circuit.h"

#include <algorithm>
#include <cstdlib>

#include "base/check.h"
#include "base/watched.h"
#include "verify/refusal.h"

namespace clew::verify {

namespace {

constexpr Lit kMostVariables = 50'000'000;

// Sorted by variable, without repetitions and without kTrue. False if the conjunction is false.
bool normalize(std::vector<Lit>& parts) {
  std::ranges::sort(parts, [](Lit a, Lit b) {
    return std::abs(a) != std::abs(b) ? std::abs(a) < std::abs(b) : a < b;
  });
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == kFalse) return false;
    if (i > 0 && parts[i] == -parts[i - 1]) return false;
  }
  std::erase(parts, kTrue);
  return true;
}

}  // namespace

size_t Circuit::PartsHash::operator()(const std::vector<Lit>& parts) const {
  uint64_t hash = parts.size();
  for (const Lit part : parts) {
    hash = (hash ^ (hash >> 29U) ^ static_cast<uint32_t>(part)) * 0x9E3779B97F4A7C15ULL;
  }
  return hash ^ (hash >> 32U);
}

Circuit::Circuit() : gates_(1) {
  const Lit constant = input();
  CHECK(constant == kTrue, "the first variable is the constant");
  clauses_.add({kTrue});
}

Lit Circuit::input() {
  if (clauses_.variables() >= kMostVariables) {
    throw Refusal{"", 0, "the program and the certificate are too large for this checker"};
  }
  gates_.emplace_back();
  return clauses_.new_variable();
}

Lit Circuit::conjunction(std::vector<Lit> parts) {
  look(1 + parts.size());
  if (!normalize(parts)) return kFalse;
  if (parts.empty()) return kTrue;
  if (parts.size() == 1) return parts.front();
  if (auto known = known_.find(parts); known != known_.end()) return known->second;
  const Lit gate = input();
  known_.emplace(parts, gate);
  std::vector<Lit> all = {gate};
  for (const Lit part : parts) {
    clauses_.add({-gate, part});
    all.push_back(-part);
  }
  clauses_.add(all);
  gates_.back().parts = std::move(parts);
  return gate;
}

Lit Circuit::disjunction(std::vector<Lit> parts) {
  for (Lit& part : parts) part = -part;
  return -conjunction(std::move(parts));
}

void Circuit::define(Lit lit, std::vector<Lit> disjuncts) {
  CHECK(lit > kTrue && parts(lit).empty(), "{} has a definition already", lit);
  std::vector<Lit> any = {-lit};
  for (const Lit disjunct : disjuncts) {
    clauses_.add({lit, -disjunct});
    any.push_back(disjunct);
  }
  clauses_.add(any);
  gates_[static_cast<size_t>(lit)] = {true, std::move(disjuncts)};
}

}  // namespace clew::verify
