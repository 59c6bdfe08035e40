#include "inject/objects.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/files.h"
#include "inject/disk_calls.h"
#include "tests/inject/stopped.h"

namespace clew::inject {
namespace {

// A folder that is the state of the target.
class ObjectsTest : public testing::Test {
 protected:
  void SetUp() override {
    state_ = fmt::format("{}/objects-{}", testing::TempDir(), ::getpid());
    std::filesystem::create_directories(state_ + "/folder");
    state_ = std::filesystem::canonical(state_).string();
    ASSERT_TRUE(write_file_atomically(state_ + "/log", "0123456789").ok());
    ASSERT_EQ(::symlink("log", (state_ + "/link").c_str()), 0);
  }
  void TearDown() override { std::filesystem::remove_all(state_); }

  std::string at(const std::string& name) const { return state_ + "/" + name; }

  Names names() const { return *Names::make({}, {state_}); }

  // What the first such call is about that `work` makes, in the folder of the state.
  Objects::Both about(long number, const std::function<void()>& work) {
    Stopped child([&] {
      if (::chdir(state_.c_str()) == 0) work();
    });
    const std::optional<StoppedCall> call = child.next(number);
    if (!call) return {};
    const Names all = names();
    Objects objects(all, peers_);
    return objects.of(*call, "self");
  }

  // The same for the disk model; `skip`: so many calls come before it.
  DiskCall disk(long number, const std::function<void()>& work, int skip = 0) {
    Stopped child([&] {
      if (::chdir(state_.c_str()) == 0) work();
    });
    std::optional<StoppedCall> call = child.next(number);
    for (; call && skip > 0; --skip) {
      child.result();
      call = child.next(number);
    }
    if (!call) return {};
    DiskCall done = disk_call_before(*call);
    const int64_t result = child.result();
    disk_call_after(*call, result, 1 << 20, done);
    return done;
  }

  uint64_t inode(const std::string& name) const {
    struct stat status {};
    return ::lstat(at(name).c_str(), &status) == 0 ? status.st_ino : 0;
  }

