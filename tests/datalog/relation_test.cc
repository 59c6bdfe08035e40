#include "datalog/relation.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"

namespace clew::datalog {
namespace {

Value v(uint32_t bits) { return {bits}; }

std::vector<Row> matches(Relation& relation, Relation::IndexId index, Value key) {
  std::vector<Row> rows;
  Row until = relation.end();
  for (Row row = relation.first_match(index, &key, until); row != kNoRow;
       row = relation.next_match(index, &key, row, until)) {
    rows.push_back(row);
  }
  return rows;
}

TEST(RelationTest, HoldsEachTupleOnce) {
  Relation relation(2, false);
  Value first[] = {v(1), v(2)};
  Value second[] = {v(2), v(1)};
  EXPECT_TRUE(relation.insert(first).is_new);
  EXPECT_TRUE(relation.insert(second).is_new);
  EXPECT_FALSE(relation.insert(first).is_new);
  EXPECT_EQ(relation.insert(second).row, 1U);
  EXPECT_EQ(relation.find(second), 1U);
  EXPECT_EQ(relation.end() - relation.begin(), 2U);
}

TEST(RelationTest, ZeroColumnsHoldOneTuple) {
  Relation relation(0, false);
  EXPECT_EQ(relation.find(nullptr), kNoRow);
  EXPECT_TRUE(relation.insert(nullptr).is_new);
  EXPECT_FALSE(relation.insert(nullptr).is_new);
  EXPECT_EQ(relation.find(nullptr), 0U);
  relation.advance();
  EXPECT_EQ(relation.find(nullptr), kNoRow);
}

TEST(RelationTest, AFrameHidesTheOneBeforeButRowsStay) {
  Relation relation(1, false);
  Value one = v(1);
  Value two = v(2);
  relation.insert(&one);
  relation.insert_next(&two);
  EXPECT_EQ(relation.find(&two), kNoRow);
  EXPECT_EQ(relation.end(), 1U);
  relation.advance();
  EXPECT_EQ(relation.find(&one), kNoRow);
  EXPECT_EQ(relation.find(&two), 1U);
  EXPECT_EQ(relation.tuple(0)[0], one);
}

TEST(RelationTest, APermanentRelationHoldsInEveryFrame) {
  Relation relation(1, true);
  Value one = v(1);
  relation.insert(&one);
  relation.advance();
  EXPECT_EQ(relation.find(&one), 0U);
}

TEST(RelationTest, RewindTakesRowsBack) {
  Relation relation(1, false);
  Relation::IndexId index = relation.add_index({0});
  for (uint32_t i = 0; i < 20; ++i) {
    Value value = v(i);
    relation.insert(&value);
  }
  EXPECT_EQ(matches(relation, index, v(15)).size(), 1U);
  relation.rewind(0, 10);
  EXPECT_EQ(relation.end(), 10U);
  EXPECT_TRUE(matches(relation, index, v(15)).empty());
  for (uint32_t i = 10; i < 20; ++i) {
    Value value = v(i + 100);
    EXPECT_TRUE(relation.insert(&value).is_new);
  }
  EXPECT_TRUE(matches(relation, index, v(15)).empty());
  EXPECT_EQ(matches(relation, index, v(115)), std::vector<Row>{15});
}

// Rows that are inserted while matches are visited do not disturb the visit.
TEST(RelationTest, MatchesStayInOrderWhileTheFrameGrows) {
  Relation relation(2, false);
  Relation::IndexId index = relation.add_index({0});
  for (uint32_t i = 0; i < 6; ++i) {
    Value tuple[] = {v(i % 2), v(i)};
    relation.insert(tuple);
  }
  Value key = v(1);
  Row until = relation.end();
  std::vector<Row> visited;
  for (Row row = relation.first_match(index, &key, until); row != kNoRow;
       row = relation.next_match(index, &key, row, until)) {
    visited.push_back(row);
    for (uint32_t i = 0; i < 10; ++i) {
      Value tuple[] = {v(1), v(1000 + row * 100 + i)};
      relation.insert(tuple);
    }
    // Another lookup builds the index meanwhile.
    relation.first_match(index, &key, relation.end());
  }
  EXPECT_EQ(visited, (std::vector<Row>{1, 3, 5}));
}

// Against std::set and std::multimap, over frames, advances and rewinds.
TEST(RelationTest, AgreesWithSimpleContainers) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    Relation relation(2, false);
    Relation::IndexId index = relation.add_index({1});
    for (int frame = 0; frame < 4; ++frame) {
      std::set<std::pair<uint32_t, uint32_t>> expected;
      std::multimap<uint32_t, Row> by_second;
      Row marked_rows = relation.rows();
      auto inserts = static_cast<int>(random.uniform_below(60));
      for (int i = 0; i < inserts; ++i) {
        auto a = static_cast<uint32_t>(random.uniform_below(6));
        auto b = static_cast<uint32_t>(random.uniform_below(6));
        Value tuple[] = {v(a), v(b)};
        Relation::Inserted inserted = relation.insert(tuple);
        ASSERT_EQ(inserted.is_new, expected.emplace(a, b).second);
        if (inserted.is_new) by_second.emplace(b, inserted.row);
        if (i % 7 == 0) matches(relation, index, v(b));
      }
      for (uint32_t b = 0; b < 6; ++b) {
        std::vector<Row> rows;
        auto [from, to] = by_second.equal_range(b);
        for (auto at = from; at != to; ++at) rows.push_back(at->second);
        ASSERT_EQ(matches(relation, index, v(b)), rows);
      }
      if (random.uniform_below(3) == 0) relation.rewind(relation.begin(), marked_rows);
      relation.advance();
    }
  }
}

}  // namespace
}  // namespace clew::datalog
