#include "base/temporary.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "base/files.h"

namespace clew {
namespace {

namespace fs = std::filesystem;

class Temporary : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "clew-temporary-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string get(const std::string& name) const { return *read_file(path(name), 1000); }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      all.push_back(entry.path().filename());
    }
    std::ranges::sort(all);
    return all;
  }

  std::string folder_;
};

using Names = std::vector<std::string>;

// What a process that gets killed has made.
template <class Work>
void killed_after(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    [[maybe_unused]] const auto made = work();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST_F(Temporary, BothKindsTakeThePlace) {
  for (const bool named : {false, true}) {
    for (const char* text : {"new", "replaced"}) {
      TemporaryFile file =
          named ? TemporaryFile::with_name(folder_) : TemporaryFile::without_name(folder_);
      ASSERT_TRUE(file.valid());
      ASSERT_TRUE(write_all(file.descriptor(), text));
      ASSERT_TRUE(file.take_place_of(path("f")));
      EXPECT_EQ(get("f"), text);
      EXPECT_EQ(names(), Names{"f"});
    }
    fs::remove(path("f"));
  }
}

TEST_F(Temporary, WhatIsNotPlacedIsRemoved) {
  {
    const TemporaryFile file = TemporaryFile::with_name(folder_);
    const TemporaryFolder folder(folder_);
    ASSERT_TRUE(file.valid() && folder.valid());
    std::ofstream(folder.path() + "/inside") << "text";
    EXPECT_EQ(names().size(), 2U);
  }
  EXPECT_EQ(names(), Names{});
}

TEST_F(Temporary, AKilledWriterLeavesNothingForGood) {
  killed_after([&] { return TemporaryFile::without_name(folder_); });
  EXPECT_EQ(names(), Names{});
  killed_after([&] { return TemporaryFile::with_name(folder_); });
  killed_after([&] {
    auto folder = std::make_unique<TemporaryFolder>(folder_);
    std::ofstream(folder->path() + "/inside") << "text";
    return folder;
  });
  EXPECT_EQ(names().size(), 2U);
  ASSERT_TRUE(write_file_atomically(path("f"), "text").ok());
  EXPECT_EQ(names(), Names{"f"});
}

TEST_F(Temporary, WhatIsInUseAndWhatIsNotOursStays) {
  TemporaryFile file = TemporaryFile::with_name(folder_);
  const TemporaryFolder folder(folder_);
  for (const char* name : {".clew-notes", ".clew-1-", ".clew-1", ".clew-1-2-3", "clew-1-2"}) {
    std::ofstream(path(name)) << "mine";
  }
  fs::create_symlink("clew-1-2", path(".clew-4-4"));
  ASSERT_EQ(::mkfifo(path(".clew-5-5").c_str(), 0600), 0);
  const size_t before = names().size();
  killed_after([&] { return remove_leftovers(folder_), 0; });  // by another process
  remove_leftovers(folder_);
  EXPECT_EQ(names().size(), before);
  std::ofstream(path(".clew-3-3")) << "dead";
  remove_leftovers(folder_);
  EXPECT_EQ(names().size(), before);
  ASSERT_TRUE(file.take_place_of(path("f")));
}

TEST_F(Temporary, ReadersShareAFolderAndWritersDoNot) {
  Result<Descriptor> one = lock_folder(folder_, Access::kRead);
  Result<Descriptor> two = lock_folder(folder_, Access::kRead);
  ASSERT_TRUE(one.ok() && one->valid() && two.ok() && two->valid());
  const Result<Descriptor> writer = lock_folder(folder_, Access::kWrite);
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().message,
            folder_ + " has been in use by another process for ten seconds");
  one->close();
  two->close();
  EXPECT_TRUE(lock_folder(folder_, Access::kWrite).ok());
}

}  // namespace
}  // namespace clew
