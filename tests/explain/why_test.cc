// Answers to why and why not: a table by eye, and random programs, where nothing that an answer
// claims may be false.
#include "lineage/why.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "base/random.h"
#include "explain/why_not.h"
#include "tests/lineage/runs.h"
#include "tests/twins/effort.h"
#include "tests/twins/random_program.h"

namespace clew::explain {
namespace {

using lineage::holds;
using lineage::PointId;
using lineage::Sample;
using lineage::WhyTeller;

// ---- Why ----

class WhyChecker {
 public:
  WhyChecker(const Sample& sample, const Run& run) : run_(run) {
    for (const dedalus::Clause& clause : sample.program->facts) {
      Fact fact{clause.head.relation, {}};
      for (const dedalus::Term& arg : clause.head.args) {
        fact.values.push_back(arg.kind == dedalus::Term::Kind::kString ? Datum(arg.text)
                                                                       : Datum(arg.integer));
      }
      given_.insert({fact, clause.head.time.tick});
    }
  }

  void check(const Why& why) {
    ASSERT_TRUE(holds(run_, why.fact, why.tick));
    for (Tick tick = why.since; tick <= why.tick; ++tick) {
      ASSERT_TRUE(holds(run_, why.fact, tick)) << to_string(why.fact);
    }
    const Key key(why.fact, why.since);
    switch (why.how) {
      case Why::How::kGiven:
        EXPECT_TRUE(given_.contains({why.fact, why.since})) << to_string(why.fact);
        return;
      case Why::How::kCrash:
        EXPECT_EQ(why.fact.relation, "crash");
        return;
      case Why::How::kSeen:
        EXPECT_TRUE(told_.contains(key)) << to_string(why.fact);
        EXPECT_FALSE(open_.contains(key)) << "a circle: " << to_string(why.fact);
        return;
      case Why::How::kCut:
        ++cut;
        return;
      case Why::How::kDerived:
        break;
    }
    EXPECT_TRUE(is_firing(why)) << to_string(why.fact) << '@' << why.since;
    EXPECT_TRUE(told_.insert(key).second) << "told twice: " << to_string(why.fact);
    open_.insert(key);
    for (const Why& from : why.from) check(from);
    open_.erase(key);
    ++steps;
  }

  uint64_t steps = 0;
  uint64_t cut = 0;

 private:
  using Key = std::pair<Fact, Tick>;

  bool is_firing(const Why& why) const {
    return std::ranges::any_of(run_.firings, [&](const Firing& firing) {
      if (firing.head != why.fact || firing.head_tick != why.since ||
          &run_.rule(firing) != why.rule || firing.used.size() != why.from.size()) {
        return false;
      }
      for (size_t i = 0; i < why.from.size(); ++i) {
        if (firing.used[i].fact != why.from[i].fact || firing.used[i].tick != why.from[i].tick) {
          return false;
        }
      }
      return firing.absences.size() == why.without.size();
    });
  }

  const Run& run_;
  std::set<std::pair<Fact, int64_t>> given_;
  std::set<Key> told_;
  std::set<Key> open_;
};

// ---- Why not ----

class WhyNotChecker {
 public:
  WhyNotChecker(const Sample& sample, const Run& run) : sample_(sample), run_(run) {}

  void check(const WhyNot& why_not) {
    ASSERT_NE(why_not.how, WhyNot::How::kBeyondEnd);
    for (Tick tick = why_not.since; tick <= why_not.tick; ++tick) {
      const auto& facts = run_.facts[static_cast<size_t>(tick - 1)];
      EXPECT_TRUE(find_facts(why_not.pattern, facts).empty())
          << to_string(why_not.pattern) << '@' << tick << " is said to be missing";
    }
    for (const WhyNot::Attempt& attempt : why_not.attempts) check(attempt);
  }

  uint64_t attempts = 0;
  std::set<std::string> reasons;

