#include "report/space_time.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/text.h"
#include "report/arrows.h"
#include "report/layout.h"
#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

constexpr const char* kAlphabet = "a b c d e f g h i j k l m n o p q r s t u v w x y z";

struct Drawn {
  std::string title;
  Run run;
  std::string text;  // after a newline, so that the columns line up here
};

void expect_texts(const std::vector<Drawn>& table) {
  for (const Drawn& one : table) EXPECT_EQ('\n' + space_time(one.run), one.text) << one.title;
}

const std::vector<Drawn> kWide = {
    {"The example of the header",
     RunBuilder("a b c", 3)
         .drop("a", "c", 1)
         .crash("b", 2)
         .tell("a", 1, "log")
         .send("b", "c", 2, "ack"),
     R"(
tick  a              b              c
   1  o              o              o
      |--- log ----->|              |
      |--- log ------+-----------x  |   lost: omitted
   2  o              X crashed      o
      |              :--- ack ---x  |   lost: sender crashed
   3  o              :              o
key:  --x lost  : crashed, so unheard by the others
)"},
    {"One node", RunBuilder("a", 3),
     R"(
tick  a
   1  o
   2  o
   3  o
)"},
    {"Quiet ticks are one row; ticks with many digits",
     RunBuilder("a", 100000).send("a", "a", 7, "tick").crash("a", 50000),
     R"(
  tick  a
     1  o
   ...  (ticks 2 to 49999: no messages between nodes)
 50000  X crashed
   ...  (ticks 50001 to 99999: no messages between nodes)
100000  :
key:  : crashed, so unheard by the others
Not shown: 1 message from a node to itself.
)"},
    {"To and fro; what is not drawn",
     RunBuilder("a b", 3)
         .send("a", "b", 1, "ping")
         .send("b", "a", 2, "pong")
         .send("b", "b", 2, "note")
         .send("a", "a", 2, "note")
         .send("a", "b", 3, "ping"),
     R"(
tick  a              b
   1  o              o
      |--- ping ---->|
   2  o              o
      |<---- pong ---|
   3  o              o
Not shown: 2 messages from nodes to themselves.
Not shown: 1 message sent at tick 3, the last: too late to arrive.
)"},
    {"A crash at the first tick, silent",
     RunBuilder("a b c", 4).crash("a", 1).tell("a", 1, "log").tell("c", 2, "log"),
     R"(
tick  a              b              c
   1  X crashed      o              o
      :--- log ---x  |              |   lost: sender crashed
      :--- log ------+-----------x  |   lost: sender crashed
   2  :              o              o
      :<-------------+------ log ---|
      :              |<----- log ---|
   3  :              o              o
   4  :              o              o
key:  --x lost  : crashed, so unheard by the others
)"},
    {"A crashed node that stopped has no line",
     RunBuilder("a b c", 4)
         .stop()
         .crash("b", 2)
         .tell("a", 1, "log")
         .tell("c", 2, "log")
         .send("a", "c", 2, "log"),
     R"(
tick  a              b              c
   1  o              o              o
      |--- log ---x  |              |   lost: receiver stopped
      |--- log ------+------------->|
   2  o              X crashed      o
      |--- log -------------------->|
      |<-------------------- log ---|
      |                 x--- log ---|   lost: receiver stopped
   3  o                             o
   4  o                             o
key:  --x lost
)"},
    {"Arrows share a row only if they do not touch",
     RunBuilder("a b c d", 3)
         .drop("c", "d", 1)
         .send("a", "b", 1, "x")
         .send("c", "d", 1, "y")
         .send("d", "c", 1, "z")
         .send("b", "a", 2, "x")
         .send("c", "d", 2, "y")
         .send("a", "d", 2, "w"),
     R"(
tick  a              b              c              d
   1  o              o              o              o
      |--- x ------->|              |<------- z ---|
      |              |              |--- y -----x  |   lost: omitted
   2  o              o              o              o
      |--- w --------+--------------+------------->|
      |<------- x ---|              |--- y ------->|
   3  o              o              o              o
key:  --x lost
)"},
    {"Several relations in one arrow",
     RunBuilder("a b", 2)
         .send("a", "b", 1, "log")
         .send("a", "b", 1, "ack")
         .send("a", "b", 1, "log", {"2"})
         .send("a", "b", 1, "heartbeat")
         .send("a", "b", 1, "some_other_message"),
     R"(
tick  a                               b
   1  o                               o
      |--- log, ack, heartbeat +1 --->|
   2  o                               o
)"},
    {"A label that just fits", RunBuilder("a b c", 2).drop("a", "b", 1).tell("a", 1, "receive"),
     R"(
tick  a               b               c
   1  o               o               o
      |-- receive -x  |               |   lost: omitted
      |-- receive ----+-------------->|
   2  o               o               o
key:  --x lost
)"},
};

TEST(SpaceTime, WideForm) { expect_texts(kWide); }

