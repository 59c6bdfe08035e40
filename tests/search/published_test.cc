// How the three readings of negation that the paper's prototype offers read one run, by eye: what
// they propose next is what they take for the run's weak places.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "search/lattice.h"

namespace clew::search {
namespace {

using formula::Bodies;
using formula::Literal;
using formula::Rules;

// A capital letter is a fact that a run without faults has, unless its node crashes; a small one is
// a fact that only two crashes of its node would bring about. `broken` is post's only obstacle:
//
//   post :- K, notin broken.     broken :- ...      the Spec: post
class SmallWorld {
 public:
  explicit SmallWorld(const std::string& broken) {
    Bodies obstacles = parse(broken);
    const Literal obstacle = rules.named(1, obstacles);
    Bodies promise{{fact("K"), !obstacle}};
    rules.set_goal(!rules.named(2, promise));
  }

  // After the run without faults: the nodes whose crashes are to be tried.
  std::string proposals(Negation negation) const {
    const std::unique_ptr<Adversary> adversary = make_published(rules, negation, {});
    Run calm;
    calm.outcomes.emplace_back().kind = Outcome::Kind::kHolds;
    adversary->observe(calm);
    std::set<std::string> nodes;
    while (true) {
      const Proposal next = adversary->propose();
      if (!next.tries()) break;
      const std::string text = to_string(next.choice.faults);
      nodes.insert(text.substr(std::string("crash ").size(), 1));
    }
    return fmt::format("{}", fmt::join(nodes, " "));
  }

  Rules rules;

 private:
  Literal fact(const std::string& letter) {
    if (const auto known = facts_.find(letter); known != facts_.end()) return known->second;
    const Literal one = rules.fault(Crash{letter, 1});
    const Literal two = rules.fault(Crash{letter, 2});
    const bool capital = letter[0] < 'a';
    Bodies ways;
    if (capital) ways = Bodies{{!one, !two}};
    if (!capital) ways = Bodies{{one, two}};
    return facts_[letter] = rules.named(10 + static_cast<uint32_t>(facts_.size()), ways);
  }

  // "X !Y | a"
  Bodies parse(const std::string& text) {
    Bodies bodies;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      if (word == "|") {
        bodies.end();
      } else {
        bodies.add(word[0] == '!' ? !fact(word.substr(1)) : fact(word));
      }
    }
    bodies.end();
    return bodies;
  }

  std::map<std::string, Literal> facts_;
};

struct Reading {
  std::string broken;
  std::string surrogate;
  std::string conservative;
};

TEST(Published, WhatIsTriedAfterTheFirstRun) {
  const Reading table[] = {
      {"X !Y", "K Y", "K Y"},             // Y alone kept it from happening
      {"!Y X", "K Y", "K Y"},             // whatever the order
      {"a !Y", "K", "K Y"},               // a was missing as well: it did not nearly happen
      {"!Y a", "K", "K Y"},               //
      {"!Y !Z", "K Y", "K Y Z"},          // one of two is enough, the first
      {"X !Y | X !Z", "K Y Z", "K Y Z"},  // each of the two might have happened
      {"X !Y | a !Z", "K Y", "K Y Z"},    //
      {"X a | X b", "K", "K"},            // nothing that is true is in the way
  };
  for (const Reading& one : table) {
    const SmallWorld world(one.broken);
    EXPECT_EQ(world.proposals(Negation::kIgnore), "K") << one.broken;
    EXPECT_EQ(world.proposals(Negation::kSurrogate), one.surrogate) << one.broken;
    EXPECT_EQ(world.proposals(Negation::kConservative), one.conservative) << one.broken;
  }
}

}  // namespace
}  // namespace clew::search
