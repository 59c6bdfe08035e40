// A set of clauses and what follows from it by unit propagation.
//
//   Propagator clauses;
//   Lit a = clauses.new_variable(), b = clauses.new_variable();
//   clauses.add({-a, b});
//   size_t before = clauses.mark();
//   clauses.assume(a);        // true: no conflict so far; now value(b) is 1
//   clauses.assume(-b);       // false: a conflict
//   clauses.undo(before);
//
// Literals are numbers as in DIMACS: variable n is n, its negation -n.
//
// (1) What holds without assumptions stays assigned for good, and so does the clause that is its
// reason. (2) Clauses are added and removed only while nothing is assumed. (3) After a conflict,
// undo() comes before anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clew::verify {

using Lit = int32_t;
using ClauseRef = uint32_t;

class Propagator {
 public:
  Lit new_variable();
  Lit variables() const { return static_cast<Lit>(values_.size() / 2) - 1; }

  // Repeated literals count once; a clause with x and -x says nothing.
  ClauseRef add(std::span<const Lit> clause);
  ClauseRef add(std::initializer_list<Lit> clause) { return add(std::span(clause)); }
  // False if the clause had to stay.
  bool remove(ClauseRef clause);

  // No assignment satisfies the clauses: propagation alone has shown it.
  bool contradictory() const { return contradictory_; }

  // 1 true, -1 false, 0 open.
  int value(Lit lit) const { return values_[index(lit)]; }

  size_t mark() const { return trail_.size(); }
  // Makes the literal true and propagates. False on a conflict.
  bool assume(Lit lit);
  // Takes back what was assumed, and what followed, since mark() gave `mark`.
  void undo(size_t mark);

  // All clauses that have not been removed, in the order added: each(ref, literals) until it
  // returns false. Gives back whether all returned true.
  template <class Each>
  bool all_clauses(Each each) const {
    for (size_t at = 0; at < arena_.size(); at += kHeader + static_cast<size_t>(arena_[at])) {
      if (arena_[at + 1] == 0 && !each(static_cast<ClauseRef>(at), literals(at))) return false;
    }
    return true;
  }
  std::span<const Lit> literals(size_t clause) const {
    return {&arena_[clause] + kHeader, static_cast<size_t>(arena_[clause])};
  }

 private:
  struct Watch {
    ClauseRef clause;
    Lit blocker;  // if it is true, so is the clause
  };
  static constexpr size_t kHeader = 2;  // how many literals, and whether it has been removed
  static constexpr ClauseRef kNoReason = UINT32_MAX;

  static size_t index(Lit lit) {
    return lit > 0 ? 2 * static_cast<size_t>(lit) : 2 * static_cast<size_t>(-lit) + 1;
  }
  void assign(Lit lit, ClauseRef reason);
  void attach(ClauseRef clause);
  bool propagate();
  bool visit(Lit falsified, Watch watch, bool& keep);

  std::vector<Lit> arena_;
  std::vector<std::vector<Watch>> watches_ = {{}, {}};  // by literal; variable 0 does not exist
  std::vector<int8_t> values_ = {0, 0};                 // by literal
  std::vector<ClauseRef> reasons_ = {kNoReason};        // by variable
  std::vector<Lit> trail_;
  size_t root_ = 0;  // the part of the trail that needs no assumptions
  size_t head_ = 0;  // the part of the trail that has been propagated
  bool contradictory_ = false;
  bool conflict_ = false;  // assume() met one, and undo() has not followed
};

}  // namespace clew::verify
