// Bugs of Cassandra's Paxos: a known schedule breaks what is promised, and the repair holds.
#include <gtest/gtest.h>

#include "base/files.h"
#include "explore/stateful.h"
#include "explore/stateless.h"
#include "explore/walk.h"
#include "systems/bugs/cassandra.h"

namespace clew::systems {
namespace {

using bugs::Variant;
using explore::Cluster;
using explore::Exploration;
using explore::Runner;
using explore::Stateful;
using explore::Walk;
using explore::Walker;

constexpr const char* kComesBack = "no update comes back after another one";
constexpr const char* kNotInTheRow = "what was not applied is not in the row";
constexpr const char* kNothingOlder = "nothing older is accepted";
constexpr const char* kHasTheOneBefore = "who takes part in an update has the one before";
constexpr const char* kNull =
    "a handler fails: an update is in progress, but in_progress_ballot is null";

std::vector<std::string> found(const std::string& name) {
  const std::string path = "systems/bugs/found/" + name + ".txt";
  const Result<std::string> text = read_file(path, 1'000'000);
  EXPECT_TRUE(text.ok()) << path;
  std::vector<std::string> moves;
  if (!text.ok()) return moves;
  std::string_view rest = *text;
  for (size_t end = 0; (end = rest.find('\n')) != std::string_view::npos;) {
    if (!rest.starts_with('#')) moves.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return moves;
}

Walk walked(const Cluster& cluster, const std::vector<std::string>& moves, Walker::Then then) {
  Runner runner(cluster);
  return Walker(runner).walk_printed(moves, then);
}

struct Known {
  const char* name;
  Cluster bug, repair;
  size_t moves;
  const char* broken;
};

TEST(CassandraBugsTest, KnownSchedulesBreakWhatIsPromised) {
  const Known table[] = {
      {"cass_1", bugs::cass_1(Variant::kBug), bugs::cass_1(Variant::kRepair), 27, kComesBack},
      {"cass_1_committed", bugs::cass_1(Variant::kBug), bugs::cass_1(Variant::kRepair), 29,
       kComesBack},
      {"cass_2", bugs::cass_2(Variant::kBug), bugs::cass_2(Variant::kRepair), 31, kNotInTheRow},
      {"cass_3", bugs::cass_3(Variant::kBug), bugs::cass_3(Variant::kRepair), 7, kNull},
      {"cass_3_older", bugs::cass_3(Variant::kBug, 2), bugs::cass_3(Variant::kRepair, 2), 12,
       kNothingOlder},
      {"cass_5", bugs::cass_5(Variant::kBug), bugs::cass_5(Variant::kRepair), 42,
       kHasTheOneBefore}};
  for (const Known& known : table) {
    SCOPED_TRACE(known.name);
    const std::vector<std::string> moves = found(known.name);
    EXPECT_EQ(moves.size(), known.moves);
    const Walk broken = walked(known.bug, moves, Walker::Then::kStop);
    EXPECT_EQ(broken.broken, known.broken);
    EXPECT_EQ(broken.path.size(), known.moves);
    EXPECT_EQ(broken.left_out, std::vector<size_t>{});
    const Walk well = walked(known.repair, moves, Walker::Then::kGoOn);
    EXPECT_EQ(well.broken, std::nullopt);
    EXPECT_TRUE(well.ended);
  }
}

// Nobody disturbs anybody: one client asks once the one before was answered.
TEST(CassandraBugsTest, AsManyMessagesAsTheSystemSends) {
  struct Length {
    Cluster cluster;
    size_t moves;
  };
  Length table[] = {{bugs::cass_1(Variant::kBug), 3 + 54},    {bugs::cass_2(Variant::kBug), 2 + 32},
                    {bugs::cass_3(Variant::kRepair), 1 + 18}, {bugs::cass_5(Variant::kBug), 2 + 36},
                    {bugs::paxos_updates(1), 1 + 18},         {bugs::paxos_updates(2), 2 + 36},
                    {bugs::paxos_updates(3), 3 + 54}};
  for (Length& one : table) {
    one.cluster.limits.requests = 1;
    const Walk walk = walked(one.cluster, {}, Walker::Then::kGoOn);
    EXPECT_TRUE(walk.ended);
    EXPECT_EQ(walk.path.size(), one.moves);
  }
}

TEST(CassandraBugsTest, TheShortestWayToNullIsFound) {
  const Cluster cluster = bugs::cass_3(Variant::kBug);
  const Exploration broken = Stateful(cluster, {}).run();
  ASSERT_TRUE(broken.violation);
  EXPECT_EQ(broken.violation->property, kNull);
  EXPECT_EQ(broken.violation->path.size(), 7U);
}

TEST(CassandraBugsTest, OneUpdateIsExhausted) {
  for (const Cluster& cluster : {bugs::paxos_updates(1), bugs::cass_3(Variant::kRepair)}) {
    const Exploration all = Stateful(cluster, {}).run();
    EXPECT_TRUE(all.complete);
    EXPECT_FALSE(all.violation);
    EXPECT_FALSE(all.not_alike);
    EXPECT_EQ(all.states, 1'661U);
    EXPECT_EQ(all.depth, 19U);
  }
}

// As far as there is time for; cass_5.cc with the repair is exhausted by 265,788 states.
TEST(CassandraBugsTest, RepairsHold) {
  for (const Cluster& cluster : {bugs::cass_1(Variant::kRepair), bugs::cass_2(Variant::kRepair),
                                 bugs::cass_3(Variant::kRepair, 2), bugs::cass_5(Variant::kRepair),
                                 bugs::paxos_updates(2)}) {
    const Exploration some = Stateful(cluster, {.most_states = 50'000}).run();
    EXPECT_FALSE(some.violation) << some.violation->property;
    const Exploration paths =
        explore::Stateless(
            cluster, {.reduction = explore::Reduction::kRandom, .seed = 1, .most_paths = 1'000})
            .run();
    EXPECT_EQ(paths.paths, 1'000U);
    EXPECT_FALSE(paths.violation) << paths.violation->property;
  }
}

}  // namespace
}  // namespace clew::systems
