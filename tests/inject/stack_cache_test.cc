#include "inject/surface/stack_cache.h"

#include <gtest/gtest.h>

#include "tests/fuzz/stack_cache_property.h"

namespace clew::inject {
namespace {

StackPlace place(const std::string& name) {
  StackPlace made;
  made.rule.kind = FrameRule::Kind::kRule;
  made.rule.cfa = {FrameRule::Where::Base::kSp, false, 48};
  made.rule.return_address = {FrameRule::Where::Base::kCfa, true, -8};
  made.names = {name, "main (a.cc:3)"};
  return made;
}

std::string some_news() {
  StackCache cache;
  for (const std::string key : {"a:01", "b:02"}) {
    auto& module = (*cache.modules)[key];
    module = std::make_unique<StackCache::Module>();
    remember(*module, 0x1234, place("merge (a.cc:7)"));
    remember(*module, 0x10, place("b+0x10"));
  }
  return cache.take_news();
}

TEST(StackCache, KeepsWhatItIsSent) {
  const std::string bytes = some_news();
  StackCache cache;
  ASSERT_TRUE(cache.add_news(bytes));
  ASSERT_EQ(cache.modules->size(), 2U);
  EXPECT_EQ(cache.modules->at("a:01")->places.at(0x1234), place("merge (a.cc:7)"));
  EXPECT_EQ(cache.modules->at("b:02")->places.at(0x10), place("b+0x10"));
}

TEST(StackCache, KeepsWhatItHas) {
  StackCache cache;
  auto& module = (*cache.modules)["a:01"];
  module = std::make_unique<StackCache::Module>();
  remember(*module, 0x1234, place("first"));
  ASSERT_TRUE(cache.add_news(some_news()));
  EXPECT_EQ(cache.modules->at("a:01")->places.at(0x1234), place("first"));
}

TEST(StackCache, IsNotChangedByDamagedNews) {
  const std::string bytes = some_news();
  for (size_t size = 1; size < bytes.size(); ++size) {
    StackCache cache;
    EXPECT_FALSE(cache.add_news(bytes.substr(0, size))) << size;
    EXPECT_TRUE(cache.modules->empty()) << size;
  }
  StackCache cache;
  EXPECT_FALSE(cache.add_news(bytes + "x"));
  EXPECT_FALSE(cache.add_news("clewstk2" + bytes.substr(8)));
  EXPECT_TRUE(cache.modules->empty());
}

TEST(StackCache, SurvivesEveryByte) {
  const std::string bytes = some_news();
  size_t read = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(value);
      if (check_stack_cache_property(damaged)) ++read;
    }
  }
  EXPECT_GT(read, bytes.size());  // at least as it was
}

}  // namespace
}  // namespace clew::inject
