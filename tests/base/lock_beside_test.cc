#include "base/lock_beside.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace clew {
namespace {

namespace fs = std::filesystem;

class LockBesideTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "clew-lock-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

// example: src/base/lock_beside.h
TEST_F(LockBesideTest, IsTakenOnceAndGivenBack) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  {
    std::optional<LockBeside> lock = LockBeside::take("kept");
    ASSERT_TRUE(lock);
    EXPECT_TRUE(fs::exists("kept.lock"));
    EXPECT_FALSE(LockBeside::take("kept"));
    EXPECT_TRUE(LockBeside::take("other"));
  }
  EXPECT_FALSE(fs::exists("kept.lock"));
  EXPECT_TRUE(LockBeside::take("kept"));
  fs::current_path(before);
}

TEST_F(LockBesideTest, IsNoneWhereNothingCanBeLocked) {
  EXPECT_TRUE(LockBeside::take((folder_ / "nowhere" / "kept").string()));
}

}  // namespace
}  // namespace clew
