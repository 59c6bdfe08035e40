// Certificates that are true, certificates of claims that are false, and everything in between.
#include "verify/verify.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "tests/twins/effort.h"
#include "tests/twins/random_program.h"
#include "tests/verify/reference_writer.h"
#include "twin/naive_simulator.h"

namespace clew::verify {
namespace {

// a tells b once, and again at the next tick.
constexpr const char* kTwice = R"(
go("a", "b")@1; again("a", "b")@next :- go("a", "b");
log(Y)@async :- go(X, Y); log(Y)@async :- again(X, Y); log(Y)@next :- log(Y);
pre("x") :- go("a", "b")@1; post("x") :- log("b");)";

TEST(Verify, AcceptsWhatIsTrue) {
  const auto program = parse_program(kTwice);
  ASSERT_TRUE(program);
  for (const FaultModel& bounds : {model(4, 0, 0), model(4, 2, 0), model(5, 2, 0)}) {
    const auto written = write_certificate(*program, bounds);
    ASSERT_TRUE(written) << describe_bounds(bounds);
    EXPECT_EQ(outcome(*program, bounds, *written), "accepted") << written->clauses;
  }
  EXPECT_FALSE(write_certificate(*program, model(4, 3, 0)));
  EXPECT_FALSE(write_certificate(*program, model(4, 2, 1)));
}

TEST(Verify, RefusesTheSameCertificateForWiderBounds) {
  const auto program = parse_program(kTwice);
  const auto written = write_certificate(*program, model(4, 2, 0));
  ASSERT_TRUE(written);
  for (const FaultModel& bounds : {model(4, 3, 0), model(4, 2, 1), model(4, 4, 2)}) {
    EXPECT_NE(outcome(*program, bounds, *written), "accepted") << describe_bounds(bounds);
  }
}

// What a certificate says of runs with time left says nothing of those without.
TEST(Verify, KnowsHowManyTicksFollowTheLastFault) {
  const auto program = parse_program(kTwice);
  FaultModel patient = model(4, 2, 1);
  patient.eventually = 3;  // a crash at tick 1 only
  EXPECT_FALSE(write_certificate(*program, patient));
  const auto slow = parse_program(
      "go(\"a\", \"b\")@1; go(X, Y)@next :- go(X, Y); log(Y)@async :- go(X, Y);\n"
      "pre(\"x\") :- go(\"a\", \"b\"), notin crash(_, \"a\", 1); post(\"x\") :- log(\"b\");");
  ASSERT_TRUE(slow);
  patient = model(5, 3, 1);
  patient.eventually = 4;
  const auto written = write_certificate(*slow, patient);
  ASSERT_TRUE(written);
  EXPECT_EQ(outcome(*slow, patient, *written), "accepted");
  EXPECT_NE(outcome(*slow, model(5, 3, 1), *written), "accepted");
  patient.eventually = 3;
  EXPECT_NE(outcome(*slow, patient, *written), "accepted");
}

struct Lines {
  const char* clauses;
  const char* proof;
  const char* says;
};

// Two omissions lose the message: the clauses say what is missing for a contradiction.
constexpr Lines kByHand[] = {
    {"v 1 omission \"a\" \"b\" 1\nv 2 fact 4 post(\"x\")\nc -2 0 goal\nc 1 0 goal\n", "0\n",
     "proof.drat:1: this lemma"},
    {"v 1 omission \"a\" \"b\" 3\nc -1 0 fault-model\n", "", "proof.drat: the proof ends"},
    {"v 1 omission \"a\" \"b\" 1\nc -1 0 fault-model\n", "0\n",
     "clauses.txt:2: the clause does not"},
    {"c 0 goal\n", "", "clauses.txt:1: the clause does not follow from the goal"},
    {"v 1 fact 3 log(\"b\")\nc -1 0 goal\nc 1 0 no\n", "0\n", "clauses.txt:3: the clause does not"},
    {"v 2 crash \"a\" 1\n", "", "clauses.txt:1: variable 2 comes where variable 1 is expected"},
    {"v 1073741823 crash \"a\" 1\n", "",
     "clauses.txt:1: variable 1073741823 comes where variable 1 is expected"},
    {"v 1073741824 crash \"a\" 1\n", "",
     "clauses.txt:1: `1073741824` is not an integer from 1 to 1073741823"},
    {"d 1 and 1\n", "", "clauses.txt:1: `1` is not an integer from 0 to 0"},
    {"d 1 nand\n", "", "clauses.txt:1: expected `or` before `nand`"},
    {"d 1 and\nd 1 or\n", "", "clauses.txt:2: variable 1 comes where variable 2 is expected"},
    {"d 1 and\nc 2 0\n", "", "clauses.txt:2: `2` is not an integer from -1 to 1"},
    {"d 1 and\nc 1\n", "", "clauses.txt:2: the clause does not end in 0"},
    {"d 1 and\nd 2 or 0\n", "", "clauses.txt:2: 0 is not a literal"},
    {"v 1 fact 3 lag(\"b\")\n", "", "clauses.txt:1: the program has no relation `lag`"},
    {"v 1 fact 3 log(\"b\", 4)\n", "", "clauses.txt:1: `log` has 1 columns, not 2"},
    {"v 1 fact 9 log(\"b\")\n", "", "clauses.txt:1: `9` is not an integer from 1 to 4"},
    {"v 1 fact 3 log(\"b\n", "", "clauses.txt:1: a string does not end"},
    {"v 1 fact 3 log(\"b\") \n", "", "clauses.txt:1: ` ` is too much"},
    {"v 1 fact 3 log(b)\n", "", "clauses.txt:1: expected a value before `b)`"},
    {"v 1 fact 3 log@4(\"b\")\n", "", "clauses.txt:1: expected a number from 1 to 3 before `4("},
    {"v 1 fact 3 log@x(\"b\")\n", "", "clauses.txt:1: expected a number from 1 to 3 before `x("},
    {"v 1 fact 4 log@1(\"b\")\nc -1 0 nobody has it yet\n", "", "proof.drat: the proof ends"},
    {"v 1 part 3 99 (\"b\")\n", "", "clauses.txt:1: `99` is not an integer from 0 to 5"},
    {"d 1 and\nc 1 0 \xff\n", "", "clauses.txt:2: this is not valid UTF-8"},
    {"v 1 weather 3\n", "", "clauses.txt:1: a variable is an omission, a crash, a fact or a part"},
    {"x\n", "", "clauses.txt:1: a line must begin with"},
    {"\n", "", "clauses.txt:1: a line must begin with"},
    {"d 1 and", "", "clauses.txt:1: the file does not end in a line end"},
    {"d 1 and\nc 1 0\n", "2 0\n", "proof.drat:1: `2` is not an integer"},
    {"d 1 and\nc 1 0\n", "1\n", "proof.drat:1: the clause does not end in 0"},
    {"d 1 and\nc 1 0\n", "1 0 0\n", "proof.drat:1: there is something after the 0"},
    {"d 1 and\nc 1 0\n", "x\n", "proof.drat:1: `x` is not an integer"},
    {"c 99999999999999999999 0\n", "", "clauses.txt:1: `99999999999999999999` is not an integer"},
    {"v 1 fact 3 log(\"b\")\nd 2 and\nc -2 0 loop 1\n", "", "clauses.txt:3: the clause denies no"},
    {"v 1 fact 1 go(\"a\", \"b\")\nc -1 0 loop 1\n", "",
     "clauses.txt:2: 1 has a firing that neither"},
    {"d 1 and\nc -1 0 loop 1\n", "", "clauses.txt:2: 1 in the loop is not a fact"},
};

TEST(Verify, SaysWhereAndWhyItRefuses) {
  const auto program = parse_program(kTwice);
  for (const Lines& lines : kByHand) {
    SCOPED_TRACE(lines.clauses);
    Written written{{}, lines.clauses, lines.proof};
    for (std::string_view rest = lines.clauses; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find('\n') + 1);
      (line[0] == 'c' ? written.announced.clauses : written.announced.variables) += 1;
      rest.remove_prefix(line.empty() ? rest.size() : line.size());
    }
    const std::string said = outcome(*program, model(4, 3, 0), written);
    EXPECT_EQ(said.substr(0, std::string(lines.says).size()), lines.says);
  }
}

