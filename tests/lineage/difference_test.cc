// Why an aggregate came out differently: what only one of two runs counted.
#include "lineage/difference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/lineage/runs.h"

namespace clew::lineage {
namespace {

// What differs for one reason, as "-" if the run without faults has it and "+" if the other has.
std::string reasons_for(const std::string& program, const std::string& world, const Fact& fact,
                        Tick tick) {
  const Sample sample(program);
  const clew::Run bad_run = *sample.run(world);
  const clew::Run good_run = *sample.run_without_faults(bad_run.scenario);
  const Graph good(good_run, &*sample.program);
  const Graph bad(bad_run, &*sample.program);
  Difference difference(good, bad);
  const bool missing = good.holds(fact, tick);
  EXPECT_NE(missing, bad.holds(fact, tick)) << to_string(fact);
  const uint32_t node =
      missing ? difference.missing(good.find(fact, tick)) : difference.extra(bad.find(fact, tick));
  std::set<std::string> found;
  for (const Difference::Reason& reason : difference.node(node).reasons) {
    for (const uint32_t used : reason.used) {
      found.insert((difference.node(used).missing ? "-" : "+") + to_string(difference.fact(used)));
    }
  }
  return fmt::format("{}", fmt::join(found, " "));
}

// a votes for x and y, b for y and z; c counts them.
constexpr const char* kVotes = R"(
  wants("a", "x")@1; wants("a", "y")@1; wants("b", "y")@1; wants("b", "z")@1;
  vote("c", X, N)@async :- wants(N, X);
  tally(C, X, count<N>) :- vote(C, X, N);
)";

TEST(Difference, AnAggregateCountedLessOfItsGroup) {
  const Fact two{"tally", {"c", "y", int64_t{2}}};
  const Fact one{"tally", {"c", "y", int64_t{1}}};
  for (const Fact& fact : {two, one}) {
    EXPECT_EQ(reasons_for(kVotes, "a b c, eot 2, drop a>c@1", fact, 2),
              "-vote(\"c\", \"y\", \"a\")");
    EXPECT_EQ(reasons_for(kVotes, "a b c, eot 2, drop b>c@1", fact, 2),
              "-vote(\"c\", \"y\", \"b\")");
  }
}

// In silence, c counts an alarm for y, and another one for x, where there is nothing else.
TEST(Difference, AnAggregateCountedMoreOfItsGroup) {
  const std::string program = R"(
    go("a")@1; ping("c")@async :- go("a");
    item("c", "y", "given")@2; slot("c", "x")@2; slot("c", "y")@2;
    item(C, X, "alarm") :- slot(C, X), notin ping(C);
    tally(C, X, count<I>) :- item(C, X, I);
  )";
  const std::string world = "a c, eot 2, drop a>c@1";
  for (const int64_t count : {1, 2}) {
    EXPECT_EQ(reasons_for(program, world, {"tally", {"c", "y", count}}, 2),
              "+item(\"c\", \"y\", \"alarm\")")
        << count;
  }
  EXPECT_EQ(reasons_for(program, world, {"tally", {"c", "x", int64_t{1}}}, 2),
            "+item(\"c\", \"x\", \"alarm\")");
}

}  // namespace
}  // namespace clew::lineage
