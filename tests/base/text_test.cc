#include "base/text.h"

#include <gtest/gtest.h>

namespace clew {
namespace {

TEST(Text, EditDistance) {
  struct Row {
    const char* a;
    const char* b;
    size_t distance;
  };
  const Row rows[] = {
      {"", "", 0},          {"", "abc", 3},       {"log", "log", 0},
      {"log", "lag", 1},    {"log", "lo", 1},     {"log", "logs", 1},
      {"log", "lgo", 1},    {"log", "LOG", 1},    {"Node", "nodes", 2},
      {"ab", "ba", 1},      {"abcd", "badc", 2},  {"kitten", "sitting", 3},
      {"NODE", "nodes", 2}, {"bcast", "cast", 1}, {"received", "recieved", 1},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(edit_distance(row.a, row.b), row.distance) << row.a << " " << row.b;
    EXPECT_EQ(edit_distance(row.b, row.a), row.distance) << row.b << " " << row.a;
  }
}

TEST(Text, ClosestSuggestsOnlyPlausibleWords) {
  struct Row {
    const char* word;
    std::vector<std::string> candidates;
    const char* result;  // nullptr: none
  };
  const Row rows[] = {
      {"lgo", {"log", "ack"}, "log"},
      {"LOG", {"log"}, "log"},
      {"log", {"log"}, nullptr},
      {"log", {}, nullptr},
      {"log", {"node", "bcast"}, nullptr},
      {"X", {"Y", "Z"}, nullptr},
      {"x", {"Y", "X"}, "X"},
      {"recieve", {"receive", "received"}, "receive"},
      {"delivered", {"deliver"}, "deliver"},
      {"abc", {"abd", "abe"}, "abd"},
      {"ab", {"abcd"}, nullptr},
  };
  for (const Row& row : rows) {
    std::optional<std::string> found = closest(row.word, row.candidates);
    EXPECT_EQ(found.value_or("(none)"), row.result == nullptr ? "(none)" : row.result) << row.word;
  }
}

TEST(Text, ClosestIgnoresVeryLongWords) {
  std::string word(100'000, 'a');
  EXPECT_EQ(closest(word, {word + "a"}), std::nullopt);
}

TEST(Text, FindsTheFirstInvalidByte) {
  struct Row {
    std::string text;
    std::optional<size_t> place;
  };
  const Row rows[] = {
      {"", std::nullopt},
      {"plain", std::nullopt},
      {"h\xC3\xA9, \xE2\x82\xAC, \xF0\x9F\x98\x80", std::nullopt},
      {"\xED\x9F\xBF \xEE\x80\x80 \xF4\x8F\xBF\xBF", std::nullopt},
      {"ab\xFF", 2},            // never part of UTF-8
      {"a\x80", 1},             // continues nothing
      {"a\xC3", 1},             // ends too early
      {"\xE2\x82", 0},          // ends too early
      {"\xE2\x28\xA1", 0},      // second byte
      {"\xE2\x82\x28", 0},      // third byte
      {"\xC0\xAF", 0},          // overlong
      {"\xE0\x80\xAF", 0},      // overlong
      {"\xF0\x80\x80\xAF", 0},  // overlong
      {"x\xED\xA0\x80", 1},     // surrogate
      {"\xF4\x90\x80\x80", 0},  // beyond U+10FFFF
      {"\xF5\x80\x80\x80", 0},  // beyond U+10FFFF
  };
  for (const Row& row : rows) EXPECT_EQ(find_invalid_utf8(row.text), row.place) << row.text;
}

// As the standard draws it (RFC 3629), without looking at what is valid.
std::string utf8_of(uint32_t code) {
  const auto byte = [](uint32_t bits) { return static_cast<char>(bits); };
  if (code < 0x80) return {byte(code)};
  const char last = byte(0x80U | (code & 0x3FU));
  if (code < 0x800) return {byte(0xC0U | code >> 6U), last};
  const char third = byte(0x80U | (code >> 6U & 0x3FU));
  if (code < 0x10000) return {byte(0xE0U | code >> 12U), third, last};
  return {byte(0xF0U | code >> 18U), byte(0x80U | (code >> 12U & 0x3FU)), third, last};
}

TEST(Text, EveryCodePointIsValidUtf8ButSurrogates) {
  for (uint32_t code = 0; code < 0x200000; ++code) {
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    const bool valid = !surrogate && code <= 0x10FFFF;
    const std::string text = "a" + utf8_of(code) + "b";
    const std::optional<size_t> invalid = find_invalid_utf8(text);
    ASSERT_EQ(invalid, valid ? std::nullopt : std::optional<size_t>(1)) << code;
    if (code < 0x80 || !valid) continue;
    ASSERT_EQ(find_invalid_utf8(text.substr(0, text.size() - 2)), 1U) << code;
  }
}

TEST(Text, ReplacesInvalidBytes) {
  EXPECT_EQ(with_valid_utf8(""), "");
  EXPECT_EQ(with_valid_utf8("h\xC3\xA9"), "h\xC3\xA9");
  EXPECT_EQ(with_valid_utf8("\xC3(\xFF\xFE\xE2\x82"), "?(????");
}

TEST(Text, CountsCodePoints) {
  EXPECT_EQ(count_code_points(""), 0U);
  EXPECT_EQ(count_code_points("abc"), 3U);
  EXPECT_EQ(count_code_points("h\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), 4U);
}

TEST(Text, Numbers) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
  EXPECT_EQ(with_thousands(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(count_noun(0, "fact"), "0 facts");
  EXPECT_EQ(count_noun(1, "fact"), "1 fact");
  EXPECT_EQ(count_noun(1234, "fact"), "1,234 facts");
}

TEST(Text, FlowBreaksBetweenItems) {
  EXPECT_EQ(flow({}, "a: ", "   "), "a: ");
  EXPECT_EQ(flow({"one"}, "a: ", "   "), "a: one");
  EXPECT_EQ(flow({"one", "two", "six"}, "a: ", "   ", 11), "a: one  two\n   six");
  EXPECT_EQ(flow({"one", "two"}, "a: ", "   ", 10), "a: one\n   two");
  EXPECT_EQ(flow({"much too long", "b"}, "a: ", "   ", 10), "a: much too long\n   b");
  EXPECT_EQ(flow({"\xC3\xA9\xC3\xA9\xC3\xA9", "two"}, "", "", 8), "\xC3\xA9\xC3\xA9\xC3\xA9  two");
}

TEST(Text, QuotesCanBeToldFromTheEnd) {
  EXPECT_EQ(quoted(""), "\"\"");
  EXPECT_EQ(quoted("a b"), "\"a b\"");
  EXPECT_EQ(quoted("a\"b\""), "\"a\"\"b\"\"\"");
}

TEST(Text, FingerprintIsFnv1a) {
  EXPECT_EQ(fingerprint(""), "cbf29ce484222325");
  EXPECT_EQ(fingerprint("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(fingerprint("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace clew
