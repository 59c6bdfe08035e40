// Which nodes of a Program are alike: permutations of the nodes that leave the program as it is.
//
//   NodeSymmetry symmetry(program, {"a", "b", "c"});
//   for (const auto& image : symmetry.permutations()) ...   // image[i]: what node i becomes
//
// A permutation counts if it maps the initial facts onto themselves and moves no node that a rule
// names. A program that orders or joins strings could tell any two nodes apart; then only the
// identity counts.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "dedalus/program.h"

namespace clew::dedalus {

class NodeSymmetry {
 public:
  using Permutation = std::vector<size_t>;

  // At most so many are looked for; the identity always comes first.
  static constexpr size_t kMostPermutations = 5'000;

  // `nodes` sorted.
  NodeSymmetry(const Program& program, const std::vector<std::string>& nodes);

  const std::vector<Permutation>& permutations() const { return permutations_; }

 private:
  std::set<size_t> named_in_rules(const Program& program) const;
  std::string image(const Clause& fact, const Permutation& permutation) const;
  void extend(const Program& program, const std::set<size_t>& fixed, Permutation& permutation);
  bool keeps_facts(const Program& program, const Permutation& permutation) const;

  std::vector<std::string> nodes_;
  std::set<std::string> facts_;           // printed
  std::vector<std::string> appearances_;  // by node: where it occurs in facts, without other nodes
  std::vector<Permutation> permutations_;
  size_t tries_ = 0;
};

}  // namespace clew::dedalus
