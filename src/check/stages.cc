#include "check/stages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/watched.h"
#include "formula/formula.h"

namespace clew::check {

namespace {

std::string print(const ground::Grounder& grounder, formula::Literal literal) {
  if (literal == formula::kTrue) return "true";
  if (literal == formula::kFalse) return "false";
  return (literal.negative() ? "!" : "") + grounder.print(literal.atom());
}

std::string print_body(const ground::Grounder& grounder, std::span<const formula::Literal> body) {
  std::vector<std::string> literals;
  look(1 + body.size());
  for (const formula::Literal literal : body) literals.push_back(print(grounder, literal));
  return literals.empty() ? "true" : fmt::format("{}", fmt::join(literals, " & "));
}

class DimacsWriter : public formula::Formula::Recorder {
 public:
  explicit DimacsWriter(const ground::Grounder& grounder) : grounder_(grounder) {}

  void stands_for(int variable, formula::Atom atom) override {
    look();
    names_ += fmt::format("c {} {}\n", variable, grounder_.print(atom));
  }
  void all_of(int variable, std::span<const int> literals) override {
    names_ += fmt::format("c {} all of {}\n", variable, fmt::join(literals, " "));
  }
  void any_of(int variable, std::span<const int> literals) override {
    names_ += fmt::format("c {} any of {}\n", variable, fmt::join(literals, " "));
  }
  void clause(std::span<const int> clause, const std::string&, formula::Atom) override {
    look(1 + clause.size());
    clauses_ += fmt::format("{} 0\n", fmt::join(clause, " "));
  }

  std::string text(const formula::Formula& formula) const {
    return fmt::format("{}p cnf {} {}\n{}", names_, formula.variables(), formula.clauses(),
                       clauses_);
  }

 private:
  const ground::Grounder& grounder_;
  std::string names_;
  std::string clauses_;
};

}  // namespace

std::string print_ground(const ground::Grounder& grounder) {
  const formula::Rules& rules = grounder.rules();
  std::string text;
  for (formula::Atom atom = 1; atom < rules.atoms(); ++atom) {
    if (rules.is_fault(atom)) continue;
    std::vector<std::string> bodies;
    for (auto at = rules.first_body(atom); at < rules.end_body(atom); ++at) {
      bodies.push_back(print_body(grounder, rules.body(at)));
    }
    text += fmt::format("{} <- {}\n", grounder.print(atom), fmt::join(bodies, " ; "));
  }
  for (const std::vector<formula::Literal>& clause : rules.requirements()) {
    look(1 + clause.size());
    std::vector<std::string> literals;
    literals.reserve(clause.size());
    for (const formula::Literal literal : clause) literals.push_back(print(grounder, literal));
    text += fmt::format("require {}\n", fmt::join(literals, " | "));
  }
  return text + fmt::format("goal {}\n", print(grounder, rules.goal()));
}

std::string print_cnf(const ground::Grounder& grounder) {
  DimacsWriter writer(grounder);
  formula::Formula formula(grounder.rules(), {.recorder = &writer});
  formula.learn_all();
  return writer.text(formula);
}

}  // namespace clew::check
