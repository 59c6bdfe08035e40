#include "ground/reach.h"

#include <algorithm>

namespace clew::ground {

Reach::Reach(const std::shared_ptr<const dedalus::LoweredProgram>& program, const FaultModel& model,
             const GrounderOptions& options)
    : grounder_(program, model, options), stop_(options.stop) {
  grounder_.listener = [this, &all = program->program()](const Grounder::Name& name,
                                                         formula::Literal literal) {
    // What is counted is only ever read by promises.
    if (name.relation >= all.relations.size() || !all.relations[name.relation].view) return;
    possible_[name.relation][grounder_.tuple_text(name)].push_back({name.tick, literal});
  };
}

Status Reach::ground() {
  Status ground = grounder_.run();
  if (!ground.ok()) return ground;
  formula_ = std::make_unique<formula::Formula>(
      grounder_.rules(), formula::Formula::Options{.stop = stop_, .asks = true});
  formula_->learn_all();
  return Nothing{};
}

Reach::Count Reach::count(const std::string& relation, bool every_tick, size_t enough) {
  Count count;
  const Tick last = grounder_.model().eot;
  for (const auto& [id, tuples] : possible_) {
    if (grounder_.relation_name({last, id, 0}) != relation) continue;
    for (const auto& [tuple, whens] : tuples) {
      if (count.tuples >= enough || !count.exact) return {count.tuples, false};
      std::vector<formula::Literal> goals;
      for (const Possible& one : whens) {
        if (every_tick || one.tick == last) goals.push_back(one.literal);
      }
      const bool certain = std::ranges::find(goals, formula::kTrue) != goals.end();
      const auto reached = [&](formula::Literal goal) {
        using Answer = formula::Formula::Answer;
        formula_->ask({.goal = goal, .assumed = {}});
        const Answer answer = formula::decide(*formula_, grounder_.rules(), goal, stop_);
        if (answer == Answer::kStopped) count.exact = false;
        return answer == Answer::kFaults;
      };
      if (certain || std::ranges::any_of(goals, reached)) ++count.tuples;
    }
  }
  return count;
}

}  // namespace clew::ground
