// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <gtest/gtest.h>

#include <set>

#include "node/node.h"

namespace clew::node {
namespace {

using std::chrono_literals::operator""ms;

const Names kNames{"a", "b", "c"};

// example: src/node/fields.h
struct Vote {
  Id candidate;
  int term = 0;
  CLEW_FIELDS(Vote, candidate, term)
};

TEST(NodeExamples, Structs) {
  EXPECT_LT((Vote{Id{0}, 3}), (Vote{Id{1}, 2}));
  EXPECT_EQ(encode(Vote{Id{0}, 3}).size(), 2U);
}

// example: src/node/id.h
TEST(NodeExamples, Ids) {
  Id leader{2};
  Names names{"a", "b", "c"};
  EXPECT_EQ(names.name(leader), "c");
  EXPECT_EQ(names.find("b"), Id{1});
  EXPECT_FALSE(names.find("d"));
}

// example: src/node/value.h
TEST(NodeExamples, Values) {
  Vote vote{Id{1}, 3};
  const Names& names = kNames;
  std::vector<Row> rows;
  Row columns;
  const RowSink row = [&](const Row& one) { rows.push_back(one); };
  std::string bytes = encode(vote);
  std::optional<Vote> again = decode<Vote>(bytes);
  EXPECT_EQ(again, vote);
  EXPECT_EQ(print(vote, names), "Vote{candidate: b, term: 3}");
  rename(vote, {Id{1}, Id{0}});
  facts(vote, names, columns, row);
  EXPECT_EQ(vote.candidate, Id{0});
  EXPECT_EQ(rows, (std::vector<Row>{{"a", 3}}));
}

struct Prepare {
  int ballot = 0;
  CLEW_FIELDS(Prepare, ballot)
};
struct Promise {
  int ballot = 0;
  CLEW_FIELDS(Promise, ballot)
};
struct Done {
  CLEW_FIELDS(Done)
};

// Writes down what a node does.
class Diary : public AnyEnv {
 public:
  Id self() const override { return Id{0}; }
  const Names& names() const override { return kNames; }
  void send_bytes(Id to, std::string) override { lines.push_back("send to " + kNames.name(to)); }
  void reply_bytes(RequestId request, std::string) override {
    lines.push_back("reply to " + std::to_string(request.number));
  }
  void set_timer(std::string_view name, std::chrono::milliseconds after) override {
    lines.push_back(std::string(name) + " in " + std::to_string(after.count()));
  }
  void cancel_timer(std::string_view name) override { lines.push_back("no " + std::string(name)); }
  void sync() override { lines.emplace_back("sync"); }
  uint64_t random(uint64_t below) override { return below - 1; }

  std::vector<std::string> lines;
};

// example: src/node/env.h
TEST(NodeExamples, AnEnv) {
  Diary diary;
  Env<std::variant<Prepare, Promise>, Done> env(diary);
  const Id peer{1};
  const int ballot = 3;
  const RequestId request{0, 7};
  env.send(peer, Promise{ballot});
  env.set_timer("election", 150ms);
  env.sync();
  env.reply(request, Done{});
  env.cancel_timer("election");
  EXPECT_EQ(env.random(6), 5U);
  EXPECT_EQ(diary.lines, (std::vector<std::string>{"send to b", "election in 150", "sync",
                                                   "reply to 7", "no election"}));
}

// example: src/node/field.h
struct Acceptor : Node<Acceptor, Prepare> {
  Field<int> ballot{this, "ballot"};
  Field<std::set<Id>> votes{this, "votes"};
  Durable<int> promised{this, "promised", 0};
  Field<int> count{this, "count"};

  void receive(Env&, Id from, const Prepare& message) {
    if (message.ballot > ballot) ballot = message.ballot;
    votes.edit().insert(from);
    ++count;
  }
};

TEST(NodeExamples, Fields) {
  Diary diary;
  Acceptor acceptor;
  acceptor.deliver(diary, Id{1}, encode(Prepare{4}));
  EXPECT_EQ(acceptor.ballot, 4);
  EXPECT_EQ(*acceptor.votes, std::set<Id>{Id{1}});
  EXPECT_EQ(acceptor.footprint(), (Footprint{.reads = 3, .updates = 11, .increments = 8}));
}

// example: src/node/node.h
struct Ping {
  int number = 0;
  CLEW_FIELDS(Ping, number)
};
struct Pong {
  int number = 0;
  CLEW_FIELDS(Pong, number)
};
using Message = std::variant<Ping, Pong>;

struct Player : Node<Player, Message> {
  explicit Player(Id other) : peer(other) {}

  void start(Env& env) override { env.send(peer, Ping{1}); }
  void receive(Env& env, Id from, const Ping& ping) { env.send(from, Pong{ping.number}); }
  void receive(Env&, Id, const Pong& pong) { heard = pong.number; }

  const Id peer;
  Field<int> heard{this, "heard"};
};

TEST(NodeExamples, ANode) {
  Diary diary;
  Player player(Id{2});
  player.begin(diary);
  player.deliver(diary, Id{1}, encode(Message(Ping{1})));
  player.deliver(diary, Id{1}, encode(Message(Pong{1})));
  EXPECT_EQ(player.heard, 1);
  EXPECT_EQ(diary.lines, (std::vector<std::string>{"send to c", "send to b"}));
  EXPECT_EQ(player.print_message(encode(Message(Pong{1})), kNames), "Pong{number: 1}");
  EXPECT_EQ(player.print_message("\x07", kNames), "");
  EXPECT_TRUE(player.declares_state());
}

}  // namespace
}  // namespace clew::node
