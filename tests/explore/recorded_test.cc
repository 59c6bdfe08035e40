// What recordings of hosts show: nothing of good ones, and every mistake of wrong ones.
#include "explore/recorded.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "docs/examples/register.cc"
#include "tests/explore/register_cluster.h"
#include "tests/explore/simulated_hosts.h"

namespace clew::explore {

namespace {

struct TimerlessRegister : ::Register {
  using ::Register::Register;
  void timer(Env&, std::string_view) override {}
};

}  // namespace

Cluster register_cluster() { return ::describe(); }
std::unique_ptr<node::AnyNode> timerless_register(size_t nodes) {
  return std::make_unique<TimerlessRegister>(nodes);
}

namespace {

class RecordedHosts : public testing::Test {
 protected:
  RecordedHosts() {
    std::string path = (std::filesystem::temp_directory_path() / "clew-hosts-XXXXXX").string();
    folder_ = ::mkdtemp(path.data());
  }
  ~RecordedHosts() override { std::filesystem::remove_all(folder_); }

  struct Ran {
    nlohmann::json judged;
    bool made = false;  // the mistake
    size_t crashes = 0;
  };
  Ran run(uint64_t seed, HostMistake mistake, int turns, const Cluster& judged_as) {
    const Cluster cluster = ::describe();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    int64_t value = 100;
    const auto asks = [&](Random& random) {
      return node::encode(random.chance(0.5) ? Request{Get{}} : Request{Put{++value}});
    };
    SimulatedHosts hosts(cluster, folder_, seed, mistake, asks);
    hosts.run(turns);
    std::vector<std::string> paths;
    for (uint8_t i = 0; i < cluster.size(); ++i) paths.push_back(hosts.path(Id{i}));
    return {judge_recordings(judged_as, paths), hosts.made(), hosts.crashes()};
  }
  Ran run(uint64_t seed, HostMistake mistake, int turns = 400) {
    return run(seed, mistake, turns, ::describe());
  }

  using Request = ::Request;

