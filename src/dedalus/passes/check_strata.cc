// The order in which the relations of one tick can be computed. Only rules without @next and @async
// count, since the others derive what holds at the next tick; reading p@N counts like reading p.
#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "datalog/stratify.h"
#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

using datalog::Cycle;
using datalog::Dependency;

constexpr int kMostCycles = 10;    // that are reported
constexpr size_t kMostSteps = 20;  // of one cycle that are shown

// Where a dependency comes from.
struct Step {
  const Clause* rule;
  const Literal* literal;
};

bool aggregates(const Clause& rule) {
  return std::ranges::any_of(rule.head.args,
                             [](const Term& arg) { return arg.kind == Term::Kind::kAggregate; });
}

class StrataChecker {
 public:
  explicit StrataChecker(Draft& draft) : draft_(draft) {
    for (const Clause& clause : draft_.clauses) {
      if (clause.kind != Clause::Kind::kRule) continue;
      if (clause.head.time.kind == TimeSuffix::Kind::kNone) add(clause);
    }
  }

  void check() {
    auto count = static_cast<uint32_t>(draft_.program.relations.size());
    for (int reported = 0; reported < kMostCycles; ++reported) {
      auto result = datalog::stratify(count, dependencies_);
      const auto* cycle = std::get_if<Cycle>(&result);
      if (cycle == nullptr) return;
      report(*cycle);
      for (const uint32_t index : cycle->dependencies) dependencies_[index].strict = false;
    }
  }

 private:
  void add(const Clause& rule) {
    const RelationIndex head = draft_.index_of(rule.head);
    const bool through_aggregate = aggregates(rule);
    for (const Literal& literal : rule.body) {
      if (literal.kind == Literal::Kind::kCondition) continue;
      const bool strict = through_aggregate || literal.kind == Literal::Kind::kNegative;
      dependencies_.push_back({draft_.index_of(literal.atom), head, strict});
      steps_.push_back({&rule, &literal});
    }
  }

  const std::string& name(RelationIndex relation) const {
    return draft_.program.relations[relation].name;
  }

  void report(const Cycle& cycle) {
    const Dependency& first = dependencies_[cycle.dependencies.front()];
    const Literal& literal = *steps_[cycle.dependencies.front()].literal;
    const bool negative = literal.kind == Literal::Kind::kNegative;
    Diagnostic& diagnostic = draft_.diagnostics.error(
        "not-stratified", literal.span,
        fmt::format("{} depends on {} within one tick", name_of(name(first.to)),
                    negative ? "its own absence" : "an aggregate of itself"),
        "let one of these rules derive into the next tick with `@next`, or break the cycle");
    for (size_t i = 0; i < std::min(cycle.dependencies.size(), kMostSteps); ++i) {
      diagnostic.notes.push_back(note_of(cycle.dependencies[i]));
    }
    if (cycle.dependencies.size() > kMostSteps) {
      diagnostic.notes.push_back({literal.span, "... and so on, back to this rule"});
    }
  }

  Note note_of(uint32_t index) const {
    const Dependency& dependency = dependencies_[index];
    const Step& step = steps_[index];
    const char* how = "needs";
    if (aggregates(*step.rule)) how = "aggregates over";
    if (step.literal->kind == Literal::Kind::kNegative) how = "needs the absence of";
    return {step.rule->head.span, fmt::format("{} {} {}", name_of(name(dependency.to)), how,
                                              name_of(name(dependency.from)))};
  }

  Draft& draft_;
  std::vector<Dependency> dependencies_;
  std::vector<Step> steps_;  // by dependency
};

}  // namespace

void check_strata(Draft& draft) { StrataChecker(draft).check(); }

}  // namespace clew::dedalus
