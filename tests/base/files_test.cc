#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/patience.h"

namespace clew {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "clew-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string get(const std::string& name) const {
    Result<std::string> text = read_file(path(name), 1'000'000);
    return text.ok() ? *text : "(" + text.error().message + ")";
  }
  size_t entries() const {
    auto all = fs::directory_iterator(folder_);
    return static_cast<size_t>(std::distance(fs::begin(all), fs::end(all)));
  }

  fs::path folder_;
};

TEST_F(Files, ReadsAllBytes) {
  std::string text("a\0b\r\n\xFF", 6);
  put("f", text);
  EXPECT_EQ(get("f"), text);
  put("empty", "");
  EXPECT_EQ(get("empty"), "");
}

TEST_F(Files, ReadsUpToTheLimitOnly) {
  put("f", std::string(1000, 'x'));
  ASSERT_TRUE(read_file(path("f"), 1000).ok());
  Result<std::string> text = read_file(path("f"), 999);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, "cannot read " + path("f") + ": it has more than 999 bytes");
  EXPECT_FALSE(text.error().remedy.empty());
}

TEST_F(Files, EndlessFilesAreBounded) {
  Result<std::string> text = read_file("/dev/zero", 1'000'000);
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, "cannot read /dev/zero: it has more than 1,000,000 bytes");
}

TEST_F(Files, PipesAreReadToTheirEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { put("pipe", std::string(300'000, 'x')); });
  Result<std::string> text = read_file(path("pipe"), 1'000'000);
  writer.join();
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text->size(), 300'000U);
}

TEST_F(Files, SaysWhyAFileCannotBeRead) {
  Result<std::string> missing = read_file(path("missing"), 10);
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message,
            "cannot read " + path("missing") + ": there is no such file or folder");
  EXPECT_EQ(missing.error().remedy, "check the path");

  Result<std::string> folder = read_file(folder_.string(), 10);
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().message, "cannot read " + folder_.string() + ": it is a directory");
  EXPECT_EQ(folder.error().remedy, "name a file in it");
}

TEST_F(Files, SaysThatPermissionIsMissing) {
  put("f", "secret");
  ASSERT_EQ(::chmod(path("f").c_str(), 0), 0);
  constexpr uid_t kNobody = 65534;
  bool superuser = ::geteuid() == 0;  // who may read everything
  if (superuser) {
    ASSERT_EQ(::seteuid(kNobody), 0);
  }
  Result<std::string> text = read_file(path("f"), 10);
  if (superuser) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message, "cannot read " + path("f") + ": Permission denied");
  EXPECT_EQ(text.error().remedy, "check the permissions of the file and of the folders above it");
}

TEST_F(Files, WritesNewFilesAndReplacesOldOnes) {
  ASSERT_TRUE(write_file_atomically(path("f"), "one").ok());
  EXPECT_EQ(get("f"), "one");
  ASSERT_TRUE(write_file_atomically(path("f"), "").ok());
  EXPECT_EQ(get("f"), "");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, KeepsTheModeAndFollowsLinks) {
  put("f", "old");
  ASSERT_EQ(::chmod(path("f").c_str(), 0640), 0);
  fs::create_symlink("f", path("link"));
  ASSERT_TRUE(write_file_atomically(path("link"), "new").ok());
  EXPECT_EQ(get("f"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  struct stat status {};
  ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
  EXPECT_EQ(entries(), 2U);
}

TEST_F(Files, NewFilesObeyTheUmask) {
  mode_t before = ::umask(027);
  Status written = write_file_atomically(path("f"), "text");
  ::umask(before);
  ASSERT_TRUE(written.ok());
  struct stat status {};
  ASSERT_EQ(::stat(path("f").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(Files, DevicesAreWrittenInPlace) {
  ASSERT_TRUE(write_file_atomically("/dev/null", "text").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, FailedWritesLeaveNothingBehind) {
  Status nowhere = write_file_atomically(path("none/f"), "text");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().message,
            "cannot write " + path("none/f") + ": there is no such file or folder");
  Status folder = write_file_atomically(folder_.string(), "text");
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().message, "cannot write " + folder_.string() + ": it is a directory");
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Files, AFullDiskLeavesTheOldText) {
  put("f", "old");
  auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small {
    10, before.rlim_max
  };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  Status written = write_file_atomically(path("f"), std::string(1000, 'x'));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, ignored);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message,
            "cannot write " + path("f") +
                ": it would be larger than a file may be (ulimit -f); it is as it was before");
  EXPECT_EQ(written.error().remedy, "raise the limit: ulimit -f unlimited");
  EXPECT_EQ(get("f"), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, SaysWhatIsWrongWithADisk) {
  struct Row {
    int code;
    const char* why;
    const char* remedy;
  };
  const Row rows[] = {
      {ENOSPC, "the disk is full", "make room on the disk, or choose a place on another one"},
      {EDQUOT, "your share of the disk (quota) is used up",
       "make room on the disk, or choose a place on another one"},
      {EROFS, "the disk can only be read", "choose a place that can be written to"},
      {EACCES, "Permission denied",
       "check the permissions of the file and of the folders above it"}};
  for (const Row& row : rows) {
    const Error error = cannot_write("f", row.code, "nothing was written");
    EXPECT_EQ(error.message, fmt::format("cannot write f: {}; nothing was written", row.why));
    EXPECT_EQ(error.remedy, row.remedy);
  }
  EXPECT_EQ(cannot_write("f", ENOSPC).message, "cannot write f: the disk is full");
}

TEST_F(Files, APipeIsWrittenToItsReader) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string text(300'000, 'x');
  std::string read;
  std::thread reader([&] { read = get("pipe"); });
  const Status written = write_file_atomically(path("pipe"), text);
  reader.join();
  ASSERT_TRUE(written.ok());
  EXPECT_EQ(read, text);
  EXPECT_TRUE(is_stream(path("pipe")));
}

TEST_F(Files, APipeWithoutTheOtherEndIsGivenUp) {
  ASSERT_EQ(::mkfifo(path("out").c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(path("in").c_str(), 0600), 0);
  std::string written;
  std::thread writer([&] { written = write_file_atomically(path("out"), "text").error().message; });
  const Result<std::string> text = read_file(path("in"), 10);
  writer.join();
  EXPECT_EQ(written, "cannot write " + path("out") + ": it is a pipe that nobody reads");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().message,
            "cannot read " + path("in") + ": it is a pipe that nobody writes to");
}

TEST_F(Files, WhatStderrGoesToIsNotReplaced) {
  const int before = ::dup(STDERR_FILENO);
  put("f", "");
  const int file = ::open(path("f").c_str(), O_WRONLY | O_APPEND);
  ASSERT_EQ(::dup2(file, STDERR_FILENO), STDERR_FILENO);
  const bool stream = is_stream(path("f"));
  const bool first = write_all(STDERR_FILENO, "printed ");
  const Status written = write_file_atomically(path("f"), "written");
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  ::close(file);
  EXPECT_TRUE(stream && first && written.ok());
  EXPECT_EQ(get("f"), "printed written");
  EXPECT_FALSE(is_stream(path("f")));
}

// There is no such file, which nobody notices who does not wait for it.
TEST_F(Files, NobodyWaitsInAHurry) {
  EXPECT_FALSE(sync_to_disk(-1));
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(patience(), std::chrono::seconds(10));
  hurry();
  EXPECT_TRUE(sync_to_disk(-1));
  EXPECT_EQ(patience(), std::chrono::milliseconds(500));
  EXPECT_STREQ(in_words(patience()), "half a second");
  internal::g_hurry = false;  // other tests have time
}

}  // namespace
}  // namespace clew
