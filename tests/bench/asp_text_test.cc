// What the translation for clingo prints, rule by rule, and what it refuses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "bench/asp/translate.h"
#include "tests/simulate/argument.h"

namespace clew::asp {
namespace {

struct Case {
  const char* what;
  const char* program;
  const char* expected;  // the lines between the world and the goal; or the messages
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.what; }

// The rules of the program alone: no faults, no goal.
std::string rules_of(const std::string& text) {
  std::istringstream lines(text);
  std::string result = "\n";
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("#defined", 0) == 0) break;
    if (inside) result += line + "\n";
    inside = inside || line.rfind("crash(O,N,C)", 0) == 0;
  }
  return result;
}

const Case kTranslations[] = {
    {"Rules",
     R"(p("a", 1)@1; q(X, N + 1) :- p(X, N), N != 2, notin r(X, _); r(X, N)@next :- p(X, N);)",
     R"(
p("a",1,1).
q(X,(N+1),T) :- p(X,N,T), N != 2, not r(X,_,T), is_node(X).
r(X,N,T+1) :- p(X,N,T), is_node(X), T < 3.
)"},
    {"Messages", R"(p("a", "b")@1; q(Y, X)@async :- p(X, Y); r(X)@async :- p(X, _);)", R"(
p("a","b",1).
q(Y,X,T+1) :- p(X,Y,T), is_node(X), is_node(Y), not lost(X,Y,T), T < 3.
r(X,T+1) :- p(X,_,T), is_node(X), T < 3.
)"},
    {"Locations", R"(p("a")@1; q("a") :- p("a"); r("a") :- p(_); s(X) :- notin p(X);)", R"(
p("a",1).
q("a",T) :- p("a",T).
r("a",T) :- p(_,T).
s(X,T) :- not p(X,T), is_node(X), tick(T).
)"},
    {"Crashes", R"(p("a")@1; q(X) :- p(X), notin crash(_, X, _); r(X, N) :- p(X), crash(X, N, _);)",
     R"(
p("a",1).
q(X,T) :- p(X,T), not crash_at(X,_), is_node(X).
r(X,N,T) :- p(X,T), crash(X,N,_), is_node(X).
)"},
    {"Ticks", R"(p("a")@2; p("a")@9; q(X) :- p(X)@2; r(X) :- p(X), notin p(X)@0;)", R"(
p("a",2).
q(X,T) :- p(X,2), is_node(X), tick(T), T >= 2.
)"},
    {"NamesThatClingoDoesNotKnow", R"(not("a", 1)@1; R.s(x?, T)@next :- not(x?, T);)", R"(
not_1("a",1,1).
r_s(X_,T_1,T+1) :- not_1(X_,T_1,T), is_node(X_), T < 3.
)"},
    {"RepeatedExistentials", R"(p("a", 1, 1)@1; q(X) :- p(X, _, _), notin p(X, E, E);)", R"(
p("a",1,1,1).
match_0_1(V0,T) :- p(V0,E,E,T).
q(X,T) :- p(X,_,_,T), not match_0_1(X,T), is_node(X).
)"},
    {"Aggregates", R"(p("a", 1)@1; q(X, count<N>, max<N>) :- p(X, N);)", R"(
p("a",1,1).
bind_0(X,N,N,T) :- p(X,N,T), is_node(X).
q(G0,F1,F2,T) :- bind_0(G0,_,_,T), F1 = #count { V1,V1,V2 : bind_0(G0,V1,V2,T) }, F1 > 0, F2 = #max { V2,V1,V2 : bind_0(G0,V1,V2,T) }.
)"},
};

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.what; }

class TranslationTest : public testing::TestWithParam<Case> {};

TEST_P(TranslationTest, PrintsTheRules) {
  const simulate::Loaded loaded = simulate::load(GetParam().program);
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  Diagnostics diagnostics;
  const Options options{.nodes = {"a", "b"}, .eot = 3, .all_facts = true};
  auto text = translate(*loaded.program, options, diagnostics);
  ASSERT_TRUE(text) << diagnostics.render(loaded.sources);
  EXPECT_EQ(rules_of(*text), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Asp, TranslationTest, testing::ValuesIn(kTranslations), case_name);

const Case kRefusals[] = {
    {"JoinedStrings", R"(p("a")@1; q(X + "b") :- p(X);)", "this may be a string"},
    {"MixedColumns", R"(p("a", 1)@1; p("a", "x")@1; q(X, N - 1) :- p(X, N);)",
     "this may be a string"},
    {"Division", R"(p("a", 1)@1; q(X, 6 / N) :- p(X, N), N != 0;)", "the divisor may be 0"},
    {"Sums", R"(p("a", 1)@1; p("a", "x")@1; q(X, sum<N>) :- p(X, N);)",
     "the sum may meet a string, which ends the run"},
    {"LargeIntegers", R"(p("a", 2147483648)@1; pre(X, N) :- p(X, N); post(X, N) :- p(X, N);)",
     "the integer has more than 32 bits"},
};

class RefusalTest : public testing::TestWithParam<Case> {};

TEST_P(RefusalTest, NamesTheReason) {
  const simulate::Loaded loaded = simulate::load(GetParam().program);
  ASSERT_TRUE(loaded.program) << loaded.diagnostics.render(loaded.sources);
  Diagnostics diagnostics;
  EXPECT_FALSE(translate(*loaded.program, {.nodes = {"a"}}, diagnostics));
  ASSERT_FALSE(diagnostics.all().empty());
  EXPECT_EQ(diagnostics.all()[0].message, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Asp, RefusalTest, testing::ValuesIn(kRefusals), case_name);

}  // namespace
}  // namespace clew::asp