TEST(Verify, ComparesTheNumbersAnnounced) {
  const auto program = parse_program(kTwice);
  auto written = write_certificate(*program, model(4, 2, 0));
  ++written->announced.variables;
  EXPECT_NE(outcome(*program, model(4, 2, 0), *written).find("announces"), std::string::npos);
  --written->announced.variables;
  ++written->announced.clauses;
  EXPECT_NE(outcome(*program, model(4, 2, 0), *written).find("announces"), std::string::npos);
}

// b and c believe each other, and nobody told them.
constexpr const char* kCircle = R"(
told("a", "b")@1;
heard(Y)@async :- told(X, Y);
knows(X) :- heard(X); knows("a") :- knows("b"); knows("b") :- knows("a");
pre("x") :- knows("a"); post("x") :- heard("b");)";

TEST(Verify, KnowsThatACircleSupportsNobody) {
  const auto program = parse_program(kCircle);
  ASSERT_TRUE(program);
  const std::string names =
      "v 1 omission \"a\" \"b\" 1\nv 2 fact 2 knows(\"a\")\nv 3 fact 2 knows(\"b\")\n";
  const std::string goal = "c 2 0 goal\nc 1 0 goal\n";
  const std::string loop = "c -2 -1 0 loop 2 3\n";
  EXPECT_EQ(outcome(*program, model(2, 2, 0), {{3, 3}, names + goal + loop, ""}), "accepted");
  EXPECT_EQ(outcome(*program, model(2, 2, 0), {{3, 3}, names + goal + "c -2 -1 0 support\n", ""}),
            "clauses.txt:6: the clause does not follow (support)");
  EXPECT_EQ(outcome(*program, model(2, 2, 0), {{3, 3}, names + goal + "c -2 -1 0 loop 2\n", ""}),
            "clauses.txt:6: 2 has a firing that neither uses the loop nor is covered");
  const auto other = parse_program(std::string(kCircle) + "post(\"x\")@1; pre(\"y\") :- heard(_);");
  EXPECT_EQ(outcome(*other, model(2, 2, 0), {{3, 1}, names + "c -2 0 loop 2 3\n", ""}),
            "clauses.txt:4: 3 has a firing that neither uses the loop nor is covered");
}

