#include "microspec/recorded.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace clew::microspec {
namespace {

// The ticks with their facts, or what is wrong.
std::string read_as_text(const std::string& text) {
  const Result<Recorded> recorded = read_recorded(text);
  if (!recorded.ok()) return recorded.error().message;
  std::string told;
  for (const std::vector<Fact>& facts : recorded->facts) {
    if (&facts != recorded->facts.data()) told += " | ";
    for (const Fact& fact : facts) told += to_string(fact) + " ";
  }
  return told;
}

std::string run_with(const std::string& ticks, const std::string& more = "") {
  return R"({"clew": "run", "version": 1, "scenario": {}, "ticks": )" + ticks +
         R"(, "messages": [], "stray": [], "outcome": {})" + more + "}";
}

TEST(RecordedTest, Lines) {
  struct Case {
    std::string text;
    std::string told;
  };
  const std::vector<Case> table = {
      {R"({"tick": 1, "relation": "p", "values": ["a", 7]})", "p(\"a\", 7) "},
      {"\n  \n{\"tick\": 2, \"relation\": \"p\", \"values\": []}\r\n", " | p() "},
      {"{\"tick\": 1, \"relation\": \"q\", \"values\": [2]}\n"
       "{\"tick\": 1, \"relation\": \"p\", \"values\": [1]}\n"
       "{\"tick\": 1, \"relation\": \"q\", \"values\": [2]}",
       "p(1) q(2) "},
      {"{\"ticks\": 2}\n{\"relation\": \"p\", \"columns\": 3}", " | "},
      {"", "there is no tick"},
      {"{\"relation\": \"p\", \"columns\": 3}", "there is no tick"},
      {"7", "line 1: it must be an object, not a number"},
      {"{\"ticks\": 2}\n[1]", "line 2: it must be an object, not an array"},
      {"{\"ticks\": 2}\n{",
       "line 2: this is not JSON: line 1, column 2: syntax error while parsing "
       "object key - unexpected end of input; expected string literal"},
      {R"({"tick": 1, "relation": "p"})", "line 1: the key \"values\" is missing"},
      {R"({"tick": 1, "relation": "p", "value": []})", "line 1: the key \"values\" is missing"},
      {R"({"tick": 1, "relation": "p", "values": [], "node": 1})",
       "line 1: there is an unknown key \"node\""},
      {R"({"tick": 1, "tick": 1})",
       "neither a run nor facts, one JSON object a line: the key "
       "\"tick\" occurs twice in one object"},
      {R"({"tick": 0, "relation": "p", "values": []})", "line 1: tick: 0 is not from 1 to 100,000"},
      {R"({"tick": 18446744073709551615, "relation": "p", "values": []})",
       "line 1: tick: 18446744073709551615 is not from 1 to 100,000"},
      {R"({"tick": "1", "relation": "p", "values": []})",
       "line 1: tick: it must be an integer, not a string"},
      {R"({"tick": 1, "relation": "", "values": []})", "line 1: relation: the name is empty"},
      {R"({"tick": 1, "relation": "p", "values": [1.0]})",
       "line 1: values[0]: it must be a string or an integer, not a number with a fraction"},
      {R"({"tick": 1, "relation": "p", "values": ["a", null]})",
       "line 1: values[1]: it must be a string or an integer, not null"},
      {R"({"tick": 1, "relation": "p", "values": [9223372036854775808]})",
       "line 1: values[0]: 9223372036854775808 does not fit into 64 bits"},
      {"{\"relation\": \"p\", \"columns\": 3}\n{\"tick\": 1, \"relation\": \"p\", \"values\": [1]}",
       "line 2: p has 1 column here, but 3 in line 1"},
      {R"({"relation": "p", "columns": -1})", "line 1: columns: -1 is not from 0 to 1,000"},
  };
  for (const Case& one : table) EXPECT_EQ(read_as_text(one.text), one.told) << one.text;
}

TEST(RecordedTest, Runs) {
  struct Case {
    std::string text;
    std::string told;
  };
  const std::string fact = R"({"relation": "p", "values": [1]})";
  const std::vector<Case> table = {
      {run_with("[{\"tick\": 1, \"facts\": [" + fact + "]}, {\"tick\": 2, \"facts\": []}]"),
       "p(1)  | "},
      {run_with("[]"), "there is no tick"},
      {run_with("[{\"tick\": 2, \"facts\": []}]"), "ticks[0].tick: it must be 1"},
      {run_with("[{\"tick\": 1, \"facts\": [{\"relation\": \"p\", \"values\": [true]}]}]"),
       "ticks[0].facts[0].values[0]: it must be a string or an integer, not a boolean"},
      {run_with("[{\"tick\": 1, \"facts\": [7]}]"),
       "ticks[0].facts[0]: it must be an object, not a number"},
      {run_with("7"), "ticks: it must be an array, not a number"},
      {run_with("[]", ", \"seed\": 1"), "the run: there is an unknown key \"seed\""},
      {R"({"clew": "check", "version": 1})",
       "the run: the key \"clew\" with the value \"run\" is missing"},
      {R"({"clew": "run", "version": 2})", "the run: this Clew reads version 1 only"},
      {"{\n  \"clew\": 1\n",
       "neither a run nor facts, one JSON object a line: this is not JSON: "
       "line 3, column 1: syntax error while parsing object - unexpected end "
       "of input; expected '}'"},
  };
  for (const Case& one : table) EXPECT_EQ(read_as_text(one.text), one.told) << one.text;
}

// A Run that was judged before is judged anew: what its own promises were made of is no fact of it.
TEST(RecordedTest, LeavesOutTheJudgementOfARun) {
  const std::string facts =
      R"([{"tick": 1, "facts": [{"relation": "pre", "values": [1]}, {"relation": "post", "values": [1]},)"
      R"({"relation": "kept.pre", "values": [1]}, {"relation": "kept.post", "values": [1]},)"
      R"({"relation": "kept.bad", "values": [1]}, {"relation": "kept.x", "values": [1]}]}])";
  const std::string promises =
      R"(, "promises": [{"promise": "kept", "kind": "holds", "goals": []}])";
  EXPECT_EQ(read_as_text(run_with(facts, promises)), "kept.x(1) ");
  EXPECT_EQ(read_as_text(run_with(facts)), "kept.bad(1) kept.post(1) kept.pre(1) kept.x(1) ");
}

TEST(RecordedTest, RefusesWhatIsTooLarge) {
  const Result<Recorded> recorded = read_recorded(std::string(kMostRecordedBytes + 1, ' '));
  ASSERT_FALSE(recorded.ok());
  EXPECT_EQ(recorded.error().message,
            "facts of 67,108,865 bytes are too many: at most 67,108,864 are read");
}

}  // namespace
}  // namespace clew::microspec
