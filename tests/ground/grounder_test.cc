// Ground rules by eye: small programs with everything that faults leave open. What a fact is made
// of is printed where it is not an atom of its own: `!drop a>b@1`, `any(...)`, `all(...)`.
#include "ground/grounder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/domain/model_text.h"
#include "tests/simulate/argument.h"

namespace clew::ground {
namespace {

using formula::Atom;
using formula::Literal;

class Printer {
 public:
  explicit Printer(const Grounder& grounder) : grounder_(grounder), rules_(grounder.rules()) {}

  std::string print(Literal literal) const {
    if (literal == formula::kTrue) return "true";
    if (literal == formula::kFalse) return "false";
    Atom atom = literal.atom();
    bool plain = rules_.is_fault(atom) || rules_.is_named(atom);
    return (literal.negative() ? "!" : "") + (plain ? grounder_.print(atom) : definition(atom));
  }

  std::string bodies(Atom atom) const {
    std::vector<std::string> all;
    for (auto at = rules_.first_body(atom); at < rules_.end_body(atom); ++at) {
      all.push_back(list(rules_.body(at), " & "));
    }
    return fmt::format("{}", fmt::join(all, " | "));
  }

 private:
  std::string definition(Atom atom) const {
    auto first = rules_.first_body(atom);
    if (rules_.end_body(atom) == first + 1) return "(" + list(rules_.body(first), " & ") + ")";
    return "(" + bodies(atom) + ")";
  }

  std::string list(std::span<const Literal> literals, const char* separator) const {
    std::vector<std::string> all;
    for (Literal literal : literals) all.push_back(print(literal));
    return fmt::format("{}", fmt::join(all, separator));
  }

