// The SAT solver: the only file that knows CaDiCaL.
//
//   Solver solver;
//   int a = solver.new_variable(), b = solver.new_variable();
//   solver.add({a, b});
//   const int assumed[] = {-a};
//   solver.solve(assumed, {}) == Solver::Answer::kSatisfiable;
//   solver.value(b);                                             // is true
//
// Variables are numbered from 1, literals are plus or minus a variable, as in DIMACS. A free
// variable tends to be false. CaDiCaL decides late variables first, so those that shall be decided
// first are given to it last: clauses wait until solve().
//
// (1) Literals are of variables that new_variable() gave. (2) value() is asked about a solution,
// failed() when there is none. (3) A proof is complete: it is asked for before the first clause.
#pragma once

#include <cstdio>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/stop.h"

namespace clew::formula {

class Solver {
 public:
  enum class Answer { kSatisfiable, kUnsatisfiable, kStopped, kLimited };

  Solver();
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Writes a DRAT proof of what follows to this file, which is open until the end.
  // Only before anything was added. What cannot be written shows in ferror().
  void trace_proof(std::FILE& file);

  // `first`: decided before others, as far as nothing has been learned. Not with a proof, in which
  // variables keep their numbers.
  int new_variable(bool first = false);
  int variables() const { return variables_; }
  void add(std::span<const int> clause);
  void add(std::initializer_list<int> clause) { add({clause.begin(), clause.size()}); }
  size_t clauses() const { return clauses_; }
  size_t learned() const;  // clauses, by all answers so far

  // Under assumptions and one clause that hold for this call only.
  Answer solve(std::span<const int> assumptions, std::span<const int> clause);
  // The next solve() ends with kLimited after so many conflicts.
  void limit_next(size_t conflicts) { limit_ = conflicts; }
  bool value(int variable);  // requires that the last answer was kSatisfiable
  // Whether kUnsatisfiable, the last answer, rests on this assumption.
  bool failed(int assumption);

  // A lot has been added: what made the clauses simpler before is worth its time again.
  void simplify_again() { simplified_ = false; }

  // Asked now and then during solve(): true ends it with kStopped.
  void set_stop(Stop stop);

 private:
  struct Cadical;

  void check_known(int literal) const;
  void flush();
  Answer search(std::span<const int> assumptions, std::span<const int> clause,
                std::optional<size_t> limit);
  int given(int literal) const {
    return literal < 0 ? -given_[static_cast<size_t>(-literal)]
                       : given_[static_cast<size_t>(literal)];
  }

  std::unique_ptr<Cadical> cadical_;
  int variables_ = 0;
  int given_variables_ = 0;
  bool traces_ = false;
  std::vector<int> given_ = {0};       // by variable: its number in CaDiCaL; 0: not given yet
  std::vector<bool> first_ = {false};  // by variable
  std::vector<int> waiting_;           // clauses, each ended by 0
  size_t clauses_ = 0;
  bool simplified_ = false;
  std::optional<size_t> limit_;
  std::optional<Answer> answer_;  // the last one
};

}  // namespace clew::formula
