#include "verify/proof.h"

#include <algorithm>
#include <set>

#include "base/watched.h"
#include "verify/lines.h"

namespace clew::verify {

namespace {

// The same for every order of the literals.
uint64_t hash_of(std::span<const Lit> clause) {
  uint64_t hash = clause.size();
  for (const Lit lit : clause) {
    const uint64_t mixed = static_cast<uint32_t>(lit) * 0x9E3779B97F4A7C15ULL;
    hash += mixed ^ (mixed >> 31U);
  }
  return hash;
}

void sort_and_unique(std::vector<Lit>& clause) {
  std::ranges::sort(clause);
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
}

}  // namespace

void Proof::add(std::span<const Lit> clause) {
  const ClauseRef ref = clauses_.add(clause);
  by_hash_.emplace(hash_of(clauses_.literals(ref)), ref);
}

void Proof::check(std::string_view text) {
  Lines lines(kProofFile, text);
  while (lines.next()) {
    if (lines.rest().empty()) continue;
    step(lines);
  }
  if (clauses_.contradictory()) return;
  throw Refusal{kProofFile, lines.number(), "the proof ends without a contradiction"};
}

void Proof::step(Lines& line) {
  const bool deletes = line.skip("d ");
  const std::vector<Lit> lemma = line.clause(variables());
  if (!line.rest().empty()) line.refuse("there is something after the 0");
  // What comes after the contradiction no longer matters.
  if (clauses_.contradictory()) return;
  if (deletes) return remove(lemma);
  ++lemmas_;
  if (!is_redundant(lemma)) {
    line.refuse(
        "this lemma follows neither by unit propagation nor by resolving on its first literal");
  }
  add(lemma);
}

bool Proof::is_redundant(const std::vector<Lit>& lemma) {
  const size_t before = clauses_.mark();
  bool conflict = false;
  for (const Lit lit : lemma) conflict = conflict || !clauses_.assume(-lit);
  if (!conflict && !lemma.empty()) {
    const Lit pivot = lemma.front();
    std::vector<ClauseRef> others;
    clauses_.all_clauses([&](ClauseRef ref, std::span<const Lit> other) {
      look(1 + other.size());
      if (std::ranges::find(other, -pivot) != other.end()) others.push_back(ref);
      return true;
    });
    conflict = std::ranges::all_of(
        others, [&](ClauseRef other) { return resolves(pivot, clauses_.literals(other)); });
  }
  clauses_.undo(before);
  return conflict;
}

// Denying the rest of the other clause, in addition to the lemma, leads to a conflict.
bool Proof::resolves(Lit pivot, std::span<const Lit> other) {
  const std::vector<Lit> rest(other.begin(), other.end());
  const size_t before = clauses_.mark();
  bool conflict = false;
  for (const Lit lit : rest) {
    if (lit != -pivot) conflict = conflict || !clauses_.assume(-lit);
  }
  clauses_.undo(before);
  return conflict;
}

// A clause that is not there has been deleted already, or never was: nothing is lost.
void Proof::remove(std::vector<Lit> clause) {
  sort_and_unique(clause);
  auto [at, end] = by_hash_.equal_range(hash_of(clause));
  for (; at != end; ++at) {
    const std::span<const Lit> found = clauses_.literals(at->second);
    std::vector<Lit> literals(found.begin(), found.end());
    std::ranges::sort(literals);
    if (literals != clause) continue;
    if (clauses_.remove(at->second)) by_hash_.erase(at);
    return;
  }
}

}  // namespace clew::verify
