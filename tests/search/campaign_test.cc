// The loop alone: a scripted adversary proposes, a scripted System runs, and a log says who was
// asked what, in order.
#include "search/campaign.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

#include "base/processor.h"
#include "search/lattice.h"

namespace clew::search {
namespace {

using Log = std::vector<std::string>;

// Faults are crashes at tick 1: "ab" is a and b, "-" is none.
FaultSet faults_of(const std::string& letters) {
  FaultSet faults;
  for (char letter : letters) {
    if (letter != '-') faults.insert(Crash{std::string(1, letter), 1});
  }
  return faults;
}

std::string letters_of(const FaultSet& faults) {
  std::string letters;
  for (const Crash& crash : faults.of<Crash>()) letters += crash.node;
  return letters.empty() ? "-" : letters;
}

// Violates if `violations` says so, has nothing to say if `vacuous` does, cannot finish if
// `failing` does, and is stopped if `endless` does.
struct ScriptedSystem : System {
  Result<Run> run(const Scenario& scenario, Detail) override {
    const std::string letters = letters_of(scenario.faults);
    log.push_back("run " + letters);
    auto is_in = [&](const std::vector<std::string>& list) {
      return std::ranges::find(list, letters) != list.end();
    };
    if (is_in(failing)) return Error{"it fails", ""};
    if (is_in(endless)) throw Stopped();
    Run run;
    run.scenario = scenario;
    run.facts.emplace_back();
    if (!is_in(vacuous)) run.facts[0].push_back({"pre", {}});
    if (!is_in(violations)) run.facts[0].push_back({"post", {}});
    std::ranges::sort(run.facts[0]);
    return run;
  }
  const Specs& specs() const override { return promised; }

  explicit ScriptedSystem(Log& to) : log(to) {}
  Log& log;
  std::vector<std::string> violations;
  std::vector<std::string> vacuous;
  std::vector<std::string> failing;
  std::vector<std::string> endless;
  Specs promised = {std::make_shared<Promise>("spec", Promise::Relations{"pre", "post", true})};
};

// Answers with its script, word by word: faults, "nothing" or "stopped"; or is stopped while it
// "thinks", or "forgets" for lack of memory.
struct ScriptedAdversary : LatticeAdversary {
  Proposal propose_within(const Scope& scope) override {
    std::string what = "propose";
    if (scope.below) what += " below " + letters_of(*scope.below);
    if (scope.at_most) what += fmt::format(" at most {}", *scope.at_most);
    log.push_back(what);
    CHECK(!script.empty(), "asked once too often");
    std::string word = script.front();
    script.pop_front();
    if (word == "nothing") return {Proposal::Kind::kNothing};
    if (word == "stopped") return {Proposal::Kind::kStopped};
    if (word == "thinks") throw Stopped();
    if (word == "forgets") throw std::bad_alloc();
    return try_faults(faults_of(word));
  }
  void observe(const Run& run) override {
    log.push_back(fmt::format("observe {} {}", letters_of(run.scenario.faults),
                              to_string(run.outcome().kind)));
  }
  void exclude_above(const FaultSet& faults) override {
    log.push_back("exclude " + letters_of(faults));
  }
  std::string why_unsure() const override { return sure ? "" : "the adversary is not complete"; }
  size_t clauses() const override { return 42; }

  explicit ScriptedAdversary(Log& to) : log(to) {}
  Log& log;
  std::deque<std::string> script;
  bool sure = true;
};

class CampaignTest : public testing::Test {
 protected:
  Verdict search(std::deque<std::string> script, CampaignOptions options = {}) {
    adversary_.script = std::move(script);
    FaultModel model{{"a", "b", "c", "d"}, 2, 0, 4, CrashModel::kSilent};
    Verdict verdict = Campaign(system_, adversary_, model, std::move(options)).run();
    EXPECT_TRUE(adversary_.script.empty()) << "not asked for " << adversary_.script.front();
    EXPECT_EQ(verdict.model, model);
    return verdict;
  }

  static std::string found(const Verdict& verdict) {
    std::string text;
    for (const Choice& choice : verdict.counterexamples) text += letters_of(choice.faults) + " ";
    return text;
  }