const std::vector<Drawn> kNarrow = {
    {"Long labels move to the margin, where one line tells many",
     RunBuilder("agent_1 agent_2 agent_3 coordinator", 4)
         .drop("coordinator", "agent_2", 3)
         .tell("coordinator", 1, "prepare")
         .send("agent_1", "coordinator", 2, "vote")
         .send("agent_3", "coordinator", 2, "vote")
         .tell("coordinator", 3, "commit_or_abort")
         .tell("coordinator", 3, "decision_made"),
     R"(
tick  agent_1     agent_2     agent_3     coordinator
   1  o           o           o           o
      |<----------|<----------|<----------*   prepare
   2  o           o           o           o
      *-----------+-----------+---------->|   vote
      |           |           *---------->|   vote
   3  o           o           o           o
      |<----------+-----------|<----------*   commit_or_abort, decision_made
      |           | x---------+-----------*   commit_or_abort +1  lost: omitted
   4  o           o           o           o
key:  * sender  --x lost
)"},
    {"Nine nodes",
     RunBuilder("n1 n2 n3 n4 n5 n6 n7 n8 n9", 4)
         .drop("n5", "n7", 1)
         .crash("n3", 2)
         .crash("n4", 2)
         .tell("n5", 1, "heartbeat")
         .send("n3", "n1", 2, "ack")
         .send("n9", "n2", 2, "ack")
         .send("n1", "n2", 3, "swap")
         .send("n3", "n4", 3, "swap")
         .send("n6", "n9", 3, "swap"),
     R"(
tick  n1    n2    n3    n4    n5    n6    n7    n8    n9
   1  o     o     o     o     o     o     o     o     o
      |<----|<----|<----|<----*---->|-----+---->|---->|   heartbeat
      |     |     |     |     *-----+---x |     |     |   heartbeat  omitted
   2  o     o     X     X     o     o     o     o     o   n3, n4 crashed
      | x---+-----*     :     |     |     |     |     |   ack  sender crashed
      |     |<----+-----+-----+-----+-----+-----+-----*   ack
   3  o     o     :     :     o     o     o     o     o
      *---->|     :     :     |     *-----+-----+---->|   swap
      |     |     *---x :     |     |     |     |     |   swap  sender crashed
   4  o     o     :     :     o     o     o     o     o
key:  * sender  --x lost  : crashed, so unheard by the others
)"},
    {"Cut names are told apart by their ends",
     RunBuilder("node1 node2 node10 server-a server-b x y z w v u t s", 2)
         .send("node1", "z", 1, "log"),
     R"(
tick  ~de1 ~e10 ~de2 s    ~r-a ~r-b t    u    v    w    x    y    z
   1  o    o    o    o    o    o    o    o    o    o    o    o    o
      *----+----+----+----+----+----+----+----+----+----+----+--->|   log
   2  o    o    o    o    o    o    o    o    o    o    o    o    o
key:  * sender
names:  ~de1 = node1  ~e10 = node10  ~de2 = node2  ~r-a = server-a
        ~r-b = server-b
)"},
    {"or by numbers", RunBuilder("aaaaXbbbb aaaaYbbbb aaaaZbbbb c1 c2 c3 c4 c5 c6 c7 c8 c9 d1", 2),
     R"(
tick  aa~1 aa~2 aa~3 c1   c2   c3   c4   c5   c6   c7   c8   c9   d1
   1  o    o    o    o    o    o    o    o    o    o    o    o    o
   2  o    o    o    o    o    o    o    o    o    o    o    o    o
names:  aa~1 = aaaaXbbbb  aa~2 = aaaaYbbbb  aa~3 = aaaaZbbbb
)"},
};

TEST(SpaceTime, NarrowForm) { expect_texts(kNarrow); }

const std::vector<Drawn> kNamesAndLists = {
    {"Columns count code points",
     RunBuilder("Zoë ßß näive-node-with-a-very-long-name ü", 3)
         .crash("ü", 2)
         .tell("Zoë", 1, "log")
         .send("ü", "ßß", 2, "log"),
     R"(
tick  Zoë               näive-node-with-~ ßß                ü
   1  o                 o                 o                 o
      |--- log -------->|                 |                 |
      |--- log ---------+---------------->|                 |
      |--- log ---------+-----------------+---------------->|
   2  o                 o                 o                 X crashed
      |                 |                 |  x------ log ---:   sender crashed
   3  o                 o                 o                 :
key:  --x lost  : crashed, so unheard by the others
names:  näive-node-with-~ = näive-node-with-a-very-long-name
)"},
    {"Too many nodes for columns",
     RunBuilder(kAlphabet, 12)
         .drop("a", "c", 1)
         .crash("c", 2)
         .tell("a", 1, "log", {"data"})
         .tell("d", 10, "ack", {int64_t{7}})
         .send("e", "f", 10, "ping")
         .send("e", "f", 10, "pong", {"x"})
         .send("c", "a", 11, "log", {"data"})
         .send("z", "a", 12, "late")
         .stray("nobody")
         .stray("server"),
     R"(
t1   a  log("data")  -->  b  d  e  f  g  h  i  j  k  l  m  n  o  p  q  r  s  t
       u  v  w  x  y  z
t1   a  log("data")  --x  c  lost: omitted
t2   c crashed
t10  d  ack(7)  -->  all 25 others
t10  e  ping()  pong("x")  -->  f
t11  c  log("data")  --x  a  lost: sender crashed
Not shown: 1 message sent at tick 12, the last: too late to arrive.
No such node, so nothing was sent to:  nobody  server
)"},
    {"... and no messages", RunBuilder(kAlphabet, 12),
     R"(
No messages between the 26 nodes in ticks 1 to 12.
)"},
};

