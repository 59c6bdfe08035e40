// Cases that have to come out right: each a tiny program, with all its minimal counterexamples as
// worked out by hand. Every adversary that is sure finds exactly these.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ground/grounder.h"
#include "search/campaign.h"
#include "search/lattice.h"
#include "simulate/system.h"
#include "tests/domain/model_text.h"
#include "tests/simulate/argument.h"

namespace clew::search {
namespace {

struct Case {
  const char* name;
  const char* world;
  const char* base;
  const char* rules;                         // added to it
  std::vector<std::string> counterexamples;  // sorted
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

// b raises an alarm if it hears nothing: only what is absent counts.
constexpr const char* kAlarm = R"(
ping("a", "b")@1;
watch("b")@2;
heard(B)@async :- ping(A, B);
alarm(N)@next :- watch(N), notin heard(N);
)";

// a asks nobody in particular: either b or c is enough.
constexpr const char* kEither = R"(
asked("user")@1;
has("b")@1;
has("c")@1;
answer("a", N)@async :- has(N);
known(N) :- answer(N, _);
known(N)@next :- known(N);
pre("asked") :- asked(_)@1;
post("asked") :- known("a");
)";

constexpr const char* kOneMessage = R"(
say("a", "b")@1;
heard(B)@async :- say(A, B);
heard(B)@next :- heard(B);
)";

// A quorum of two out of three votes; a's own vote cannot be lost.
constexpr const char* kVotes = R"(
voter("a", "a", 1)@1;
voter("b", "a", 2)@1;
voter("c", "a", 3)@1;
vote(To, From, Weight)@async :- voter(From, To, Weight);
vote(N, From, Weight)@next :- vote(N, From, Weight);
)";