  const Grounder& grounder_;
  const formula::Rules& rules_;
};

struct Ground {
  std::string text;
  std::string error;
};

// Facts as the program states them are left out where they hold whatever happens, and so is the
// relation `vote`.
Ground ground(const std::string& program, const FaultModel& model, GrounderOptions options = {}) {
  simulate::Loaded loaded = simulate::load(program);
  CHECK(loaded.program, "{}", loaded.diagnostics.render(loaded.sources));
  Grounder grounder(*loaded.program, model, std::move(options));
  std::set<std::string> given;
  for (const dedalus::Clause& fact : loaded.program->facts) given.insert(fact.head.relation);
  std::vector<std::pair<Grounder::Name, Literal>> facts;
  grounder.listener = [&](const Grounder::Name& name, Literal literal) {
    bool stated = literal == formula::kTrue && given.contains(grounder.relation_name(name));
    bool hidden = grounder.relation_name(name) == "vote";
    if (!stated && !hidden) facts.emplace_back(name, literal);
  };
  Status status = grounder.run();
  if (!status.ok()) return {"", status.error().message};
  Printer printer(grounder);
  const formula::Rules& rules = grounder.rules();
  std::string text = "\n";
  for (const auto& [name, literal] : facts) {
    Atom atom = literal.atom();
    std::string fact =
        fmt::format("{}{}@{}", grounder.relation_name(name), grounder.tuple_text(name), name.tick);
    bool own = rules.is_named(atom) && !literal.negative() && grounder.print(atom) == fact;
    text += fmt::format("{} <- {}\n", fact, own ? printer.bodies(atom) : printer.print(literal));
  }
  for (Atom atom = 1; atom < rules.atoms(); ++atom) {
    if (!rules.is_named(atom) || !grounder.contributes_to(grounder.name(atom))) continue;
    text += fmt::format("part {} <- {}\n", grounder.print(atom), printer.bodies(atom));
  }
  return {text + "goal " + printer.print(rules.goal()) + "\n", ""};
}

struct Case {
  const char* name;
  const char* model;
  const char* program;
  const char* expected;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

const Case kTable[] = {
    {"AMessageArrivesUnlessItIsLost", "a b, eot 2, eff 2, crashes 1",
     R"(say("a", "b")@1; heard(B)@async :- say(A, B);)", R"(
heard("b")@2 <- !(crash a@1 | drop a>b@1)
goal false
)"},
    {"OmissionsEndBeforeEff", "a b, eot 4, eff 2",
     R"(say("a", "b")@1; say("a", "b")@2; heard(B, 1)@async :- say(A, B);)", R"(
heard("b", 1)@2 <- !drop a>b@1
heard("b", 1)@3 <- true
goal false
)"},
    {"WhatLastsHasItsPast", "a b, eot 4, eff 3",
     R"(say("a", "b")@1; say("a", "b")@2; heard(B)@async :- say(A, B); heard(B)@next :- heard(B);)",
     R"(
heard("b")@2 <- !drop a>b@1
heard("b")@3 <- !drop a>b@1 | !drop a>b@2
heard("b")@4 <- heard("b")@3
goal false
)"},
    {"AnAbsenceIsTheNegation", "a b, eot 2, eff 2",
     R"(say("a", "b")@1; heard(B)@async :- say(A, B); alone(B) :- say(_, B)@1, notin heard(B);
        pre("x") :- say(_, _)@1; post("x") :- heard("b");)",
     R"(
heard("b")@2 <- !drop a>b@1
alone("b")@2 <- drop a>b@1
pre("x")@2 <- true
post("x")@2 <- !drop a>b@1
goal drop a>b@1
)"},
    {"StoppedNodesAreGone", "a b, eot 3, crashes 1, stop",
     R"(say("a", "b")@1; heard(B)@async :- say(A, B); heard(B)@next :- heard(B); at("b")@3;)", R"(
say("a", "b")@1 <- !crash a@1
heard("b")@2 <- !crash a@1 & !(crash a@1 | (crash b@1 | crash b@2))
heard("b")@3 <- !(crash b@1 | crash b@2) & heard("b")@2
at("b")@3 <- !(crash b@1 | crash b@2)
goal false
)"},
    {"CrashesAreKnown", "a, eot 3, crashes 1",
     R"(known(N, T) :- crash(_, N, T); who("a")@3;
        safe(N) :- who(N), notin crash(_, N, _);)",
     R"(
crash("a", "a", 1)@1 <- crash a@1
crash("a", "a", 2)@1 <- crash a@2
crash("a", "a", 1)@2 <- crash a@1
crash("a", "a", 2)@2 <- crash a@2
crash("a", "a", 1)@3 <- crash a@1
crash("a", "a", 2)@3 <- crash a@2
known("a", 1)@3 <- crash a@1
known("a", 2)@3 <- crash a@2
safe("a")@3 <- !(crash a@1 | crash a@2)
goal false
)"},
    {"CrashesAreKnownToTheLiving", "a b, eot 2, crashes 2, stop",
     R"(known("all", N) :- crash(_, N, _);)",
     R"(
crash("a", "b", 1)@1 <- (!crash a@1 & crash b@1)
crash("b", "a", 1)@1 <- (crash a@1 & !crash b@1)
crash("a", "b", 1)@2 <- (!crash a@1 & crash b@1)
crash("b", "a", 1)@2 <- (crash a@1 & !crash b@1)
known("all", "b")@2 <- (!crash a@1 & crash b@1)
known("all", "a")@2 <- (crash a@1 & !crash b@1)
goal false
)"},
    {"ReadsOfATick", "a b, eot 4, eff 2",
     R"(say("a", "b")@1; heard(B)@async :- say(A, B); then(B) :- heard(B)@2;
        late(B) :- say(_, B)@1, notin heard(B)@2;)",
     R"(
heard("b")@2 <- !drop a>b@1
then("b")@4 <- !drop a>b@1
late("b")@4 <- drop a>b@1
goal false
)"},
    {"AVariableThatIsOpenTwice", "a b c, eot 2, eff 2",
     R"(say("a", "b", 1, 2)@1; say("c", "b", 2, 2)@1;
        got(B, X, Y)@async :- say(A, B, X, Y); go("b")@2;
        uneven(B) :- go(B), notin got(B, X, X); none(B) :- go(B), notin got(B, X, Y);)",
     R"(
got("b", 1, 2)@2 <- !drop a>b@1
got("b", 2, 2)@2 <- !drop c>b@1
uneven("b")@2 <- drop c>b@1
none("b")@2 <- !(!drop a>b@1 | !drop c>b@1)
goal false
)"},
    {"ALoopWithinATick", "a b c, eot 2, eff 2",
     R"(say("a", "b")@1; reach(B)@async :- say(A, B); edge("b", "c")@2; edge("c", "b")@2;
        reach(Y) :- reach(X), edge(X, Y);)",
     R"(
