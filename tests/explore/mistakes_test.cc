// What users do wrong in describe(), and how they are told.
#include <gtest/gtest.h>

#include "explore/hidden.h"
#include "explore/stateful.h"
#include "explore/stateless.h"

namespace clew::explore {
namespace {

struct Rumor {
  int number = 0;
  CLEW_FIELDS(Rumor, number)
};
struct Question {
  CLEW_FIELDS(Question)
};

// Tells the other what it hears, once for each rumor.
struct Gossip : node::Node<Gossip, Rumor, Question, Rumor> {
  explicit Gossip(Id other) : peer(other) {}
  void request(Env& env, node::RequestId id, const Question&) {
    env.send(peer, Rumor{1});
    env.reply(id, Rumor{static_cast<int>(known->size())});
  }
  void receive(Env& env, Id, const Rumor& rumor) {
    ++heard;
    heard_by_field += 1;
    if (known.edit().insert(rumor.number).second) env.send(peer, rumor);
  }
  const Id peer;
  int heard = 0;  // which is no Field
  node::Field<int> heard_by_field{this, "heard"};
  node::Field<std::set<int>> known{this, "known"};
};

Cluster gossips() {
  Cluster cluster({"ann", "bob"});
  cluster.node<Gossip>("ann", cluster.id("bob"));
  cluster.node<Gossip>("bob", cluster.id("ann"));
  cluster.client({cluster.ask("ann", Question{})});
  return cluster;
}

std::string mistake_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Mistake& mistake) {
    return mistake.what();
  }
  return "";
}

// The same, of every engine.
std::string mistake_in(const Cluster& cluster) {
  std::string said = mistake_of([&] { Stateful(cluster, {}).run(); });
  EXPECT_EQ(mistake_of([&] { Stateless(cluster, {}).run(); }), said);
  return said;
}

int at(int line) { return line; }

TEST(MistakesTest, APropertyThatThrowsIsNamedWithTheState) {
  Cluster cluster = gossips();
  const int line = at(__LINE__) + 1;
  cluster.always("all is known", [](const States& states) {
    const std::set<int>& known = *states.node<Gossip>("bob").known;
    return known.empty() || std::vector<int>{}.at(0) == 1;
  });
  const std::string said = mistake_in(cluster);
  const std::string begin =
      fmt::format("{}:{}: \"all is known\" throws std::out_of_range: ", __FILE__, line);
  EXPECT_EQ(said.substr(0, begin.size()), begin);
  EXPECT_NE(said.find("\n  asked about this state:\n"
                      "    ann: heard 0, known {}\n"
                      "    bob: heard 1, known {1}"),
            std::string::npos)
      << said;
}

TEST(MistakesTest, APropertyOfStepsThatThrowsIsNamedWithBothStates) {
  Cluster cluster = gossips();
  cluster.step("no step is odd", [](const States& before, const States& after) {
    const int was = before.node<Gossip>("bob").heard_by_field;
    if (was != after.node<Gossip>("bob").heard_by_field) throw 1;
    return true;
  });
  const std::string said = mistake_in(cluster);
  EXPECT_NE(said.find("\"no step is odd\" throws what is no std::exception\n"
                      "  asked about the step from this state:\n"
                      "    ann: heard 0, known {}\n"
                      "    bob: heard 0, known {}\n"
                      "  to this one:\n"
                      "    ann: heard 0, known {}\n"
                      "    bob: heard 1, known {1}"),
            std::string::npos)
      << said;
}

TEST(MistakesTest, OtherMistakesOfPropertiesAreLocated) {
  Cluster cluster = gossips();
  cluster.finally("carl is no node", [](const States& states) { return states.up("carl"); });
  EXPECT_NE(mistake_in(cluster).find(": \"carl is no node\": no node is called \"carl\""),
            std::string::npos);
}

TEST(MistakesTest, AnObjectThatThrowsIsNamed) {
  Cluster cluster = gossips();
  cluster.linearizable<Question>("one rumor", 0, [](int&, const Question&) -> Rumor {
    throw std::runtime_error("nobody knows");
  });
  EXPECT_NE(mistake_in(cluster).find(": \"one rumor\" throws std::runtime_error: nobody knows"),
            std::string::npos);
}

// example: src/explore/hidden.h
TEST(MistakesTest, AMemberThatOnlyAPropertyReadsIsFound) {
  Cluster cluster = gossips();
  cluster.always("bob hears little", [](const States& states) {
    return states.node<Gossip>("bob").heard_by_field < 3;
  });
  const Stop stop;
  EXPECT_EQ(find_hidden(cluster, stop), std::nullopt);
  cluster.always("nobody hears anything", [](const States& states) {
    return states.node<Gossip>("ann").heard == 0 && states.node<Gossip>("bob").heard == 0;
  });
  EXPECT_TRUE(Stateful(cluster, {}).run().complete) << "engines do not see it";
  EXPECT_EQ(mistake_of([&] {
              if (const auto hidden = find_hidden(cluster, stop)) throw Mistake(*hidden);
            }),
            "\"nobody hears anything\" looks at what bob remembers outside of its fields: it does "
            "not hold of the bob that took the steps, and does of one made of its fields alone; "
            "make every member that changes a Field or Durable");
}

}  // namespace
}  // namespace clew::explore
