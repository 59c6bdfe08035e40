// Paxos as an example of a system: how many states it has is known to Spin, too (bench/spin).
#include "systems/paxos/paxos.h"

#include <gtest/gtest.h>

#include "explore/stateful.h"
#include "tests/explore/naive.h"

namespace clew::systems {
namespace {

using explore::Cluster;
using explore::Exploration;
using explore::Stateful;

Exploration explored(const Cluster& cluster, bool symmetry) {
  return Stateful(cluster, {.symmetry = symmetry}).run();
}

struct Known {
  paxos::Setup setup;
  size_t states = 0;
  size_t up_to_renaming = 0;
};

TEST(PaxosTest, AsManyStatesAsIsKnown) {
  const Known table[] = {{{.proposers = 1, .acceptors = 1}, 5, 5},
                         {{.proposers = 1, .acceptors = 2}, 17, 11},
                         {{.proposers = 1, .acceptors = 3}, 209, 53},
                         {{.proposers = 2, .acceptors = 1}, 33, 33},
                         {{.proposers = 2, .acceptors = 2}, 481, 257},
                         {{.proposers = 2, .acceptors = 3}, 100'989, 17'809},
                         {{.proposers = 3, .acceptors = 2}, 14'737, 7'483}};
  for (const Known& known : table) {
    SCOPED_TRACE(testing::Message() << int{known.setup.proposers} << " proposers, "
                                    << int{known.setup.acceptors} << " acceptors");
    const Cluster cluster = paxos::cluster(known.setup);
    for (const bool symmetry : {false, true}) {
      const Exploration found = explored(cluster, symmetry);
      EXPECT_EQ(found.states, symmetry ? known.up_to_renaming : known.states);
      EXPECT_TRUE(found.complete);
      EXPECT_FALSE(found.violation);
      EXPECT_FALSE(found.not_alike);
    }
  }
}

void argue(const Cluster& cluster) {
  for (const bool symmetry : {false, true}) {
    const Exploration found = explored(cluster, symmetry);
    const explore::Naive naive(cluster);
    const explore::Naive::Found expected = naive.explore(10'000, symmetry);
    EXPECT_TRUE(expected.complete);
    EXPECT_EQ(found.states, expected.worlds.size());
    EXPECT_EQ(found.terminals, expected.ends.size());
  }
}

TEST(PaxosTest, AsManyAsTheNaiveExplorerFinds) {
  argue(paxos::cluster({.proposers = 1, .acceptors = 3}));
  argue(paxos::cluster({.proposers = 2, .acceptors = 2}));
  Cluster faulty = paxos::cluster({.proposers = 1, .acceptors = 2});
  faulty.limits = {.crashes = 1, .restarts = 1, .losses = 1};
  argue(faulty);
}

TEST(PaxosTest, AgreesUnderCrashesAndWithAnotherRound) {
  Cluster crashing = paxos::cluster({.proposers = 2, .acceptors = 3});
  crashing.limits = {.crashes = 1, .restarts = 1};
  const Exploration found = explored(crashing, true);
  EXPECT_TRUE(found.complete);
  EXPECT_FALSE(found.violation);
  Cluster patient = paxos::cluster({.proposers = 2, .acceptors = 2, .rounds = 2});
  patient.limits.early_timers = 1;
  const Exploration again = explored(patient, true);
  EXPECT_TRUE(again.complete);
  EXPECT_FALSE(again.violation);
  EXPECT_GT(again.states, 10'000U);
}

TEST(PaxosTest, ForgettingToCompareBallotsIsFound) {
  const Cluster cluster = paxos::cluster({.proposers = 2, .acceptors = 3, .forgetful = true});
  for (const bool symmetry : {false, true}) {
    Stateful engine(cluster, {.symmetry = symmetry});
    const Exploration found = engine.run();
    EXPECT_FALSE(found.complete);
    ASSERT_TRUE(found.violation);
    EXPECT_EQ(found.violation->property, "agreement");
    // Both proposers get two promises, then two acceptances: sixteen messages.
    ASSERT_EQ(found.violation->path.size(), 16U);
    EXPECT_EQ(engine.runner().print(found.violation->path.front()),
              "deliver p1>a1 Prepare{ballot: 1}");
  }
}

}  // namespace
}  // namespace clew::systems
