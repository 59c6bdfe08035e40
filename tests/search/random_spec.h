// Specs for random programs that faults may violate.
//
//   std::string text = without_spec(program);
//   text += random_spec(facts_to_promise(*bare, model), random);   // `bare` is the program of text
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "ground/grounder.h"
#include "tests/twins/random_program.h"

namespace clew::search {

// Facts of the last tick as the run without faults has them, and such as only faults could bring.
struct Promises {
  std::vector<std::string> present;
  std::vector<std::string> absent;
};

inline Promises facts_to_promise(const dedalus::Program& program, const FaultModel& model) {
  Promises choice;
  ground::Grounder grounder(program, model, {.most_rows = 20'000, .most_firings = 50'000});
  if (!grounder.run().ok()) return choice;
  const formula::Rules& rules = grounder.rules();
  formula::Valuation calm = formula::evaluate(rules, {});
  for (formula::Atom atom = 1; atom < rules.atoms(); ++atom) {
    if (!rules.is_named(atom) || grounder.name(atom).tick != model.eot) continue;
    if (grounder.contributes_to(grounder.name(atom))) continue;
    std::string text = grounder.print(atom);
    text.resize(text.rfind('@'));
    if (text.ends_with("()")) continue;
    (calm.holds(formula::literal(atom)) ? choice.present : choice.absent).push_back(text);
  }
  return choice;
}

// Promises that hold without faults, of facts that faults can bring or take away: otherwise most
// random programs would keep their promises whatever happens, or break them at once.
inline std::string random_spec(const Promises& choice, Random& random) {
  std::string spec;
  for (int64_t goal = random.uniform_in(1, 2); goal > 0; --goal) {
    bool new_pre = !choice.absent.empty() && random.chance(0.4);
    if (choice.present.empty() && !new_pre) continue;
    spec += fmt::format("pre(\"{}\") :- {};\n", goal,
                        random.pick(new_pre ? choice.absent : choice.present));
    bool may_lack_post = new_pre && random.chance(0.5);
    if (choice.present.empty() || may_lack_post) continue;
    spec += fmt::format("post(\"{}\") :- {};\n", goal, random.pick(choice.present));
  }
  return spec;
}

inline std::string without_spec(const twins::RandomProgram& program) {
  std::string text;
  for (const std::string& clause : program.clauses) {
    bool spec = clause.starts_with("pre(") || clause.starts_with("post(");
    if (!spec) text += clause + "\n";
  }
  return text;
}

}  // namespace clew::search
