// Paths walked again, made shorter, told, and cured.
#include "explore/shrink.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explore/tale.h"

namespace clew::explore {
namespace {

struct Note {
  int number = 0;
  CLEW_FIELDS(Note, number)
};

// Tells its peer each number it is asked for; the last one it hears stays.
struct Teller : node::Node<Teller, Note, Note, Note> {
  explicit Teller(Id other) : peer(other) {}
  void request(Env& env, node::RequestId id, const Note& note) {
    env.send(peer, note);
    env.reply(id, note);
  }
  void receive(Env&, Id, const Note& note) {
    if (note.number == 9) throw std::runtime_error("nine");
    last = note.number;
  }
  const Id peer;
  node::Field<int> last{this, "last"};
};

class ShrinkTest : public ::testing::Test {
 protected:
  ShrinkTest() : cluster_({"a", "b"}) {
    cluster_.node<Teller>("a", cluster_.id("b"));
    cluster_.node<Teller>("b", cluster_.id("a"));
    cluster_.client({cluster_.ask("a", Note{1}), cluster_.ask("a", Note{2})});
    cluster_.client({cluster_.ask("b", Note{3})});
    cluster_.limits = {1, 1, 1, 1, 0};
  }
  void demand_the_last() {
    cluster_.finally("the last one stays",
                     [](const States& states) { return states.node<Teller>("b").last == 2; });
  }
  Walk walk(const std::vector<std::string>& moves, Walker::Then then = Walker::Then::kStop) {
    runner_ = std::make_unique<Runner>(cluster_);
    walker_ = std::make_unique<Walker>(*runner_);
    return walker_->walk_printed(moves, then);
  }
  std::vector<std::string> printed(const std::vector<Move>& path) {
    std::vector<std::string> result;
    for (const Move& move : path) result.push_back(runner_->print(move));
    return result;
  }

  Cluster cluster_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<Walker> walker_;
};

const std::vector<std::string> kOutOfOrder = {
    "ask client 1>a Note{number: 1}", "ask client 1>a Note{number: 2}",
    "deliver a>b Note{number: 2}", "deliver a>b Note{number: 1}"};

TEST_F(ShrinkTest, WhatIsNotPossibleIsLeftOut) {
  demand_the_last();
  const Walk done = walk({"ask client 1>a Note{number: 2}", "ask client 1>a Note{number: 1}",
                          "deliver a>b Note{number: 7}", "crash a", "restart a"});
  EXPECT_EQ(printed(done.path),
            (std::vector<std::string>{"ask client 1>a Note{number: 1}", "crash a", "restart a"}));
  EXPECT_EQ(done.left_out, (std::vector<size_t>{0, 2}));
  EXPECT_FALSE(done.broken);
  EXPECT_EQ(done.faults(), 1U);
}

// example: src/explore/walk.h
TEST_F(ShrinkTest, GoingOnEndsTheRun) {
  demand_the_last();
  Runner runner(cluster_);
  const std::vector<Move> path;
  Walker walker(runner);
  const Walk walk = walker.walk(path, Walker::Then::kStop);
  EXPECT_FALSE(walk.broken);
  EXPECT_FALSE(walk.ended);
  const Walk whole = walker.walk(path, Walker::Then::kGoOn);
  EXPECT_TRUE(whole.ended);
  EXPECT_FALSE(whole.broken) << *whole.broken;
  EXPECT_EQ(whole.faults() + whole.flips(), 0U);
}

// example: src/explore/shrink.h
TEST_F(ShrinkTest, OnlyTheFlipIsLeft) {
  demand_the_last();
  std::vector<std::string> noisy = kOutOfOrder;
  noisy.insert(noisy.begin(), {"crash b", "restart b"});
  noisy.insert(noisy.begin() + 3, "ask client 2>b Note{number: 3}");
  noisy.insert(noisy.begin() + 5, "lose b>a Note{number: 3}");
  const Walk found = walk(noisy, Walker::Then::kGoOn);
  ASSERT_EQ(found.broken, "the last one stays");
  ASSERT_EQ(found.faults(), 2U);
  const std::string property = "the last one stays";
  const Stop stop;
  Walker& walker = *walker_;
  const std::vector<Move>& path = found.path;
  const Walk least = shrink(walker, path, property, stop);
  EXPECT_EQ(least.faults(), 0U);
  EXPECT_EQ(least.path.size(), 6U);  // client 2 still asks, since the run goes on to its end
  EXPECT_EQ(least.broken, property);
  EXPECT_GE(least.flips(), 1U);
  const std::vector<Cure> found_cures = cures(walker, least, stop);
  EXPECT_EQ(found_cures.size(), cures(walker, least, stop).size());
  ASSERT_FALSE(found_cures.empty());
  for (const Cure& cure : found_cures) {
    EXPECT_FALSE(cure.run.broken);
    EXPECT_TRUE(cure.run.ended);
    EXPECT_LT(cure.move, cure.instead);
  }
}

TEST_F(ShrinkTest, AFaultThatMattersIsACure) {
  demand_the_last();
  const Walk found = walk({"ask client 1>a Note{number: 1}", "deliver a>b Note{number: 1}",
                           "ask client 1>a Note{number: 2}", "lose a>b Note{number: 2}"},
                          Walker::Then::kGoOn);
  ASSERT_TRUE(found.broken);
  const Walk least = shrink(*walker_, found.path, *found.broken, {});
  EXPECT_EQ(least.faults(), 1U);
  const std::vector<Cure> all = cures(*walker_, found, {});
  const auto lost = std::ranges::find(found.path, Move::Kind::kLose, &Move::kind);
  const auto number = static_cast<size_t>(lost - found.path.begin());
  EXPECT_TRUE(std::ranges::any_of(
      all, [&](const Cure& cure) { return cure.move == number && cure.instead == number; }));
}

TEST_F(ShrinkTest, AFailingHandlerEndsTheWalk) {
  cluster_.client({cluster_.ask("a", Note{9})});
  cluster_.always("anything", [](const States&) { return true; });
  const Walk found = walk({"ask client 1>a Note{number: 1}", "ask client 3>a Note{number: 9}",
                           "deliver a>b Note{number: 9}", "deliver a>b Note{number: 1}"});
  EXPECT_EQ(found.broken, "a handler fails: nine");
  EXPECT_EQ(found.path.size(), 3U);
  const Walk least = shrink(*walker_, found.path, *found.broken, {});
  EXPECT_EQ(least.path.size(), 2U);
}

// example: src/explore/tale.h
TEST_F(ShrinkTest, TalesSaySoAndAreReadBack) {
  demand_the_last();
  const Walk walk = this->walk(kOutOfOrder);
  Runner& runner = *runner_;
  const Tale tale = tell(runner, walk);
  EXPECT_EQ(tale.moves[0].move, kOutOfOrder[0]);
  EXPECT_EQ(tale.moves[0].from, "client 1");
  ASSERT_EQ(tale.moves[0].sent.size(), 1U);
  EXPECT_EQ(tale.moves[0].sent[0].to, "b");
  ASSERT_EQ(tale.moves[0].answered.size(), 1U);
  EXPECT_EQ(tale.moves[2].sent_by, 2U);
  EXPECT_EQ(tale.moves[3].sent_by, 1U);
  EXPECT_EQ(tale.moves[3].state, "last 1");
  EXPECT_EQ(tale.start, (std::vector<std::string>{"last 0", "last 0"}));
  const nlohmann::json json = tale;
  EXPECT_EQ(nlohmann::json(json.get<Tale>()), json);
}

}  // namespace
}  // namespace clew::explore
