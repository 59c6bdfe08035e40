// Every numbered invariant of program.h and lowered_program.h, broken: the CHECK says so.
#include <gtest/gtest.h>

#include <functional>

#include "dedalus/lowered_program.h"
#include "dedalus/program.h"
#include "simulate/simulator.h"
#include "tests/dedalus/parsed.h"

namespace clew::dedalus {
namespace {

class ProgramInvariants : public testing::Test {
 protected:
  ProgramInvariants() {
    Parsed parsed = parse_text(R"(
        go("a", 1)@1;
        sum(X, count<Y>) :- go(X, Y), Y > 0;
        put(X, Y + 1)@next :- notin sum(X, 1), put(X, Y), notin go(X, Y * 2);)");
    std::optional<Program> program = check_program({std::move(parsed.file)}, parsed.diagnostics);
    CHECK(program, "{}", parsed.errors());
    program_ = std::move(*program);
  }

  void expect_wrong(const std::function<void(Program&)>& change, const std::string& message) {
    Program wrong = program_;
    change(wrong);
    EXPECT_EXIT(LoweredProgram(wrong, {"a"}, false), testing::ExitedWithCode(1), message);
  }

  Program program_;
};

TEST_F(ProgramInvariants, HoldOfWhatWasChecked) {
  const LoweredProgram lowered(program_, {"a"}, false);
  EXPECT_GE(lowered.full().rules.rules.size(), 2U);
}

TEST_F(ProgramInvariants, OneFactsAreConstantsAtATick) {
  expect_wrong([](Program& p) { p.facts[0].kind = Clause::Kind::kRule; }, "go is no fact");
  expect_wrong([](Program& p) { p.facts[0].head.time = {}; }, "a fact of go at no tick");
  expect_wrong([](Program& p) { p.facts[0].head.args[1].kind = Term::Kind::kVariable; },
               "a fact of go with an argument that is no constant");
}

TEST_F(ProgramInvariants, TwoRulesHaveNoTickInTheirHeadAndNoneToComeInTheirBody) {
  expect_wrong([](Program& p) { p.rules[0].kind = Clause::Kind::kFact; }, "sum is no rule");
  expect_wrong([](Program& p) { p.rules[1].head.time.kind = TimeSuffix::Kind::kAt; },
               "a rule for put at one tick");
  for (auto kind : {TimeSuffix::Kind::kNext, TimeSuffix::Kind::kAsync}) {
    expect_wrong([&](Program& p) { p.rules[1].body[1].atom.time.kind = kind; },
                 "a body reads put at a tick to come");
  }
}

TEST_F(ProgramInvariants, ThreeEveryUseHasTheArityOfItsRelation) {
  expect_wrong([](Program& p) { p.facts[0].head.args.pop_back(); }, "go has 2 columns, but 1");
  expect_wrong([](Program& p) { p.rules[0].head.args.pop_back(); }, "sum has 2 columns, but 1");
  expect_wrong([](Program& p) { p.rules[1].body[2].atom.args.emplace_back(); },
               "go has 2 columns, but 3");
  expect_wrong([](Program& p) { p.rules[1].body[1].atom.relation = "none"; },
               "none is not among the relations");
}

TEST_F(ProgramInvariants, FourVariablesHaveValues) {
  expect_wrong([](Program& p) { p.rules[0].head.args[1].text = "Z"; }, "sum has Z, which nothing");
  expect_wrong([](Program& p) { p.rules[0].body[1].condition.operands[0].text = "Z"; },
               "sum has Z, which nothing");
  expect_wrong([](Program& p) { p.rules[1].body[2].atom.args[1].operands[0].text = "Z"; },
               "put has Z, which nothing");
  expect_wrong([](Program& p) { p.rules[1].body[1].kind = Literal::Kind::kNegative; },
               "put has Y, which nothing");
}

TEST_F(ProgramInvariants, FiveItIsStratified) {
  Program wrong = program_;
  wrong.rules[1].head.time = {};
  Literal itself = wrong.rules[1].body[1];
  itself.kind = Literal::Kind::kNegative;
  wrong.rules[1].body.push_back(itself);
  EXPECT_EXIT(simulate::Simulator(wrong, {"a"}, CrashModel::kSilent, {}),
              testing::ExitedWithCode(1), "the rules are not stratified");
}

TEST_F(ProgramInvariants, SixTheFirstRelationIsCrash) {
  expect_wrong([](Program& p) { p.relations.clear(); }, "relation 0 is crash");
  expect_wrong([](Program& p) { p.relations[0].name = "other"; }, "relation 0 is crash");
  expect_wrong([](Program& p) { p.relations[0].arity = 2; }, "crash has 2 columns");
}

TEST_F(ProgramInvariants, OneLoweredProgramsHaveDistinctNodes) {
  const LoweredProgram lowered(program_, {"b", "a"}, false);
  EXPECT_EQ(lowered.node_number(lowered.node_values()[1]), 1U);
  EXPECT_EXIT(LoweredProgram(program_, {"b", "a", "b"}, false), testing::ExitedWithCode(1),
              "\"b\" twice");
}

TEST_F(ProgramInvariants, TwoWhatIsLoweredIsWellFormed) {
  expect_wrong([](Program& p) { p.rules[0].head.args.clear(); }, "sum has 2 columns, but 0");
}

}  // namespace
}  // namespace clew::dedalus
