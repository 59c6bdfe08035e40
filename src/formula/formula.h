// The Formula: clauses whose solutions are the FaultSets that might reach the goal of some Rules.
//
//   Formula formula(rules, {});
//   formula.learn_all();                          // now exactly those that do
//   while (formula.solve({}) == Answer::kFaults) {
//     FaultSet faults = formula.faults();         // reaches the goal
//     formula.exclude(faults);                    // nor anything that includes it
//   }
//
// Of what is claimed true a body must be true: these clauses are there from the start, as far as
// the goal needs them. That a body makes its atom true is said only of what was learned. So before
// anything is learned the solver may deny whatever it likes, each learned body takes FaultSets
// away for good, and with all of them only true counterexamples are left. That is how one Formula
// serves both the lineage adversary (learns what runs show) and the symbolic one (learns all).
//
// Only atoms that the goal depends on get clauses, and only for the direction in which it does
// (Plaisted, Greenbaum): where an atom helps if it is true, one of its bodies must be; where it
// helps if it is false, none must be. Within a loop of atoms that support each other
// the clauses alone would let them be true for no reason; refute_loops() adds what forbids that,
// when a solution makes use of it (Lin, Zhao).
//
// Rules may grow, and a Formula with them, question by question. What the solver has learned stays:
//
//   Formula formula(rules, {.asks = true});
//   formula.learn_all();
//   formula.ask({.goal = violation_at_4, .assumed = {!some_omission_at_3}});
//   formula.solve({});                            // about this question alone
//
// (1) No clause of such a Formula depends on a question: goals and what is assumed are assumptions
// of the solver, and nothing is insisted on, demanded or excluded. So clauses are true of the
// Rules, however these grow and whatever is asked. (2) Atoms that have a variable keep it, and
// their bodies: Rules only grow. (3) Questions are for a Formula that asks and knows all.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "domain/fault.h"
#include "formula/question.h"
#include "formula/rules.h"
#include "formula/solver.h"

namespace clew::formula {

// What solve() may choose from, besides what the Rules require.
struct Scope {
  std::optional<FaultSet> below;  // only proper subsets of it
  std::optional<size_t> at_most;  // at most so many faults
};

class Formula {
 public:
  enum class Answer { kFaults, kNone, kStopped };
  // Told of every variable, before it is used and with what it is made of before it, and of every
  // clause: for certificates.
  struct Recorder {
    virtual ~Recorder() = default;
    virtual void stands_for(int variable, Atom atom) = 0;  // a fault or a named atom
    virtual void all_of(int variable, std::span<const int> literals) = 0;
    virtual void any_of(int variable, std::span<const int> literals) = 0;
    // `about` is the atom that the clause is about, or 0.
    virtual void clause(std::span<const int> clause, const std::string& reason, Atom about) = 0;
  };
  struct Options {
    Stop stop{};  // asked while clauses are made, which it ends with Stopped, and by solve()
    Recorder* recorder = nullptr;
    std::FILE* proof = nullptr;  // a proof is written there; whoever gives it looks for errors
    // Conflicts, until a question is so hard that it is answered by parts, which takes longer.
    size_t easy = 500'000;
    bool asks = false;  // the goal is what ask() says, not that of the Rules
  };

  Formula(const Rules& rules, Options options);

  // What solve() is about from now on. The Rules may have grown. Requires Options::asks.
  void ask(const Question& question);

  void learn_all();
  // True if it was not known before.
  bool learn(Atom head, Rules::BodyId id);
  // The head of the body holds if all of these literals do: another account of one run.
  void learn_instead(Atom head, std::span<const Literal> literals);
  // Asks for all of these faults.
  void insist(const FaultSet& faults);
  // Asks for at least one of these faults.
  void demand(const FaultSet& faults);
  // Forbids whatever includes these faults.
  void exclude(const FaultSet& faults);
  // Forbids this very set of the faults that the Rules know.
  void exclude_exactly(const FaultSet& faults);

  Answer solve(const Scope& scope);
  // How much of what the solve() at hand, or else the last one, asks for is known to have no
  // solution: a share of the FaultSets. To be called by Options::stop, or between solves.
  double settled() const { return settled_; }
  FaultSet faults();  // of the last solution

  // Forbids that atoms of the same loop are true because of each other only, as they are in the
  // last solution, whose FaultSet gives `actual`. False if that is not the case there.
  bool refute_loops(const Valuation& actual);

  size_t clauses() const { return solver_.clauses(); }
  size_t learned() const { return solver_.learned(); }  // clauses, by the solver
  int variables() const { return solver_.variables(); }
  size_t loop_clauses() const { return loop_clauses_; }

 private:
  // Catches up with the Rules.
  void grow();
  void check_no_question() const;
  void deny(Atom atom);
  int variable(Atom atom);
  int recorded_variable(Atom atom);
  int body_literal(Rules::BodyId id);
  int to_solver(Literal literal);
  // From now on there are clauses that keep the literal from being true without reason.
  void need(Literal literal);
  void need_both(Literal literal);
  void work();
  void encode_claim(Atom atom);    // if true, so is a body
  void encode_firings(Atom atom);  // known bodies make it true
  int encode_body(Rules::BodyId id);
  void encode_firing(Atom head, Rules::BodyId id);
  void add(std::span<const int> clause, const char* kind, Atom about);
  std::vector<int> assumptions(const Scope& scope);
  int at_most(size_t count);
  std::vector<int> most_used_omissions() const;
  Solver::Answer solve_by_parts(std::vector<int> assumptions, std::span<const int> clause);

  const Rules& rules_;
  Options options_;
  Watch watch_{options_.stop};
  Solver solver_;
  bool knows_all_ = false;
  size_t loop_clauses_ = 0;
  double settled_ = 0;
  std::vector<int> asked_;          // goal and assumptions of the question
  std::vector<Atom> denied_;        // sorted: faults that the question rules out
  size_t requirements_ = 0;         // that have clauses
  std::vector<int> variable_of_;    // by atom; 0: none yet
  std::vector<int> body_variable_;  // by body
  std::vector<bool> claimable_;     // by atom: keeps it from being true without a body that is
  std::vector<bool> deniable_;  // by atom: keeps it from being false despite a body that is true
  std::vector<bool> known_;     // by body
  std::vector<bool> encoded_;   // by body: its variable implies its body
  std::vector<Literal> pending_;
  std::vector<int> clause_;
  std::vector<int> counter_;  // by k: at least k + 1 faults
};

// Solves until there is a solution in which the goal really holds, all loops considered, or none.
Formula::Answer decide(Formula& formula, const Rules& rules, Literal goal, const Stop& stop);

}  // namespace clew::formula
