// Real files that are brought into crash states, against the same states built from nothing.
#include "inject/disk/restore.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/random.h"
#include "tests/inject/disk_files.h"
#include "tests/inject/disk_writer.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kAtFirst = {"a=12", "b=34", "d/", "d/a=5", "d/b=6"};
const std::vector<std::string> kPaths = {"a", "b", "c", "d/a", "d/b", "d/c", "e/a"};

// A folder in which what is done really happens, and is told to a Disk.
class RealFolder {
 public:
  RealFolder() {
    fs::copy(base_.path() + "/0", path(), fs::copy_options::recursive);
    disk.look();
  }

  std::string path(const std::string& name = "") const {
    return work_.path() + "/0" + (name.empty() ? "" : "/" + name);
  }
  bool has(const std::string& name) const { return fs::is_regular_file(path(name)); }

  void write(const std::string& name, uint64_t at, const std::string& bytes) {
    const bool is_new = !has(name);
    if (is_new && !fs::exists(fs::path(path(name)).parent_path())) return;
    const int file = ::open(path(name).c_str(), O_RDWR | O_CREAT, 0644);
    ASSERT_GE(file, 0) << name;
    ASSERT_EQ(::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at)),
              static_cast<ssize_t>(bytes.size()));
    ::close(file);
    if (is_new) tell.create(name);
    tell.write(name, at, bytes);
  }
  void rename(const std::string& from, const std::string& to) {
    if (!has(from) || !fs::exists(fs::path(path(to)).parent_path()) || from == to) return;
    fs::rename(path(from), path(to));
    tell.rename(from, to);
  }
  void link(const std::string& from, const std::string& to) {
    if (!has(from) || has(to) || !fs::exists(fs::path(path(to)).parent_path())) return;
    fs::create_hard_link(path(from), path(to));
    tell.link(from, to);
  }
  void unlink(const std::string& name) {
    if (has(name) && fs::remove(path(name))) tell.unlink(name);
  }
  void make_folder() {
    if (fs::create_directory(path("e"))) tell.mkdir("e");
  }

  // What somebody else does.
  void write_unseen(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  // The state as build() writes it, and as restore() leaves it.
  void expect_the_same(const std::string& keeps) {
    const std::string built = files_of(disk, keeps);
    const Status restored = disk.restore(keeps);
    ASSERT_TRUE(restored.ok()) << restored.error().message;
    EXPECT_EQ(files_below(path()), built) << keeps;
    EXPECT_EQ(files_of(disk, "none"), built) << keeps;
  }

 private:
  BaseFolder base_{kAtFirst};
  BaseFolder work_{{}};

 public:
  Disk disk{{path()}, base_.path()};
  DiskWriter tell{disk, path()};
};

void do_something(RealFolder& folder, Random& random) {
  const std::string name = random.pick(kPaths);
  switch (random.uniform_below(10)) {
    case 0:
    case 1:
    case 2:
      return folder.write(name, random.uniform_below(3), random.chance(0.5) ? "x" : "yz");
    case 3:
      return folder.rename(name, random.pick(kPaths));
    case 4:
      return folder.link(name, random.pick(kPaths));
    case 5:
      return folder.unlink(name);
    case 6:
      return folder.make_folder();
    case 7:
      if (folder.has(name)) folder.tell.fsync(name);
      return;
    case 8:
      return folder.tell.fsync("");
    default:
      if (random.chance(0.3)) folder.tell.fsync("d");
  }
}

TEST(Restore, IsWhatBuildWrites) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    RealFolder folder;
    for (int cut = 0; cut < 4; ++cut) {
      for (int step = 0; step < 8; ++step) do_something(folder, random);
      if (random.chance(0.2)) folder.write_unseen("stranger", "?");
      folder.expect_the_same(random.pick(folder.disk.choices(1000)));
    }
    EXPECT_TRUE(folder.disk.warnings().empty()) << folder.disk.warnings().front().what;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

ino_t number_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_ino;
}

TEST(Restore, LeavesAloneWhatIsAsItWas) {
  RealFolder folder;
  const ino_t a = number_of(folder.path("a"));
  const ino_t b = number_of(folder.path("d/b"));
  folder.write("b", 0, "x");
  folder.expect_the_same("none");
  EXPECT_EQ(number_of(folder.path("a")), a);
  EXPECT_EQ(number_of(folder.path("d/b")), b);
  folder.write("a", 0, "x");
  folder.tell.fsync("a");
  folder.expect_the_same("none");
  EXPECT_EQ(number_of(folder.path("d/b")), b);
  EXPECT_EQ(files_below(folder.path()), "a=x2 b=34 d/ d/a=5 d/b=6");
}

TEST(Restore, TakesBackWhatNobodySaw) {
  RealFolder folder;
  ::usleep(20'000);  // kernels may count time in steps of some milliseconds
  folder.write_unseen("a", "!!");
  folder.write_unseen("d/new", "!");
  fs::remove(folder.path("d/b"));
  fs::create_directory(folder.path("f"));
  fs::permissions(folder.path("b"), fs::perms::owner_read);
  folder.expect_the_same("all");
  EXPECT_EQ(fs::status(folder.path("b")).permissions(), fs::perms{0644});
}

// The time of change of a file in memory does not tell of writes through a map.
TEST(Restore, TakesBackWhatIsWrittenThroughAMap) {
  RealFolder folder;
  const int file = ::open(folder.path("a").c_str(), O_RDWR);
  DiskCall map = folder.tell.call(SYS_mmap, "a");
  map.flags = MAP_SHARED;
  map.writable = true;
  folder.disk.note(map);
  void* const bytes = ::mmap(nullptr, 2, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(bytes, MAP_FAILED);
  static_cast<char*>(bytes)[0] = '!';
  ::munmap(bytes, 2);
  ::close(file);
  folder.expect_the_same("all");
}

TEST(Restore, AFolderThatIsNotThere) {
  const BaseFolder base({"a=1"});
  Disk disk({"/nowhere/state"}, base.path());
  disk.look();
  const Status restored = disk.restore("none");
  ASSERT_FALSE(restored.ok());
  EXPECT_EQ(restored.error().message,
            "cannot bring /nowhere/state into a crash state: there is no such file or folder");
}

}  // namespace
}  // namespace clew::inject