// ---- Claims that say nothing ----

struct Empty {
  const char* program;
  FaultModel model;
  const char* says;
};

TEST(Verify, RefusesWhatClaimsNothing) {
  const Empty all[] = {
      {"p(\"a\")@1; post(X) :- p(X);", model(3, 0, 0),
       "the claim is empty: the program promises nothing, for lack of `pre`"},
      {"p(\"a\")@1; q(X) :- p(X), pre(X); post(X) :- p(X);", model(3, 0, 0),
       "the claim is empty: the program promises nothing, for lack of `pre`"},
      {kTwice, {{"u", "v"}, 4, 2, 0}, "the program never mentions the node \"u\""},
      {kTwice, {{"a", "v"}, 4, 2, 0}, "the program never mentions the node \"v\""},
      // Nothing is left of p at the last tick.
      {"p(\"a\")@1; pre(X) :- p(X); post(X) :- p(X);", model(3, 2, 1),
       "the claim is empty: nothing is promised at the last tick, whatever fails"},
      // It would take both crashes of a.
      {"p(\"a\")@3; pre(X) :- p(X), crash(_, X, 1), crash(_, X, 2); post(X) :- p(X);",
       model(3, 0, 1), "the claim is empty: nothing is promised at the last tick, whatever fails"},
      // They believe each other, and nobody told them.
      {"p(\"a\")@1; q(\"a\") :- q(\"b\"); q(\"b\") :- q(\"a\"), notin crash(_, \"a\", _); "
       "pre(X) :- q(X); post(X) :- p(X);",
       model(3, 2, 1), "the claim is empty: nothing is promised at the last tick, whatever fails"},
  };
  for (const Empty& empty : all) {
    SCOPED_TRACE(empty.program);
    const auto program = parse_program(empty.program);
    ASSERT_TRUE(program);
    EXPECT_EQ(outcome(*program, empty.model, {{0, 0}, "", ""}), empty.says);
  }
}

TEST(Verify, AcceptsMoreNodesThanTheProgramMentions) {
  const auto program = parse_program(kTwice);
  for (const char* spare : {"c", "c\"", "\"", "\"\", \"b"}) {
    FaultModel bounds = model(4, 2, 0);
    bounds.nodes.emplace_back(spare);
    std::ranges::sort(bounds.nodes);
    const auto written = write_certificate(*program, bounds);
    ASSERT_TRUE(written);
    EXPECT_EQ(outcome(*program, bounds, *written), "accepted") << spare;
  }
}

