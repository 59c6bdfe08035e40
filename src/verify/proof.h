// The clauses of a certificate, and its DRAT proof that they contradict each other.
//
//   Proof proof;
//   proof.add_variable(); ...; proof.add({1, -2}); ...
//   proof.check("-2 0\nd 1 -2 0\n0\n");      // throws a Refusal, or returns
//
// Every lemma must follow by unit propagation (RUP), or else be harmless because all its resolvents
// on its first literal do (RAT). Lemmas are checked forwards, one by one.
//
// Deletions only make later steps harder, with one exception: a clause that holds a literal for
// good is kept, because what followed from it is kept as well.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "verify/lines.h"
#include "verify/propagator.h"

namespace clew::verify {

class Proof {
 public:
  void add_variable() { clauses_.new_variable(); }
  Lit variables() const { return clauses_.variables(); }

  void add(std::span<const Lit> clause);
  void add(std::initializer_list<Lit> clause) { add(std::span(clause)); }

  // Throws a Refusal with the line of proof.drat.
  void check(std::string_view text);

  size_t lemmas() const { return lemmas_; }

 private:
  void step(Lines& line);
  bool is_redundant(const std::vector<Lit>& lemma);
  bool resolves(Lit pivot, std::span<const Lit> other);
  void remove(std::vector<Lit> clause);

  Propagator clauses_;
  std::unordered_multimap<uint64_t, ClauseRef> by_hash_;
  size_t lemmas_ = 0;
};

}  // namespace clew::verify