  std::string state_;
  Peers peers_;
};

using Kind = Object::Kind;

void expect(const Object& object, Kind kind, const std::string& name) {
  EXPECT_EQ(object.kind, kind) << object.name;
  EXPECT_EQ(object.name, name);
}

int opened(const char* path, int flags = O_RDWR) { return ::open(path, flags, 0644); }

TEST_F(ObjectsTest, AreFilesByPathAndByDescriptor) {
  expect(about(SYS_openat, [] { opened("log"); }).first, Kind::kFile, "log");
  expect(about(SYS_openat, [] { opened("link"); }).first, Kind::kFile, "log");
  expect(about(SYS_openat, [] { opened("./folder/../new", O_CREAT | O_RDWR); }).first, Kind::kFile,
         "new");
  expect(about(SYS_openat, [] { opened("folder", O_RDONLY); }).first, Kind::kFolder, "folder");
  expect(about(SYS_openat, [] { opened(".", O_RDONLY); }).first, Kind::kFolder, ".");
  expect(about(SYS_openat, [] { opened("/proc/self/stat"); }).first, Kind::kFile,
         "/proc/self/stat");
  expect(about(SYS_fsync, [] { ::fsync(opened("log")); }).first, Kind::kFile, "log");
  expect(about(SYS_fsync, [] { ::fsync(opened("folder", O_RDONLY)); }).first, Kind::kFolder,
         "folder");
  expect(about(SYS_fsync, [] { ::fsync(-1); }).first, Kind::kOther, "unknown");
  const Object other = about(SYS_openat, [] { ::open("/etc/log.x7Qf2Z", O_RDONLY); }).first;
  expect(other, Kind::kFile, "/etc/log.*");
  EXPECT_EQ(other.exact, "/etc/log.x7Qf2Z");
}

TEST_F(ObjectsTest, AreWhatNamesWereGivenTo) {
  const Objects::Both renamed = about(SYS_rename, [] { ::rename("log", "folder/log2"); });
  expect(renamed.first, Kind::kFile, "log");
  expect(renamed.second, Kind::kFile, "folder/log2");
  const Objects::Both at = about(SYS_renameat, [] {
    const int folder = opened("folder", O_RDONLY);
    ::renameat(AT_FDCWD, "link", folder, "link2");
  });
  expect(at.first, Kind::kOther, "link");
  expect(at.second, Kind::kFile, "folder/link2");
  expect(about(SYS_mkdir, [] { ::mkdir("made", 0755); }).first, Kind::kFolder, "made");
  expect(about(SYS_unlink, [] { ::unlink("log"); }).first, Kind::kFile, "log");
  expect(about(SYS_symlink, [] { (void)::symlink("log", "another"); }).first, Kind::kFile,
         "another");
}

TEST_F(ObjectsTest, KeepTheirNameWhenItIsTakenAway) {
  const Object object = about(SYS_fsync, [] {
                          const int log = opened("log");
                          ::unlink("log");
                          ::fsync(log);
                        }).first;
  expect(object, Kind::kFile, "log");
  EXPECT_TRUE(object.exact.ends_with("log (deleted)"));
}

TEST_F(ObjectsTest, ArePipesAndOutputs) {
  const auto written = [&](int to, bool piped) {
    return about(SYS_writev,
                 [=] {
                   int ends[2];
                   if (::pipe(ends) != 0) return;
                   if (piped) ::dup2(ends[1], 1);
                   const iovec part{const_cast<char*>("x"), 1};
                   (void)::writev(to < 0 ? ends[1] : to, &part, 1);
                 })
        .first;
  };
  expect(written(1, true), Kind::kOutput, "stdout");
  expect(written(-1, true), Kind::kOutput, "stdout");
  expect(written(-1, false), Kind::kPipe, "pipe");
  expect(about(SYS_fsync,
               [] {
                 const int memory = ::memfd_create("scratch", 0);
                 ::fsync(memory);
               })
             .first,
         Kind::kOther, "memfd:scratch");
}

// Connects to a port of this machine where the test listens.
struct Listener {
  Listener() : socket(::socket(AF_INET, SOCK_STREAM, 0)) {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket, any, size), 0);
    EXPECT_EQ(::listen(socket, 8), 0);
    EXPECT_EQ(::getsockname(socket, any, &size), 0);
  }
  ~Listener() { ::close(socket); }
  uint16_t port() const { return ntohs(address.sin_port); }

  int socket;
  sockaddr_in address{};
};

TEST_F(ObjectsTest, ArePeersByTheNamesOfNodes) {
  const Listener listener;
  const auto connect = [&] {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto* to = reinterpret_cast<const sockaddr*>(&listener.address);
    if (::connect(socket, to, sizeof listener.address) == 0) ::shutdown(socket, SHUT_WR);
  };
  const std::string exact = fmt::format("127.0.0.1:{}", listener.port());
  const Object unknown = about(SYS_connect, connect).first;
  expect(unknown, Kind::kSocket, is_passing_port(listener.port()) ? "127.0.0.1:*" : exact);
  EXPECT_EQ(unknown.exact, exact);
  peers_.add("0.0.0.0", listener.port(), "master", true);
  const std::string name = fmt::format("master:{}", listener.port());
  expect(about(SYS_connect, connect).first, Kind::kSocket, name);
  expect(about(SYS_shutdown, connect).first, Kind::kSocket, name);
  peers_.add("127.0.0.1", listener.port(), "other", false);
  expect(about(SYS_shutdown, connect).first, Kind::kSocket, "other");
}

