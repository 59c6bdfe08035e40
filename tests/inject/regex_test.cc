#include "inject/regex.h"

#include <gtest/gtest.h>

namespace clew::inject {
namespace {

// The groups of a match, or "no", or what is wrong with the pattern.
std::string matched(const std::string& pattern, const std::string& line) {
  const Result<Regex> regex = Regex::make(pattern);
  if (!regex.ok()) return regex.error().message;
  std::vector<std::string> groups;
  if (!regex->matches(line, &groups)) return "no";
  std::string told;
  for (const std::string& group : groups) told += "<" + group + ">";
  return told;
}

TEST(RegexTest, MatchesWholeLines) {
  struct Case {
    std::string pattern, line, told;
  };
  const std::vector<Case> table = {
      {"added (\\w+)", "added f1", "<added f1><f1>"},
      {"added (\\w+)", "added f1 ", "no"},
      {"(a|ab)(c|bcd)?", "abcd", "<abcd><a><bcd>"},
      {"(a*)*b", "aaab", "<aaab><aaa>"},
      {"(x)|(y)", "y", "<y><><y>"},
      {"[0-9]{4}-\\d{2}", "2026-11", "<2026-11>"},
      {".*", "with\ttab", "<with\ttab>"},
      {"\\$\\(.\\)", "$(x)", "<$(x)>"},
      {"[(]{2}", "((", "<((>"},
      {"(", "x", "Mismatched '(' and ')' in regular expression"},
      {"x{5000}", "x", "what repeats in it unrolls to more than 2,000 parts"},
      {"(a{50}){50}", "x", "what repeats in it unrolls to more than 2,000 parts"},
      {"((a{13}b{13}){13}){13}", "x", "what repeats in it unrolls to more than 2,000 parts"},
      {"[a{9999}]", "{", "<{>"},
      {"(?!x)y", "y", "look-ahead is not supported"},
      {std::string(3000, 'a'), "x", "it has 3,000 bytes: at most 2,000 are read"},
  };
  for (const Case& one : table) {
    EXPECT_EQ(matched(one.pattern, one.line), one.told) << one.pattern;
  }
  EXPECT_FALSE(Regex::make("(a)\\1").ok());
}

TEST(RegexTest, FindsAPart) {
  const Result<Regex> regex = Regex::make("^ready|listening on (\\d+)$");
  ASSERT_TRUE(regex.ok());
  EXPECT_EQ(regex->groups(), 1U);
  EXPECT_TRUE(regex->occurs_in("ready to serve"));
  EXPECT_TRUE(regex->occurs_in("now listening on 7000"));
  EXPECT_FALSE(regex->occurs_in("not ready"));
  EXPECT_FALSE(regex->occurs_in("listening on 7000 soon"));
}

// What makes others recurse until the stack is gone, or try every way to divide the line.
TEST(RegexTest, CostsInProportionToTheLine) {
  const Result<Regex> regex = Regex::make("(a*)*(a|aa)+(.*)*b");
  ASSERT_TRUE(regex.ok());
  EXPECT_FALSE(regex->matches(std::string(3000, 'a')));
  EXPECT_TRUE(regex->matches(std::string(3000, 'a') + "b"));
  const Result<Regex> any = Regex::make(".*(x).*");
  ASSERT_TRUE(any.ok());
  std::string line(Regex::kMostLine, '-');
  line[7] = 'x';
  EXPECT_TRUE(any->matches(line));
  EXPECT_FALSE(any->matches(line + "-"));  // too long for any pattern
}

}  // namespace
}  // namespace clew::inject
