// Thousands of programs without sense: whatever the parser accepts, the passes survive, and what
// they accept has every invariant that program.h promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/random.h"
#include "dedalus/parse.h"
#include "dedalus/program.h"

namespace clew::dedalus {
namespace {

const std::map<std::string, size_t> kArity = {{"p", 1},   {"q", 2},    {"r", 2},    {"s", 0},
                                              {"pre", 1}, {"post", 1}, {"crash", 3}};
const std::vector<std::string> kFactTimes = {"@1", "@1", "@1", "@1", "@3", "@0", "", "@next"};
const std::vector<std::string> kHeadTimes = {"", "", "", "@next", "@next", "@async", "@1"};
const std::vector<std::string> kBodyTimes = {"", "", "", "", "", "", "@1", "@0", "@next"};

class Reckless {
 public:
  explicit Reckless(uint64_t seed) : random_(seed) {}

  std::string program() {
    std::string text;
    for (uint64_t i = 1 + random_.uniform_below(6); i > 0; --i) text += clause() + "\n";
    return text;
  }

 private:
  std::string one_of(const std::vector<std::string>& choices) { return random_.pick(choices); }

  std::string clause() {
    if (random_.chance(0.4)) return atom({"\"a\"", "\"b\"", "1"}, 0.05) + one_of(kFactTimes) + ";";
    std::string text = atom({"X", "Y", "X", "\"a\""}, 0.3) + one_of(kHeadTimes) + " :- ";
    text += literal();
    for (uint64_t i = random_.uniform_below(3); i > 0; --i) text += ", " + literal();
    return text + ";";
  }

  std::string literal() {
    if (random_.chance(0.15)) {
      return term(0.3) + one_of({" < ", " == ", " != ", " >= "}) + term(0.3);
    }
    std::string negation = random_.chance(0.25) ? "notin " : "";
    return negation + atom({"X", "Y", "_", "X"}, 0.1) + one_of(kBodyTimes);
  }

  std::string atom(const std::vector<std::string>& likely, double other) {
    std::string name = one_of({"p", "q", "r", "s", "pre", "post", "crash"});
    size_t arity = random_.chance(0.05) ? random_.uniform_below(4) : kArity.at(name);
    std::string text = name + "(";
    for (size_t i = 0; i < arity; ++i) {
      text += i == 0 ? "" : ", ";
      text += random_.chance(other) ? term(0.3) : one_of(likely);
    }
    return text + ")";
  }

  std::string term(double deeper) {
    if (random_.chance(deeper)) {
      return "(" + term(deeper / 2) + one_of({" + ", " - ", " * ", " / "}) + term(deeper / 2) + ")";
    }
    return one_of({"X", "Y", "Z", "_", "\"a\"", "0", "7", "count<X>", "min<Y>", "sum<Y>"});
  }

