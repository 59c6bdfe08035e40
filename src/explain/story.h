// A Difference in words: backwards from the goal (why), and forwards in time (what followed).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dedalus/program.h"
#include "explain/explanation.h"
#include "lineage/difference.h"

namespace clew::explain {

using lineage::Difference;

class Story {
 public:
  // About what the roots (nodes of the difference) depend on. `program` may be null.
  Story(const Difference& difference, std::vector<uint32_t> roots, const dedalus::Program* program);

  // One sentence for each fact, the roots first, then what they come from.
  std::vector<std::string> because(size_t most_sentences) const;
  std::vector<Explanation::Consequence> consequences(size_t most) const;
  std::optional<Explanation::Parting> parting() const;

  // All nodes that the roots depend on, and the roots, the nearest first.
  const std::vector<uint32_t>& nodes() const { return nodes_; }
  // What was lost on the way, in the order of time, each message once.
  const std::vector<Difference::Loss>& losses() const { return losses_; }
  // What only the Spec looks at.
  bool is_goal(const std::string& relation) const;  // of a promise
  bool is_view(const std::string& relation) const;

 private:
  struct Line {
    Tick tick = 1;
    bool after = false;  // what is sent at a tick comes after what holds then
    int weight = 0;      // the lightest are left out if there are too many
    std::string text;
  };
  // A fact that one of the runs has; which one, the flag says, as Difference::Node::missing.
  using Topic = std::pair<bool, Fact>;
  // What the sentence about a topic is made from.
  struct Matter {
    std::vector<Difference::Loss> losses;  // at any tick
    std::vector<Fact> missing;             // at the first tick: what it needs
    std::vector<Fact> extra;               // and what is in the way, or what it comes from
    std::vector<std::string> absent;       // patterns
    std::set<uint32_t> faults;
  };

  void visit(uint32_t node);
  void collect_losses();
  Matter matter(const Topic& topic) const;
  std::string sentence(const Topic& topic, const Matter& matter) const;
  std::string sentence_about_losses(const std::string& what, bool comes_later,
                                    const std::vector<Difference::Loss>& losses) const;
  std::vector<Line> lines_about_losses() const;
  std::vector<Line> lines_about_facts() const;
  int weight(uint32_t node) const;
  std::string line(uint32_t node) const;
  bool is_first(uint32_t node) const;
  bool is_crash(const Fact& fact) const { return fact.relation == dedalus::kCrash; }
  // With its tick if the fact is missing at one time and there at another. A crash is not told as a
  // fact.
  std::string topic_name(const Topic& topic) const;
  // With its tick if that is another one than `tick`.
  std::string name_at(uint32_t node, Tick tick) const;
  // With its tick if the bad run has such a fact at another tick.
  std::string absence_name(const Firing::Absence& absence) const;
  std::string list_facts(bool missing, const std::vector<Fact>& facts) const;
  const NodeName* home(const Fact& fact) const;  // the node where the fact is, if there is one

  const Difference& difference_;
  std::vector<uint32_t> roots_;
  const dedalus::Program* program_;
  std::vector<bool> seen_;
  std::vector<uint32_t> nodes_;
  std::vector<size_t> levels_;  // where in nodes_ those begin that are one step further away
  std::map<Topic, std::vector<uint32_t>> topics_;  // by tick
  std::vector<Difference::Loss> losses_;
};

}  // namespace clew::explain