  std::string folder_;
};

const uint64_t kSeeds = std::getenv("CLEW_LONG_TESTS") != nullptr ? 300 : 6;

TEST_F(RecordedHosts, GoodOnesDoWhatTheirCodeDoes) {
  size_t crashes = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Ran ran = run(seed, HostMistake::kNone);
    ASSERT_TRUE(ran.judged["judged"].get<bool>()) << seed << ran.judged.dump(1);
    ASSERT_FALSE(ran.judged.contains("broken")) << seed << ran.judged.dump(1);
    ASSERT_EQ(ran.judged["impossible"].size(), 0U);
    EXPECT_GT(ran.judged["steps"], 100);
    crashes += ran.judged["crashes"].get<size_t>();
  }
  EXPECT_GT(crashes, kSeeds);
}

class WrongHosts : public RecordedHosts {
 protected:
  // How many of the runs in which it was made show it in these words.
  void expect(HostMistake mistake, const std::string& words, double least_share) {
    size_t made = 0, caught = 0;
    for (uint64_t seed = 0; seed < 4 * kSeeds; ++seed) {
      const Ran ran = run(seed, mistake);
      if (!ran.made) continue;
      ++made;
      const std::string all = ran.judged["impossible"].dump() + ran.judged["differences"].dump();
      const bool found = all.find(words) != std::string::npos;
      caught += found ? 1 : 0;
    }
    EXPECT_GT(made, kSeeds);
    EXPECT_GE(static_cast<double>(caught), least_share * static_cast<double>(made));
    EXPECT_GT(caught, 0U);
  }
};

TEST_F(WrongHosts, WhoSendsBeforeItSyncs) {
  // What was lost on the way shows nothing.
  expect(HostMistake::kSendsBeforeSync, "it has left too early", 0.2);
}
TEST_F(WrongHosts, WhoLosesATimer) {
  // One that is set again, or whose process ends, shows nothing.
  expect(HostMistake::kLosesTimer, "has not fired by step", 0.15);
}
TEST_F(WrongHosts, WhoFiresATimerThatIsNotSet) {
  expect(HostMistake::kFiresUnsetTimer, "the timer again fires, which is not set", 0.9);
}
TEST_F(WrongHosts, WhoDeliversTwice) {
  expect(HostMistake::kDeliversTwice, "this envelope has arrived before", 0.9);
}
TEST_F(WrongHosts, WhoForgetsWhatWasSynced) {
  expect(HostMistake::kForgetsFlush, "has forgotten what was synced", 0.9);
}
TEST_F(WrongHosts, WhoChangesAMessage) {
  expect(HostMistake::kChangesMessage, "has sent something else under this number", 0.5);
}
TEST_F(WrongHosts, WhoInventsAnEnvelope) {
  expect(HostMistake::kInventsEnvelope, "has never sent it", 0.9);
}
TEST_F(WrongHosts, WhoChangesAField) { expect(HostMistake::kChangesField, "the process has", 0.1); }

// example: src/explore/recorded.h
TEST_F(RecordedHosts, Example) {
  run(1, HostMistake::kNone);
  Cluster cluster = ::describe();
  cluster.any_client = true;
  const auto read = [&](const char* name) {
    return *host::read_recording(*read_file(folder_ + "/" + name + ".record", 1U << 30U));
  };
  const host::Recording recording = read("a"), of_b = read("b"), of_c = read("c");
  Steps steps(cluster);
  RecordedNode node(steps, recording);
  EXPECT_FALSE(node.difference().has_value());
  const std::vector<RecordedNode> nodes = {node, {steps, of_b}, {steps, of_c}};
  Judged judged = judge(steps, nodes);
  EXPECT_TRUE(judged.impossible.empty());
  EXPECT_FALSE(judged.broken.has_value());
}

// The code is another one than what was recorded: it counts otherwise.
struct OtherRegister : ::Register {
  using ::Register::Register;
  void start(Env& env) override { env.set_timer("other"); }
};

TEST_F(RecordedHosts, OtherCodeDiffers) {
  Cluster other = ::describe();
  other.node<OtherRegister>("b", other.size());
  const Ran ran = run(1, HostMistake::kNone, 400, other);
  ASSERT_EQ(ran.judged["differences"].size(), 1U);
  EXPECT_EQ(ran.judged["differences"][0],
            "b, incarnation 1, step 0 (start b):\n  the timers that are set: of the process "
            "nothing, of the node's code other");
}

TEST_F(RecordedHosts, WhatIsPromisedIsJudged) {
  Cluster wrong = ::describe();
  wrong.always("nothing is ever written", [](const States& states) {
    return states.node<::Register>("c").version.get().number == 0;
  });
  const Ran ran = run(1, HostMistake::kNone, 400, wrong);
  EXPECT_EQ(ran.judged.value("broken", ""), "nothing is ever written");
  const auto tale = ran.judged["tale"].get<Tale>();
  EXPECT_EQ(tale.moves.back().node, "c");
  EXPECT_NE(tale.moves.back().move.find("Tell"), std::string::npos);
}

TEST_F(RecordedHosts, WhatClientsSawIsJudged) {
  Cluster wrong({"a", "b", "c"});
  for (const char* name : {"a", "b", "c"}) wrong.node<::Register>(name, wrong.size());
  wrong.linearizable<::Request>("forgets", int64_t{0}, [](int64_t&, const ::Request& request) {
    const auto* put = std::get_if<::Put>(&request);
    return ::Reply{put == nullptr ? 0 : put->value};
  });
  const Ran ran = run(1, HostMistake::kNone, 400, wrong);
  EXPECT_EQ(ran.judged.value("broken", ""), "forgets");
  const auto tale = ran.judged["tale"].get<Tale>();
  ASSERT_FALSE(tale.moves.empty());
  EXPECT_FALSE(tale.moves.back().answered.empty());
}

}  // namespace
}  // namespace clew::explore
