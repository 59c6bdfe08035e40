// Whole programs: what is fine, what a Program holds, and how long hostile ones take.
#include <gtest/gtest.h>

#include <ctime>

#include "dedalus/passes/passes.h"
#include "tests/dedalus/passes/diagnose.h"

namespace clew::dedalus {
namespace {

std::optional<Program> check(const std::string& source, Diagnostics& diagnostics) {
  SourceSet sources;
  FileId file = sources.add("test.ded", source);
  return check_program({parse(file, sources, diagnostics)}, diagnostics);
}

Program checked(const std::string& source) {
  Diagnostics diagnostics;
  std::optional<Program> program = check(source, diagnostics);
  EXPECT_TRUE(program.has_value()) << source;
  return program.value_or(Program{});
}

const char* const kBroadcast = R"(
// Best-effort broadcast and what it should achieve.
log(Node, Payload) :- bcast(Node, Payload);
node(Node, Neighbor)@next :- node(Node, Neighbor);
log(Node, Payload)@next :- log(Node, Payload);
log(Node2, Payload)@async :- bcast(Node1, Payload), node(Node1, Node2);

missing_log(A, Pl) :- log(X, Pl), node(X, A), notin log(A, Pl);
pre(X, Pl) :- log(X, Pl), notin crash(_, X, _);
post(X, Pl) :- log(X, Pl), notin missing_log(_, Pl);

bcast("a", "data")@1;
node("a", "b")@1; node("a", "c")@1;
node("b", "a")@1; node("b", "c")@1;
node("c", "a")@1; node("c", "b")@1;
)";

// Acknowledged delivery, in the style of the paper's later programs.
const char* const kAcknowledged = R"(
ack(S, H, P)@next :- ack(S, H, P);
rbcast(Node2, Node1, Pload)@async :- log(Node1, Pload), node(Node1, Node2),
    notin ack(Node1, Node2, Pload);
ack(From, Host, Pl)@async :- rbcast(Host, From, Pl);
rbcast(A, A, P) :- bcast(A, P);
log(N, P) :- rbcast(N, _, P);
log(N, P)@next :- log(N, P);
node(N, M)@next :- node(N, M);
acked(N, count<H>) :- ack(N, H, _);
pre(N, P) :- log(N, P), acked(N, C), C > 1;
post(N, P) :- pre(N, P), notin missing(_, P);
missing(M, P) :- log(N, P), node(N, M), notin log(M, P);
bcast("a", "data")@1; node("a", "b")@1; node("b", "a")@1;
)";

const char* const kCounters = R"(
timer("a", 3)@1;
timer(N, T - 1)@next :- timer(N, T), T > 0;
timeout(N) :- timer(N, 0);
leader(min<N>, N) :- member(N, _);
member("a", "b")@1;
member(N, M)@next :- member(N, M), notin timeout(N);
alarm("a") :- timer("a", T), T * 2 + 1 == 7 / 2;
late(N) :- timer(N, T)@1, notin timer(N, T);
idle(N) :- notin timer(N, _), notin member(N, Anyone);
ready() :- timer(_, 3);
go(N) :- ready(), member(N, _);
)";

TEST(CheckProgram, FinePrograms) {
  for (const char* source : {"", kBroadcast, kAcknowledged, kCounters}) {
    EXPECT_EQ(diagnose(source), "") << source;
  }
}

TEST(CheckProgram, FillsInTheProgram) {
  Program program = checked("q(X, Y + 1)@next :- p(X, Y)@next;\np(\"a\", 2 * 3)@4;");
  ASSERT_EQ(program.facts.size(), 1U);
  ASSERT_EQ(program.rules.size(), 1U);
  EXPECT_EQ(program.facts[0].head.args[1].kind, Term::Kind::kInteger);
  EXPECT_EQ(program.facts[0].head.args[1].integer, 6);
  EXPECT_EQ(program.facts[0].head.time.tick, 4);
  EXPECT_EQ(program.rules[0].body[0].atom.time.kind, TimeSuffix::Kind::kNone);

  ASSERT_EQ(program.relations.size(), 3U);
  EXPECT_EQ(program.relations[0].name, "crash");
  EXPECT_EQ(program.relations[0].arity, 3U);
  EXPECT_TRUE(program.relations[0].derived);
  EXPECT_FALSE(program.relations[0].read);
  EXPECT_EQ(program.relations[1].name, "q");
  EXPECT_TRUE(program.relations[1].derived);
  EXPECT_FALSE(program.relations[1].read);
  EXPECT_TRUE(program.relations[1].view);
  EXPECT_EQ(program.relations[2].name, "p");
  EXPECT_FALSE(program.relations[2].view);
  EXPECT_TRUE(program.relations[2].columns[1].integer);
  EXPECT_EQ(program.find("p"), &program.relations[2]);
  EXPECT_EQ(program.find("gone"), nullptr);
}