const Case kTable[] = {
    {"AnAlarmAlthoughTheAnswerArrives",
     "a b c, eot 3, crashes 1",
     kEither,
     R"(peer("a", "b")@2; peer("a", "c")@2; alarm(N)@next :- peer(N, P), notin answer(N, P);
        pre("calm") :- asked(_)@1; post("calm") :- known("a"), notin alarm(_);)",
     {"crash b@1", "crash c@1"}},
    {"FaultsThatMatterOnlyThroughNegation",
     "a b, eot 3, eff 3, crashes 1",
     kAlarm,
     R"(pre("calm") :- watch(_)@2; post("calm") :- watch(_)@2, notin alarm(_);)",
     {"crash a@1", "drop a>b@1"}},
    {"ATupleThatTheRunWithoutFaultsLacks",
     "a b, eot 3, eff 3, crashes 1",
     kAlarm,
     R"(pre("calm") :- watch(_)@2; post("calm") :- watch(_)@2; pre(N) :- alarm(N);)",
     {"crash a@1", "drop a>b@1"}},
    {"TwoAbsencesOnTopOfEachOther",
     "a b, eot 3, eff 3, crashes 1",
     kAlarm,
     // Silence about the alarm is what must be broken: that needs nothing to be lost.
     R"(pre("calm") :- watch(_)@2; quiet(N) :- watch(N)@2, notin alarm(N);
        post("calm") :- watch(_)@2, notin quiet(_);)",
     {"no faults"}},
    {"AViolationWithoutFaultsIsTheOnlyMinimalOne",
     "a b, eot 3, eff 2, crashes 1",
     kAlarm,
     R"(pre("never") :- watch(_)@2;)",
     {"no faults"}},
    {"NothingIsPromised",
     "a b, eot 3, eff 3, crashes 1",
     kAlarm,
     R"(post("calm") :- watch(_);)",
     {}},
    {"EitherIsEnoughForOneCrash", "a b c, eot 3, crashes 1", kEither, "", {}},
    {"TwoCrashesThatNoSingleLineageNeedsTogether",
     "a b c, eot 3, crashes 2",
     kEither,
     "",
     {"crash b@1, crash c@1"}},
    {"ACrashAndAnOmissionTogether",
     "a b c, eot 3, eff 2, crashes 1",
     kEither,
     "",
     {"drop b>a@1, crash c@1", "drop b>a@1, drop c>a@1", "drop c>a@1, crash b@1"}},
    {"ACrashedNodeThatIsGoneKnowsNothing",
     "a b c, eot 3, crashes 2, stop",
     kEither,
     "",
     {"crash a@1", "crash a@2", "crash b@1, crash c@1"}},
    {"ACrashedNodeStillHears",
     "a b, eot 3, crashes 1",
     kOneMessage,
     R"(pre("it") :- crash(_, "b", _); post("it") :- heard("b");)",
     {}},
    {"OmissionsTowardsACrashedNode",
     "a b, eot 3, eff 3, crashes 1",
     kOneMessage,
     R"(pre("it") :- crash(_, "b", _); post("it") :- heard("b");)",
     {"drop a>b@1, crash b@1", "drop a>b@1, crash b@2"}},
    {"AStoppedNodeHearsNothing",
     "a b, eot 3, eff 3, crashes 1, stop",
     kOneMessage,
     R"(pre("it") :- crash(_, "b", _); post("it") :- heard("b");)",
     {"crash b@1", "crash b@2"}},
    {"ACrashOfTheFutureIsKnown",
     "a b, eot 3, crashes 1",
     kOneMessage,
     R"(doomed(N)@next :- crash(N, N, 2); pre("x") :- say(_, _)@1;
        post("x") :- say(_, _)@1, notin doomed(_);)",
     {"crash a@2", "crash b@2"}},
    {"VacuousRunsAreNotReported",
     "a b, eot 4, eff 4, crashes 1",
     kOneMessage,
     R"(ack("a")@async :- heard(N); ack(N)@next :- ack(N);
        pre("said") :- ack("a"); post("said") :- heard("b");)",
     {}},
    {"ALoopCannotSupportItself",
     "a b c, eot 3, eff 3, crashes 1",
     kOneMessage,
     R"(edge("b", "c")@3; edge("c", "b")@3; reach(N) :- heard(N); reach(Y) :- reach(X), edge(X, Y);
        pre("it") :- reach("c"); post("it") :- heard("b");)",
     {}},
    {"ALoopThatLosesItsEntry",
     "a b c, eot 3, eff 3, crashes 1",
     kOneMessage,
     R"(edge("b", "c")@3; edge("c", "b")@3; reach(N) :- heard(N); reach(Y) :- reach(X), edge(X, Y);
        pre("it") :- edge(_, _); post("it") :- reach("c");)",
     {"crash a@1", "drop a>b@1"}},
    {"ALoopThatMustStayUnreached",
     "a b c, eot 3, eff 3, crashes 1",
     kOneMessage,
     R"(edge("b", "c")@3; edge("c", "b")@3; reach(N) :- watch(N)@2, notin heard(N);
        watch("b")@2; reach(Y) :- reach(X), edge(X, Y);
        pre("it") :- edge(_, _); post("it") :- edge(_, _), notin reach("c");)",
     {"crash a@1", "drop a>b@1"}},
    {"CountsThatFaultsChange",
     "a b c, eot 3, eff 2, crashes 1",
     kVotes,
     R"(votes(N, count<From>) :- vote(N, From, _);
        pre("quorum") :- voter(_, _, _)@1; post("quorum") :- votes("a", C), C >= 2;)",
     {"drop b>a@1, crash c@1", "drop b>a@1, drop c>a@1", "drop c>a@1, crash b@1"}},
    {"CountsThatMustNotComeOut",
     "a b c, eot 3, eff 2, crashes 1",
     kVotes,
     R"(votes(N, count<From>) :- vote(N, From, _);
        pre("two") :- votes("a", 2); pre("all") :- votes("a", 3); post("all") :- votes("a", 3);)",
     {"crash b@1", "crash c@1", "drop b>a@1", "drop c>a@1"}},
    {"SumsThatFaultsChange",
     "a b c, eot 3, eff 2, crashes 1",
     kVotes,
     R"(weight(N, sum<W>) :- vote(N, _, W);
        pre("heavy") :- voter(_, _, _)@1; post("heavy") :- weight("a", S), S > 3;)",
     {"crash c@1", "drop c>a@1"}},
    {"MinAndMaxThatFaultsChange",
     "a b c, eot 3, eff 2, crashes 1",
     kVotes,
     R"(span(N, min<W>, max<W>) :- vote(N, _, W);
        pre("wide") :- voter(_, _, _)@1; post("wide") :- span("a", 1, 3);)",
     {"crash c@1", "drop c>a@1"}},
    {"AggregatesThatAreSent",
     "a b c, eot 3, eff 2, crashes 1",
     kVotes,
     R"(tally(To, count<From>)@async :- voter(From, To, _);
        tally(N, C)@next :- tally(N, C);
        pre("three") :- voter(_, _, _)@1; post("three") :- tally("a", 3);)",
     {"crash b@1", "crash c@1", "drop b>a@1", "drop c>a@1"}},
    {"AFactOfAnEarlierTickIsRemembered",
     "a b, eot 4, eff 4",
     kOneMessage,
     R"(pre("x") :- say(_, _)@1; post("x") :- heard("b")@2;)",
     {"drop a>b@1"}},
    // `node` depends on itself by way of what is remembered of it.
    {"ALoopOverWhatIsRemembered",
     "a, eot 4, crashes 1, stop",
     R"(t()@1; p("a", 3)@1; p(X, Y)@next :- p(X, Y);)",
     R"(t() :- node(X, X)@1; node("a", "a") :- t(); q(X, Y, count<Y>) :- p(X, Y), t()@4, t();
        pre("x") :- p("a", 3); post("x") :- q("a", 3, 1);)",
     {}},
};

