#include "host/stepper.h"

#include <gtest/gtest.h>

#include "tests/host/register.h"

namespace clew::host {
namespace {

struct Taken {
  Taken() : stepper(std::make_unique<Register>(), {"a", "b", "c"}, Id{1}, 9) {}
  const Outcome& ask(const RegisterRequest& asked) {
    const std::string bytes = node::encode(asked);
    stepper.take({.kind = Input::Kind::kRequest, .request = {3, 4}, .bytes = bytes}, outcome);
    return outcome;
  }
  Stepper stepper;
  Outcome outcome;
};

TEST(Stepper, TellsWhatAStepDoes) {
  Taken taken;
  const Outcome& put = taken.ask(Put{"k", 7});
  ASSERT_EQ(put.sent.size(), 2U);
  EXPECT_EQ(put.sent[0].to, Id{0});
  EXPECT_EQ(put.sent[1].to, Id{2});
  EXPECT_EQ(put.sent[0].number, 1U);
  EXPECT_EQ(put.sent[0].messages,
            (std::vector<std::string>{node::encode(RegisterMessage(Copy{"k", 7}))}));
  ASSERT_EQ(put.answered.size(), 1U);
  EXPECT_EQ(put.answered[0].request, (RequestId{3, 4}));
  EXPECT_EQ(
      taken.stepper.changed(),
      (std::vector<Kept>{{"values", node::encode(std::map<std::string, int64_t>{{"k", 7}})}}));
  EXPECT_TRUE(put.synced);
  EXPECT_EQ(taken.ask(Put{"k", 8}).sent[1].number, 2U);
  EXPECT_EQ(taken.stepper.changed().size(), 1U);
  // What is written but the same is no change.
  taken.ask(Put{"k", 8});
  EXPECT_TRUE(taken.stepper.changed().empty());
  // Nor is what is the same after several steps; and of several, the last counts.
  taken.ask(Put{"k", 9});
  taken.ask(Put{"k", 8});
  EXPECT_TRUE(taken.stepper.changed().empty());
  taken.ask(Put{"k", 9});
  taken.ask(Put{"k", 7});
  EXPECT_EQ(
      taken.stepper.changed(),
      (std::vector<Kept>{{"values", node::encode(std::map<std::string, int64_t>{{"k", 7}})}}));
  const Outcome& later = taken.ask(Later{20});
  ASSERT_EQ(later.timers.size(), 1U);
  EXPECT_EQ(later.timers[0].name, "later");
  EXPECT_EQ(later.timers[0].after, std::chrono::milliseconds(20));
  EXPECT_FALSE(later.synced);
  EXPECT_EQ(taken.stepper.taken(), 8U);
}

TEST(Stepper, HandsOutErrors) {
  Taken taken;
  EXPECT_THROW(taken.ask(Throw{}), std::runtime_error);
  EXPECT_THROW(taken.ask(Elsewhere{Id{3}}), node::Undecodable);
  EXPECT_THROW(taken.stepper.take({.kind = Input::Kind::kRequest, .bytes = "\x7f"}, taken.outcome),
               node::Undecodable);
  // Half an envelope is not taken back, so the node cannot go on.
  const std::string copy = node::encode(RegisterMessage(Copied{}));
  const Input half{.kind = Input::Kind::kEnvelope, .messages = {copy, "\x7f"}};
  try {
    taken.stepper.take(half, taken.outcome);
    FAIL();
  } catch (const node::Undecodable&) {
    FAIL() << "as if no handler had run";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "bytes that are no message or request of this node");
  }
}

TEST(Stepper, RecoversOnlyItsOwnFields) {
  const std::string map = node::encode(std::map<std::string, int64_t>{{"k", 7}});
  Taken taken;
  EXPECT_TRUE(taken.stepper.recover({{"values", map}, {"starts", node::encode(int64_t{4})}}).ok());
  EXPECT_EQ(dynamic_cast<const Register&>(taken.stepper.node()).values->at("k"), 7);
  taken.ask(Put{"k", 7});
  EXPECT_TRUE(taken.stepper.changed().empty());
  EXPECT_EQ(Taken().stepper.recover({{"value", map}}).error().message,
            "the data has a field value that the node does not have");
  EXPECT_EQ(Taken().stepper.recover({{"copied", map}}).error().message,
            "the data has a field copied that is not Durable in the node");
  EXPECT_EQ(Taken().stepper.recover({{"starts", map}}).error().message,
            "the data has a field starts that has another type in the node");
}

TEST(Stepper, PrintsInputs) {
  Taken taken;
  const std::string bytes = node::encode(RegisterRequest(Get{"k"}));
  EXPECT_EQ(taken.stepper.print({.kind = Input::Kind::kRequest, .request = {3, 4}, .bytes = bytes}),
            "Get{key: \"k\"} of client 3");
  const std::string copy = node::encode(RegisterMessage(Copy{"k", 1}));
  EXPECT_EQ(taken.stepper.print(
                {.kind = Input::Kind::kEnvelope, .from = Id{2}, .messages = {copy, copy}}),
            "Copy{key: \"k\", value: 1}, Copy{key: \"k\", value: 1} from c");
  EXPECT_EQ(taken.stepper.print({.kind = Input::Kind::kTimer, .timer = "later"}), "timer later");
  EXPECT_EQ(taken.stepper.print({}), "the start");
}

}  // namespace
}  // namespace clew::host
