// Which facts some admissible Run has: what a promise covers.
//
//   Reach reach(lowered, model, {.relations = {"pre"}});
//   if (!reach.ground().ok()) ...                 // too large, or a rule could fail
//   Reach::Count count = reach.count("pre");      // tuples of `pre` at the last tick
//
// Grounding tells which facts are possible as far as it can see. Which of them the Run without
// faults has is evaluated; each that is left is asked of the solver, whose every FaultSet is
// evaluated, too, for all that its Run has. So the count is exact unless it was stopped.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "formula/formula.h"
#include "ground/grounder.h"

namespace clew::ground {

class Reach {
 public:
  struct Count {
    size_t tuples = 0;
    bool exact = true;  // otherwise there may be more
  };
  struct Options {
    std::vector<std::string> relations;  // that will be counted
    bool every_tick = false;             // counts what they hold at any tick, not at the last one
    Stop stop{};
  };

  // Views are known at the last tick only, unless the program promises something for every tick.
  Reach(const std::shared_ptr<const dedalus::LoweredProgram>& program, const FaultModel& model,
        Options options);
  Reach(const Reach&) = delete;
  Reach& operator=(const Reach&) = delete;

  // Once, before count().
  Status ground();
  // The tuples that the relation holds in some Run, each once; at `enough` it stops counting.
  Count count(const std::string& relation, size_t enough = 1'000);

 private:
  struct Tuple {
    std::vector<formula::Literal> whens;  // by tick
    bool reached = false;
  };
  using Tuples = std::map<std::vector<uint32_t>, Tuple>;  // by values

  void note(const Grounder::Name& name, formula::Literal literal);
  formula::Formula::Answer ask(formula::Literal goal);
  // Marks what a Run with these faults has.
  void mark(const FaultSet& faults);

  Grounder grounder_;
  Options options_;
  std::unique_ptr<formula::Formula> formula_;
  std::map<std::string, datalog::RelationId> ids_;
  std::map<datalog::RelationId, Tuples> possible_;
};

}  // namespace clew::ground