TEST_F(ObjectsTest, AreKnownByTheOtherSideAsSoonAsTheyAsk) {
  const Listener listener;
  peers_.add("127.0.0.1", listener.port(), "master", true);
  Stopped child([&] {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto* to = reinterpret_cast<const sockaddr*>(&listener.address);
    (void)::connect(socket, to, sizeof listener.address);
    ::fsync(-1);
  });
  const Names all = names();
  Objects objects(all, peers_);
  const std::optional<StoppedCall> call = child.next(SYS_connect);
  ASSERT_TRUE(call);
  EXPECT_EQ(objects.peer_node(*call, "client"), "master");
  ASSERT_TRUE(child.next(SYS_fsync));
  // Another process has accepted: only its address is known of who asked.
  sockaddr_in from{};
  socklen_t size = sizeof from;
  const int accepted = ::accept(listener.socket, reinterpret_cast<sockaddr*>(&from), &size);
  ASSERT_GE(accepted, 0);
  Stopped server([&] { ::shutdown(accepted, SHUT_WR); });
  const std::optional<StoppedCall> answer = server.next(SYS_shutdown);
  ASSERT_TRUE(answer);
  expect(objects.of(*answer, "master").first, Kind::kSocket, "client");
  EXPECT_EQ(objects.peer_node(*answer, "master"), "client");
  ::close(accepted);
}

TEST_F(ObjectsTest, AreSocketsOfThisMachineByTheirPaths) {
  const auto bound = [] {
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::string("folder/door").copy(address.sun_path, sizeof address.sun_path - 1);
    (void)::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    ::shutdown(socket, SHUT_RDWR);
  };
  expect(about(SYS_bind, bound).first, Kind::kSocket, "folder/door");
  const auto pair = [] {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) ::shutdown(ends[0], SHUT_RDWR);
  };
  expect(about(SYS_shutdown, pair).first, Kind::kSocket, "socket");
}

TEST_F(ObjectsTest, KnowTheNumberOfAProcess) {
  EXPECT_EQ(own_number(::getpid()), ::getpid());
  EXPECT_EQ(own_number(0), 0);
}

TEST_F(ObjectsTest, TellTheDiskWhereItWasWritten) {
  const DiskCall there = disk(SYS_pwrite64, [] { (void)::pwrite(opened("log"), "abc", 3, 5); });
  EXPECT_EQ(there.path, at("log"));
  EXPECT_EQ(there.file, inode("log"));
  EXPECT_EQ(there.offset, 5U);
  EXPECT_EQ(there.result, 3);
  EXPECT_EQ(there.bytes, "abc");
  EXPECT_FALSE(there.synced_at_once);
  const auto twice = [] {
    const int log = opened("log", O_RDWR | O_DSYNC);
    const iovec parts[2] = {{const_cast<char*>("ab"), 2}, {const_cast<char*>("cde"), 3}};
    (void)::writev(log, parts, 2);
    (void)::writev(log, parts, 2);
  };
  const DiskCall here = disk(SYS_writev, twice, 1);
  EXPECT_EQ(here.offset, 5U);
  EXPECT_EQ(here.bytes, "abcde");
  EXPECT_TRUE(here.synced_at_once);
  const auto size = std::filesystem::file_size(at("log"));
  const DiskCall behind =
      disk(SYS_pwrite64, [] { (void)::pwrite(opened("log", O_RDWR | O_APPEND), "xy", 2, 1); });
  EXPECT_EQ(behind.offset, size);
  const DiskCall flagged = disk(SYS_pwritev2, [] {
    const iovec part{const_cast<char*>("z"), 1};
    (void)::pwritev2(opened("log"), &part, 1, 3, RWF_DSYNC);
  });
  EXPECT_EQ(flagged.offset, 3U);
  EXPECT_TRUE(flagged.synced_at_once);
}

TEST_F(ObjectsTest, TellTheDiskWhatWasMade) {
  const DiskCall made = disk(SYS_openat, [] { opened("new", O_CREAT | O_RDWR); });
  EXPECT_TRUE(made.creates);
  EXPECT_EQ(made.path, at("new"));
  EXPECT_EQ(made.file, inode("new"));
  EXPECT_EQ(made.mode & S_IFMT, static_cast<mode_t>(S_IFREG));
  EXPECT_EQ(made.flags & O_CREAT, O_CREAT);
  const DiskCall known = disk(SYS_openat, [] { opened("link", O_CREAT | O_RDWR); });
  EXPECT_FALSE(known.creates);
  EXPECT_EQ(known.path, at("log"));
  const DiskCall folder = disk(SYS_mkdir, [] { ::mkdir("made", 0700); });
  EXPECT_EQ(folder.path, at("made"));
  EXPECT_EQ(folder.file, inode("made"));
  EXPECT_EQ(folder.mode, S_IFDIR | 0700U);
  const DiskCall link = disk(SYS_symlink, [] { (void)::symlink("where/to", "another"); });
  EXPECT_EQ(link.path, at("another"));
  EXPECT_EQ(link.bytes, "where/to");
}

