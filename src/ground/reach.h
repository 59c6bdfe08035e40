// Which facts some admissible Run has: what a promise covers.
//
//   Reach reach(lowered, model, {});
//   if (!reach.ground().ok()) ...                      // too large, or a rule could fail
//   Reach::Count count = reach.count("pre", false);    // tuples of `pre` at the last tick
//
// Grounding tells which facts are possible as far as it can see; each that is not certain is then
// asked of the solver, so that the count is exact unless it was stopped.
#pragma once

#include <functional>
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

  // As a Grounder; the options' `stop` ends count(), too.
  Reach(const std::shared_ptr<const dedalus::LoweredProgram>& program, const FaultModel& model,
        const GrounderOptions& options);
  Reach(const Reach&) = delete;
  Reach& operator=(const Reach&) = delete;

  // Once, before count().
  Status ground();
  // The tuples that the relation holds in some Run, at the last tick or at any, each once; at
  // `enough` it stops counting. Views are known at the last tick only, unless the program promises
  // something for every tick.
  Count count(const std::string& relation, bool every_tick, size_t enough = 1'000);

 private:
  struct Possible {
    Tick tick;
    formula::Literal literal;
  };

  Grounder grounder_;
  Stop stop_;
  std::unique_ptr<formula::Formula> formula_;
  // By relation and tuple.
  std::map<datalog::RelationId, std::map<std::string, std::vector<Possible>>> possible_;
};

}  // namespace clew::ground
