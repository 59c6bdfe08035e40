// How much memory and time the user grants, as he writes it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/budget.h"
#include "check/memory.h"
#include "check/session.h"

namespace clew::check {
namespace {

TEST(Amounts, OfMemory) {
  constexpr uint64_t kMega = uint64_t{1} << 20U;
  const std::pair<const char*, uint64_t> table[] = {
      {"200000000", 200'000'000},     {"262144K", 256 * kMega},    {"262144KB", 256 * kMega},
      {"262144KiB", 256 * kMega},     {"128M", 128 * kMega},       {"1500MB", 1500 * kMega},
      {"1500MiB", 1500 * kMega},      {"1.5G", 1536 * kMega},      {"2GB", 2048 * kMega},
      {"2GiB", 2048 * kMega},         {"1T", 1024 * 1024 * kMega}, {"1TB", 1024 * 1024 * kMega},
      {"0.5TiB", 512 * 1024 * kMega},
  };
  for (const auto& [text, bytes] : table) {
    const Result<uint64_t> size = parse_size(text);
    ASSERT_TRUE(size.ok()) << text;
    EXPECT_EQ(*size, bytes) << text;
  }
}

TEST(Amounts, OfMemoryThatAreNone) {
  const std::pair<const char*, const char*> table[] = {
      {"", "\"\" is not an amount of memory"},
      {"G", "\"G\" is not an amount of memory"},
      {"3X", "\"3X\" is not an amount of memory"},
      {"2 G", "\"2 G\" is not an amount of memory"},
      {"-1G", "\"-1G\" is not an amount of memory"},
      {"0", "\"0\" is not an amount of memory"},
      {"1000T", "\"1000T\" is not an amount of memory"},
      {"127M", "127M of memory is too little to work with"},
  };
  for (const auto& [text, message] : table) {
    const Result<uint64_t> size = parse_size(text);
    ASSERT_FALSE(size.ok()) << text;
    EXPECT_EQ(size.error().message, message);
  }
}

TEST(Amounts, OfTime) {
  const std::pair<const char*, int64_t> table[] = {
      {"500ms", 500},  {"90", 90'000},    {"90s", 90'000},   {"1.5s", 1500},
      {"2m", 120'000}, {"2min", 120'000}, {"1h", 3'600'000}, {"0.5h", 1'800'000},
  };
  for (const auto& [text, milliseconds] : table) {
    const Result<std::chrono::milliseconds> length = parse_duration(text);
    ASSERT_TRUE(length.ok()) << text;
    EXPECT_EQ(length->count(), milliseconds) << text;
  }
}

TEST(Amounts, OfTimeThatAreNone) {
  for (const char* text : {"", "s", "1 s", "1d", "-1s", "0", "0ms", "1000000h"}) {
    const Result<std::chrono::milliseconds> length = parse_duration(text);
    ASSERT_FALSE(length.ok()) << text;
    EXPECT_EQ(length.error().message, fmt::format("\"{}\" is not a length of time", text));
  }
}

// What follows a search that goes on as long as it may has some time of its own.
TEST(Amounts, OfTheSearch) {
  const auto length = [](bool fixed, bool all, const char* certificate, const char* report) {
    Wanted wanted;
    if (fixed) wanted.eot = wanted.eff = 4;
    wanted.settings.all = all;
    wanted.certificate = certificate;
    wanted.outputs.report = report;
    return search_length(wanted, std::chrono::milliseconds(1000)).count();
  };
  constexpr bool kFixed = true, kSwept = false, kAll = true, kOne = false;
  EXPECT_EQ(length(kSwept, kOne, "", ""), 1000);
  EXPECT_EQ(length(kSwept, kOne, "", "page.html"), 900);
  EXPECT_EQ(length(kSwept, kAll, "", ""), 900);
  EXPECT_EQ(length(kSwept, kAll, "proof", "page.html"), 500);
  EXPECT_EQ(length(kFixed, kOne, "proof", "page.html"), 1000);
  EXPECT_EQ(length(kFixed, kAll, "", ""), 900);
  EXPECT_EQ(length(kFixed, kAll, "", "page.html"), 900);
}

}  // namespace
}  // namespace clew::check