TEST(Verify, ReadsQuotesInTheNamesOfNodes) {
  const auto program = parse_program(
      "p(X) :- notin q(X); p(X)@next :- p(X), notin crash(X, X, _);"
      "pre(X) :- p(X); post(X) :- p(X);");
  ASSERT_TRUE(program);
  const FaultModel bounds{{"\"", "a\"b", "a\"\" 1"}, 3, 2, 1};
  const auto written = write_certificate(*program, bounds);
  ASSERT_TRUE(written);
  EXPECT_EQ(outcome(*program, bounds, *written), "accepted") << written->clauses;
  EXPECT_NE(written->clauses.find("crash \"a\"\"b\" 2\n"), std::string::npos) << written->clauses;
}

TEST(Verify, SaysWhenThePromiseApplies) {
  const auto applies = [](const std::string& text, const FaultModel& model) {
    const auto program = parse_program(text);
    Circuit circuit;
    const Claim claim{&*program, model};
    Grounding grounding(claim, circuit);
    return when_applies(grounding, circuit);
  };
  EXPECT_EQ(applies(kTwice, model(4, 2, 0)).without_faults, 1U);
  EXPECT_FALSE(applies(kTwice, model(4, 2, 0)).faults);
  const std::string lost = R"(go("a", "b")@1; log(Y)@async :- go(X, Y); late("b")@3;
      pre(X) :- late(X), notin log(X)@2; post(X) :- late(X);)";
  const Applies with = applies(lost, model(3, 2, 1));
  EXPECT_EQ(with.without_faults, 0U);
  ASSERT_TRUE(with.faults);
  EXPECT_EQ(to_string(*with.faults), "crash a@1");
  EXPECT_EQ(to_string(*applies(lost, model(3, 2, 0)).faults), "drop a>b@1");
}

// ---- Random programs ----

// What trying every admissible fault set shows.
struct Tried {
  bool robust = true;
  bool applies = false;       // in some run
  size_t without_faults = 0;  // tuples of pre
};

// Nothing if there are too many.
std::optional<Tried> try_all(const dedalus::Program& program, const FaultModel& model) {
  Tried tried;
  const std::vector<Fault> all = all_faults(model);
  const size_t faults = all.size();
  if (faults > 8) return std::nullopt;
  for (uint32_t chosen = 0; chosen < (1U << faults); ++chosen) {
    Scenario scenario;
    scenario.nodes = model.nodes;
    scenario.program.eot = model.eot;
    scenario.program.crash_model = model.crash_model;
    for (size_t i = 0; i < faults; ++i) {
      if ((chosen >> i & 1U) != 0) scenario.faults.insert(all[i]);
    }
    if (!model.admits(scenario.faults)) continue;
    const twin::NaiveRun run = twin::naive_run(program, scenario);
    if (run.gave_up || run.failed_at) return std::nullopt;
    tried.robust &= run.outcome().kind != Outcome::Kind::kViolated;
    tried.applies |= run.outcome().kind != Outcome::Kind::kVacuous;
    for (const Outcome& one : run.outcomes) {
      if (chosen == 0) tried.without_faults += one.goals.size();
    }
  }
  return tried;
}

// Whether the verifier is right about when the promise applies; empty if it is.
std::string wrong_about(const Verification& said, const Tried& tried) {
  if (said.refusal) {
    if (said.refusal->message.starts_with("the program never mentions")) return "";
    return said.refusal->message.starts_with("the claim is empty") == !tried.applies
               ? ""
               : to_string(*said.refusal);
  }
  if (!tried.applies && said.applies.faults) return to_string(*said.applies.faults);
  if (said.applies.without_faults != tried.without_faults) return "without faults";
  return "";
}

// A random program in which some relation promises another.
std::string with_goal(const twins::RandomProgram& program, const dedalus::Program& checked,
                      Random& random) {
  const auto pick = [&] {
    return checked.relations[random.uniform_below(checked.relations.size())];
  };
  const auto wildcards = [](const dedalus::RelationInfo& relation) {
    std::string text = relation.name + "(";
    for (uint32_t i = 0; i < relation.arity; ++i) text += i == 0 ? "_" : ", _";
    return text + ")";
  };
  return program.text() + fmt::format("pre(\"x\") :- {};\npost(\"x\") :- {};\n", wildcards(pick()),
                                      wildcards(pick()));
}

