#include "inject/world.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/descriptor.h"
#include "base/temporary.h"
#include "tests/inject/in_world.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

class WorldTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_worlds()) GTEST_SKIP() << "no namespaces here";
    fs::create_directory(state_);
    ASSERT_EQ(write_text(state_ + "/log", "first"), "ok");
  }

  TemporaryFolder folder_{fs::current_path().string()};
  std::string state_ = folder_.path() + "/state";
  Target target_ = plain_target(folder_.path(), {"state"});
};

TEST_F(WorldTest, TheStateIsACopyAtItsOwnPath) {
  const std::string said = in_world(target_, [&](const World& world) {
    const std::string before = text_of(state_ + "/log");
    write_text(state_ + "/log", "other");
    write_text(state_ + "/new", "new");
    return before + " " + text_of(state_ + "/log") + " " + text_of(world.first(0) + "/log") + " " +
           text_of(world.first(0) + "/new");
  });
  EXPECT_EQ(said, "first other first none");
  EXPECT_EQ(text_of(state_ + "/log"), "first");
  EXPECT_FALSE(fs::exists(state_ + "/new"));
}

TEST_F(WorldTest, ALargeStateIsAnOverlayAndStaysToo) {
  ASSERT_EQ(write_text(state_ + "/large", std::string(8U << 20U, 'x')), "ok");
  const std::string said = in_world(target_, [&](const World&) {
    write_text(state_ + "/log", "other");
    fs::remove(state_ + "/large");
    return text_of(state_ + "/log") + (fs::exists(state_ + "/large") ? " large" : " gone");
  });
  EXPECT_EQ(said, "other gone");
  EXPECT_EQ(text_of(state_ + "/log"), "first");
  EXPECT_TRUE(fs::exists(state_ + "/large"));
}

TEST_F(WorldTest, WhatIsCopiedKeepsItsModesLinksAndTimes) {
  fs::create_hard_link(state_ + "/log", state_ + "/same");
  fs::create_symlink("log", state_ + "/link");
  fs::permissions(state_ + "/log", fs::perms::owner_read);
  const std::string said = in_world(target_, [&](const World&) {
    struct stat status {};
    struct stat same {};
    ::stat((state_ + "/log").c_str(), &status);
    ::stat((state_ + "/same").c_str(), &same);
    return std::to_string(status.st_mode & 07777U) + " " + std::to_string(status.st_mtime) + " " +
           (status.st_ino == same.st_ino ? "same " : "other ") +
           fs::read_symlink(state_ + "/link").string();
  });
  struct stat status {};
  ::stat((state_ + "/log").c_str(), &status);
  EXPECT_EQ(said, "256 " + std::to_string(status.st_mtime) + " same log");
}

TEST_F(WorldTest, NothingElseCanBeWritten) {
  const std::string outside = folder_.path() + "/outside";
  const std::string said = in_world(target_, [&](const World&) {
    return write_text(outside, "x") + " " + write_text("/etc/clew-outside", "x");
  });
  // Below a private folder there is room for it, which vanishes.
  EXPECT_TRUE(said == "EROFS EROFS" || said == "ok EROFS") << said;
  EXPECT_FALSE(fs::exists(outside));
  EXPECT_FALSE(fs::exists("/etc/clew-outside"));
}

TEST_F(WorldTest, TemporaryFilesArePrivate) {
  const std::string said = in_world(target_, [&](const World&) {
    const std::string tmp = write_text("/tmp/clew-private", "x");
    return tmp + " " + write_text("/dev/shm/clew-private", "x") + " " +
           text_of("/tmp/clew-private");
  });
  EXPECT_EQ(said, "ok ok x");
  EXPECT_FALSE(fs::exists("/tmp/clew-private"));
  EXPECT_FALSE(fs::exists("/dev/shm/clew-private"));
}

TEST_F(WorldTest, ProcessesAreCountedFromOneAndTheMachineCannotBeChanged) {
  const std::string said = in_world(target_, [&](const World&) {
    return std::to_string(::getpid()) + " " + fs::read_symlink("/proc/self").string() + " " +
           write_text("/proc/sys/kernel/printk", "1");
  });
  EXPECT_EQ(said, "1 1 EROFS");
}

