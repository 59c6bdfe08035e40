// How far a rule gets towards a fact: which of its body can be met, and what is in the way.
//
//   BodyMatch match(rule, run);
//   std::optional<BodyMatch::Result> result = match.furthest(pattern, 3);   // applied at tick 3
//   result->met        // what it found before that, in order
//   result->obstacle   // the first condition that cannot be met then: bcast("a", _)@3
//
// Bodies are matched by trying all facts, from left to right; comparisons and `notin`s are tested
// as soon as their variables are known, those that calculate at the end, as the language says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dedalus/program.h"
#include "domain/pattern.h"
#include "domain/run.h"

namespace clew::explain {

using Binding = std::map<std::string, Datum>;

class BodyMatch {
 public:
  struct Obstacle {
    enum class Kind {
      kPlace,      // the rule does not fire there
      kTooEarly,   // it reads a tick that is still to come
      kMissing,    // no such fact: `pattern`
      kPresent,    // a `notin` is not met: `present` is there
      kCondition,  // a comparison does not hold
      kGaveUp,     // nobody knows: there is too much to try
    };
    Kind kind = Kind::kMissing;
    std::string text;   // in words
    Pattern pattern;    // kMissing
    bool exact = true;  // kMissing: nothing matches the pattern; else what matches does not fit
    Fact present;
    Tick tick = 1;  // of the fact that is missing or present
  };
  // The body is met.
  struct Match {
    Binding binding;
    std::optional<NodeName> location;  // nothing: anywhere
    std::vector<Firing::Use> met;
  };
  struct Result {
    std::vector<Match> matches;  // some, if the body can be met
    size_t reached = 0;          // how many steps the best try got through, if it cannot
    std::vector<Firing::Use> met;
    Obstacle obstacle;
  };

  // Both outlive the match.
  BodyMatch(const dedalus::Clause& rule, const Run& run);

  // For the rule applied at this tick, with a head that fits the pattern as far as that is known
  // beforehand. Nothing if its constants do not fit at all. It gives up after `most_work` facts.
  std::optional<Result> furthest(const Pattern& head, Tick tick, size_t most_work = kMostWork);
  // Facts looked at by the last call.
  size_t work_done() const { return work_done_; }

  static constexpr size_t kMostWork = 200'000;

 private:
  struct Step {
    enum class Kind { kMatch, kTest, kCalculate };
    Kind kind = Kind::kMatch;
    size_t literal = 0;
  };

  void order_steps();
  bool bind_head(const Pattern& head, Binding& binding) const;
  std::optional<Obstacle> not_yet(Tick tick) const;
  void place(Binding binding);
  void go(size_t step);
  void match(size_t step);
  bool match_fact(const dedalus::Atom& atom, const Fact& fact, std::vector<std::string>& bound);
  std::optional<Obstacle> test(const dedalus::Literal& literal);
  std::optional<Obstacle> test_absence(const dedalus::Literal& literal);
  std::optional<Obstacle> test_condition(const dedalus::Literal& literal) const;
  std::optional<Obstacle> test_expressions(size_t literal) const;
  Pattern pattern_of(const dedalus::Atom& atom) const;
  bool repeats_free_variable(const dedalus::Atom& atom) const;
  Tick tick_of(const dedalus::Atom& atom) const;
  void fail(size_t step, Obstacle obstacle);
  bool spend();  // on looking at a fact; false: there is no work left
  bool is_alive(const NodeName& node) const;
  Obstacle not_there(const Datum& place) const;

  const dedalus::Clause& rule_;
  const Run& run_;
  std::vector<Step> steps_;
  Tick tick_ = 1;
  Binding binding_;
  std::optional<NodeName> location_;
  std::map<size_t, const Fact*> chosen_;  // by literal
  std::vector<Firing::Use> met_;
  Result result_;
  bool failed_ = false;
  size_t most_work_ = 0;
  size_t work_done_ = 0;
};

// The value, or nothing if it cannot be calculated or a variable is unknown.
std::optional<Datum> value_of(const dedalus::Term& term, const Binding& binding);

}  // namespace clew::explain