TEST(CheckProgram, ShowsAllErrorsAtOnceInOrder) {
  EXPECT_EQ(diagnose("p(a)@1;\nq(X, Y) :- p(X);\nr(X) :- p(X), notin r(X);\ns(X) :- p(X, X);"),
            "1:3 error variable-in-fact: `a` is a variable, but a fact holds only constants\n"
            "  help: write \"a\" if a string is meant\n"
            "2:6 error unsafe-variable: `Y` has no value: it does not occur in the body\n"
            "  help: match it in the body outside of `notin`, or write \"Y\" if a string is meant\n"
            "3:15 error not-stratified: `r` depends on its own absence within one tick\n"
            "  3:1 `r` needs the absence of `r`\n"
            "  help: let one of these rules derive into the next tick with `@next`, or break the "
            "cycle\n"
            "4:9 error arity-clash: `p` has 2 arguments here but 1 elsewhere\n"
            "  1:1 here it has 1\n"
            "  help: give every use of `p` the same number of arguments\n");
}

TEST(CheckProgram, NoProgramAfterErrors) {
  Diagnostics diagnostics;
  EXPECT_FALSE(check("p(\"a\");", diagnostics).has_value());
}

TEST(LoadProgram, AnUnreadableFileIsADiagnostic) {
  SourceSet sources;
  Diagnostics diagnostics;
  EXPECT_FALSE(load_program({"tests/no/such/file.ded"}, sources, diagnostics).has_value());
  EXPECT_TRUE(diagnostics.has_errors());
}

TEST(LocationOf, Table) {
  struct LocationCase {
    const char* rule;
    Location::Kind kind;
    const char* text;
  };
  const LocationCase cases[] = {
      {"q(X) :- p(X, Y);", Location::Kind::kVariable, "X"},
      {"q(X) :- 1 < 2, notin p(X, _), p(Y, X);", Location::Kind::kVariable, "X"},
      {"q(X) :- p(\"n\", X);", Location::Kind::kConstant, "n"},
      {"q(X) :- p(\"7\", X);", Location::Kind::kConstant, "7"},
      {"q(X) :- p(7, X);", Location::Kind::kNowhere, ""},
      {"q(X) :- p(_, X);", Location::Kind::kAny, ""},
      {"q(X) :- z(), p(X, _);", Location::Kind::kAny, ""},
      {"q(\"n\") :- 1 < 2;", Location::Kind::kAny, ""},
  };
  for (const LocationCase& each : cases) {
    SourceSet sources;
    Diagnostics diagnostics;
    File file = parse(sources.add("test.ded", each.rule), sources, diagnostics);
    Location location = location_of(file.clauses.at(0));
    EXPECT_EQ(location.kind, each.kind) << each.rule;
    EXPECT_EQ(location.text, each.text) << each.rule;
  }
}

TEST(MentionedNodes, FactsLocationsAndDestinations) {
  Program program = checked(
      "p(\"b\", \"no\")@1; p(\"a\", \"no\")@1; p(7, \"no\")@1; z()@1;\n"
      "q(X) :- p(\"c\", X); q(\"no\") :- p(\"a\", \"no\"); r(\"d\", X)@async :- p(X, _);");
  EXPECT_EQ(mentioned_nodes(program), (std::vector<std::string>{"a", "b", "c", "d"}));
}

