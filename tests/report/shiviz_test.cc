#include "report/shiviz.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/random.h"
#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

TEST(ShivizTest, Log) {
  const clew::Run run = RunBuilder("a b c", 4)
                            .drop("a", "c", 1)
                            .crash("c", 3)
                            .send("a", "b", 1, "log", {"x"})
                            .send("a", "c", 1, "log", {"x"})
                            .send("a", "a", 1, "log", {"x"})
                            .send("b", "c", 2, "copy")
                            .send("c", "a", 3, "ack");
  EXPECT_EQ(shiviz(run), R"LOG((?<host>\S*) (?<clock>{.*})\n(?<event>.*)

a {"a":1}
tick 1: sends log("b", "x") to b; sends log("c", "x") to c, lost: omitted
b {"b":1}
tick 1: begins
c {"c":1}
tick 1: begins
b {"a":1,"b":2}
tick 2: gets log("b", "x") from a; sends copy("c") to c
c {"a":1,"b":2,"c":2}
tick 3: gets copy("c") from b; crashes; sends ack("a") to a, lost: sender crashed
)LOG");
}

TEST(ShivizTest, HostsHaveNoSpacesAndEventsNoLineEnds) {
  RunBuilder run("x", 2);
  run.run().scenario.nodes = {"a b", "a_b", "\"q\"", "n\u00a0b"};
  run.send("a b", "a_b", 1, "p", {"two\nlines"});
  EXPECT_EQ(shiviz(run), R"LOG((?<host>\S*) (?<clock>{.*})\n(?<event>.*)

a_b_ {"a_b_":1}
tick 1: sends p("a_b", "two lines") to a_b
a_b {"a_b":1}
tick 1: begins
"q" {"\"q\"":1}
tick 1: begins
n_b {"n_b":1}
tick 1: begins
a_b {"a_b":2,"a_b_":1}
tick 2: gets p("a_b", "two lines") from a b
)LOG");
}

struct Event {
  std::string host;
  Tick tick;
  std::map<std::string, int> clock;
};

std::vector<Event> read(const std::string& log) {
  std::istringstream lines(log);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  std::vector<Event> events;
  while (std::getline(lines, line)) {
    Event& event = events.emplace_back();
    const size_t space = line.find(' ');
    event.host = line.substr(0, space);
    event.clock = nlohmann::json::parse(line.substr(space + 1)).get<std::map<std::string, int>>();
    std::getline(lines, line);
    event.tick = std::stoi(line.substr(5));
  }
  return events;
}

bool at_most(const std::map<std::string, int>& a, const std::map<std::string, int>& b) {
  for (const auto& [host, count] : a) {
    const auto at = b.find(host);
    if (at == b.end() || at->second < count) return false;
  }
  return true;
}

// Whether something can have got from one node at one tick to another at a later one.
class Reach {
 public:
  explicit Reach(const clew::Run& run) : run_(run) {}

  bool operator()(const std::string& from, Tick begin, const std::string& to, Tick end) const {
    std::set<std::string> reached = {from};
    for (Tick tick = begin; tick < end; ++tick) {
      std::set<std::string> next = reached;
      for (const Message& message : run_.messages) {
        const bool goes = message.sent_at == tick && message.fate == Message::Fate::kDelivered;
        if (goes && reached.contains(message.from)) next.insert(message.to);
      }
      reached = next;
    }
    return reached.contains(to);
  }

 private:
  const clew::Run& run_;
};

// Clocks are ordered exactly as what can have influenced what.
TEST(ShivizTest, ClocksTellWhatHappenedBefore) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const std::string names = "abcd";
    RunBuilder run("a b c d", 6);
    const auto node = [&] { return std::string(1, names[random.uniform_below(4)]); };
    if (random.uniform_below(2) == 0) run.crash(node(), 3);
    for (Tick tick = 1; tick <= 6; ++tick) {
      for (uint64_t i = random.uniform_below(4); i > 0; --i) {
        const std::string from = node();
        const std::string to = node();
        if (from != to && random.uniform_below(4) == 0 && tick < 6) run.drop(from, to, tick);
        run.send(from, to, tick, "m");
      }
    }
    const std::vector<Event> events = read(shiviz(run));
    const Reach reach(run);
    std::map<std::string, int> counts;
    for (const Event& one : events) {
      EXPECT_EQ(one.clock.at(one.host), ++counts[one.host]);
      for (const Event& other : events) {
        if (one.tick >= other.tick) continue;
        EXPECT_EQ(at_most(one.clock, other.clock),
                  reach(one.host, one.tick, other.host, other.tick))
            << one.host << one.tick << " " << other.host << other.tick << "\n"
            << shiviz(run);
      }
    }
    EXPECT_EQ(counts.size(), 4U);
  }
}

}  // namespace
}  // namespace clew::report