TEST_F(WorldTest, ThereIsANetworkOfItsOwn) {
  const std::string said = in_world(target_, [&](const World&) {
    std::string names;
    struct if_nameindex* const all = ::if_nameindex();
    for (const struct if_nameindex* one = all; one != nullptr && one->if_index != 0; ++one) {
      names += one->if_name;
    }
    ::if_freenameindex(all);
    const Descriptor listener(::socket(AF_INET, SOCK_STREAM, 0));
    struct sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(7000);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    const Descriptor client(::socket(AF_INET, SOCK_STREAM, 0));
    const bool works = ::bind(listener.number(), plain, sizeof(address)) == 0 &&
                       ::listen(listener.number(), 1) == 0 &&
                       ::connect(client.number(), plain, sizeof(address)) == 0;
    return names + (works ? " works" : " fails");
  });
  EXPECT_EQ(said, "lo works");
}

TEST_F(WorldTest, AStateFolderThatIsMissingIsSaid) {
  const Target target = plain_target(folder_.path(), {"nowhere"});
  const std::string said = in_world(target, [](const World&) { return "built"; });
  EXPECT_EQ(said, "the state folder " + folder_.path() +
                      "/nowhere cannot be used: there is no such file or folder");
}

TEST_F(WorldTest, WhatAFolderHeldIsKeptForPowerCuts) {
  fs::create_directory(state_ + "/one");
  ASSERT_EQ(write_text(state_ + "/one/a", "1"), "ok");
  const std::string said = in_world(target_, [&](const World& world) {
    write_text(state_ + "/one/a", "2");
    const std::string to = world.scratch() + "/kept";
    const std::string later = world.scratch() + "/later";
    const bool kept =
        world.keep(state_ + "/one", to).ok() && world.keep(state_ + "/two", later).ok();
    return std::string(kept ? "kept " : "lost ") + text_of(to + "/a") +
           (fs::is_empty(later) ? " empty" : " full");
  });
  EXPECT_EQ(said, "kept 1 empty");
}

// Who is not root, either.
TEST(WorldOfAUser, WorksWhereUserNamespacesArePermitted) {
  if (::geteuid() != 0) GTEST_SKIP() << "all other tests are of a user already";
  const TemporaryFolder folder("/tmp");
  const std::string state = folder.path() + "/state";
  fs::create_directory(state);
  for (const std::string& path : {folder.path(), state}) ::chmod(path.c_str(), 0777);
  const std::string said = as_user([&] {
    return in_world(plain_target(folder.path(), {"state"}), [&](const World&) {
      const std::string kept = write_text(state + "/log", "x");
      return kept + " " + write_text("/etc/clew-outside", "x") + " " + std::to_string(::getpid());
    });
  });
  if (said.starts_with("cannot make namespaces")) GTEST_SKIP() << said;
  EXPECT_EQ(said, "ok EROFS 1");
  EXPECT_FALSE(fs::exists(state + "/log"));
}

// There is no way to keep its mounts from the machine.
TEST_F(WorldTest, NeedsARootThatIsAMount) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root changes the root";
  const std::string said = in_process([&] {
    const bool changed = ::chroot(folder_.path().c_str()) == 0 && ::chdir("/") == 0;
    return changed ? in_world(target_, [](const World&) { return "made"; }) : "not changed";
  });
  EXPECT_EQ(said,
            "cannot part with the mounts outside for a run: the folder that is the root here "
            "is no mount");
}

TEST_F(WorldTest, AddressesAndRightsAreTheSameInEachRun) {
  const std::string said = in_world(target_, [&](const World&) {
    const std::string status = text_of("/proc/self/status");
    const bool no_new = status.find("NoNewPrivs:\t1") != std::string::npos;
    return text_of("/proc/self/personality") + (no_new ? "no new rights" : "new rights");
  });
  EXPECT_EQ(said, "00040000\nno new rights");
}

}  // namespace
}  // namespace clew::inject
