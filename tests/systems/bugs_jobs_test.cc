// Bugs of Spark, MapReduce and Ethereum: a known schedule breaks what is promised, and the repair
// holds.
#include <gtest/gtest.h>

#include "base/files.h"
#include "explore/stateful.h"
#include "explore/walk.h"
#include "systems/bugs/ethereum.h"
#include "systems/bugs/mapreduce.h"
#include "systems/bugs/spark_executors.h"
#include "systems/bugs/spark_stages.h"

namespace clew::systems {
namespace {

using bugs::Variant;
using explore::Cluster;
using explore::Exploration;
using explore::Runner;
using explore::Stateful;
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

struct Known {
  const char* name;
  Cluster (*of)(Variant);
  size_t moves;
  const char* broken;
};
constexpr Known kKnown[] = {
    {"sprk_1", bugs::sprk_1, 36, "a stage has one active task set"},
    {"sprk_2", bugs::sprk_2, 20, "who has blocks is an executor"},
    {"mapr_1", bugs::mapr_1, 31, "a job that was seen to be done is not run again"},
    {"ethm_1", bugs::ethm_1, 10, "who is dropped was slow"}};

TEST(JobsBugsTest, KnownSchedulesBreakWhatIsPromised) {
  for (const Known& known : kKnown) {
    SCOPED_TRACE(known.name);
    const std::vector<std::string> moves = moves_of(known.name);
    const Walk broken = walked(known.of(Variant::kBug), moves, Walker::Then::kStop);
    EXPECT_EQ(broken.broken, known.broken);
    EXPECT_EQ(broken.path.size(), known.moves);
    EXPECT_TRUE(broken.left_out.empty());
    const Walk well = walked(known.of(Variant::kRepair), moves, Walker::Then::kGoOn);
    EXPECT_EQ(well.broken, std::nullopt);
    EXPECT_TRUE(well.ended);
  }
}

TEST(JobsBugsTest, NoneIsShorter) {
  for (const Known& known : kKnown) {
    SCOPED_TRACE(known.name);
    const Cluster cluster = known.of(Variant::kBug);
    const Exploration result = Stateful(cluster, {}).run();
    ASSERT_TRUE(result.violation);
    EXPECT_EQ(result.violation->property, known.broken);
    EXPECT_EQ(result.violation->path.size(), known.moves);
  }
}

// Of SPRK-1 there are 205,666 states.
TEST(JobsBugsTest, RepairsHold) {
  for (const Known& known : kKnown) {
    SCOPED_TRACE(known.name);
    const Cluster cluster = known.of(Variant::kRepair);
    const Exploration result = Stateful(cluster, {.most_states = 20'000}).run();
    EXPECT_FALSE(result.violation);
    EXPECT_EQ(result.complete, known.name != std::string("sprk_1"));
  }
}

// A peer that is dropped again and again never gets anything done.
TEST(JobsBugsTest, APeerComesAndGoesForEver) {
  const Cluster cluster = bugs::ethm_1_for_ever(Variant::kBug);
  const Exploration result = Stateful(cluster, {}).run();
  ASSERT_TRUE(result.violation);
  EXPECT_EQ(result.violation->property, "everything is fetched");
  EXPECT_TRUE(result.violation->loop);
  const Cluster repaired = bugs::ethm_1_for_ever(Variant::kRepair);
  const Exploration well = Stateful(repaired, {}).run();
  EXPECT_TRUE(well.complete);
  EXPECT_FALSE(well.violation);
}

}  // namespace
}  // namespace clew::systems