// One program with everything that adversaries are made of.
class World {
 public:
  explicit World(const Case& one)
      : loaded_(simulate::load(std::string(one.base) + one.rules)),
        model_(model_of(one.world)),
        grounder_(program(), model_, {}) {
    CHECK(grounder_.run().ok());
  }

  Verdict find_all(Adversary& adversary) const {
    simulate::ProgramSystem system(program(), model_);
    return Campaign(system, adversary, model_, {.all = true}).run();
  }

  const dedalus::Program& program() const {
    CHECK(loaded_.program, "{}", loaded_.diagnostics.render(loaded_.sources));
    return *loaded_.program;
  }
  const FaultModel& model() const { return model_; }
  const formula::Rules& rules() const { return grounder_.rules(); }
  Possible possible() const {
    return {rules(), [this](const Run& run) { return grounder_.kinds_shown(run); }};
  }

 private:
  simulate::Loaded loaded_;
  FaultModel model_;
  ground::Grounder grounder_;
};

std::vector<std::string> sorted_texts(const std::vector<Choice>& choices) {
  std::vector<std::string> texts;
  for (const Choice& choice : choices) texts.push_back(to_string(choice.faults));
  std::ranges::sort(texts);
  return texts;
}

// Every counterexample violates the Spec, and if they are called minimal, none below it does.
void expect_true(const Verdict& verdict, simulate::ProgramSystem& system) {
  const auto ends = [&](const FaultSet& faults) {
    return outcome_of(system, complete(scenario_of(verdict.model), {faults, {}}));
  };
  for (const Choice& choice : verdict.counterexamples) {
    const FaultSet& faults = choice.faults;
    EXPECT_EQ(ends(faults), Outcome::Kind::kViolated) << to_string(faults);
    Subsets subsets(faults);
    while (std::optional<FaultSet> below = subsets.next()) {
      if (!verdict.minimal || *below == faults) continue;
      EXPECT_NE(ends(*below), Outcome::Kind::kViolated) << to_string(*below);
    }
  }
}

class CasesTest : public testing::TestWithParam<Case> {};

TEST_P(CasesTest, AreFoundByWhoeverIsSure) {
  const Case& one = GetParam();
  World world(one);
  auto expect = [&](const char* name, std::unique_ptr<Adversary> adversary) {
    EXPECT_EQ(adversary->why_unsure(), "") << name;
    Verdict verdict = world.find_all(*adversary);
    EXPECT_EQ(sorted_texts(verdict.counterexamples), one.counterexamples) << name;
    EXPECT_TRUE(verdict.all_found) << name;
    EXPECT_TRUE(verdict.minimal) << name;
    bool robust = one.counterexamples.empty();
    EXPECT_EQ(verdict.kind, robust ? Verdict::Kind::kRobust : Verdict::Kind::kBroken) << name;
  };
  expect("exhaustive", make_exhaustive(world.model(), {}));
  expect("symbolic", make_symbolic(world.rules(), {}));
  expect("lineage", make_lineage(world.possible(), {}));
}