reach("b")@2 <- !drop a>b@1 | reach("c")@2
reach("c")@2 <- reach("b")@2
goal false
)"},
};

class GrounderTest : public testing::TestWithParam<Case> {};

TEST_P(GrounderTest, Facts) {
  const Case& one = GetParam();
  Ground found = ground(one.program, model_of(one.model));
  EXPECT_EQ(found.text, one.expected) << found.text;
}

INSTANTIATE_TEST_SUITE_P(All, GrounderTest, testing::ValuesIn(kTable),
                         [](const auto& one) { return std::string(one.param.name); });

// The votes of b and c arrive unless they are lost, a's own does anyhow.
constexpr const char* kVotes = R"(
voter("a", "a", 5)@1; voter("b", "a", 3)@1; voter("c", "a", 4)@1;
vote(To, From, W)@async :- voter(From, To, W);
)";

const Case kAggregates[] = {
    {"Count", "a b c, eot 2, eff 2", R"(votes(N, count<F>) :- vote(N, F, _);)", R"(
votes("a", 1)@2 <- !(!drop b>a@1 | !drop c>a@1)
votes("a", 2)@2 <- (!(!drop b>a@1 & !drop c>a@1) & (!drop b>a@1 | !drop c>a@1))
votes("a", 3)@2 <- (!drop b>a@1 & !drop c>a@1)
goal false
)"},
    {"Sum", "a b c, eot 2, eff 2", R"(weight(N, sum<W>) :- vote(N, F, W);)", R"(
weight("a", 0)@2 <- false
weight("a", 3)@2 <- false
weight("a", 4)@2 <- false
weight("a", 5)@2 <- (drop b>a@1 & drop c>a@1)
weight("a", 7)@2 <- false
weight("a", 8)@2 <- (!drop b>a@1 & drop c>a@1)
weight("a", 9)@2 <- (drop b>a@1 & !drop c>a@1)
weight("a", 12)@2 <- (!drop b>a@1 & !drop c>a@1)
goal false
)"},
    {"SumWithoutACertainPart", "a b c, eot 2, eff 2",
     R"(weight(N, sum<W>) :- vote(N, F, W), F != "a";)",
     R"(
weight("a", 0)@2 <- (!drop b>a@1 | !drop c>a@1) & (drop b>a@1 & drop c>a@1)
weight("a", 3)@2 <- (!drop b>a@1 | !drop c>a@1) & (!drop b>a@1 & drop c>a@1)
weight("a", 4)@2 <- (!drop b>a@1 | !drop c>a@1) & (drop b>a@1 & !drop c>a@1)
weight("a", 7)@2 <- (!drop b>a@1 | !drop c>a@1) & (!drop b>a@1 & !drop c>a@1)
goal false
)"},
    {"Min", "a b c, eot 2, eff 2", R"(least(N, min<W>) :- vote(N, _, W);)", R"(
least("a", 5)@2 <- !(!drop b>a@1 | !drop c>a@1)
least("a", 3)@2 <- !drop b>a@1
least("a", 4)@2 <- (drop b>a@1 & !drop c>a@1)
goal false
)"},
    {"Max", "a b c, eot 2, eff 2", R"(most(N, max<F>) :- vote(N, F, _);)", R"(
most("a", "a")@2 <- !(!drop b>a@1 | !drop c>a@1)
most("a", "b")@2 <- (!drop b>a@1 & drop c>a@1)
most("a", "c")@2 <- !drop c>a@1
goal false
)"},
    {"SeveralFolds", "a b c, eot 2, eff 2", R"(both(N, count<F>, max<W>) :- vote(N, F, W);)", R"(
both("a", 1, 5)@2 <- !(!drop b>a@1 | !drop c>a@1)
both("a", 1, 3)@2 <- false
both("a", 1, 4)@2 <- false
both("a", 2, 5)@2 <- (!(!drop b>a@1 & !drop c>a@1) & (!drop b>a@1 | !drop c>a@1))
both("a", 2, 3)@2 <- false
both("a", 2, 4)@2 <- false
both("a", 3, 5)@2 <- (!drop b>a@1 & !drop c>a@1)
both("a", 3, 3)@2 <- false
both("a", 3, 4)@2 <- false
goal false
)"},
    {"AGroupThatMayBeEmpty", "a b c, eot 2, eff 2",
     R"(others(N, count<F>) :- vote(N, F, _), F != "a";)", R"(
others("a", 1)@2 <- (!(!drop b>a@1 & !drop c>a@1) & (!drop b>a@1 | !drop c>a@1))
others("a", 2)@2 <- (!drop b>a@1 & !drop c>a@1)
goal false
)"},
    {"ManyEnough", "a b c, eot 2, eff 2",
     R"(n(N, count<F>) :- vote(N, F, _); few(N) :- n(N, C), C < 3; many(N) :- n(N, C), C > 1;)", R"(
n("a", 1)@2 <- !(!drop b>a@1 | !drop c>a@1)
n("a", 2)@2 <- (!(!drop b>a@1 & !drop c>a@1) & (!drop b>a@1 | !drop c>a@1))
n("a", 3)@2 <- (!drop b>a@1 & !drop c>a@1)
few("a")@2 <- !(!drop b>a@1 & !drop c>a@1)
many("a")@2 <- (!drop b>a@1 | !drop c>a@1)
goal false
)"},
    {"AsyncAggregate", "a b c, eot 2, eff 2", R"(tally(To, count<F>)@async :- voter(F, To, _);)",
     R"(
tally("a", 1)@2 <- !(!drop b>a@1 | !drop c>a@1)
tally("a", 2)@2 <- (!(!drop b>a@1 & !drop c>a@1) & (!drop b>a@1 | !drop c>a@1))
tally("a", 3)@2 <- (!drop b>a@1 & !drop c>a@1)
goal false
)"},
};