TEST_F(ObjectsTest, TellTheDiskWhatWasRenamedAndCut) {
  const uint64_t log = inode("log");
  const DiskCall renamed =
      disk(SYS_renameat2, [] { ::renameat2(AT_FDCWD, "log", AT_FDCWD, "log2", RENAME_NOREPLACE); });
  EXPECT_EQ(renamed.path, at("log"));
  EXPECT_EQ(renamed.path2, at("log2"));
  EXPECT_EQ(renamed.file, log);
  EXPECT_EQ(renamed.flags, static_cast<int>(RENAME_NOREPLACE));
  const DiskCall cut = disk(SYS_ftruncate, [] { (void)::ftruncate(opened("log2"), 4); });
  EXPECT_EQ(cut.path, at("log2"));
  EXPECT_EQ(cut.size, 4U);
  const DiskCall gone = disk(SYS_fsync, [] {
    const int file = opened("log2");
    ::unlink("log2");
    ::fsync(file);
  });
  EXPECT_EQ(gone.path, at("log2 (deleted)"));
  EXPECT_EQ(gone.file, log);
}

TEST_F(ObjectsTest, TellTheDiskWhatWasCopied) {
  const auto copy = [] {
    const int from = opened("log");
    const int to = opened("copy", O_CREAT | O_RDWR);
    off_t at = 2;
    ::lseek(to, 1, SEEK_SET);
    (void)::copy_file_range(from, &at, to, nullptr, 4, 0);
  };
  const DiskCall copied = disk(SYS_copy_file_range, copy);
  EXPECT_EQ(copied.path, at("copy"));
  EXPECT_EQ(copied.path2, at("log"));
  EXPECT_EQ(copied.file2, inode("log"));
  EXPECT_EQ(copied.offset, 1U);
  EXPECT_EQ(copied.offset2, 2U);
  EXPECT_EQ(copied.bytes, "2345");
}

TEST_F(ObjectsTest, TellTheDiskOfMaps) {
  const auto map = [] {
    const int log = opened("log");
    void* const all = ::mmap(nullptr, 10, PROT_READ | PROT_WRITE, MAP_SHARED, log, 0);
    static_cast<char*>(all)[3] = 'x';
    ::msync(all, 10, MS_SYNC);
  };
  const DiskCall synced = disk(SYS_msync, map);
  EXPECT_EQ(synced.path, at("log"));
  EXPECT_EQ(synced.file, inode("log"));
  EXPECT_EQ(synced.offset, 0U);
  EXPECT_EQ(synced.bytes, "012x456789");
  EXPECT_EQ(synced.flags, MS_SYNC);
  const DiskCall mapped = disk(SYS_mmap, [] {
    const int log = opened("log");
    ::syscall(SYS_mmap, nullptr, 10, PROT_READ | PROT_WRITE, MAP_SHARED, log, 0);
  });
  EXPECT_TRUE(mapped.writable);
  EXPECT_EQ(mapped.path, at("log"));
}

TEST_F(ObjectsTest, TellTheDiskAtMostSoManyBytes) {
  Stopped child([&] {
    if (::chdir(state_.c_str()) == 0) (void)::pwrite(opened("log"), "abcdef", 6, 0);
  });
  const std::optional<StoppedCall> call = child.next(SYS_pwrite64);
  ASSERT_TRUE(call);
  DiskCall done = disk_call_before(*call);
  disk_call_after(*call, child.result(), 4, done);
  EXPECT_EQ(done.bytes, "abcd");
  EXPECT_EQ(done.result, 6);
}

}  // namespace
}  // namespace clew::inject
