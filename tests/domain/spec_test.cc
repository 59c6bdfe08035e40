#include "domain/spec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace clew {
namespace {

// "pre:x post:x | pre:x": the facts of two ticks.
Run run_of(const std::string& text) {
  Run run;
  run.facts.emplace_back();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "|") {
      run.facts.emplace_back();
      continue;
    }
    const size_t colon = word.find(':');
    run.facts.back().push_back({word.substr(0, colon), {word.substr(colon + 1)}});
  }
  for (std::vector<Fact>& facts : run.facts) std::ranges::sort(facts);
  run.scenario.program.eot = static_cast<Tick>(run.facts.size());
  return run;
}

// "violated: x@2 kept, y@2 broken"
std::string judged(const std::string& facts, bool every_tick) {
  const Promise promise("spec", {.pre = "pre", .post = "post", .every_tick = every_tick});
  const Outcome outcome = promise.judge(run_of(facts));
  std::string text = to_string(outcome.kind);
  const char* joint = ": ";
  for (const Outcome::Goal& goal : outcome.goals) {
    text += fmt::format("{}{}@{} {}", joint, std::get<std::string>(goal.pre.values[0]), goal.tick,
                        goal.post ? "kept" : "broken");
    joint = ", ";
  }
  return text;
}

struct Judgement {
  std::string facts;
  std::string at_the_end;
  std::string at_every_tick;
};

TEST(Promise, IsJudgedAtTheEndOrAtEveryTick) {
  const Judgement table[] = {
      {"", "vacuous", "vacuous"},
      {"post:x other:x | post:y", "vacuous", "vacuous"},
      {"pre:x post:x", "holds: x@1 kept", "holds: x@1 kept"},
      {"pre:x post:y", "violated: x@1 broken", "violated: x@1 broken"},
      {"pre:x pre:y post:x", "violated: x@1 kept, y@1 broken", "violated: x@1 kept, y@1 broken"},
      {"pre:x pre:y post:y", "violated: x@1 broken, y@1 kept", "violated: x@1 broken, y@1 kept"},
      // What was broken before the end is mended at the end.
      {"pre:x | pre:x post:x", "holds: x@2 kept", "violated: x@1 broken"},
      {"pre:x | post:x", "vacuous", "violated: x@1 broken"},
      {"pre:x post:x |", "vacuous", "holds: x@1 kept"},
      // The first tick at which it is broken, or else the first at which it applies.
      {"pre:x post:x | pre:x | pre:x", "violated: x@3 broken", "violated: x@2 broken"},
      {"| pre:x post:x | pre:x post:x", "holds: x@3 kept", "holds: x@2 kept"},
      {"pre:y | pre:x post:x pre:y", "violated: x@2 kept, y@2 broken",
       "violated: x@2 kept, y@1 broken"},
  };
  for (const Judgement& one : table) {
    EXPECT_EQ(judged(one.facts, false), one.at_the_end) << one.facts;
    EXPECT_EQ(judged(one.facts, true), one.at_every_tick) << one.facts;
  }
}

TEST(Promise, LeavesAnOutcomeOfEachSpec) {
  clew::Run run = run_of("pre:x post:x | pre:x");
  const Promise::Relations relations{.pre = "pre", .post = "post", .defines_pre = true};
  const Promise::Relations opposite{.pre = "post", .post = "pre", .every_tick = true};
  const Specs specs = {std::make_shared<const Promise>("there", relations),
                       std::make_shared<const Promise>("back", opposite)};
  judge(specs, run);
  judge(specs, run);  // and no more, however often
  ASSERT_EQ(run.outcomes.size(), 2U);
  EXPECT_EQ(run.outcomes[0].spec, "there");
  EXPECT_EQ(run.outcomes[0].kind, Outcome::Kind::kViolated);
  EXPECT_TRUE(run.outcomes[0].defines_pre && !run.outcomes[0].every_tick);
  EXPECT_EQ(to_string(run.outcomes[0].kept(run.outcomes[0].goals[0])), "post(\"x\")");
  EXPECT_EQ(run.outcomes[1].spec, "back");
  EXPECT_EQ(run.outcomes[1].kind, Outcome::Kind::kHolds);
  EXPECT_TRUE(!run.outcomes[1].defines_pre && run.outcomes[1].every_tick);
}

}  // namespace
}  // namespace clew