TEST_P(CasesTest, AreNeverMisreportedByWhoeverIsNot) {
  World world(GetParam());
  std::vector<std::unique_ptr<Adversary>> adversaries;
  for (Negation negation : {Negation::kIgnore, Negation::kSurrogate, Negation::kConservative}) {
    adversaries.push_back(make_published(world.rules(), negation, {}));
  }
  for (const auto& adversary : adversaries) {
    EXPECT_NE(adversary->why_unsure(), "");
    Verdict verdict = world.find_all(*adversary);
    EXPECT_NE(verdict.kind, Verdict::Kind::kRobust);
    simulate::ProgramSystem system(world.program(), world.model());
    expect_true(verdict, system);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CasesTest, testing::ValuesIn(kTable),
                         [](const auto& one) { return std::string(one.param.name); });

// What the run relied on being absent is what faults bring about: whoever takes absences for
// granted never gets there.
TEST(InexactLineage, IgnoringAbsencesMissesWhatExactFinds) {
  World world(kTable[0]);
  Verdict ignoring = world.find_all(*make_published(world.rules(), Negation::kIgnore, {}));
  EXPECT_EQ(ignoring.kind, Verdict::Kind::kUnknown);
  EXPECT_EQ(ignoring.why_unknown, "the adversary is not complete");
  EXPECT_FALSE(ignoring.all_found);
  Verdict exact = world.find_all(*make_lineage(world.possible(), {}));
  EXPECT_EQ(exact.counterexamples.size(), 2U);
}

struct Protocol {
  const char* path;
  Tick eot;
  Tick eff;
  int crashes;
};

void PrintTo(const Protocol& protocol, std::ostream* out) { *out << protocol.path; }

const Protocol kProtocols[] = {
    {"broadcast/simple_deliv", 4, 2, 1},
    {"broadcast/retry_deliv", 4, 2, 1},
    {"broadcast/redun_deliv", 4, 2, 1},
    {"broadcast/ack_deliv", 4, 2, 1},
    {"broadcast/classic_deliv", 5, 3, 0},
    {"commit/two_phase", 6, 0, 2},
    {"commit/two_phase_ctp", 8, 0, 2},
    {"commit/two_phase_timeout", 8, 0, 2},
    {"commit/three_phase", 8, 0, 2},
    {"consensus/paxos_synod", 6, 2, 1},
    {"elections/bully", 6, 2, 1},
    {"locks/lease_lock", 6, 2, 1},
    {"locks/lease_lock_unfenced", 6, 3, 1},
    {"queues/kafka", 6, 2, 1},
    {"replication/primary_backup", 6, 2, 1},
    {"replication/chain_query", 6, 2, 1},
};

class InexactProtocols : public testing::TestWithParam<Protocol> {};

TEST_P(InexactProtocols, NeverReportAFalseCounterexample) {
  const Protocol& protocol = GetParam();
  SourceSet sources;
  Diagnostics diagnostics;
  std::string path = fmt::format("protocols/{}.ded", protocol.path);
  auto program = dedalus::load_program({path}, sources, diagnostics);
  ASSERT_TRUE(program) << diagnostics.render(sources);
  FaultModel model{dedalus::mentioned_nodes(*program), protocol.eot, protocol.eff, protocol.crashes,
                   CrashModel::kSilent};
  ground::Grounder grounder(*program, model, {});
  ASSERT_TRUE(grounder.run().ok());
  auto search = [&](const std::unique_ptr<Adversary>& adversary) {
    simulate::ProgramSystem system(*program, model);
    return Campaign(system, *adversary, model, {}).run();
  };
  const auto shown = [&](const clew::Run& run) { return grounder.kinds_shown(run); };
  const bool broken =
      search(make_lineage({grounder.rules(), shown}, {})).kind == Verdict::Kind::kBroken;
  for (Negation negation : {Negation::kIgnore, Negation::kSurrogate, Negation::kConservative}) {
    Verdict verdict = search(make_published(grounder.rules(), negation, {}));
    EXPECT_NE(verdict.kind, Verdict::Kind::kRobust);
    EXPECT_TRUE(broken || verdict.kind == Verdict::Kind::kUnknown);
    simulate::ProgramSystem system(*program, model);
    expect_true(verdict, system);
  }
}

INSTANTIATE_TEST_SUITE_P(All, InexactProtocols, testing::ValuesIn(kProtocols), [](const auto& one) {
  std::string name = one.param.path;
  std::ranges::replace(name, '/', '_');
  return name;
});

}  // namespace
}  // namespace clew::search