  Random random_;
};

void collect_variables(const Term& term, std::set<std::string>& variables) {
  if (term.kind == Term::Kind::kVariable || term.kind == Term::Kind::kAggregate) {
    variables.insert(term.text);
  }
  EXPECT_TRUE(term.kind != Term::Kind::kWildcard) << "a wildcard where a value is needed";
  for (const Term& operand : term.operands) collect_variables(operand, variables);
}

// Invariant 4.
void expect_safe(const Clause& rule) {
  std::set<std::string> bound;
  std::set<std::string> needed;
  Location location = location_of(rule);
  if (location.kind == Location::Kind::kVariable) bound.insert(location.text);
  for (const Term& arg : rule.head.args) collect_variables(arg, needed);
  for (const Literal& literal : rule.body) {
    if (literal.kind == Literal::Kind::kCondition) collect_variables(literal.condition, needed);
    for (const Term& arg : literal.atom.args) {
      if (arg.kind == Term::Kind::kBinary) collect_variables(arg, needed);
      bool binds = arg.kind == Term::Kind::kVariable && literal.kind == Literal::Kind::kPositive;
      if (binds) bound.insert(arg.text);
    }
  }
  for (const std::string& variable : needed) EXPECT_TRUE(bound.contains(variable)) << variable;
}

void expect_arity(const Program& program, const Atom& atom) {
  const RelationInfo* relation = program.find(atom.relation);
  ASSERT_NE(relation, nullptr) << atom.relation;
  EXPECT_EQ(relation->arity, atom.args.size()) << atom.relation;
}

// Invariants 1 and 3.
void expect_fact(const Program& program, const Clause& fact) {
  EXPECT_EQ(fact.kind, Clause::Kind::kFact);
  EXPECT_EQ(fact.head.time.kind, TimeSuffix::Kind::kAt);
  EXPECT_NE(fact.head.relation, kCrash);
  expect_arity(program, fact.head);
  for (size_t i = 0; i < fact.head.args.size(); ++i) {
    ColumnType type = program.find(fact.head.relation)->columns[i];
    bool is_integer = fact.head.args[i].kind == Term::Kind::kInteger;
    EXPECT_TRUE(is_integer || fact.head.args[i].kind == Term::Kind::kString);
    EXPECT_TRUE(is_integer ? type.integer : type.string);
  }
}

// Invariants 2, 3 and 4.
void expect_rule(const Program& program, const Clause& rule) {
  EXPECT_EQ(rule.kind, Clause::Kind::kRule);
  EXPECT_NE(rule.head.time.kind, TimeSuffix::Kind::kAt);
  EXPECT_NE(rule.head.relation, kCrash);
  expect_arity(program, rule.head);
  for (const Literal& literal : rule.body) {
    if (literal.kind == Literal::Kind::kCondition) continue;
    expect_arity(program, literal.atom);
    EXPECT_NE(literal.atom.time.kind, TimeSuffix::Kind::kNext);
    EXPECT_NE(literal.atom.time.kind, TimeSuffix::Kind::kAsync);
  }
  expect_safe(rule);
}

// Invariant 5, the obvious way: strata numbers grow until they settle, or grow without end.
void expect_stratified(const Program& program) {
  std::map<std::string, size_t> stratum;
  bool changed = true;
  for (size_t round = 0; changed; ++round) {
    ASSERT_LE(round, program.relations.size() + 1) << "not stratified";
    changed = false;
    for (const Clause& rule : program.rules) {
      if (rule.head.time.kind != TimeSuffix::Kind::kNone) continue;
      bool folds = std::ranges::any_of(
          rule.head.args, [](const Term& arg) { return arg.kind == Term::Kind::kAggregate; });
      for (const Literal& literal : rule.body) {
        if (literal.kind == Literal::Kind::kCondition) continue;
        bool strict = folds || literal.kind == Literal::Kind::kNegative;
        size_t least = stratum[literal.atom.relation] + (strict ? 1 : 0);
        if (stratum[rule.head.relation] >= least) continue;
        stratum[rule.head.relation] = least;
        changed = true;
      }
    }
  }
}

TEST(Reckless, AcceptedProgramsHaveTheInvariants) {
  constexpr uint64_t kPrograms = 5'000;
  uint64_t parsed = 0;
  uint64_t accepted = 0;
  for (uint64_t seed = 0; seed < kPrograms; ++seed) {
    std::string text = Reckless(seed).program();
    SourceSet sources;
    Diagnostics diagnostics;
    File file = parse(sources.add("reckless.ded", text), sources, diagnostics);
    if (!diagnostics.has_errors()) ++parsed;
    std::optional<Program> program = check_program({std::move(file)}, diagnostics);
    EXPECT_EQ(program.has_value(), !diagnostics.has_errors());
    EXPECT_EQ(diagnostics.render(sources).empty(), diagnostics.all().empty());
    if (!program) continue;
    ++accepted;
    EXPECT_EQ(program->relations.at(0).name, kCrash);
    for (const Clause& fact : program->facts) expect_fact(*program, fact);
    for (const Clause& rule : program->rules) expect_rule(*program, rule);
    expect_stratified(*program);
    if (HasFailure()) FAIL() << "seed " << seed << ":\n" << text;
  }
  EXPECT_GT(parsed, kPrograms / 4);
  EXPECT_GT(accepted, kPrograms / 50);
}

}  // namespace
}  // namespace clew::dedalus