class AggregateTest : public testing::TestWithParam<Case> {};

TEST_P(AggregateTest, Facts) {
  const Case& one = GetParam();
  Ground found = ground(std::string(kVotes) + one.program, model_of(one.model));
  EXPECT_EQ(found.text, one.expected) << found.text;
}

INSTANTIATE_TEST_SUITE_P(All, AggregateTest, testing::ValuesIn(kAggregates),
                         [](const auto& one) { return std::string(one.param.name); });

// How many literals the highest of so many bids takes, each of which may be lost.
size_t literals_of_highest(int bids) {
  FaultModel model{{"a"}, 2, 2, 0, CrashModel::kSilent};
  std::string program = "bid(To, N)@async :- offer(_, To, N); best(To, max<N>) :- bid(To, N);";
  for (int i = 10; i < 10 + bids; ++i) {
    program += fmt::format("offer(\"n{}\", \"a\", {})@1;", i, i);
    model.nodes.push_back(fmt::format("n{}", i));
  }
  const simulate::Loaded loaded = simulate::load(program);
  CHECK(loaded.program, "{}", loaded.diagnostics.render(loaded.sources));
  Grounder grounder(*loaded.program, model, {});
  EXPECT_TRUE(grounder.run().ok());
  size_t literals = 0;
  for (formula::Rules::BodyId id = 0; id < grounder.rules().bodies(); ++id) {
    literals += grounder.rules().body(id).size();
  }
  return literals;
}

TEST(Grounder, TheHighestOfManyIsAChain) {
  const size_t few = literals_of_highest(20);
  EXPECT_EQ(literals_of_highest(40) - few, literals_of_highest(60) - literals_of_highest(40));
  EXPECT_LT(few, 100U);
}

