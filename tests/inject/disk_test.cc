#include "inject/disk.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <set>

#include "tests/inject/disk_files.h"
#include "tests/inject/disk_writer.h"

namespace clew::inject {
namespace {

// A disk whose folder is /state.
struct Setting {
  explicit Setting(const std::vector<std::string>& files = {}) : base(files) {}

  const BaseFolder base;
  Disk disk{{"/state"}, base.path()};
  DiskWriter writer{disk, "/state"};

  // All crash states that are offered: files by name.
  std::map<std::string, std::string> states(size_t most = 1000) {
    std::map<std::string, std::string> all;
    for (const std::string& keeps : disk.choices(most, true)) all[keeps] = files_of(disk, keeps);
    return all;
  }
  std::set<std::string> contents() {
    std::set<std::string> all;
    for (const auto& [keeps, files] : states()) EXPECT_TRUE(all.insert(files).second) << keeps;
    return all;
  }
  std::vector<std::string> warned() const {
    std::vector<std::string> all;
    for (const Warning& warning : disk.warnings()) all.push_back(warning.what);
    return all;
  }
};

using States = std::map<std::string, std::string>;
using Contents = std::set<std::string>;
using Words = std::vector<std::string>;

// example: src/inject/disk.h
TEST(Disk, Example) {
  const BaseFolder old({"a=x"});
  const std::string& base = old.path();
  const std::string state = "/state";
  Disk disk({state}, base);
  DiskWriter writer(disk, state);
  const DiskCall done = writer.call(SYS_unlink, "a");
  disk.note(done);
  size_t count = 0;
  for (const std::string& keeps : disk.choices(100)) {
    ++count;
    EXPECT_EQ(files_of(disk, keeps), keeps == "none" ? "a=x" : "");
  }
  EXPECT_EQ(count, 2U);
  writer.create("b");
  const BaseFolder other({});
  const std::string folder = other.path();
  EXPECT_TRUE(disk.build("all-but-2", folder).ok());
  EXPECT_EQ(files_below(folder + "/0"), "");
}

TEST(Disk, WhatIsThereAtFirstIsDurable) {
  Setting one({"a=abc", "d/", "d/b=x"});
  EXPECT_EQ(one.states(), (States{{"none", "a=abc d/ d/b=x"}}));
  EXPECT_EQ(one.disk.unsynced(), 0U);
}

TEST(Disk, AnAppendWithoutSync) {
  Setting one({"log=abcd"});
  one.writer.write("log", 4, "efgh");
  EXPECT_EQ(one.states(), (States{{"none", "log=abcd"},
                                  {"all", "log=abcdefgh"},
                                  {"torn-1-half", "log=abcdef"},
                                  {"torn-1-zeros", "log=abcd0000"}}));
  one.writer.fsync("log");
  EXPECT_EQ(one.states(), (States{{"none", "log=abcdefgh"}}));
}

TEST(Disk, AnOverwriteIsTornAtTheSectorAndInHalf) {
  const std::string old(1200, 'a');
  Setting one({"log=" + old});
  one.writer.write("log", 500, std::string(600, 'b'));
  const std::string a500(500, 'a');
  const std::string a100(100, 'a');
  EXPECT_EQ(
      one.states(),
      (States{{"none", "log=" + old},
              {"all", "log=" + a500 + std::string(600, 'b') + a100},
              {"torn-1-512", "log=" + a500 + std::string(12, 'b') + std::string(688, 'a')},
              {"torn-1-half", "log=" + a500 + std::string(300, 'b') + std::string(400, 'a')}}));
}

TEST(Disk, AFileWithoutASyncOfItsFolderHasNoName) {
  Setting one;
  one.writer.create("tmp");
  one.writer.write("tmp", 0, "ab");
  one.writer.fsync("tmp");
  EXPECT_EQ(one.states(), (States{{"none", ""}, {"all", "tmp=ab"}}));
  one.writer.fsync("");
  EXPECT_EQ(one.states(), (States{{"none", "tmp=ab"}}));
}

TEST(Disk, AFolderWithoutASyncOfItsFilesHasEmptyOnes) {
  Setting one;
  one.writer.create("tmp");
  one.writer.write("tmp", 0, "ab");
  one.writer.fsync("");
  EXPECT_EQ(one.contents(), (Contents{"tmp=", "tmp=a", "tmp=ab", "tmp=00"}));
}

// How most programs replace a file.
TEST(Disk, WriteSyncRenameWithoutASyncOfTheFolder) {
  Setting one({"file=old"});
  one.writer.create("tmp");
  one.writer.write("tmp", 0, "new");
  one.writer.fsync("tmp");
  one.writer.rename("tmp", "file");
  EXPECT_EQ(one.states(), (States{{"none", "file=old"},
                                  {"all", "file=new"},
                                  {"first-1", "file=old tmp=new"},
                                  {"torn-2-target", "tmp=new"},
                                  {"torn-2-names", ""}}));
  EXPECT_EQ(one.disk.choices(100), (Words{"none", "all", "first-1"}));  // renames are in one piece
  one.writer.fsync("");
  EXPECT_EQ(one.states(), (States{{"none", "file=new"}}));
}

TEST(Disk, WriteRenameWithoutAnySync) {
  Setting one({"file=old"});
  one.writer.create("tmp");
  one.writer.write("tmp", 0, "nw");
  one.writer.rename("tmp", "file");
  const Contents contents = one.contents();
  EXPECT_TRUE(contents.contains("file="));  // what everybody fears
  EXPECT_EQ(contents, (Contents{"file=old", "file=nw", "file=", "file=n", "file=00",
                                "file=old tmp=", "file=old tmp=n", "file=old tmp=nw",
                                "file=old tmp=00", "tmp=nw", ""}));
}

// SQLite's rollback journal: a transaction is over when the journal is gone.
TEST(Disk, TheJournalsUnlinkIsNotSynced) {
  Setting one({"db=old"});
  one.writer.create("db-journal");
  one.writer.write("db-journal", 0, "old");
  one.writer.fsync("db-journal");
  one.writer.fsync("");
  one.writer.write("db", 0, "new");
  one.writer.fsync("db");
  one.writer.unlink("db-journal");
  EXPECT_EQ(one.states(), (States{{"none", "db=new db-journal=old"}, {"all", "db=new"}}));
}

TEST(Disk, OperationsReorder) {
  Setting one({"a=1", "b=1"});
  one.writer.write("a", 0, "2");
  one.writer.write("b", 0, "2");
  EXPECT_EQ(
      one.states(),
      (States{
          {"none", "a=1 b=1"}, {"all", "a=2 b=2"}, {"first-1", "a=2 b=1"}, {"only-2", "a=1 b=2"}}));
}

TEST(Disk, WhatIsSyncedAtOnceNeedsItsSize) {
  Setting one({"a=1111"});
  one.writer.truncate("a", 0);
  one.writer.write("a", 0, "2222");
  one.writer.write("a", 6, "3", true);
  EXPECT_EQ(one.contents(), (Contents{"a=0000003", "a=2222003", "a=2200003"}));
}

TEST(Disk, AnOlderWriteNeverCoversANewerOneThatIsDurable) {
  Setting one({"a=1111"});
  one.writer.write("a", 0, "22");
  one.writer.write("a", 1, "3", true);
  EXPECT_EQ(one.contents(), (Contents{"a=1311", "a=2311"}));
}

TEST(Disk, LinksAreNamesOfOneFile) {
  Setting one({"a=1"});
  one.writer.link("a", "b");
  one.writer.fsync("");
  one.writer.write("a", 0, "2");
  EXPECT_EQ(one.states(), (States{{"none", "a=1 b&a"}, {"all", "a=2 b&a"}}));
  one.writer.fsync("b");
  EXPECT_EQ(one.states(), (States{{"none", "a=2 b&a"}}));
  one.writer.unlink("a");
  EXPECT_EQ(one.states(), (States{{"none", "a=2 b&a"}, {"all", "b=2"}}));
}

TEST(Disk, AnOpenFileWithoutANameIsNowhere) {
  Setting one({"a=1"});
  one.writer.number = 7;
  one.writer.open("a", O_RDWR);
  one.writer.number = 0;
  one.writer.unlink("a");
  one.writer.create("a");
  one.writer.number = 7;
  one.writer.write("a", 0, "22");  // still the first one
  one.writer.number = 0;
  EXPECT_EQ(one.disk.unsynced(), 3U);
  EXPECT_EQ(one.contents(), (Contents{"a=1", "", "a=", "a=22"}));
  one.writer.fsync("");
  EXPECT_EQ(one.states(), (States{{"none", "a="}}));
  EXPECT_EQ(one.disk.unsynced(), 0U);  // nobody can find the other one any more
}

TEST(Disk, ATemporaryFileGetsItsNameLater) {
  Setting one;
  one.writer.number = 9;
  one.writer.open("", O_TMPFILE | O_RDWR);
  one.writer.write("#9 (deleted)", 0, "ab");
  one.writer.fsync("#9 (deleted)");
  DiskCall done = one.writer.call(SYS_linkat, "#9 (deleted)");
  done.path2 = "/state/a";
  one.writer.note(done);
  EXPECT_EQ(one.states(), (States{{"none", ""}, {"all", "a=ab"}}));
  EXPECT_EQ(one.warned(), Words{});
}

TEST(Disk, FoldersAreSyncedOneByOne) {
  Setting one;
  one.writer.mkdir("d");
  one.writer.create("d/a");
  one.writer.fsync("d");
  EXPECT_EQ(one.states(), (States{{"none", ""}, {"all", "d/ d/a="}}));
  one.writer.fsync("");
  EXPECT_EQ(one.states(), (States{{"none", "d/ d/a="}}));
  one.writer.unlink("d/a");
  one.writer.rmdir("d");
  EXPECT_EQ(one.states(), (States{{"none", "d/ d/a="}, {"all", ""}, {"first-1", "d/"}}));
}

TEST(Disk, ARenameBetweenFoldersNeedsASyncOfBoth) {
  Setting one({"d/", "d/a=1", "e/"});
  one.writer.rename("d/a", "e/b");
  one.writer.fsync("e");
  EXPECT_EQ(one.states(), (States{{"none", "d/ d/a=1 e/ e/b&d/a"}, {"all", "d/ e/ e/b=1"}}));
  one.writer.rename("e/b", "d/c");
  one.writer.fsync("e");
  EXPECT_EQ(one.contents(),
            (Contents{"d/ d/a=1 e/", "d/ d/c=1 e/", "d/ e/", "d/ d/a=1 d/c&d/a e/"}));
  one.writer.fsync("d");
  EXPECT_EQ(one.contents(), Contents{"d/ d/c=1 e/"});
}

TEST(Disk, AFolderNeverHasTwoNames) {
  Setting one({"d/", "d/s/", "d/s/a=1", "e/"});
  one.writer.rename("d/s", "e/t");
  one.writer.fsync("e");
  EXPECT_EQ(one.states(), (States{{"none", "d/ e/ e/t/ e/t/a=1"}}));
}

// The way back is durable, and is later than the way there.
TEST(Disk, AFolderThatHasMovedTwice) {
  Setting one({"c/", "d/"});
  one.writer.rename("d", "c/d");
  one.writer.rename("c/d", "e");
  one.writer.fsync("");
  EXPECT_EQ(one.contents(), Contents{"c/ e/"});
  one.writer.fsync("c");
  EXPECT_EQ(one.states(), (States{{"none", "c/ e/"}}));
}

TEST(Disk, ExchangesAndOtherRenames) {
  Setting one({"a=1", "b=2"});
  one.writer.rename("a", "b", 2);  // RENAME_EXCHANGE
  EXPECT_EQ(one.states(), (States{{"none", "a=1 b=2"}, {"all", "a=2 b=1"}}));
  one.writer.sync();
  one.writer.link("a", "c");
  one.writer.rename("a", "c");  // of one file: does nothing
  EXPECT_EQ(one.states(), (States{{"none", "a=2 b=1"}, {"all", "a=2 b=1 c&a"}}));
}

TEST(Disk, SizesAndHoles) {
  Setting one({"a=123456"});
  one.writer.truncate("a", 3);
  one.writer.sync();
  one.writer.truncate("a", 5);
  EXPECT_EQ(one.contents(), (Contents{"a=123", "a=12300"}));
  one.writer.sync();
  one.writer.allocate("a", FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 1, 100);
  EXPECT_EQ(one.contents(), (Contents{"a=12300", "a=10000"}));
  one.writer.sync();
  one.writer.allocate("a", 0, 2, 5);
  EXPECT_EQ(one.contents(), (Contents{"a=10000", "a=1000000"}));
  one.writer.sync();
  one.writer.allocate("a", FALLOC_FL_KEEP_SIZE, 2, 50);
  EXPECT_EQ(one.contents(), Contents{"a=1000000"});
  one.writer.write("a", 0, "abcdefg");
  one.writer.sync();
  one.writer.allocate("a", FALLOC_FL_ZERO_RANGE, 5, 4);
  EXPECT_EQ(one.states()["all"], "a=abcde0000");
  one.writer.allocate("a", FALLOC_FL_COLLAPSE_RANGE, 1, 2);
  EXPECT_EQ(one.states()["all"], "a=ade0000");
  one.writer.allocate("a", FALLOC_FL_INSERT_RANGE, 1, 2);
  EXPECT_EQ(one.states()["all"], "a=a00de0000");
}

TEST(Disk, CopiesNeedNoBytes) {
  Setting one({"a=abcdef"});
  one.writer.write("a", 1, "XY");
  one.writer.create("b");
  one.writer.copy("a", 0, "b", 2, 4);
  EXPECT_EQ(one.states()["all"], "a=aXYdef b=00aXYd");
  EXPECT_EQ(one.states()["all-but-1"], "a=abcdef b=00aXYd");
  DiskCall done = one.writer.call(SYS_copy_file_range, "b");
  done.path2 = "/elsewhere";
  done.result = 1;
  one.writer.note(done);
  EXPECT_EQ(one.warned(),
            Words{"what copy_file_range copied to /state/b is not known: it counts as zeros"});
}

TEST(Disk, OpensThatCut) {
  Setting one({"a=1"});
  one.writer.open("a", O_RDONLY);
  one.writer.open("a", O_RDWR | O_CREAT);
  EXPECT_EQ(one.disk.unsynced(), 0U);
  one.writer.open("a", O_WRONLY | O_TRUNC);
  EXPECT_EQ(one.contents(), (Contents{"a=1", "a="}));
}

TEST(Disk, WhatPromisesNothing) {
  Setting one({"a=1"});
  one.writer.write("a", 0, "2");
  one.writer.note(one.writer.call(SYS_sync_file_range, "a"));
  EXPECT_EQ(one.disk.unsynced(), 1U);
  DiskCall lazy = one.writer.call(SYS_msync, "a");
  lazy.flags = MS_ASYNC;
  lazy.size = 4096;
  one.writer.note(lazy);
  EXPECT_EQ(one.disk.unsynced(), 1U);
  lazy.flags = MS_SYNC;
  one.writer.note(lazy);
  EXPECT_EQ(one.contents(), Contents{"a=2"});
}

TEST(Disk, WhatMsyncFindsIsWritten) {
  Setting one({"a=1234"});
  DiskCall done = one.writer.call(SYS_msync, "a");
  done.flags = MS_SYNC;
  done.offset = 2;
  done.size = 4096;
  done.bytes = "xyz";  // z is behind the end
  one.writer.note(done);
  EXPECT_EQ(one.contents(), Contents{"a=12xy"});
}

TEST(Disk, AFailedSyncGivesUpWhatItShouldHaveWritten) {
  Setting one({"a=11"});
  one.writer.write("a", 0, "2");
  one.writer.fsync("a", -EIO);
  one.writer.write("a", 1, "3");
  one.writer.fsync("a");
  EXPECT_EQ(one.contents(), (Contents{"a=13", "a=23"}));
  one.writer.write("a", 0, "2");
  one.writer.fsync("a");
  EXPECT_EQ(one.contents(), Contents{"a=23"});
}

TEST(Disk, OtherCallsChangeNothing) {
  Setting one({"a=1"});
  DiskCall failed = one.writer.call(SYS_unlink, "a");
  failed.result = -EIO;
  one.writer.note(failed);
  one.writer.note(one.writer.call(SYS_read, "a"));
  one.writer.note({.row = find_call(SYS_unlink), .path = "/elsewhere/a"});
  one.writer.note({.row = find_call(SYS_unlink), .path = "/state2"});
  EXPECT_EQ(one.states(), (States{{"none", "a=1"}}));
  EXPECT_EQ(one.warned(), Words{});
}

TEST(Disk, WhatCannotBeSeenIsSaid) {
  Setting one({"a=1"});
  one.writer.open("a", O_RDWR | O_DIRECT | O_DSYNC);
  EXPECT_EQ(one.warned(), Words{});
  one.writer.open("a", O_RDWR | O_DIRECT);
  DiskCall map = one.writer.call(SYS_mmap, "a");
  map.flags = MAP_PRIVATE;
  map.writable = true;
  one.writer.note(map);
  map.flags = MAP_SHARED;
  map.writable = false;
  one.writer.note(map);
  EXPECT_EQ(one.warned(), Words{"/state/a is opened with O_DIRECT, but without O_DSYNC"});
  map.writable = true;
  one.writer.note(map);
  one.writer.note(map);
  one.writer.write("d/b", 0, "x");
  one.writer.rename("/../elsewhere", "c");
  DiskCall half = one.writer.call(SYS_write, "a");
  half.result = 3;
  half.bytes = "x";
  one.writer.note(half);
  EXPECT_EQ(one.warned(),
            (Words{"/state/a is mapped shared and writable: what is written through the map is in "
                   "no crash state until msync",
                   "/state/a is opened with O_DIRECT, but without O_DSYNC",
                   "nobody was seen making /state/c: its content is not known to crash states",
                   "nobody was seen making /state/d/b: its content is not known to crash states",
                   "nobody was seen making /state/d: its content is not known to crash states",
                   "of what was written to /state/a not all is known: it counts as zeros"}));
  for (const Warning& warning : one.disk.warnings()) EXPECT_NE(warning.remedy, "");
  EXPECT_EQ(one.states()["all"], "a=x00 c= d/ d/b=x");
}

TEST(Disk, SettlingGoesOnFromThere) {
  Setting one({"a=1"});
  one.writer.number = 5;
  one.writer.open("a", O_RDWR);
  one.writer.write("a", 0, "2");
  one.writer.number = 6;
  one.writer.create("b");
  ASSERT_TRUE(one.disk.settle("first-1").ok());
  EXPECT_EQ(one.states(), (States{{"none", "a=2"}}));
  one.writer.number = 6;  // may be any file now
  one.writer.open("a", O_RDWR);
  one.writer.write("a", 0, "3");
  EXPECT_EQ(one.states(), (States{{"none", "a=2"}, {"all", "a=3"}}));
}

TEST(Disk, ModesAndLinksAreKept) {
  Setting one({"a=1", "d/"});
  const std::string first = one.base.path() + "/0";
  ASSERT_EQ(::chmod((first + "/a").c_str(), 0640), 0);
  ASSERT_EQ(::chmod((first + "/d").c_str(), 0711), 0);
  ASSERT_EQ(::symlink("a", (first + "/l").c_str()), 0);
  ASSERT_EQ(::link((first + "/a").c_str(), (first + "/z").c_str()), 0);
  ASSERT_EQ(::mkfifo((first + "/pipe").c_str(), 0600), 0);
  Disk disk({"/state"}, one.base.path());
  DiskWriter writer(disk, "/state");
  DiskCall link = writer.call(SYS_symlink, "d/m");
  link.bytes = "../a";
  writer.note(link);
  DiskCall made = writer.call(SYS_openat, "d/new");
  made.flags = O_CREAT;
  made.creates = true;
  made.mode = S_IFREG | 0600;
  writer.note(made);
  const BaseFolder out({});
  ASSERT_TRUE(disk.build("all", out.path()).ok());
  const std::string built = out.path() + "/0";
  std::filesystem::remove(built + "/pipe");
  EXPECT_EQ(files_below(built), "a=1 d/ d/m>../a d/new= l>a z&a");
  const auto mode = [&](const char* name) {
    struct stat status {};
    EXPECT_EQ(::stat((built + name).c_str(), &status), 0);
    return status.st_mode & 07777U;
  };
  EXPECT_EQ(mode("/a"), 0640U);
  EXPECT_EQ(mode("/d"), 0711U);
  EXPECT_EQ(mode("/d/new"), 0600U);
}

TEST(Disk, ContentsAreFingerprints) {
  Setting one({"a=1"});
  one.writer.write("a", 0, "2");
  one.writer.write("a", 1, std::string(1, '\0'));
  Setting other({std::string("a=2") + '\0'});
  EXPECT_EQ(*one.disk.content("all"), *other.disk.content("none"));
  EXPECT_NE(*one.disk.content("first-1"), *other.disk.content("none"));
  EXPECT_EQ(one.disk.content("all")->size(), 16U);
  one.writer.rename("a", "b");
  EXPECT_NE(*one.disk.content("all"), *other.disk.content("none"));
}

TEST(Disk, AtMostSoManyChoices) {
  Setting one({"a=0123456789"});
  for (uint64_t i = 0; i < 10; ++i) one.writer.write("a", i, "x");
  const Words choices = one.disk.choices(6);
  EXPECT_EQ(choices, (Words{"none", "all", "first-8", "all-but-8", "only-8", "first-4"}));
  EXPECT_EQ(one.warned(), Words{"a power cut has more crash states than were asked for"});
  Setting two({"a=0"});
  two.writer.write("a", 0, "x");
  EXPECT_EQ(two.disk.choices(2), (Words{"none", "all"}));
  EXPECT_EQ(two.warned(), Words{});
}

TEST(Disk, NamesOfStatesThatThereAreNot) {
  Setting one({"a=0"});
  one.writer.write("a", 0, "xy");
  for (const std::string name : {"", "some", "first", "first-", "first-0", "first-01", "torn-1",
                                 "torn-1-", "torn-1-x", "all-but-1-half", "first-1x", "only--1"}) {
    const Result<std::string> content = one.disk.content(name);
    ASSERT_FALSE(content.ok()) << name;
    EXPECT_EQ(content.error().message, "`" + name + "` is not the name of a crash state");
    EXPECT_NE(content.error().remedy, "");
  }
  for (const std::string name : {"first-2", "only-2", "all-but-9", "torn-2-half"}) {
    const Status built = one.disk.build(name, "/nowhere");
    ASSERT_FALSE(built.ok()) << name;
    EXPECT_EQ(built.error().message,
              "there is no crash state `" + name + "`: 1 operation is not synced");
    EXPECT_FALSE(one.disk.settle(name).ok());
  }
}

TEST(Disk, ABaseThatCannotBeRead) {
  Disk disk({"/state"}, "/nowhere");
  DiskWriter writer(disk, "/state");
  writer.create("a");
  const Status built = disk.build("none", "/tmp");
  ASSERT_FALSE(built.ok());
  EXPECT_TRUE(built.error().message.starts_with("cannot read /nowhere/0")) << built.error().message;
}

}  // namespace
}  // namespace clew::inject
