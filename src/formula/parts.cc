// The hardest questions are answered part by part: the FaultSets are split by the omissions that
// matter most, and each part is settled for itself. What the solver learns in one part it knows in
// the others, and what failed in one often closes others too. So it is known how much is left. It
// takes several times as long, since what is assumed cannot be eliminated: so only what takes
// minutes is split.
#include <algorithm>

#include "formula/formula.h"

namespace clew::formula {

namespace {

constexpr size_t kMostSplits = 6;

bool is_omission(const Fault& fault) { return std::holds_alternative<Omission>(fault); }

}  // namespace

std::vector<int> Formula::most_used_omissions() const {
  std::vector<size_t> uses(rules_.atoms());
  for (Rules::BodyId id = 0; id < rules_.bodies(); ++id) {
    for (const Literal literal : rules_.body(id)) ++uses[literal.atom()];
  }
  std::vector<Atom> omissions;
  for (const Atom atom : rules_.faults()) {
    if (variable_of_[atom] == 0 || std::ranges::binary_search(denied_, atom)) continue;
    if (is_omission(rules_.fault_of(atom))) omissions.push_back(atom);
  }
  std::ranges::stable_sort(omissions, [&](Atom a, Atom b) { return uses[a] > uses[b]; });
  if (omissions.size() > kMostSplits) omissions.resize(kMostSplits);
  std::vector<int> variables;
  variables.reserve(omissions.size());
  for (const Atom atom : omissions) variables.push_back(variable_of_[atom]);
  return variables;
}

Solver::Answer Formula::solve_by_parts(std::vector<int> assumptions, std::span<const int> clause) {
  const std::vector<int> split = most_used_omissions();
  const size_t given = assumptions.size();
  const size_t parts = size_t{1} << split.size();
  std::vector<bool> closed(parts);
  for (size_t part = 0; part < parts; ++part) {
    if (closed[part]) continue;
    if (options_.stop && options_.stop()) return Solver::Answer::kStopped;
    assumptions.resize(given);
    for (size_t i = 0; i < split.size(); ++i) {
      assumptions.push_back((part >> i & 1U) != 0 ? split[i] : -split[i]);
    }
    const Solver::Answer answer = solver_.solve(assumptions, clause);
    if (answer != Solver::Answer::kUnsatisfiable) return answer;
    size_t failed = 0;  // the splits that the answer depends on
    for (size_t i = 0; i < split.size(); ++i) {
      if (solver_.failed(assumptions[given + i])) failed |= size_t{1} << i;
    }
    for (size_t other = part; other < parts; ++other) {
      if ((other & failed) == (part & failed)) closed[other] = true;
    }
    auto done = static_cast<double>(std::ranges::count(closed, true));
    settled_ = done / static_cast<double>(parts);
  }
  return Solver::Answer::kUnsatisfiable;
}

}  // namespace clew::formula
