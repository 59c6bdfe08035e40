// What every fact means in terms of faults: a circuit of gates, and the clauses that say the same.
//
//   Circuit circuit;
//   Lit lost = circuit.input(), crashed = circuit.input();
//   Lit heard = circuit.conjunction({-lost, -crashed});
//   circuit.conjunction({-crashed, -lost}) == heard      // equal gates are one gate
//   circuit.disjunction({lost, crashed}) == -heard
//
// Constants are folded: a gate's literal is kTrue or kFalse, another literal, or a new one.
// clauses() holds both directions of every definition.
//
// (1) A literal is defined once: neither a constant nor a gate is defined again.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "verify/propagator.h"

namespace clew::verify {

inline constexpr Lit kTrue = 1;
inline constexpr Lit kFalse = -1;

class Circuit {
 public:
  Circuit();

  Lit input();
  Lit conjunction(std::vector<Lit> parts);
  Lit disjunction(std::vector<Lit> parts);

  // A literal that is defined later, as the disjunction of what may depend on it.
  Lit declare() { return input(); }
  void define(Lit lit, std::vector<Lit> disjuncts);

  // States a clause about the literals.
  void require(std::vector<Lit> clause) { clauses_.add(clause); }

  // What a variable stands for: the conjunction of its parts (or, for what define() defined, their
  // disjunction). Inputs have no parts.
  std::span<const Lit> parts(Lit variable) const {
    return gates_[static_cast<size_t>(variable)].parts;
  }
  bool is_disjunction(Lit variable) const {
    return gates_[static_cast<size_t>(variable)].disjunction;
  }

  Propagator& clauses() { return clauses_; }
  const Propagator& clauses() const { return clauses_; }

 private:
  struct Gate {
    bool disjunction = false;
    std::vector<Lit> parts;
  };
  struct PartsHash {
    size_t operator()(const std::vector<Lit>& parts) const;
  };

  Propagator clauses_;
  std::vector<Gate> gates_;  // by variable
  std::unordered_map<std::vector<Lit>, Lit, PartsHash> known_;
};

}  // namespace clew::verify