  Log log_;
  ScriptedSystem system_{log_};
  ScriptedAdversary adversary_{log_};
};

TEST_F(CampaignTest, NothingLeftMeansRobust) {
  system_.vacuous = {"b"};
  Verdict verdict = search({"a", "b", "nothing"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kRobust);
  EXPECT_EQ(verdict.effort.executions, 3U);
  EXPECT_EQ(verdict.effort.executions_found, 0U);
  EXPECT_EQ(verdict.effort.clauses, 42U);
  EXPECT_TRUE(verdict.all_found);
  EXPECT_FALSE(verdict.vacuous);
  const Log expected = {"run -", "observe - holds",   "propose",  //
                        "run a", "observe a holds",   "propose",  //
                        "run b", "observe b vacuous", "propose"};
  EXPECT_EQ(log_, expected);
}

TEST_F(CampaignTest, AViolationIsMadeMinimal) {
  system_.violations = {"abc", "ab"};
  Verdict verdict = search({"d", "abc", "ac", "ab", "b", "nothing"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken);
  EXPECT_EQ(found(verdict), "ab ");
  EXPECT_TRUE(verdict.minimal);
  EXPECT_FALSE(verdict.all_found);
  EXPECT_EQ(verdict.effort.executions, 6U);
  EXPECT_EQ(verdict.effort.executions_found, 3U);
  const Log expected = {"run -",     "observe - holds",      "propose",            //
                        "run d",     "observe d holds",      "propose",            //
                        "run abc",   "observe abc violated", "propose below abc",  //
                        "run ac",    "observe ac holds",     "propose below abc",  //
                        "run ab",    "observe ab violated",  "propose below ab",   //
                        "run b",     "observe b holds",      "propose below ab",   //
                        "exclude ab"};
  EXPECT_EQ(log_, expected);
}

// Computes until that shows, and returns how much had been computed before.
double compute() {
  const double before = user_seconds();
  while (user_seconds() <= before) continue;
  return before;
}

TEST_F(CampaignTest, TheSearchEndsWithTheFirstViolation) {
  system_.violations = {"abc", "ab"};
  compute();
  const double begin = compute();
  double minimal = 0;
  CampaignOptions options;
  options.found = [&](const Choice&) { minimal = compute(); };
  const Verdict verdict = search({"abc", "ab", "nothing"}, options);
  EXPECT_GT(verdict.effort.search_seconds, begin);
  EXPECT_LE(verdict.effort.search_seconds, minimal);
}

TEST_F(CampaignTest, OrWhenNothingIsLeft) {
  double last = 0;
  CampaignOptions options;
  options.progress = [&](const Verdict&) { last = compute(); };
  const Verdict verdict = search({"a", "nothing"}, options);
  EXPECT_GT(verdict.effort.search_seconds, last);
}

TEST_F(CampaignTest, AllGoesOnAfterACounterexample) {
  system_.violations = {"ab", "c"};
  Verdict verdict = search({"ab", "nothing", "c", "nothing", "d", "nothing"}, {.all = true});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken);
  EXPECT_EQ(found(verdict), "ab c ");
  EXPECT_TRUE(verdict.all_found);
  EXPECT_EQ(verdict.effort.executions_found, 2U);
}

TEST_F(CampaignTest, SmallestAsksForFewerFaultsFirst) {
  system_.violations = {"abc", "cd", "c"};
  Verdict verdict = search({"abc", "cd", "a", "c", "nothing", "nothing"}, {.smallest = true});
  EXPECT_EQ(found(verdict), "c ");
  const Log expected = {"run -",
                        "observe - holds",
                        "propose",  //
                        "run abc",
                        "observe abc violated",
                        "propose at most 2",  //
                        "run cd",
                        "observe cd violated",
                        "propose at most 1",  //
                        "run a",
                        "observe a holds",
                        "propose at most 1",  //
                        "run c",
                        "observe c violated",
                        "propose at most 0",  //
                        "propose below c",
                        "exclude c"};
  EXPECT_EQ(log_, expected);
}

TEST_F(CampaignTest, ALimitOfFaultsIsPassedOn) {
  adversary_.limit(2);
  Verdict verdict = search({"nothing"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kRobust);
  EXPECT_EQ(log_.back(), "propose at most 2");
}

TEST_F(CampaignTest, WithoutShrinkingTheFirstViolationIsKept) {
  system_.violations = {"abc"};
  Verdict verdict = search({"abc"}, {.shrink = false});
  EXPECT_EQ(found(verdict), "abc ");
}

TEST_F(CampaignTest, TheRunWithoutFaultsIsJudgedLikeAnyOther) {
  system_.violations = {"-"};
  Verdict verdict = search({}, {.all = true});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken);
  EXPECT_EQ(found(verdict), "- ");
  EXPECT_TRUE(verdict.all_found);
  EXPECT_TRUE(verdict.minimal);
  EXPECT_EQ(verdict.effort.executions_found, 1U);
  EXPECT_EQ(log_, (Log{"run -", "observe - violated"}));
}

TEST_F(CampaignTest, ARunWithoutPromisesIsSaidToBeVacuous) {
  system_.vacuous = {"-"};
  Verdict verdict = search({"a", "nothing"});
  EXPECT_TRUE(verdict.vacuous);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kRobust);
}

TEST_F(CampaignTest, ABudgetThatEndsLeavesTheVerdictOpen) {
  Verdict verdict = search({"a", "stopped"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kUnknown);
  EXPECT_EQ(verdict.why_unknown, "the budget was used up");
  EXPECT_FALSE(verdict.all_found);
}

TEST_F(CampaignTest, ABudgetThatEndsWhileShrinkingLeavesACounterexample) {
  system_.violations = {"abc"};
  Verdict verdict = search({"abc", "a", "stopped"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken);
  EXPECT_EQ(found(verdict), "abc ");
  EXPECT_FALSE(verdict.minimal);
}

TEST_F(CampaignTest, ABudgetThatEndsInTheMiddleLeavesTheVerdictOpen) {
  for (const std::string word : {"thinks", "forgets", "b"}) {
    system_.endless = {"b"};
    Verdict verdict = search({"a", word});
    EXPECT_EQ(verdict.kind, Verdict::Kind::kUnknown) << word;
    EXPECT_EQ(verdict.why_unknown, "the budget was used up");
    EXPECT_EQ(verdict.effort.executions, 2U);
  }
  system_.endless = {"-"};
  EXPECT_EQ(search({}).kind, Verdict::Kind::kUnknown);
}

TEST_F(CampaignTest, ABudgetThatEndsInTheMiddleOfShrinkingLeavesACounterexample) {
  system_.violations = {"abc"};
  system_.endless = {"b"};
  for (const std::string word : {"thinks", "forgets", "b"}) {
    Verdict verdict = search({"abc", "a", word});
    EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken) << word;
    EXPECT_EQ(found(verdict), "abc ");
    EXPECT_FALSE(verdict.minimal);
  }
}

TEST_F(CampaignTest, ABudgetThatEndsAfterACounterexampleKeepsIt) {
  system_.violations = {"a"};
  Verdict verdict = search({"a", "nothing", "stopped"}, {.all = true});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kBroken);
  EXPECT_EQ(found(verdict), "a ");
  EXPECT_FALSE(verdict.all_found);
}

TEST_F(CampaignTest, AnAdversaryThatIsNotSureProvesNothing) {
  adversary_.sure = false;
  Verdict verdict = search({"nothing"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kUnknown);
  EXPECT_EQ(verdict.why_unknown, "the adversary is not complete");
  EXPECT_FALSE(verdict.all_found);
}

TEST_F(CampaignTest, ARunThatCannotBeFinishedEndsTheSearch) {
  system_.failing = {"b"};
  Verdict verdict = search({"a", "b"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kFailed);
  EXPECT_EQ(letters_of(verdict.failing.faults), "b");
  EXPECT_EQ(log_.back(), "run b");
}

TEST_F(CampaignTest, ARunBelowAViolationMayFailAsWell) {
  system_.violations = {"ab"};
  system_.failing = {"b"};
  Verdict verdict = search({"ab", "b"});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kFailed);
  EXPECT_EQ(letters_of(verdict.failing.faults), "b");
}

TEST_F(CampaignTest, TellsWhatItFindsAsItGoes) {
  system_.violations = {"ab", "c"};
  std::vector<size_t> runs;
  std::string told;
  search({"ab", "nothing", "c", "nothing", "nothing"},
         {.all = true,
          .progress = [&](const Verdict& so_far) { runs.push_back(so_far.effort.executions); },
          .found = [&](const Choice& choice) { told += letters_of(choice.faults) + " "; }});
  EXPECT_EQ(runs, (std::vector<size_t>{1, 2, 3}));
  EXPECT_EQ(told, "ab c ");
}

TEST_F(CampaignTest, InadmissibleProposalsAreABug) {
  EXPECT_EXIT(search({"z"}), testing::ExitedWithCode(1), "crash z@1");
}

}  // namespace
}  // namespace clew::search
