// Whole runs with failures between processes.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/inject/in_world.h"
#include "tests/inject/toys.h"

namespace clew::inject {
namespace {

using Words = std::vector<std::string>;

class ConductNetworkTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
  }

  Observed struck(const std::string& failure, const std::string& call,
                  const std::string& node = "n") {
    const Observed seen = Toys::run(server_);
    Observed then = Toys::run(server_, {failure + "@" + point_of(seen, call, "", node)});
    EXPECT_EQ(then.reached, std::vector<uint32_t>{0});
    return then;
  }

  Toys toys_;
  Target server_ = toys_.server({"one", "two"});
};

TEST_F(ConductNetworkTest, AResetIsSeenAtBothEnds) {
  const Observed seen = struck("reset", "sendto");
  EXPECT_EQ(lines_of(seen, "n"), (Words{"ready", "lost ECONNRESET"}));
  EXPECT_EQ(lines_of(seen, "workload"), (Words{"one lost ECONNRESET", "two ok"}));
  EXPECT_EQ(lines_of(seen, "check"), (Words{"one", "two"}));
}

TEST_F(ConductNetworkTest, AResetWhereItIsRead) {
  const Observed seen = struck("reset", "read");
  EXPECT_EQ(lines_of(seen, "n"), (Words{"ready", "lost ECONNRESET"}));
  EXPECT_EQ(lines_of(seen, "check"), (Words{"two"}));
}

TEST_F(ConductNetworkTest, ATimeoutIsToldAtBothEnds) {
  const Observed seen = struck("timeout", "sendto");
  EXPECT_EQ(lines_of(seen, "n"), (Words{"ready", "lost ETIMEDOUT"}));
  EXPECT_EQ(lines_of(seen, "workload"), (Words{"one lost ETIMEDOUT", "two ok"}));
}

TEST_F(ConductNetworkTest, ACutLasts) {
  const Observed seen = struck("cut", "sendto");
  EXPECT_EQ(lines_of(seen, "n"), (Words{"ready", "lost ETIMEDOUT"}));
  EXPECT_EQ(lines_of(seen, "workload"), (Words{"one lost ETIMEDOUT", "two not sent EHOSTUNREACH"}));
}

TEST_F(ConductNetworkTest, ACutFromTheClientsSide) {
  server_.inject_workload = true;
  const Observed seen = struck("cut", "connect", "workload");
  EXPECT_EQ(lines_of(seen, "workload"),
            (Words{"one not sent EHOSTUNREACH", "two not sent EHOSTUNREACH"}));
}

TEST_F(ConductNetworkTest, TheCheckReachesEverybodyAgain) {
  server_.check = Toys::toy_command({"ask", "7000", "three"});
  const Observed seen = struck("cut", "sendto");
  EXPECT_EQ(lines_of(seen, "check"), (Words{"three ok"}));
}

TEST_F(ConductNetworkTest, AnErrorEndsTheConnection) {
  const Observed seen = struck("EPIPE", "sendto");
  EXPECT_EQ(lines_of(seen, "n"), (Words{"ready", "lost EPIPE"}));
  EXPECT_EQ(lines_of(seen, "workload"), (Words{"one lost ECONNRESET", "two ok"}));
}

TEST_F(ConductNetworkTest, ADatagramIsLost) {
  Target target = toys_.shell("", "");
  target.nodes[0].command = Toys::toy_command({"take", "7000"});
  target.workload = Toys::toy_command({"send", "7000", "one", "two"});
  target.inject_workload = true;
  const Observed seen = Toys::run(target);
  const std::string point = point_of(seen, "sendto", "", "workload");
  // Offered where there are datagrams, and only there.
  const auto offers = [](const Observed& run, const std::string& id) {
    const auto at = std::ranges::find(run.points, id, &Point::id);
    const std::vector<Failure> all =
        failures_at(*at, 1, {.crash = false, .error = false, .drop = true});
    return std::ranges::find(all, Effect::kDrop, &Failure::effect) != all.end();
  };
  EXPECT_TRUE(offers(seen, point));
  const Observed then = Toys::run(target, {"drop@" + point});
  EXPECT_EQ(lines_of(seen, "n"), (Words{"ready", "took one", "took two"}));
  EXPECT_EQ(lines_of(then, "n"), (Words{"ready", "took two"}));
  EXPECT_EQ(lines_of(then, "workload"), (Words{"sent 3", "sent 3"}));
  EXPECT_EQ(lines_of(Toys::run(target, {"cut@" + point}), "n"), Words{"ready"});
  // A datagram comes as a whole, or not at all; and only datagrams are lost.
  EXPECT_TRUE(Toys::run(target, {"short@" + point}).reached.empty());
  const Observed stream = Toys::run(server_);
  EXPECT_FALSE(offers(stream, point_of(stream, "sendto", "")));
  EXPECT_TRUE(Toys::run(server_, {"drop@" + point_of(stream, "sendto", "")}).reached.empty());
}

TEST_F(ConductNetworkTest, HalfOfWhatIsSent) {
  const Observed seen = struck("short", "sendto");
  EXPECT_EQ(calls_of(seen, "sendto", ""), (Words{"1 injected", "2", "3"}));
  EXPECT_EQ(lines_of(seen, "workload"), (Words{"one ok", "two ok"}));
}

}  // namespace
}  // namespace clew::inject
