// Why something does not hold: one answer of each kind, by eye.
#include "explain/why_not.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lineage/runs.h"

namespace clew::explain {
namespace {

std::string told(const WhyNot& why_not);

// "2@1 condition: X < Y does not hold [q("a")]": the line and tick of the rule, and what was met.
std::string told(const WhyNot::Attempt& attempt) {
  std::string text = fmt::format("{}@{} {}: {}", attempt.where.substr(attempt.where.find(':') + 1),
                                 attempt.tick, to_string(attempt.reason), attempt.text);
  for (const Firing::Use& use : attempt.met) text += fmt::format(" [{}]", to_string(use.fact));
  for (const Why& why : attempt.present) {
    text += fmt::format(" +{}@{} {}", to_string(why.fact), why.since, to_string(why.how));
  }
  for (const WhyNot& missing : attempt.missing) text += fmt::format(" {{{}}}", told(missing));
  return text;
}

std::string told(const WhyNot& why_not) {
  std::string text =
      fmt::format("{}@{}-{}", to_string(why_not.pattern), why_not.since, why_not.tick);
  for (const WhyNot::Attempt& attempt : why_not.attempts) text += "\n  " + told(attempt);
  return text;
}

struct Doubt {
  std::string program;
  std::string world;
  Fact fact;  // "_" stands for anything
  Tick tick;
  std::string answer;
};

std::string answer_to(const Doubt& doubt) {
  const lineage::Sample sample(doubt.program);
  const clew::Run run = *sample.run(doubt.world);
  const Graph graph(run, &*sample.program);
  Pattern pattern = to_pattern(doubt.fact);
  for (std::optional<Datum>& column : pattern.columns) {
    if (column == Datum("_")) column.reset();
  }
  return told(why_not(*sample.program, sample.sources, graph, pattern, doubt.tick));
}

TEST(WhyNot, OneOfEachKind) {
  const Doubt table[] = {
      {R"(p("a", 3)@1; q(N) :- p(N, X), X - 1 > 4;)", "a, eot 1", {"q", {"a"}}, 1, R"(q("a")@1-1
  1@1 condition: X - 1 > 4 does not hold: 2 > 4 [p("a", 3)])"},
      {R"(p("a")@2; r("a")@1; r(N)@next :- r(N); q(N) :- p(N), notin r(N);)",
       "a, eot 2",
       {"q", {"a"}},
       2,
       R"(q("a")@2-2
  1@2 present: there is r("a")@2 +r("a")@1 given)"},
      {R"(p("a")@1; p("a")@4;)", "a, eot 4", {"p", {"a"}}, 3, R"(p("a")@3-3
  1@1 time: it is given at ticks 1 and 4 only)"},
      {R"(p("a")@1; p("a")@4;)", "a, eot 4, stop, crash a@2", {"p", {"a"}}, 4, R"(p("a")@4-4
  1@1 time: it is given at tick 4, but its node has stopped by then)"},
      {R"(p("a")@1; p(N)@next :- p(N), go(N); p("b")@4; go("b")@1;)",
       "a b, eot 4, stop, crash b@3",
       {"p", {"b"}},
       4,
       R"(p("b")@1-4
  1@1 time: it is given at tick 4, but its node has stopped by then)"},
      {R"(p("a", 1)@2; p("a", 1)@next :- p("a", 1);)",
       "a, eot 3",
       {"p", {"a", int64_t{1}}},
       1,
       R"(p("a", 1)@1-1
  1@1 time: it is given at tick 2 only
  1@1 time: there is no tick before the first)"},
      {R"(p("a")@1; p(N)@next :- p(N); q("b", N)@next :- p(N), go(N); go("a")@4;)",
       "a b, eot 4, stop, crash a@3",
       {"q", {"b", "_"}},
       4,
       R"(q("b", _)@4-4
  1@3 missing: there is no p("b")@3 {p("b")@1-3}
  1@3 place: a has stopped by tick 3)"},
      {R"(p("a")@1; p(N)@next :- p(N); q("b")@async :- p(N), notin go(N); go("a")@3;)",
       "a b, eot 4, drop a>b@1, drop a>b@2",
       {"q", {"b"}},
       3,
       R"(q("b")@3-3
  1@2 lost: the message from a at tick 2 is lost (drop a>b@2) [p("a")])"},
  };
  for (const Doubt& doubt : table) EXPECT_EQ(answer_to(doubt), doubt.answer) << doubt.program;
}

// A tick alone is not too much, but forty of them are: the latest are tried, and the others named.
TEST(WhyNot, EndsAfterSoMuchWorkInAll) {
  std::string program = "e(N, X)@next :- e(N, X); q(N)@next :- q(N);\n";
  for (int i = 0; i < 40; ++i) program += fmt::format("e(\"a\", {})@1;", i);
  program += "\nq(N) :- e(N, X), e(N, Y), e(N, Z), X + Y + Z > 1000;";
  const std::string answer = answer_to({program, "a, eot 40", {"q", {"a"}}, 40, ""});
  EXPECT_NE(answer.find("3@40 condition: X + Y + Z > 1000 does not hold"), std::string::npos)
      << answer;
  EXPECT_NE(answer.find("too many combinations of facts to try at ticks 1 to 10"),
            std::string::npos)
      << answer;
}

}  // namespace
}  // namespace clew::explain