 private:
  void check(const WhyNot::Attempt& attempt) {
    ++attempts;
    reasons.insert(to_string(attempt.reason));
    EXPECT_FALSE(attempt.text.empty());
    for (const Firing::Use& use : attempt.met) {
      EXPECT_TRUE(holds(run_, use.fact, use.tick)) << to_string(use.fact);
    }
    for (const WhyNot& missing : attempt.missing) check(missing);
    for (const Why& present : attempt.present) WhyChecker(sample_, run_).check(present);
    if (attempt.reason == WhyNot::Attempt::Reason::kLost) check_loss(attempt);
    if (attempt.reason == WhyNot::Attempt::Reason::kValue) check_value(attempt);
    EXPECT_NE(attempt.reason, WhyNot::Attempt::Reason::kGaveUp) << attempt.rule->text;
  }

  void check_loss(const WhyNot::Attempt& attempt) const {
    const bool lost = std::ranges::any_of(run_.messages, [&](const Message& message) {
      return message.sent_at == attempt.tick && message.lost() &&
             attempt.text.find("from " + message.from + " at tick " +
                               std::to_string(message.sent_at)) != std::string::npos;
    });
    EXPECT_TRUE(lost) << attempt.text;
  }

  // `it is p("a", 3) instead`
  void check_value(const WhyNot::Attempt& attempt) const {
    const std::string text = attempt.text.substr(0, attempt.text.find(" instead"));
    if (text.starts_with("it would be ")) return;
    const bool there = std::ranges::any_of(run_.facts, [&](const std::vector<Fact>& facts) {
      return std::ranges::any_of(
          facts, [&](const Fact& fact) { return "it is " + to_string(fact) == text; });
    });
    EXPECT_TRUE(there) << attempt.text;
  }

  const Sample& sample_;
  const Run& run_;
};

// Facts of other ticks, and these with holes.
std::vector<std::pair<Pattern, Tick>> absent_patterns(const Run& run, Random& random) {
  std::vector<std::pair<Pattern, Tick>> found;
  for (int i = 0; i < 40; ++i) {
    const auto& facts = run.facts[random.uniform_below(run.facts.size())];
    if (facts.empty()) continue;
    Pattern pattern = to_pattern(facts[random.uniform_below(facts.size())]);
    if (!pattern.columns.empty() && random.uniform_below(3) == 0) {
      pattern.columns[random.uniform_below(pattern.columns.size())].reset();
    }
    if (!pattern.columns.empty() && random.uniform_below(3) == 0) {
      pattern.columns.back() = Datum(static_cast<int64_t>(random.uniform_below(5)));
    }
    const auto tick = static_cast<Tick>(1 + random.uniform_below(run.facts.size()));
    if (find_facts(pattern, run.facts[static_cast<size_t>(tick - 1)]).empty()) {
      found.emplace_back(pattern, tick);
    }
  }
  return found;
}

TEST(Why, RandomPrograms) {
  uint64_t steps = 0;
  uint64_t attempts = 0;
  std::set<std::string> reasons;
  for (uint64_t seed = 1; seed <= twins::effort(800); ++seed) {
    Random random(seed);
    const twins::RandomProgram program = twins::random_program(random);
    const Sample sample(program.text());
    if (!sample.program) continue;
    const std::optional<clew::Run> run = sample.run(twins::random_scenario(program.nodes, random));
    if (!run || run->firings.size() > 20'000) continue;
    const Graph graph(*run, &*sample.program);
    WhyTeller teller(graph, 100'000);
    WhyChecker checker(sample, *run);
    for (PointId point = 0; point < graph.point_count(); ++point) checker.check(teller.tell(point));
    EXPECT_EQ(checker.cut, 0U);
    steps += checker.steps;
    WhyNotChecker doubts(sample, *run);
    for (const auto& [pattern, tick] : absent_patterns(*run, random)) {
      doubts.check(why_not(*sample.program, sample.sources, graph, pattern, tick));
    }
    attempts += doubts.attempts;
    reasons.merge(doubts.reasons);
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << program.text();
  }
  std::cout << steps << " steps, " << attempts << " attempts\n";
  EXPECT_GT(steps, twins::kSlowBuild ? 100U : 1000U);
  EXPECT_GT(attempts, 1000U);
  EXPECT_EQ(reasons, (std::set<std::string>{"condition", "lost", "missing", "place", "present",
                                            "time", "value"}));
}

}  // namespace
}  // namespace clew::explain