TEST(SpaceTime, NamesAndLists) { expect_texts(kNamesAndLists); }

TEST(SpaceTime, NothingIsDrawnBelowTheLastTick) {
  RunBuilder run("a b", 2);
  run.crash("a", 1).send("a", "b", 2, "log");
  run.run().messages[0].fate = Message::Fate::kSenderCrashed;
  EXPECT_EQ('\n' + space_time(run), R"(
tick  a              b
   1  X crashed      o
   2  :              o
key:  : crashed, so unheard by the others
Not shown: 1 message sent at tick 2, the last: too late to arrive.
)");
}

std::string many_nodes(uint64_t count, const char* prefix = "n") {
  std::string nodes;
  for (uint64_t i = 0; i < count; ++i) nodes += fmt::format("{}{} ", prefix, i);
  return nodes;
}

const std::vector<std::string> kRelations = {
    "log", "ack", "prepare_to_commit", "vote",
    "a_relation_whose_name_is_far_too_long_for_an_arrow_and_for_the_margin"};

RunBuilder random_run(Random& random, uint64_t most_nodes) {
  const uint64_t count = random.uniform_below(most_nodes) + 1;
  const auto eot = static_cast<Tick>(random.uniform_below(8) + 2);
  RunBuilder run(many_nodes(count, random.chance(0.5) ? "n" : "näive_node_"), eot);
  if (random.chance(0.5)) run.stop();
  const std::vector<NodeName> nodes = run.run().scenario.nodes;
  const auto tick = [&] { return static_cast<Tick>(random.uniform_below(uint64_t(eot) - 1)) + 1; };
  for (const NodeName& node : nodes) {
    if (random.chance(0.2)) run.crash(node, tick());
  }
  for (uint64_t i = random.uniform_below(30); count > 1 && i > 0; --i) {
    const NodeName& from = random.pick(nodes);
    const NodeName& to = random.pick(nodes);
    if (from == to) continue;
    const Tick at = tick();
    if (random.chance(0.3)) run.drop(from, to, at);
    run.send(from, to, at, random.pick(kRelations));
  }
  return run;
}

// How many arrows end in the columns of the diagram, left of the margin.
size_t count_tips(const std::string& text, const Layout& layout) {
  size_t tips = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line) && line.rfind("key:", 0) != 0;) {
    if (line.substr(0, layout.left) != std::string(layout.left, ' ')) continue;
    for (const char byte : line.substr(0, layout.margin)) {
      tips += byte == '>' || byte == '<' || byte == 'x';
    }
  }
  return tips;
}

TEST(SpaceTime, EveryArrowIsDrawnOnceWithin80Columns) {
  Random random(3);
  size_t drawn = 0;
  for (int i = 0; i < 1000; ++i) {
    const clew::Run run = random_run(random, 14).run();
    const Arrows arrows = arrows_of(run);
    const Layout layout = choose_layout(run, arrows);
    ASSERT_NE(layout.form, Layout::Form::kList);
    const std::string text = space_time(run);
    ASSERT_EQ(count_tips(text, layout), arrows.all.size()) << text;
    drawn += arrows.all.size();
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ASSERT_LE(count_code_points(line), kPageWidth) << text;
      ASSERT_TRUE(line.empty() || line.back() != ' ') << text;
    }
  }
  EXPECT_GT(drawn, 5'000U);
}

TEST(SpaceTime, LargeRunsStayLinear) {
  RunBuilder run(many_nodes(100), 1000);
  const std::vector<NodeName> nodes = run.run().scenario.nodes;
  for (Tick tick = 5; tick <= 1000; tick += 5) {
    run.tell(nodes[static_cast<size_t>(tick) % 100], tick, "log");
  }
  const std::string text = space_time(run);
  EXPECT_EQ(std::ranges::count(text, '\n'), 200);
  constexpr Tick kTicks = 5'000;
  RunBuilder columns(many_nodes(10), kTicks);
  for (Tick tick = 1; tick <= kTicks; ++tick) columns.send("n1", "n2", tick, "log");
  const std::string diagram = space_time(columns);
  EXPECT_EQ(std::ranges::count(diagram, '\n'), 2 * kTicks + 2);
}

}  // namespace
}  // namespace clew::report
