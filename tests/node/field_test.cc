#include "node/field.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "node/node.h"

namespace clew::node {
namespace {

struct Keeper : Node<Keeper, None> {
  void receive(Env&, Id, const None&) {}

  Field<int> count{this, "count", 5};
  Field<std::set<Id>> votes{this, "votes"};
  Durable<int> term{this, "term", 1};
  Durable<std::string> vote{this, "vote"};
};

class FieldTest : public testing::Test {
 protected:
  const Footprint& footprint() { return keeper_.footprint(); }
  void end_step() {
    for (AnyField* field : keeper_.fields()) field->end_step();
  }
  Keeper keeper_;
};

TEST_F(FieldTest, WhatIsReadIsNoticed) {
  EXPECT_EQ(footprint(), Footprint{});
  EXPECT_EQ(keeper_.count + 1, 6);
  EXPECT_EQ(footprint(), (Footprint{.reads = 1}));
  EXPECT_TRUE(keeper_.votes->empty());
  EXPECT_EQ(footprint(), (Footprint{.reads = 3}));
}

TEST_F(FieldTest, WhatIsWrittenIsNoticed) {
  keeper_.count = 7;
  EXPECT_EQ(footprint(), (Footprint{.updates = 1}));
  keeper_.votes.edit().insert(Id{1});
  EXPECT_EQ(footprint(), (Footprint{.reads = 2, .updates = 3}));
  keeper_.term = 2;
  EXPECT_EQ(footprint(), (Footprint{.reads = 2, .updates = 7, .disk = 4}));
}

struct Reader : Node<Reader, None> {
  void receive(Env&, Id, const None&) {}

  Field<std::optional<int>> leader{this, "leader"};
  Field<std::string> name{this, "name", "n"};
  Field<std::vector<int>> log{this, "log", {4, 5}};
  Field<std::map<int, int>> acks{this, "acks", {{1, 2}}};
  Durable<int> term{this, "term", 3};
  Field<int> seen{this, "seen", 3};
};

TEST(FieldReadingTest, FieldsReadAsWhatTheyHold) {
  Reader reader;
  EXPECT_FALSE(reader.leader);
  EXPECT_TRUE(reader.leader == std::nullopt);
  reader.leader = 2;
  EXPECT_TRUE(reader.leader && reader.leader != std::nullopt && reader.leader == 2);
  EXPECT_TRUE(reader.name == "n" && "n" == reader.name && reader.name != std::string("m"));
  EXPECT_EQ(reader.log[1], 5);
  EXPECT_TRUE(reader.log == std::vector({4, 5}));
  int sum = 0;
  for (const int entry : reader.log) sum += entry;
  for (const auto& [who, count] : reader.acks) sum += who * count;
  EXPECT_EQ(sum, 11);
  EXPECT_TRUE(reader.term == reader.seen && reader.seen == 3 && 3 == reader.term);
  EXPECT_FALSE(reader.term != reader.seen || reader.term < reader.seen);
}

TEST_F(FieldTest, WhatIsReadThroughOperatorsIsNoticed) {
  EXPECT_TRUE(keeper_.vote == "");
  EXPECT_EQ(footprint(), (Footprint{.reads = 8}));
  for (const Id voter : keeper_.votes) FAIL() << voter.number;
  EXPECT_EQ(footprint(), (Footprint{.reads = 10}));
}

TEST_F(FieldTest, OneFieldIsAssignedToAnother) {
  Durable<int> other(&keeper_, "other", 9);
  keeper_.count = keeper_.term;
  EXPECT_EQ(footprint(), (Footprint{.reads = 4, .updates = 1}));
  EXPECT_EQ(keeper_.count, 1);
  keeper_.clear_footprint();
  keeper_.term = other;
  EXPECT_EQ(footprint(), (Footprint{.reads = 16, .updates = 4, .disk = 4}));
  EXPECT_EQ(keeper_.term, 9);
  end_step();
  EXPECT_EQ(keeper_.term.unsynced(), 1);  // what is on the disk is the field's own
}

TEST_F(FieldTest, AddingReadsNothing) {
  ++keeper_.count;
  keeper_.count -= 3;
  EXPECT_EQ(footprint(), (Footprint{.updates = 1, .increments = 1}));
  EXPECT_EQ(keeper_.count, 3);
}

TEST_F(FieldTest, WhatWasReadBeforeSendingMayLeave) {
  EXPECT_EQ(keeper_.count, 5);
  keeper_.note_send();
  EXPECT_EQ(keeper_.term, 1);
  EXPECT_EQ(footprint(), (Footprint{.reads = 5, .sends = 1}));
}

TEST_F(FieldTest, ACrashKeepsWhatWasSynced) {
  keeper_.term = 2;
  keeper_.term.synced();
  keeper_.term = 3;
  end_step();
  keeper_.term = 4;
  end_step();
  end_step();
  EXPECT_EQ(keeper_.term.unsynced(), 2U);
  EXPECT_EQ(keeper_.vote.unsynced(), 0U);
  keeper_.term.crash(0);
  EXPECT_EQ(keeper_.term, 2);
  EXPECT_EQ(keeper_.term.unsynced(), 0U);
}

TEST_F(FieldTest, ACrashMayKeepMore) {
  keeper_.term = 3;
  end_step();
  keeper_.term = 4;
  end_step();
  Keeper other;
  ASSERT_TRUE(other.decode_fields(keeper_.encode_fields()));
  keeper_.term.crash(1);
  EXPECT_EQ(keeper_.term, 3);
  other.term.crash(2);
  EXPECT_EQ(other.term, 4);
}

TEST_F(FieldTest, OfAStepTheLastWriteCounts) {
  keeper_.term = 3;
  keeper_.term = 4;
  end_step();
  EXPECT_EQ(keeper_.term.unsynced(), 1U);
  keeper_.term.crash(1);
  EXPECT_EQ(keeper_.term, 4);
}

TEST_F(FieldTest, AllFieldsAreReadBack) {
  keeper_.count = -1;
  keeper_.votes.edit().insert(Id{2});
  keeper_.vote = "b";
  end_step();
  Keeper other;
  ASSERT_TRUE(other.decode_fields(keeper_.encode_fields()));
  EXPECT_EQ(other.encode_fields(), keeper_.encode_fields());
  EXPECT_EQ(other.vote.unsynced(), 1U);
  EXPECT_FALSE(other.decode_fields("x"));
  keeper_.rename_fields({Id{0}, Id{2}, Id{1}});
  EXPECT_EQ(*keeper_.votes, std::set<Id>{Id{1}});
}

struct Twice : Node<Twice, None> {
  void receive(Env&, Id, const None&) {}
  Field<int> one{this, "same"};
  Field<int> two{this, "same"};
};

TEST(FieldNamesTest, NamesAreDistinct) { EXPECT_THROW(Twice(), std::logic_error); }

}  // namespace
}  // namespace clew::node
