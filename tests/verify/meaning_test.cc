// What the variables of a certificate stand for, shown by clauses that follow and clauses that do
// not.
#include <gtest/gtest.h>

#include "tests/verify/reference_writer.h"
#include "verify/verify.h"

namespace clew::verify {
namespace {

struct Meaning {
  const char* about;
  const char* program;
  FaultModel model;
  const char* clauses;
  bool follows;
};

// Whether the clauses are true of every run, however little they prove.
bool all_follow(const dedalus::Program& program, const FaultModel& model, std::string clauses) {
  Announced announced;
  for (const char* kind : {"v ", "c "}) {
    for (size_t at = 0; (at = clauses.find(kind, at)) != std::string::npos; ++at) {
      if (at > 0 && clauses[at - 1] != '\n') continue;
      ++(*kind == 'c' ? announced.clauses : announced.variables);
    }
  }
  const std::string said = outcome(program, model, {announced, std::move(clauses), ""});
  EXPECT_TRUE(said.starts_with("proof.drat: the proof ends") ||
              said.find("the clause does not follow") != std::string::npos)
      << said;
  return said.starts_with("proof.drat: the proof ends");
}

constexpr const char* kVotes = R"(
ask("a", "b")@1; ask("b", "b")@1;
vote(Y, X)@async :- ask(X, Y);
votes(Y, count<X>) :- vote(Y, X);
pre("x") :- ask("a", "b")@1; post("x") :- votes("b", 2);)";

constexpr const char* kStock = R"(
item("a", 5)@1;
stock(X, count<V>)@next :- item(X, V);
pre("x") :- item("a", 5)@1; post("x") :- stock("a", 1)@2;)";

constexpr const char* kStranger = R"(
ask("a", "b")@1; ask("a", "z")@1;
vote(Y, X)@async :- ask(X, Y);
pre("x") :- ask("a", "b")@1; post("x") :- vote("b", "a")@2;)";

TEST(VerifyMeaning, IsWhatTheFormatSays) {
  const Meaning all[] = {
      {"b sends to itself without fail, so that a's vote is the second", kVotes, model(2, 2, 0),
       "v 1 omission \"a\" \"b\" 1\nv 2 fact 2 votes(\"b\", 2)\nc 1 2 0\nc -1 -2 0\n", true},
      {"and without it there is one", kVotes, model(2, 2, 0),
       "v 1 omission \"a\" \"b\" 1\nv 2 fact 2 votes(\"b\", 1)\nc -1 2 0\nc 1 -2 0\n", true},
      {"one or two, but not always the same", kVotes, model(2, 2, 0),
       "v 1 fact 2 votes(\"b\", 2)\nc 1 0\n", false},
      {"who stops before the next tick contributes nothing to it", kStock,
       model(3, 0, 1, CrashModel::kStop), "v 1 crash \"a\" 2\nv 2 part 1 0 (\"a\", 5)\nc -1 -2 0\n",
       true},
      {"who stops after it does", kStock, model(4, 0, 1, CrashModel::kStop),
       "v 1 crash \"a\" 3\nv 2 part 1 0 (\"a\", 5)\nc -1 -2 0\n", false},
      {"what is sent to nobody does not arrive", kStranger, model(2, 0, 0),
       "v 1 fact 2 vote(\"z\", \"a\")\nc -1 0\n", true},
      {"what is sent to a node does", kStranger, model(2, 0, 0),
       "v 1 fact 2 vote(\"b\", \"a\")\nc -1 0\n", false},
  };
  for (const Meaning& one : all) {
    SCOPED_TRACE(one.about);
    const auto program = parse_program(one.program);
    ASSERT_TRUE(program);
    EXPECT_EQ(all_follow(*program, one.model, one.clauses), one.follows);
  }
}

// The largest number has no next one, but nobody ever asks for it: `both` cannot be.
TEST(VerifyMeaning, DoesNotCalculateWithWhatCannotBe) {
  const char* text = R"(
go("a", "b")@1; log(Y, 9223372036854775807)@async :- go(X, Y);
both(Y, N)@next :- log(Y, N), notin log(Y, N);
more(Y, N + 1) :- both(Y, N);
pre("x") :- go("a", "b")@1; post("x") :- go("a", "b")@1;)";
  const auto program = parse_program(text);
  ASSERT_TRUE(program);
  const auto written = write_certificate(*program, model(4, 2, 0));
  ASSERT_TRUE(written);
  EXPECT_EQ(outcome(*program, model(4, 2, 0), *written), "accepted");
}

}  // namespace
}  // namespace clew::verify
