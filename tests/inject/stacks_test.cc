#include "inject/surface/stacks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <algorithm>
#include <string>
#include <vector>

#include "inject/surface/stack_cache.h"
#include "tests/inject/stopped.h"

namespace clew::inject {
namespace {

std::string program(const std::string& variant) {
  return fmt::format("{}_{}", CLEW_STACKED, variant);
}

using Words = std::vector<std::string>;

Stacks::Walked walk(const std::string& variant, Words words, StackCache& cache) {
  words.insert(words.begin(), program(variant));
  Stopped child(words);
  const std::optional<StoppedCall> call = child.next(SYS_fsync);
  if (!call) return {};
  Stacks stacks(cache);
  return stacks.walk(*call);
}

// Without what belongs to the library of C, which differs between machines.
Words own(const std::vector<std::string>& frames) {
  Words kept;
  for (const std::string& frame : frames) {
    const bool in_library = frame.starts_with("libc.so.") || frame.starts_with("stacked_static");
    if (!in_library && frame.find(":_start+") == std::string::npos) kept.push_back(frame);
  }
  return kept;
}

struct Case {
  std::string variant;
  Words words;
  Words expected;  // the frames of the program itself
};

const Words kMerge = {"store::Log::write (stacked.cc:19)", "checked (stacked.cc:27)",
                      "merge (stacked.cc:32)", "main (stacked.cc:68)"};

TEST(Stacks, NamesWhatTheDebugInformationKnows) {
  const std::vector<Case> cases = {
      {"dwarf5", {"merge"}, kMerge},
      {"dwarf4", {"merge"}, kMerge},
      {"static", {"merge"}, kMerge},
      {"no_id", {"merge"}, kMerge},
      {"dwarf5",
       {"deep", "2"},
       {"store::Log::write (stacked.cc:19)", "deeper (stacked.cc:38)", "deeper (stacked.cc:40)",
        "deeper (stacked.cc:40)", "main (stacked.cc:69)"}},
      {"dwarf5",
       {"signal"},
       {"store::Log::write (stacked.cc:19)", "on_signal (stacked.cc:56)", "main (stacked.cc:73)"}},
      {"dwarf5", {"thread"}, {"store::Log::write (stacked.cc:19)", "in_thread (stacked.cc:61)"}},
  };
  for (const Case& one : cases) {
    StackCache cache;
    const Stacks::Walked walked = walk(one.variant, one.words, cache);
    EXPECT_EQ(own(walked.frames), one.expected) << one.variant << " " << one.words.front();
    EXPECT_FALSE(walked.truncated) << one.variant << " " << one.words.front();
  }
}

// `stacked_bare+0x1234`, or `stacked_bare:main+0x1b` where there are symbols.
bool is_place_in(const std::string& frame, const std::string& module) {
  return frame.starts_with(module) && frame.find("+0x") != std::string::npos;
}

TEST(Stacks, FollowsFramePointersWhereThereIsNoUnwindInformation) {
  StackCache cache;
  const Stacks::Walked walked = walk("bare", {"deep", "5"}, cache);
  // Without symbols: write, six times deeper, main. What the library's frames are is known again.
  const auto count = std::ranges::count_if(
      walked.frames, [](const std::string& frame) { return is_place_in(frame, "stacked_bare+"); });
  EXPECT_GE(count, 8) << testing::PrintToString(walked.frames);
}

TEST(Stacks, NamesSymbolsWhereThereIsNoDebugInformation) {
  StackCache cache;
  const Words frames = own(walk("symbols", {"merge"}, cache).frames);
  ASSERT_GE(frames.size(), 3U);
  EXPECT_TRUE(frames[0].starts_with("stacked_symbols:store::Log::write+0x")) << frames[0];
  EXPECT_TRUE(frames[1].starts_with("stacked_symbols:_Z5mergeRN5store3LogE+0x")) << frames[1];
  EXPECT_TRUE(frames[2].starts_with("stacked_symbols:main+0x")) << frames[2];
}

TEST(Stacks, EndsWhereItIsKnownToEnd) {
  StackCache cache;
  const Stacks::Walked walked = walk("dwarf5", {"merge"}, cache);
  EXPECT_FALSE(walked.truncated);
  ASSERT_FALSE(walked.frames.empty());
  EXPECT_EQ(walked.frames.back().rfind("stacked_dwarf5:_start+0x", 0), 0U) << walked.frames.back();
}

TEST(Stacks, TellsThatAStackIsDamaged) {
  for (const std::string variant : {"dwarf5", "bare", "static"}) {
    StackCache cache;
    const Stacks::Walked walked = walk(variant, {"smash"}, cache);
    EXPECT_TRUE(walked.truncated) << variant;
    EXPECT_GE(walked.frames.size(), 2U) << variant;
    EXPECT_LE(walked.frames.size(), 5U) << variant;
  }
}

TEST(Stacks, HasAnEnd) {
  StackCache cache;
  const Stacks::Walked walked = walk("dwarf5", {"deep", "100000"}, cache);
  EXPECT_EQ(walked.frames.size(), kMostFrames);
  EXPECT_FALSE(walked.truncated);
}

TEST(Stacks, AreTheSameInTenRuns) {
  for (const std::string variant : {"dwarf5", "bare", "static", "symbols", "no_id"}) {
    StackCache first_cache;
    const Stacks::Walked first = walk(variant, {"deep", "3"}, first_cache);
    for (int i = 0; i < 10; ++i) {
      StackCache cache;
      const Stacks::Walked again = walk(variant, {"deep", "3"}, cache);
      EXPECT_EQ(again.frames, first.frames) << variant;
      EXPECT_EQ(again.truncated, first.truncated) << variant;
    }
  }
}

TEST(Stacks, KnowFromTheirCacheWhatTheyHaveLearned) {
  StackCache cache;
  const Stacks::Walked first = walk("dwarf5", {"merge"}, cache);
  const std::string news = cache.take_news();
  EXPECT_FALSE(news.empty());
  EXPECT_TRUE(cache.take_news().empty());
  StackCache other;
  ASSERT_TRUE(other.add_news(news));
  EXPECT_TRUE(other.take_news().empty());
  EXPECT_EQ(walk("dwarf5", {"merge"}, other).frames, first.frames);
  EXPECT_TRUE(other.take_news().empty()) << "all of it was known";
}

TEST(Stacks, LookAgainAtWhatHasBeenForgotten) {
  StackCache cache;
  Stacks stacks(cache);
  Stopped child({program("dwarf5"), "often"});
  const std::optional<StoppedCall> call = child.next(SYS_fsync);
  ASSERT_TRUE(call);
  const Words frames = stacks.walk(*call).frames;
  EXPECT_EQ(stacks.walk(*call).frames, frames);
  stacks.forget(child.process());
  EXPECT_EQ(stacks.walk(*call).frames, frames);
}

TEST(Stacks, OfNobodyAreEmpty) {
  StackCache cache;
  Stacks stacks(cache);
  StoppedCall call;
  {
    Stopped child({program("dwarf5"), "merge"});
    call = child.next(SYS_fsync).value();
  }
  const Stacks::Walked walked = stacks.walk(call);
  EXPECT_TRUE(walked.frames.empty());
  EXPECT_TRUE(walked.truncated);
}

}  // namespace
}  // namespace clew::inject
