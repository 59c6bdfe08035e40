#include "node/value.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

namespace clew::node {
namespace {

struct None0 {
  CLEW_FIELDS(None0)
};

enum class Role : uint8_t { kFollower, kLeader };

struct Entry {
  int64_t term = 0;
  std::string text{};
  CLEW_FIELDS(Entry, term, text)
};

struct Everything {
  bool yes = false;
  Id who{};
  Role role = Role::kFollower;
  std::optional<Id> voted{};
  std::vector<Entry> log{};
  std::map<Id, std::set<Id>> heard{};
  std::variant<int, std::string> either{};
  std::pair<int, Id> pair{};
  std::array<int8_t, 2> two{};
  std::deque<bool> bits{};
  CLEW_FIELDS(Everything, yes, who, role, voted, log, heard, either, pair, two, bits)
};

Everything sample() {
  return {.yes = true,
          .who = Id{1},
          .role = Role::kLeader,
          .voted = Id{2},
          .log = {{-1, "a\"b"}, {7, ""}},
          .heard = {{Id{0}, {Id{1}}}, {Id{2}, {Id{0}, Id{2}}}},
          .either = "text",
          .pair = {-5, Id{0}},
          .two = {-128, 127},
          .bits = {true, false}};
}

const Names kThree{"a", "b", "c"};

TEST(ValueTest, BytesAreReadBack) {
  const std::string bytes = encode(sample());
  EXPECT_EQ(decode<Everything>(bytes), sample());
  EXPECT_EQ(decode<Everything>(encode(Everything{})), Everything{});
}

TEST(ValueTest, ExtremeNumbers) {
  for (const int64_t number : {INT64_MIN, INT64_MIN + 1, int64_t{-64}, int64_t{-1}, int64_t{0},
                               int64_t{63}, int64_t{64}, INT64_MAX}) {
    EXPECT_EQ(decode<int64_t>(encode(number)), number);
  }
  EXPECT_EQ(decode<uint64_t>(encode(UINT64_MAX)), UINT64_MAX);
  EXPECT_EQ(encode(int64_t{-1}).size(), 1U);
  EXPECT_FALSE(decode<int8_t>(encode(int64_t{128})));
  EXPECT_FALSE(decode<uint8_t>(encode(int64_t{-1})));
}

TEST(ValueTest, NoPartOfTheBytesIsAValue) {
  const std::string bytes = encode(sample());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode<Everything>(bytes.substr(0, size))) << size;
  }
  EXPECT_FALSE(decode<Everything>(bytes + "x"));
}

// Equal values have equal bytes, so bytes that are read are the ones that are written.
TEST(ValueTest, OneWayToWriteAValue) {
  std::string bytes = encode(sample());
  for (char& byte : bytes) {
    const char before = byte;
    for (int other = 0; other < 256; ++other) {
      byte = static_cast<char>(other);
      const std::optional<Everything> value = decode<Everything>(bytes);
      EXPECT_EQ(value ? encode(*value) : bytes, bytes);
    }
    byte = before;
  }
  EXPECT_FALSE(decode<int>(std::string("\x80\x00", 2))) << "a needless byte";
  EXPECT_FALSE(decode<bool>("\x02"));
  EXPECT_FALSE(decode<std::set<int>>(std::string("\x02\x02\x02", 3))) << "twice the same";
  EXPECT_FALSE(decode<std::set<int>>(std::string("\x02\x04\x02", 3))) << "not in order";
}

TEST(ValueTest, HugeCountsAreRefused) {
  std::string bytes;
  encode_number(uint64_t{1} << 60U, bytes);
  EXPECT_FALSE(decode<std::vector<None0>>(bytes));
  EXPECT_FALSE(decode<std::string>(bytes));
}

TEST(ValueTest, RenamingReachesEveryId) {
  Everything value = sample();
  rename(value, {Id{1}, Id{2}, Id{0}});
  EXPECT_EQ(value.who, Id{2});
  EXPECT_EQ(value.voted, Id{0});
  EXPECT_EQ(value.pair.second, Id{1});
  const std::map<Id, std::set<Id>> heard{{Id{1}, {Id{2}}}, {Id{0}, {Id{0}, Id{1}}}};
  EXPECT_EQ(value.heard, heard);
  EXPECT_EQ(value.log, sample().log);
  rename(value, {Id{2}, Id{0}, Id{1}});
  EXPECT_EQ(value, sample());
}

TEST(ValueTest, Printed) {
  EXPECT_EQ(print(sample(), kThree),
            "Everything{yes: true, who: b, role: 1, voted: c, "
            "log: [Entry{term: -1, text: \"a\"\"b\"}, Entry{term: 7, text: \"\"}], "
            "heard: {a: {b}, c: {a, c}}, either: \"text\", pair: (-5, a), two: [-128, 127], "
            "bits: [true, false]}");
  EXPECT_EQ(print(None0{}, kThree), "None0");
  EXPECT_EQ(print(Id{7}, kThree), "#7");
  EXPECT_EQ(print(std::optional<int>(), kThree), "none");
}

std::vector<std::string> told(const auto& value) {
  std::vector<std::string> rows;
  Row row;
  facts(value, kThree, row, [&](const Row& columns) {
    std::string text;
    for (const Column& column : columns) {
      const auto* number = std::get_if<int64_t>(&column);
      text += (text.empty() ? "" : " ") +
              (number != nullptr ? std::to_string(*number) : std::get<std::string>(column));
    }
    rows.push_back(text);
  });
  return rows;
}

TEST(ValueTest, Facts) {
  using Rows = std::vector<std::string>;
  EXPECT_EQ(told(3), Rows{"3"});
  EXPECT_EQ(told(Id{1}), Rows{"b"});
  EXPECT_EQ(told(std::optional<int>()), Rows{});
  EXPECT_EQ(told(sample().heard), (Rows{"a b", "c a", "c c"}));
  EXPECT_EQ(told(sample().log), (Rows{"0 -1 a\"b", "1 7 "}));
  EXPECT_EQ(told(sample().pair), Rows{"-5 a"});
  EXPECT_EQ(told(sample().either), Rows{"text"});
}

}  // namespace
}  // namespace clew::node
