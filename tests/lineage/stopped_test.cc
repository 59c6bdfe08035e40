// Wherever it is stopped, it ends; and being watched changes nothing.
#include <gtest/gtest.h>

#include "lineage/difference.h"
#include "lineage/good_supports.h"
#include "lineage/outcome_supports.h"
#include "lineage/why.h"
#include "tests/base/interrupted.h"
#include "tests/lineage/runs.h"

namespace clew::lineage {
namespace {

class LineageStopped : public testing::Test {
 protected:
  const Sample sample_ = Sample::protocol("broadcast/classic_deliv.ded");
  const clew::Run bad_ = *sample_.run("a b c, eot 5, drop a>c@1 b>c@2");
  const clew::Run good_ = *sample_.run_without_faults(bad_.scenario);
};

TEST_F(LineageStopped, Graph) {
  const Graph whole(good_, &*sample_.program);
  const auto ranks = [&] {
    const Graph graph(good_, &*sample_.program);
    std::vector<uint32_t> all;
    for (PointId point = 0; point < graph.point_count(); ++point) {
      all.push_back(graph.rank(point));
      all.push_back(graph.first_step(point));
    }
    return all;
  };
  EXPECT_EQ(interrupt_everywhere(ranks, whole.point_count() + whole.steps().size()), ranks());
}

TEST_F(LineageStopped, DifferenceAndSupports) {
  const Graph good(good_, &*sample_.program);
  const Graph bad(bad_, &*sample_.program);
  const auto work = [&] {
    Difference difference(good, bad);
    const PointId post = good.find(good_.outcome().kept(bad_.outcome().goals.back()), 5);
    const uint32_t root = difference.missing(post);
    return std::tuple(difference.size(), difference.faults_behind(root),
                      good_supports(difference, root).supports.sets);
  };
  EXPECT_EQ(interrupt_everywhere(work, 3 * std::get<0>(work())), work());
}

TEST_F(LineageStopped, SupportsOfAnOutcome) {
  const Graph graph(good_, &*sample_.program);
  const auto work = [&] { return outcome_supports(graph); };
  EXPECT_EQ(interrupt_everywhere(work, graph.point_count()), work());
}

TEST_F(LineageStopped, Why) {
  const Graph graph(good_, &*sample_.program);
  const auto count = [](const auto& self, const Why& why) -> size_t {
    size_t all = 1;
    for (const Why& one : why.from) all += self(self, one);
    return all;
  };
  const auto work = [&] {
    const PointId point = graph.find(good_.outcome().kept(good_.outcome().goals.front()), 5);
    return count(count, WhyTeller(graph).tell(point));
  };
  EXPECT_GT(work(), 3U);
  EXPECT_EQ(interrupt_everywhere(work), work());
}

}  // namespace
}  // namespace clew::lineage
