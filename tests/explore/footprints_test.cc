// What clew analyze has found out, as the explorer uses it.
#include "explore/footprints.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "explore/predictions.h"
#include "explore/stateful.h"

namespace clew::explore {

struct Vote {
  int term = 0;
  std::set<Id> who{};
  CLEW_FIELDS(Vote, term, who)
};

namespace {

using nlohmann::json;
using node::Footprint;

TEST(Condition, FindsMembersOfWhatIsPrinted) {
  const std::string vote = R"(Vote{term: 3, who: {a, b}, said: "x, y: {""", last: [[1], []]})";
  EXPECT_EQ(printed_member(vote, "term"), "3");
  EXPECT_EQ(printed_member(vote, "who"), "{a, b}");
  EXPECT_EQ(printed_member(vote, "said"), R"("x, y: {""")");
  EXPECT_EQ(printed_member(vote, "last"), "[[1], []]");
  EXPECT_EQ(printed_member(vote, "else"), std::nullopt);
  EXPECT_EQ(printed_member("{term: 3}", "term"), std::nullopt);  // a map
  EXPECT_EQ(printed_size("{a, b}"), 2);
  EXPECT_EQ(printed_size("[[1], []]"), 2);
  EXPECT_EQ(printed_size("{}"), 0);
  EXPECT_EQ(printed_size("3"), std::nullopt);
}

struct Voter : node::Node<Voter, Vote> {
  void receive(Env& env, Id from, const Vote& vote) {
    if (vote.term > term) {
      term = vote.term;
      env.send(from, Vote{term, {}});
    } else {
      ++refused;
    }
  }
  void start(Env& env) override {
    if (env.self().number == 0) env.send(Id{1}, Vote{1, {}});
  }
  node::Field<int> term{this, "term"};
  node::Field<int> refused{this, "refused"};
  node::Field<std::optional<Id>> leader{this, "leader"};
};

struct ConditionCase {
  const char* condition;
  std::optional<bool> holds;
};

// A voter of term 2 gets Vote{term: 3, who: {a}} from b.
const ConditionCase kConditions[] = {
    {R"({">": [{"message": ["term"]}, {"field": ["term"]}]})", true},
    {R"({"<=": [{"message": ["term"]}, {"plus": [{"field": ["term"]}, {"number": 1}]}]})", true},
    {R"({"<": [{"message": ["term"]}, {"minus": [{"field": ["term"]}, {"number": -1}]}]})", false},
    {R"({"==": [{"from": true}, {"self": true}]})", false},
    {R"({"has": [{"field": ["leader"]}]})", false},
    {R"({"==": [{"size": [{"message": ["who"]}]}, {"number": 1}]})", true},
    {R"({"not": [{"field": ["term"]}]})", false},
    {R"({"and": [null, {"==": [{"field": ["term"]}, {"number": 7}]}]})", false},
    {R"({"and": [null, {"==": [{"field": ["term"]}, {"number": 2}]}]})", std::nullopt},
    {R"({"or": [null, {"==": [{"field": ["term"]}, {"number": 2}]}]})", true},
    {R"({"==": [{"timer": true}, {"text": "tick"}]})", std::nullopt},
    {R"({"==": [{"field": ["nowhere"]}, {"number": 2}]})", std::nullopt},
    {R"({"<": [{"from": true}, {"self": true}]})", std::nullopt},
    {R"({"guessed": [1]})", std::nullopt},
    {"null", std::nullopt},
};

TEST(Condition, HoldsOrNotOrIsNotKnown) {
  Voter voter;
  voter.term = 2;
  const node::Names names{"a", "b"};
  const Moment moment{.node = voter,
                      .names = names,
                      .self = Id{0},
                      .from = Id{1},
                      .message = "Vote{term: 3, who: {a}}"};
  for (const auto& [condition, expected] : kConditions) {
    EXPECT_EQ(holds(parse_condition(json::parse(condition)), moment), expected) << condition;
  }
}

// example: src/explore/condition.h
TEST(Condition, IsEvaluated) {
  Voter voter;
  const node::Names names{"a", "b"};
  const Moment moment{
      .node = voter, .names = names, .self = Id{0}, .from = Id{1}, .message = "Vote{term: 0}"};
  const json written = json::parse(R"({">": [{"message": ["term"]}, {"field": ["term"]}]})");
  const Condition condition = parse_condition(written);
  EXPECT_TRUE(holds(condition, moment) == false);
}

json record(const char* where, json sets) {
  json result = {{"read", json::array()},
                 {"update", json::array()},
                 {"increment", json::array()},
                 {"send", json::array()},
                 {"disk", json::array()},
                 {"sends", false},
                 {"crash_path", false},
                 {"guards", json::array({{{"text", ""}, {"where", json::parse(where)}}})}};
  result.update(sets);
  return result;
}

constexpr const char* kIsNew = R"({">": [{"message": ["term"]}, {"field": ["term"]}]})";
constexpr const char* kIsOld = R"({"<=": [{"message": ["term"]}, {"field": ["term"]}]})";

json analysis() {
  json fields = json::array();
  for (const char* name : {"term", "refused", "leader"}) {
    fields.push_back({{"name", name}, {"durable", false}});
  }
  const json taken = {
      {"read", {"term"}}, {"update", {"term"}}, {"send", {"term"}}, {"sends", true}};
  const json refused = {{"read", {"term"}}, {"update", {"refused"}}, {"increment", {"refused"}}};
  const auto handler = [](const char* kind, const char* input, json records) {
    return json{{"handler", kind}, {"input", input}, {"records", std::move(records)}};
  };
  Voter voter;
  const json node = {{"class", class_of(voter)},
                     {"opaque", ""},
                     {"fields", fields},
                     {"crash_paths", record("null", json::object())},
                     {"handlers",
                      {handler("start", "", json::array({record("null", {{"sends", true}})})),
                       handler("receive", "Vote", {record(kIsNew, taken), record(kIsOld, refused)}),
                       handler("timer", "", json::array())}}};
  return {{"clew", "analyze"}, {"version", 1}, {"nodes", {node}}};
}

Cluster cluster() {
  Cluster cluster({"a", "b"});
  cluster.node<Voter>("a");
  cluster.node<Voter>("b");
  return cluster;
}

Input votes(const std::vector<int>& terms) {
  Input input{.kind = Input::Kind::kEnvelope, .to = Id{0}, .from = Id{1}};
  for (const int term : terms) input.parts.push_back(node::encode(Vote{term, {}}));
  return input;
}

// example: src/explore/footprints.h
TEST(Footprints, AreSmallerInAKnownState) {
  const Cluster two = cluster();
  const json predictions = analysis();
  const Input input = votes({3});
  Voter voter;
  voter.term = 2;
  const Footprints footprints(two, predictions);
  EXPECT_EQ(footprints.predicted(voter, input).increments, 0U);
  EXPECT_NE(footprints.anywhere(input).increments, 0U);
}

TEST(Footprints, DependOnTheState) {
  const Cluster two = cluster();
  const Footprints footprints(two, analysis());
  Voter voter;
  voter.term = 2;
  constexpr uint64_t kTerm = 1, kRefused = 2;
  EXPECT_EQ(footprints.predicted(voter, votes({3})),
            (Footprint{.reads = kTerm, .updates = kTerm, .sends = kTerm}));
  EXPECT_EQ(footprints.predicted(voter, votes({2})),
            (Footprint{.reads = kTerm, .updates = kRefused, .increments = kRefused}));
  const Footprint either{
      .reads = kTerm, .updates = kTerm | kRefused, .increments = kRefused, .sends = kTerm};
  EXPECT_EQ(footprints.anywhere(votes({3})), either);
  // The second message finds a state that is not known.
  EXPECT_EQ(footprints.predicted(voter, votes({2, 3})), either);
  EXPECT_EQ(footprints.predicted(voter, {.kind = Input::Kind::kCrash}), Footprint());
}

TEST(Footprints, OfAnUnknownClassAreEverything) {
  const Cluster two = cluster();
  json other = analysis();
  other["nodes"][0]["class"] = "Somebody";
  const Footprints footprints(two, other);
  EXPECT_FALSE(footprints.knows(Id{0}));
  EXPECT_EQ(footprints.anywhere(votes({3})).updates, UINT64_MAX);
  EXPECT_THROW(Footprints(two, json::object()), Mistake);
}

// What all steps of the cluster do, held against `analysis`.
json seen(const json& analysis) {
  const Cluster two = cluster();
  Stateful engine(two, {});
  engine.run();
  return compared(engine.runner().steps(), Footprints(two, analysis));
}

TEST(Predictions, AreComplete) {
  const json told = seen(analysis());
  EXPECT_EQ(told["unpredicted"], json::array());
  EXPECT_EQ(told["unknown"], json::array());
  EXPECT_GT(told["steps"], 2);
}

TEST(Predictions, ThatAreWrongAreFoundOut) {
  json wrong = analysis();
  json& taken = wrong["nodes"][0]["handlers"][1]["records"][0];
  taken["update"] = json::array();
  json told = seen(wrong);
  ASSERT_EQ(told["unpredicted"].size(), 1);
  EXPECT_EQ(told["unpredicted"][0][3], "update");
  EXPECT_EQ(told["unpredicted"][0][4], "term");
  EXPECT_EQ(told["unpredicted"][0][6], "b>a Vote{term: 1, who: {}}");

  taken = analysis()["nodes"][0]["handlers"][1]["records"][0];
  taken["increment"] = {"term"};
  taken["read"] = json::array();
  told = seen(wrong);
  std::set<std::string> sets;
  for (const json& one : told["unpredicted"]) sets.insert(one[3].get<std::string>());
  EXPECT_EQ(sets, (std::set<std::string>{"read", "assign"}));
}

TEST(Predictions, WithAGuardThatIsWrongAreFoundOut) {
  json wrong = analysis();
  json& records = wrong["nodes"][0]["handlers"][1]["records"];
  std::swap(records[0]["guards"], records[1]["guards"]);
  EXPECT_FALSE(seen(wrong)["unpredicted"].empty());
}

}  // namespace
}  // namespace clew::explore
