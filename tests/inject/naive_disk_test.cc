// The disk model against its slow twin: over thousands of random sequences of operations, what is
// offered is legal, and what has to be offered is.
#include "tests/inject/naive_disk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "tests/inject/disk_files.h"
#include "tests/inject/disk_writer.h"

namespace clew::inject {
namespace {

const std::vector<std::string> kBase = {"a=12", "d/", "d/b=3", "c/"};
const std::vector<std::string> kFolders = {"", "c", "d", "e", "c/d"};
const std::vector<std::string> kNames = {"a", "b", "c/a", "d/a", "d/b", "e/a"};

TEST(NaiveDisk, Example) {
  NaiveDisk naive({"a=1", "d/"});
  naive.write(naive.look_up("a"), 0, "xy", false);
  EXPECT_EQ(naive.legal(), (std::set<std::string>{"a=1 d/", "a=x d/", "a=xy d/", "a=10 d/"}));
}

// Does the same to both.
class Pair {
 public:
  Pair(uint64_t seed, const std::string& base)
      : random_(seed), disk({"/state"}, base), writer_(disk, "/state") {
    for (const std::string path : {"a", "d/b"}) {  // a process has them open
      know(path);
      writer_.open(path, O_RDWR);
    }
  }

  void step() {
    const std::string path = random_.pick(kNames);
    const std::string folder = random_.pick(kFolders);
    switch (random_.uniform_below(16)) {
      case 0:
      case 1:
        return create(path);
      case 2:
      case 3:
      case 4:
        return write();
      case 5:
        return resize();
      case 6:
      case 7:
        return rename(path, random_.pick(kNames));
      case 8:
        return rename(folder, random_.pick(kFolders));
      case 9:
        return link(path, random_.pick(kNames));
      case 10:
        return unlink(path);
      case 11:
        return folder.empty() || there(folder) ? remove_folder(folder) : make_folder(folder);
      case 12:
      case 13:
        return sync_file();
      case 14:
        return sync_folder(folder);
      default:
        if (random_.chance(0.2)) naive.sync({}, true), writer_.sync();
    }
  }

 private:
  Random random_;

 public:
  NaiveDisk naive{kBase};
  Disk disk;

 private:
  bool there(const std::string& path) const { return naive.look_up(path) != NaiveDisk::kNobody; }
  bool has_folder(const std::string& path) const {
    const size_t slash = path.rfind('/');
    return slash == std::string::npos || there(path.substr(0, slash));
  }
  // A file, and the name that processes have opened it by.
  std::pair<int, std::string> file() {
    const int inode = random_.pick(naive.files());
    std::string name = "x (deleted)";
    for (const std::string& path : kNames) {
      if (naive.look_up(path) == inode) name = path;
    }
    for (const std::string& path :
         {std::string("c/d/a"), std::string("c/d/b"), std::string("e/b")}) {
      if (naive.look_up(path) == inode) name = path;
    }
    writer_.number = static_cast<uint64_t>(inode) + 100;
    return {inode, name};
  }
  void know(const std::string& path) {
    writer_.number = static_cast<uint64_t>(naive.look_up(path)) + 100;
  }

  void create(const std::string& path) {
    if (there(path) || !has_folder(path)) return;
    naive.create(path, false);
    know(path);
    writer_.create(path);
  }
  void make_folder(const std::string& path) {
    if (!has_folder(path)) return;
    naive.create(path, true);
    know(path);
    writer_.mkdir(path);
  }
  void remove_folder(const std::string& path) {
    if (path.empty() || !naive.is_empty(naive.look_up(path))) return;
    naive.remove(path);
    writer_.rmdir(path);
  }
  void write() {
    const auto [inode, path] = file();
    const size_t at = random_.uniform_below(4);
    const std::string bytes(random_.uniform_below(2) + 1,
                            static_cast<char>('p' + random_.uniform_below(8)));
    const bool synced = random_.chance(0.15);
    naive.write(inode, at, bytes, synced);
    writer_.write(path, at, bytes, synced);
  }
  void resize() {
    const auto [inode, path] = file();
    const size_t size = random_.uniform_below(5);
    switch (random_.uniform_below(3)) {
      case 0:
        naive.grow(inode, size + 1);
        return writer_.allocate(path, 0, size, 1);
      case 1:
        naive.clear(inode, size, 2);
        return writer_.allocate(path, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, size, 2);
      default:
        naive.resize(inode, size);
        return writer_.truncate(path, size);
    }
  }
  void rename(const std::string& from, const std::string& to) {
    if (from.empty() || to.empty() || !there(from) || !has_folder(to)) return;
    const int inode = naive.look_up(from);
    const int target = naive.look_up(to);
    const bool taken = target != NaiveDisk::kNobody;
    const bool folder = naive.is_folder(inode);
    if (taken && (folder || naive.is_folder(target))) return;
    if (folder && to.starts_with(from + "/")) return;
    know(from);
    naive.rename(from, to);
    writer_.rename(from, to);
  }
  void link(const std::string& from, const std::string& to) {
    const int inode = naive.look_up(from);
    if (inode == NaiveDisk::kNobody || naive.is_folder(inode)) return;
    if (there(to) || !has_folder(to)) return;
    know(from);
    naive.link(inode, to);
    writer_.link(from, to);
  }
  void unlink(const std::string& path) {
    if (!there(path)) return;
    know(path);
    naive.remove(path);
    writer_.unlink(path);
  }
  void sync_file() {
    const auto [inode, path] = file();
    const bool works = !random_.chance(0.15);
    naive.sync(inode, works);
    writer_.fsync(path, works ? 0 : -5);
  }
  void sync_folder(const std::string& path) {
    if (!there(path)) return;
    writer_.number = 0;
    naive.sync(naive.look_up(path), true);
    writer_.fsync(path);
  }

  DiskWriter writer_;
};

struct Counts {
  size_t states = 0;
  size_t legal = 0;
  size_t most = 0;
};

void compare(Pair& pair, Counts& counts) {
  const std::set<std::string> legal = pair.naive.legal();
  std::set<std::string> offered;
  for (const std::string& keeps : pair.disk.choices(100000, true)) {
    const std::string files = files_of(pair.disk, keeps);
    EXPECT_TRUE(legal.contains(files)) << keeps << ": " << files;
    EXPECT_TRUE(offered.insert(files).second) << keeps << " again: " << files;
  }
  EXPECT_EQ(files_of(pair.disk, "none"), pair.naive.none());
  EXPECT_EQ(files_of(pair.disk, "all"), pair.naive.all());
  for (const std::string& files : pair.naive.simple()) {
    EXPECT_TRUE(offered.contains(files)) << "not offered: " << files;
  }
  EXPECT_LE(pair.disk.unsynced(), pair.naive.unsynced());
  counts.states += offered.size();
  counts.legal += legal.size();
  counts.most = std::max(counts.most, pair.naive.unsynced());
}

TEST(NaiveDisk, AgreesOnRandomOperations) {
  const BaseFolder base(kBase);
  Counts counts;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Pair pair(seed, base.path());
    for (int step = 0; step < 40 && pair.naive.unsynced() < 5; ++step) pair.step();
    compare(pair, counts);
    EXPECT_TRUE(pair.disk.warnings().empty()) << pair.disk.warnings().front().what;
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(counts.most, 5U);
  EXPECT_GT(counts.states, 3000U);
  EXPECT_GT(counts.legal, counts.states * 3);
}

}  // namespace
}  // namespace clew::inject
