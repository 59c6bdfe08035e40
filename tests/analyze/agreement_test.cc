// FlyMC on the sets that are read off the source and on those that are observed: both find the same
// bugs of systems/bugs, and no step does more than was predicted of it. `bench/sets.py` has all
// thirteen.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "analyze/analysis.h"
#include "explore/predictions.h"
#include "explore/strategies/guided.h"
#include "systems/bugs/cassandra.h"
#include "systems/bugs/ethereum.h"
#include "systems/bugs/mapreduce.h"
#include "systems/bugs/spark_executors.h"

namespace clew::analyze {
namespace {

using bugs::Variant;
using explore::Analysed;
using explore::Cluster;
using explore::Exploration;
using explore::Footprints;
using explore::Guided;
using explore::InputId;
using explore::LocalId;
using explore::Order;
using explore::Steps;
using nlohmann::json;

constexpr size_t kMost = 2'000;  // paths

// Of all headers at once, so that they are parsed once.
const json& all_sets() {
  static const json result = [] {
    std::string source;
    for (const char* header : {"cassandra", "ethereum", "mapreduce", "spark_executors"}) {
      source += std::string("#include \"systems/bugs/") + header + ".h\"\n";
    }
    const std::string root = std::filesystem::current_path().string();
    const Parsed parsed({"all.cc"}, {"-xc++", "-std=c++20", "-I" + root + "/src", "-I" + root},
                        {{"all.cc", source}});
    EXPECT_FALSE(parsed.failed()) << parsed.complaints();
    return json::parse(to_json(analyze(parsed)));
  }();
  return result;
}

struct Case {
  const char* name;
  Cluster cluster;
  Order order;
  bool faults;
};

Exploration explored(const Case& one, const std::string& parts, const Analysed& analysed) {
  Guided engine(
      one.cluster,
      {.strategy = {.name = "flymc", .parts = parts, .faults = one.faults, .analysed = analysed},
       .order = one.order,
       .most_paths = kMost});
  const Exploration found = engine.run();
  if (analysed) {
    const Footprints footprints(one.cluster, all_sets());
    const json held = explore::compared(engine.runner().steps(), footprints);
    EXPECT_EQ(held.at("unpredicted"), json::array()) << one.name;
    EXPECT_EQ(held.at("unknown"), json::array()) << one.name;
  }
  return found;
}

TEST(AgreementTest, FlyMcFindsTheSameBugsWithAnalysedAndObservedSets) {
  const Case table[] = {
      {"cass_3", bugs::cass_3(Variant::kBug), Order::kChain, false},
      {"cass_3", bugs::cass_3(Variant::kBug), Order::kRoundRobin, false},
      {"cass_1", bugs::cass_1(Variant::kBug), Order::kChain, false},
      {"sprk_2", bugs::sprk_2(Variant::kBug), Order::kFifo, false},
      {"mapr_1", bugs::mapr_1(Variant::kBug), Order::kRoundRobin, true},
      {"ethm_1", bugs::ethm_1(Variant::kBug), Order::kChain, true},
  };
  for (const Case& one : table) {
    const Footprints footprints(one.cluster, all_sets());
    const Analysed analysed = [&](Steps& steps, LocalId local, InputId input) {
      return footprints.predicted(steps.node(local), steps.input(input));
    };
    const Exploration observed = explored(one, "", {});
    const Exploration predicted = explored(one, "analysed", analysed);
    ASSERT_TRUE(observed.violation.has_value()) << one.name;
    ASSERT_TRUE(predicted.violation.has_value()) << one.name;
    EXPECT_EQ(observed.violation->property, predicted.violation->property) << one.name;
  }
}

}  // namespace
}  // namespace clew::analyze
