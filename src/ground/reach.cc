#include "ground/reach.h"

#include <algorithm>

namespace clew::ground {

using Answer = formula::Formula::Answer;

Reach::Reach(const std::shared_ptr<const dedalus::LoweredProgram>& program, const FaultModel& model,
             Options options)
    : grounder_(program, model, {.stop = options.stop}), options_(std::move(options)) {
  const auto& index = program->program().relation_index;
  for (const std::string& relation : options_.relations) {
    const auto found = index.find(relation);
    if (found == index.end()) continue;
    ids_.emplace(relation, found->second);
    possible_[found->second];
  }
  grounder_.listener = [this](const Grounder::Name& name, formula::Literal literal) {
    note(name, literal);
  };
}

void Reach::note(const Grounder::Name& name, formula::Literal literal) {
  if (!options_.every_tick && name.tick < grounder_.model().eot) return;
  const auto tuples = possible_.find(name.relation);
  if (tuples != possible_.end()) tuples->second[grounder_.tuple(name)].whens.push_back(literal);
}

Status Reach::ground() {
  Status ground = grounder_.run();
  if (!ground.ok()) return ground;
  formula_ = std::make_unique<formula::Formula>(
      grounder_.rules(), formula::Formula::Options{.stop = options_.stop, .asks = true});
  formula_->learn_all();
  mark({});
  return Nothing{};
}

void Reach::mark(const FaultSet& faults) {
  const formula::Valuation run = formula::evaluate(grounder_.rules(), faults, options_.stop);
  const auto holds = [&](formula::Literal literal) { return run.holds(literal); };
  for (auto& [relation, tuples] : possible_) {
    for (auto& [values, tuple] : tuples) {
      tuple.reached = tuple.reached || std::ranges::any_of(tuple.whens, holds);
    }
  }
}

Answer Reach::ask(formula::Literal goal) {
  formula_->ask({.goal = goal, .assumed = {}});
  const Answer answer = formula::decide(*formula_, grounder_.rules(), goal, options_.stop);
  if (answer == Answer::kFaults) mark(formula_->faults());
  return answer;
}

Reach::Count Reach::count(const std::string& relation, size_t enough) {
  Count count;
  const auto id = ids_.find(relation);
  if (id == ids_.end()) return count;
  for (auto& [values, tuple] : possible_.at(id->second)) {
    if (count.tuples >= enough) return {count.tuples, false};
    for (size_t i = 0; i < tuple.whens.size() && !tuple.reached; ++i) {
      if (ask(tuple.whens[i]) == Answer::kStopped) return {count.tuples, false};
    }
    if (tuple.reached) ++count.tuples;
  }
  return count;
}

}  // namespace clew::ground