// Every two crashes, in short runs and in long ones, where the requirements are put differently.
TEST(Grounder, RequiresWhatTheModelAdmits) {
  for (const char* text : {"a b, eot 4, crashes 1", "a b, eot 4, crashes 2",
                           "a b, eot 70, crashes 1", "a b, eot 70, crashes 2"}) {
    FaultModel model = model_of(text);
    simulate::Loaded loaded = simulate::load("p(\"a\")@1;");
    Grounder grounder(*loaded.program, model, {});
    ASSERT_TRUE(grounder.run().ok());
    FaultSet all(all_faults(model));
    for (const Crash& one : all.of<Crash>()) {
      for (const Crash& other : all.of<Crash>()) {
        FaultSet faults{one, other};
        formula::Valuation valuation = formula::evaluate(grounder.rules(), faults);
        bool allowed = true;
        for (const std::vector<Literal>& clause : grounder.rules().requirements()) {
          allowed &= std::ranges::any_of(clause, [&](Literal l) { return valuation.holds(l); });
        }
        ASSERT_EQ(allowed, model.admits(faults)) << text << ": " << to_string(faults);
      }
    }
  }
}

TEST(Grounder, GivesUpWithAReason) {
  struct Give {
    const char* program;
    GrounderOptions options;
    const char* message;
  };
  const Give table[] = {
      // Only if the message is lost, but that is possible.
      {R"(p("a", 0)@2; say("b", "a")@1; heard(A)@async :- say(B, A);
          q(X, 1 / N) :- p(X, N), notin heard(X);)",
       {},
       "a rule might divide by zero at tick 2"},
      {R"(p("a", 0)@2; say("a", "a")@1; heard(A)@async :- say(B, A);
          q(X, 1 / N) :- p(X, N), notin heard(X);)",
       {},
       ""},
      {R"(p("a", 9223372036854775807)@1; q(X, N + 1) :- p(X, N);)",
       {},
       "a number might leave the range of 64 bits at tick 1"},
      {R"(p("a", 1)@1; p("a", "x")@1; q(X, N + 1) :- p(X, N);)",
       {},
       "an operator might meet a value of the wrong type at tick 1"},
      {R"(p("a", 0)@1; p(X, N + 1)@next :- p(X, N); q(X, N) :- p(X, N); q(X, N)@next :- q(X, N);)",
       {.most_rows = 5},
       "too many facts are possible by tick 3"},
      {R"(p("a", 0)@1; p("a", 1)@1; q(X, N, M) :- p(X, N), p(X, M); q(X, N, M)@next :- q(X, N, M);)",
       {.most_firings = 10},
       "too many facts are possible by tick 2"},
      {R"(p("a", 0)@1; p("a", 1)@1; q(A, B, C, D) :- p(A, B), p(A, C), p(A, D);
          r("b")@async :- q(A, B, C, D); pre(A) :- r(A);)",
       {.most_atoms = 1},
       "too many facts are possible by tick 1"},
      {R"(p("a", 0)@1;)", {.stop = [] { return true; }}, "stopped"},
  };
  for (const Give& one : table) {
    Ground found = ground(one.program, model_of("a b, eot 3, eff 2"), one.options);
    EXPECT_EQ(found.error, one.message) << one.program;
  }
}

// Sums of what may be missing, of which there are many: each is worked out once for a group, and
// whoever has no time for that ends it in the middle of a tick.
TEST(Grounder, ManySums) {
  std::string program = R"(sum("a", sum<N>)@async :- got("a", N); go("b")@1; pre("a") :- go("b");)";
  for (int i = 1; i <= 60; ++i) program += fmt::format("got(\"a\", {0})@async :- go(\"n{0}\");", i);
  for (int i = 1; i <= 60; ++i) program += fmt::format("go(\"n{}\")@1;", i);
  std::string world = "a b";
  for (int i = 1; i <= 60; ++i) world += fmt::format(" n{}", i);
  const simulate::Loaded loaded = simulate::load(program);
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  const FaultModel model = model_of(world + ", eot 4, eff 2");
  int asked = 0;
  Grounder whole(*loaded.program, model, {.stop = [&] { return ++asked < 0; }});
  EXPECT_TRUE(whole.run().ok());
  EXPECT_GT(asked, 12);
  EXPECT_LT(whole.rules().atoms(), 300'000U);
  asked = 0;
  Grounder part(*loaded.program, model, {.stop = [&] { return ++asked > 6; }});
  const Status status = part.run();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "stopped");
}

}  // namespace
}  // namespace clew::ground
