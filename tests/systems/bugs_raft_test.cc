// Raft: a known schedule breaks what LogCabin promises, and the repair holds; and how much there is
// to see when its leader stays.
#include <gtest/gtest.h>

#include "base/files.h"
#include "explore/stateful.h"
#include "explore/stateless.h"
#include "explore/walk.h"
#include "systems/bugs/raft_snapshot.h"
#include "systems/bugs/raft_updates.h"

namespace clew::systems {
namespace {

using bugs::Variant;
using explore::Cluster;
using explore::Exploration;
using explore::Runner;
using explore::Stateful;
using explore::Stateless;
using explore::Walk;
using explore::Walker;

std::vector<std::string> moves_of(const std::string& name) {
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

TEST(RaftBugsTest, AFollowerThatHasForgottenItsChunksPanics) {
  const struct {
    const char* name;
    size_t moves;
  } table[] = {{"raft_1", 17}, {"raft_1_two_crashes", 21}};
  for (const auto& known : table) {
    SCOPED_TRACE(known.name);
    const std::vector<std::string> moves = moves_of(known.name);
    const Walk broken = walked(bugs::raft_1(Variant::kBug), moves, Walker::Then::kStop);
    EXPECT_EQ(broken.broken, "no server panics");
    EXPECT_EQ(broken.path.size(), known.moves);
    EXPECT_TRUE(broken.left_out.empty());
    const Walk well = walked(bugs::raft_1(Variant::kRepair), moves, Walker::Then::kGoOn);
    EXPECT_EQ(well.broken, std::nullopt);
    EXPECT_TRUE(well.ended);
    EXPECT_TRUE(well.left_out.empty());
  }
}

TEST(RaftBugsTest, NoneIsShorter) {
  const Cluster cluster = bugs::raft_1(Variant::kBug);
  const Exploration result = Stateful(cluster, {}).run();
  ASSERT_TRUE(result.violation);
  EXPECT_EQ(result.violation->property, "no server panics");
  EXPECT_EQ(result.violation->path.size(), 17U);
}

TEST(RaftBugsTest, TheRepairHoldsWithOneCrash) {
  Cluster cluster = bugs::raft_1(Variant::kRepair);
  cluster.limits = {.crashes = 1, .restarts = 1};
  const Exploration result = Stateful(cluster, {}).run();
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.violation);
  EXPECT_FALSE(result.not_alike);
}

TEST(RaftBugsTest, WhatUpdatesMayDoIsSeenToTheEnd) {
  const struct {
    uint8_t updates;
    size_t states, ends, depth;
  } table[] = {{1, 16, 1, 9}, {2, 187, 2, 13}, {3, 2'626, 6, 18}};
  for (const auto& known : table) {
    SCOPED_TRACE(int{known.updates});
    const Cluster cluster = bugs::raft_updates(known.updates);
    const Exploration result = Stateful(cluster, {}).run();
    EXPECT_TRUE(result.complete);
    EXPECT_FALSE(result.violation);
    EXPECT_FALSE(result.not_alike);
    EXPECT_EQ(result.states, known.states);
    EXPECT_EQ(result.terminals, known.ends);
    EXPECT_EQ(result.depth, known.depth);
    if (known.updates > 2) continue;
    const Exploration paths = Stateless(cluster, {}).run();
    EXPECT_TRUE(paths.complete);
    EXPECT_FALSE(paths.violation);
    EXPECT_EQ(paths.terminals, known.ends);
  }
}

}  // namespace
}  // namespace clew::systems
