#include "inject/names.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "inject/random_names.h"

namespace clew::inject {
namespace {

using Table = std::vector<std::pair<std::string, std::string>>;

Names some_names(const std::vector<Rename>& renames = {}) {
  Result<Names> names = Names::make(renames, {"/srv/app/state"});
  names->add_process(7);
  names->add_process(4711);
  return *std::move(names);
}

TEST(Names, OfPathsAreRelativeToTheState) {
  const Names names = some_names();
  const Table table = {
      {"/srv/app/state/log", "log"},
      {"/srv/app/state/a/b.c", "a/b.c"},
      {"/srv/app/state", "."},
      {"/srv/app/stateless", "/srv/app/stateless"},
      {"/srv/app", "/srv/app"},
      {"/", "/"},
      {"", ""},
      {"relative/x", "relative/x"},
  };
  for (const auto& [path, expected] : table) EXPECT_EQ(names.path(path), expected) << path;
}

TEST(Names, OfSeveralFoldersDiffer) {
  const Result<Names> names = Names::make({}, {"/srv/a/state", "/srv/b/state", "/srv/b/state/deep"},
                                          {"/x/0", "/x/1", "/y"});
  ASSERT_TRUE(names.ok());
  EXPECT_EQ(names->path("/x/0/log"), "a/state/log");
  EXPECT_EQ(names->path("/x/1/log"), "b/state/log");
  EXPECT_EQ(names->path("/y/log"), "b/state/deep/log");
  EXPECT_EQ(names->path("/x/1"), "b/state");
  EXPECT_EQ(names->path("/srv/a/state/log"), "/srv/a/state/log");
}

TEST(Names, LoseWhatIsPlainlyRandom) {
  const Names names = some_names();
  const Table table = {
      // mkstemp, mktemp, Python, SQLite, git
      {"/tmp/log.x7Qf2Z", "/tmp/log.*"},
      {"/tmp/tmp.Kq8sLwZx1P", "/tmp/tmp.*"},
      {"/tmp/tmpk3j_9xza", "/tmp/tmp*"},
      {"/tmp/tmpk3j49xza.txt", "/tmp/tmp*.txt"},
      {"/var/tmp/etilqs_4f6a8e2b1c9d7f3a", "/var/tmp/etilqs_*"},
      {"/srv/app/state/tmp_obj_Wk2RTo", "tmp_obj_*"},
      {"/srv/app/state/part-aB3dE9.tmp", "part-*.tmp"},
      // processes
      {"/proc/4711/stat", "/proc/*/stat"},
      {"/proc/12/task/13/fd/5", "/proc/*/task/*/fd/5"},
      {"/dev/pts/3", "/dev/pts/*"},
      {"/srv/app/state/temp-7.rdb", "temp-*.rdb"},
      {"/srv/app/state/temp-rewriteaof-bg-4711.aof", "temp-rewriteaof-bg-*.aof"},
      {"/srv/app/state/core.4711", "core.*"},
      // identities, times, hashes
      {"/srv/app/state/123e4567-e89b-12d3-a456-426614174000.json", "*.json"},
      {"/srv/app/state/dump-1763523481.rdb", "dump-*.rdb"},
      {"/srv/app/state/9f8a7b6c5d4e3f2a", "*"},
      {"/dev/shm/PostgreSQL.1804289383", "/dev/shm/PostgreSQL.*"},
  };
  for (const auto& [path, expected] : table) EXPECT_EQ(names.path(path), expected) << path;
}

TEST(Names, KeepWhatPeopleAndProgramsCount) {
  const Names names = some_names();
  for (const std::string name : {"log",
                                 "log2",
                                 "README",
                                 "file.000012",
                                 "000005.ldb",
                                 "MANIFEST-000004",
                                 "base/16384/2619",
                                 "000000010000000A0000001F",
                                 "0000000000000000-0000000000000007.wal",
                                 "appendonly.aof.1.base.rdb",
                                 "CURRENT",
                                 "FooBar",
                                 "a.FooBar",
                                 "x.server",
                                 "part-2.tmp",
                                 "7.log",
                                 "core.7",
                                 "4711",
                                 "pg_wal",
                                 "store.sqlite3",
                                 "template.server",
                                 "utf8mb.x",
                                 "lib64",
                                 "MyLongClassNameForFiles",
                                 "data.abc123",
                                 "v1.UPPER2",
                                 "x86",
                                 "00000001",
                                 "snapshot-0000000000000002-00000000000000a1.snap"}) {
    EXPECT_EQ(names.path("/srv/app/state/" + name), name);
  }
}

TEST(Names, FollowTheUsersRules) {
  const Names names = some_names({{"job-[a-z]+", "job-*"},
                                  {"^cache/(\\w+)/.*", "cache/$1"},
                                  {"10\\.0\\.0\\.\\d+", "inside"},
                                  {"loop(\\d)", "loop-$1"}});
  EXPECT_EQ(names.path("/srv/app/state/job-abc/x"), "job-*/x");
  EXPECT_EQ(names.path("/srv/app/state/cache/eu/what/ever"), "cache/eu");
  EXPECT_EQ(names.address("10.0.0.7", 5432), "inside:5432");
  EXPECT_EQ(names.thread("loop3x", false), "loop-3x");
}

TEST(Names, WantPatternsThatCanBeRead) {
  const Result<Names> names = Names::make({{"a(b", "c"}}, {});
  ASSERT_FALSE(names.ok());
  EXPECT_NE(names.error().message.find("`a(b`"), std::string::npos) << names.error().message;
  EXPECT_FALSE(names.error().remedy.empty());
}

TEST(Names, EndForHostilePatternsAndNames) {
  const Names names = some_names({{"(a+)+b", "x"}, {"$", "longer"}});
  const std::string hostile = "/srv/app/state/" + std::string(1000, 'a');
  EXPECT_EQ(names.path(hostile), std::string(1000, 'a') + "longer");
  EXPECT_EQ(names.path("/srv/app/state/" + std::string(1025, 'a')), std::string(1025, 'a'));
  EXPECT_EQ(names.path(std::string(100'000, '/')).size(), 4096U);
}

TEST(Names, OfAddressesLosePortsThatNobodyChose) {
  const Names names = some_names();
  EXPECT_EQ(names.address("127.0.0.1", 7000), "127.0.0.1:7000");
  EXPECT_EQ(names.address("127.0.0.1", 41234), "127.0.0.1:*");
  EXPECT_EQ(names.address("::1", 6379), "[::1]:6379");
  EXPECT_EQ(names.address("::1", 60999), "[::1]:*");
  EXPECT_EQ(names.address("::1", 61000), "[::1]:61000");
}

TEST(Names, OfThreadsLoseCounters) {
  const Names names = some_names();
  const Table table = {{"worker-17", "worker-*"},
                       {"worker17", "worker*"},
                       {"pool-1-thread-3", "pool-*-thread-*"},
                       {"http2srv", "http2srv"},
                       {"main", "main"},
                       {"42", "42"},
                       {"io thread #3", "io thread #*"}};
  for (const auto& [name, expected] : table) EXPECT_EQ(names.thread(name, false), expected);
  EXPECT_EQ(names.thread("python3", true), "python3");
  EXPECT_EQ(names.thread("sqlite3", true), "sqlite3");
}

}  // namespace
}  // namespace clew::inject
