// Whether a clause follows from the circuit.
//
//   Justifier justifier(circuit);
//   const Lit clause[] = {-fact, firing1, firing2};
//   justifier.follows(clause, {});
//
// The clause is denied; if unit propagation finds a conflict, it follows. Otherwise something near
// the clause is true without a reason (a fact none of whose firings is decided, a false conjunction
// none of whose parts is), and all its possible reasons are tried in turn, each of which must lead
// to a conflict. This is sound whatever is tried, and complete for what is near the clause; "near"
// grows in steps, and a budget ends it.
#pragma once

#include <span>
#include <vector>

#include "verify/circuit.h"

namespace clew::verify {

class Justifier {
 public:
  explicit Justifier(Circuit& circuit) : circuit_(circuit) {}

  // Whether the clause is true whenever all of `given` are.
  bool follows(std::span<const Lit> clause, std::span<const Lit> given);

 private:
  void collect(std::span<const Lit> start, size_t most);
  void enter(Lit lit);
  bool search();
  bool refute_all(Lit gate);
  bool unjustified(Lit gate) const;

  Circuit& circuit_;
  std::vector<Lit> near_;  // variables, nearest first
  std::vector<bool> seen_;
  size_t budget_ = 0;
};

}  // namespace clew::verify
