// A variable that occurs once in its rule is a wildcard with a name, which is fine; unless its name
// is so close to that of another variable of the rule that the two were probably meant to be one.
// Names that differ only in digits (Node1, Node2) and names that begin with `_` are on purpose.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <unordered_map>

#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

constexpr size_t kMostVariables = 60;  // of a rule: every pair is compared
constexpr size_t kLongestName = 64;
constexpr size_t kShortestTypo = 3;  // shorter names are too alike anyway

struct UsedVariable {
  std::string_view name;
  Span first;
  size_t literal = 0;    // of the first occurrence; 0 for the head
  bool matches = false;  // the first occurrence is a plain argument in the body
  size_t count = 0;
};

// The variables of one rule in order of their first occurrence.
class Variables {
 public:
  explicit Variables(const Clause& rule) {
    for (const Term& arg : rule.head.args) visit(arg, 0, false);
    for (size_t i = 0; i < rule.body.size(); ++i) {
      const Literal& literal = rule.body[i];
      if (literal.kind == Literal::Kind::kCondition) visit(literal.condition, i + 1, false);
      for (const Term& arg : literal.atom.args) visit(arg, i + 1, true);
    }
  }

  const std::vector<UsedVariable>& all() const { return all_; }

 private:
  void visit(const Term& term, size_t literal, bool matches) {
    for (const Term& operand : term.operands) visit(operand, literal, false);
    if (term.kind != Term::Kind::kVariable && term.kind != Term::Kind::kAggregate) return;
    auto [entry, is_new] = index_.emplace(term.text, all_.size());
    if (is_new) all_.push_back({term.text, term.span, literal, matches, 0});
    ++all_[entry->second].count;
  }

  std::vector<UsedVariable> all_;
  std::unordered_map<std::string_view, size_t> index_;
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string without_digits(std::string_view name) {
  std::string kept(name);
  std::erase_if(kept, [](char c) { return c >= '0' && c <= '9'; });
  return kept;
}

bool differ_in_case_only(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

// One letter inserted, left out or changed, or two neighbours swapped; but not the first letter
// changed, for many name related things so: Sid, Rid.
bool one_slip_apart(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  const std::string_view rest_a = a.substr(same);
  const std::string_view rest_b = b.substr(same);
  if (a.size() < b.size()) return rest_a == rest_b.substr(1);
  if (rest_a.size() >= 2 && rest_a[0] == rest_b[1] && rest_a[1] == rest_b[0] &&
      rest_a.substr(2) == rest_b.substr(2)) {
    return true;
  }
  return same > 0 && rest_a.substr(1) == rest_b.substr(1);
}

bool look_alike(std::string_view a, std::string_view b) {
  if (differ_in_case_only(a, b)) return true;
  if (a.size() < kShortestTypo || b.size() < kShortestTypo) return false;
  return one_slip_apart(a, b) && without_digits(a) != without_digits(b);
}

// Elsewhere a lone variable is unsafe, which check_safety reports.
bool may_be_typo(const UsedVariable& variable) {
  return variable.count == 1 && variable.matches && !variable.name.starts_with('_') &&
         variable.name.size() <= kLongestName;
}

// Of two variables that both occur once the later may be the typo, if they are not side by side.
bool may_be_meant(const UsedVariable& other, const UsedVariable& typo) {
  if (other.name.starts_with('_')) return false;
  if (other.count > 1) return true;
  return other.literal != typo.literal && other.first < typo.first;
}

void warn_rule(const Clause& rule, Diagnostics& diagnostics) {
  const Variables variables(rule);
  if (variables.all().size() > kMostVariables) return;
  for (const UsedVariable& variable : variables.all()) {
    if (!may_be_typo(variable)) continue;
    for (const UsedVariable& other : variables.all()) {
      if (other.name == variable.name || !may_be_meant(other, variable)) continue;
      if (!look_alike(variable.name, other.name)) continue;
      diagnostics.warning("lone-variable", variable.first,
                          fmt::format("{} occurs only here in this rule", name_of(variable.name)),
                          fmt::format("did you mean {}? if not, write `_`", name_of(other.name)));
      break;
    }
  }
}

}  // namespace

void warn_variables(Draft& draft) {
  for (const Clause& clause : draft.clauses) {
    if (clause.kind == Clause::Kind::kRule) warn_rule(clause, draft.diagnostics);
  }
}

}  // namespace clew::dedalus