TEST(CheckNodes, WarnsOnceForEachName) {
  SourceSet sources;
  Diagnostics diagnostics;
  FileId file = sources.add("test.ded",
                            "p(\"primary\")@1;\n"
                            "q(X) :- p(\"primray\"), p(X);\n"
                            "q(\"x\") :- p(\"primray\");\n"
                            "q(\"other\")@async :- p(X);\n"
                            "q(\"primary\")@async :- p(\"primary\");\n");
  Diagnostics other;
  auto program = check_program({parse(file, sources, other)}, other);
  ASSERT_TRUE(program.has_value());
  check_nodes(*program, {"backup", "primary"}, diagnostics);
  EXPECT_EQ(one_per_line(diagnostics, sources),
            "2:11 warning not-a-node: \"primray\" is not a node of this run: rules located there "
            "never fire\n"
            "  help: did you mean \"primary\"?\n"
            "4:3 warning not-a-node: \"other\" is not a node of this run: messages to it are never "
            "sent\n"
            "  help: the nodes are backup, primary\n");
}

TEST(CheckNodes, LimitsNameNodes) {
  SourceSet sources;
  Diagnostics diagnostics;
  FileId file = sources.add("test.ded",
                            "p(\"primary\")@1; p(\"other\")@1;\n"
                            "reliable \"primary\" > \"primray\";\n"
                            "nocrash \"primary\", \"other\", \"x\";\n");
  Diagnostics none;
  auto program = check_program({parse(file, sources, none)}, none);
  ASSERT_TRUE(program.has_value()) << none.render(sources);
  EXPECT_EQ(program->limits.size(), 4U);
  check_nodes(*program, {"backup", "primary"}, diagnostics);
  EXPECT_EQ(one_per_line(diagnostics, sources),
            "2:10 error unknown-node: there is no node \"primray\"\n"
            "  help: did you mean \"primary\"?\n"
            "3:20 warning not-a-node: \"other\" is not a node of this run: this limit means "
            "nothing in it\n"
            "  help: the nodes are backup, primary\n"
            "3:29 error unknown-node: there is no node \"x\"\n"
            "  help: the nodes are backup, primary\n");
}

// Programs of 10,000 rules, or of one rule with as many elements, full of mistakes.
std::vector<std::string> hostile_programs() {
  constexpr int kCount = 10'000;
  std::string chain = "r0(\"a\", 1)@1;\n";
  std::string ring;
  std::string wide = "p(X) :- z(X)";
  std::string unsafe_head;
  std::string unsafe_body;
  std::string mixed;
  for (int i = 0; i < kCount; ++i) {
    chain += fmt::format("r{}(X, Y) :- r{}(X, Y), notin s{}(X, Y + 1);\n", i + 1, i, i);
    ring += fmt::format("p{}(X)@next :- q(X, Y), notin p{}(Y);\n", i, (i + 1) % kCount);
    ring += fmt::format("u{}(X) :- q(X, _), notin u{}(X);\n", i, (i + 1) % kCount);
    wide += fmt::format(", q{}(X, Variable{}, V + 1)", i, i);
    unsafe_head += fmt::format("{}Variable{}", i == 0 ? "" : ", ", i);
    unsafe_body += fmt::format("{}q(X, Variabl{})", i == 0 ? "" : ", ", i);
    mixed += fmt::format("m{}(\"a\", 1)@1; m{}(\"a\", \"x\")@1;\n", i, i);
  }
  return {chain, ring, wide + ";", "p(" + unsafe_head + ") :- " + unsafe_body + ";", mixed};
}

// The bound, of processor time, is generous for the sake of sanitizers; quadratic work would exceed
// it by far.
TEST(CheckProgram, HostileProgramsTakeLinearTime) {
  for (const std::string& source : hostile_programs()) {
    SourceSet sources;
    Diagnostics diagnostics;
    File file = parse(sources.add("test.ded", source), sources, diagnostics);
    Draft draft{std::move(file.clauses), {}, diagnostics, true, {}};
    for (const Pass& pass : all_passes()) {
      std::clock_t begin = std::clock();
      pass.run(draft);
      double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      EXPECT_LT(seconds, 5.0) << pass.name << " of " << source.substr(0, 40);
    }
  }
}

}  // namespace
}  // namespace clew::dedalus