void mutate(std::string& text, Random& random) {
  static const std::vector<std::string> kPieces = {
      "-", "1", "2", "0", " ", "\n", "c 0 goal\n", "and", "or", "loop ", "\"a\"", "\"b\""};
  if (text.empty()) text = "\n";
  const size_t at = random.uniform_below(text.size());
  switch (random.uniform_below(3)) {
    case 0:
      text.erase(at, 1 + random.uniform_below(3));
      break;
    case 1:
      text.insert(at, random.pick(kPieces));
      break;
    default: {
      const size_t begin = text.rfind('\n', at) + 1;
      const size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      if (random.chance(0.5)) return void(text.erase(begin, end - begin));
      text.insert(begin, text.substr(begin, end - begin));
    }
  }
}

// No certificate of a false claim is accepted: not one made for narrower bounds, and not what
// becomes of it at random.
int attack(const dedalus::Program& program, const FaultModel& wide, const Written& written,
           Random& random) {
  int accepted = outcome(program, wide, written) == "accepted" ? 1 : 0;
  for (int i = 0; i < 12; ++i) {
    Written other = written;
    for (uint64_t n = 1 + random.uniform_below(3); n > 0; --n) {
      mutate(random.chance(0.7) ? other.clauses : other.proof, random);
    }
    other.announced = {0, 0};
    for (size_t at = 0; at < other.clauses.size(); at = other.clauses.find('\n', at) + 1) {
      (other.clauses[at] == 'c' ? other.announced.clauses : other.announced.variables) += 1;
      if (other.clauses.find('\n', at) == std::string::npos) break;
    }
    accepted += outcome(program, wide, other) == "accepted" ? 1 : 0;
  }
  return accepted;
}

TEST(Verify, AgreesWithTryingEverythingOnRandomPrograms) {
  int certified = 0;
  int attacked = 0;
  int empty = 0;
  int only_with_faults = 0;
  const uint64_t few = twins::kSlowBuild ? 150 : 700;
  const uint64_t seeds = std::getenv("CLEW_LONG_TESTS") != nullptr ? 30'000 : few;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    Random random(seed);
    const twins::RandomProgram plain = twins::random_program(random);
    const auto checked = parse_program(plain.text());
    if (!checked) continue;
    const std::string text = with_goal(plain, *checked, random);
    const auto program = parse_program(text);
    if (!program) continue;

    const auto eot = static_cast<Tick>(random.uniform_in(2, 4));
    FaultModel wide{plain.nodes, eot, static_cast<Tick>(random.uniform_in(0, eot)),
                    static_cast<int>(random.uniform_below(3)),
                    random.chance(0.5) ? CrashModel::kSilent : CrashModel::kStop};
    wide.limits = twins::random_limits(wide.nodes, random);
    if (random.chance(0.3)) wide.eventually = static_cast<Tick>(random.uniform_in(1, eot - 1));
    SCOPED_TRACE(fmt::format("seed {}, {}, {}\n{}", seed, describe_bounds(wide),
                             to_string(wide.crash_model), text));
    const std::optional<Tried> tried = try_all(*program, wide);
    if (!tried) continue;
    FaultModel narrow = wide;
    if (!tried->robust) {
      narrow.eff = 0;
      narrow.crashes = 0;
    }
    std::optional<Written> written;
    try {
      written = write_certificate(*program, narrow);
    } catch (const Refusal&) {
      continue;
    }
    if (!written) continue;
    if (tried->robust) {
      const Verification said =
          verify({&*program, wide}, written->announced, written->clauses, written->proof);
      ASSERT_EQ(wrong_about(said, *tried), "");
      said.refusal ? ++empty : said.applies.faults ? ++only_with_faults : ++certified;
    } else {
      ASSERT_EQ(attack(*program, wide, *written, random), 0);
      ++attacked;
    }
  }
  fmt::print("{} certified, {} of them only with faults, {} empty, {} attacked\n",
             certified + only_with_faults, only_with_faults, empty, attacked);
  EXPECT_GT(certified, static_cast<int>(seeds) / (twins::kSlowBuild ? 40 : 20));
  EXPECT_GT(empty, 3);
  if (twins::kSlowBuild) return;  // the others are rare
  EXPECT_GT(attacked, 3);
  EXPECT_GT(only_with_faults, 0);
}

}  // namespace
}  // namespace clew::verify
