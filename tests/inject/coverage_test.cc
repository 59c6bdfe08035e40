// Programs that nobody here wrote make the same calls under the Tracer as under `strace -f`: each
// thread the same ones, in the same order, with the same errors; and as many reads and writes as
// the kernel counts. What shares its work among threads or processes: coverage_servers_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/inject/counted_run.h"
#include "tests/inject/strace.h"

namespace clew::inject {
namespace {

// `made`: a file that it makes; `least`: that many calls at least.
void expect_the_same(CountedRun& run, const std::string& made, size_t least) {
  run.play();
  const std::vector<std::string> traced = texts_of(calls_of(run));
  size_t calls = 0;
  for (const std::string& text : traced) {
    calls += static_cast<size_t>(std::ranges::count(text, '\n'));
  }
  EXPECT_GE(calls, least);
  EXPECT_GT(run.reads() + run.writes(), 0U);
  ASSERT_TRUE(std::filesystem::remove(run.folder() + "/" + made));
  EXPECT_EQ(traced, texts_of(calls_under_strace(run)));
  EXPECT_TRUE(std::filesystem::exists(run.folder() + "/" + made));
}

TEST(Coverage, Sqlite) {
  if (!is_installed("strace")) GTEST_SKIP() << "strace is not installed: nothing to compare with";
  if (!is_installed("sqlite3")) GTEST_SKIP() << "sqlite3 is not installed: nothing to look at";
  CountedRun run({"sqlite3", "test.db",
                  "create table t(a, b); insert into t values(1, 2); insert into t values(3, 4); "
                  "update t set a = 5; select count(*) from t; vacuum"});
  expect_the_same(run, "test.db", 100);
}

TEST(Coverage, Python) {
  if (!is_installed("strace")) GTEST_SKIP() << "strace is not installed: nothing to compare with";
  if (!is_installed("python3")) GTEST_SKIP() << "python3 is not installed: nothing to look at";
  CountedRun run({"python3", "-I", "script.py"});
  run.command.environment.insert(run.command.environment.end(),
                                 {"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0"});
  std::ofstream(run.folder() + "/script.py") << R"(
import os, socket, subprocess, threading
with open("made", "w") as file:
    for i in range(5):
        file.write(str(i) * 5000)
        file.flush()
        os.fsync(file.fileno())
def write(name):
    with open(name, "w") as file:
        file.write("thread")
    os.rename(name, name + ".done")
for name in ("one", "two"):
    thread = threading.Thread(target=write, args=(name,))
    thread.start()
    thread.join()
a, b = socket.socketpair()
a.sendall(b"hello")
b.recv(5)
said = subprocess.run(["sh", "-c", "echo hello | cat"], stdout=subprocess.PIPE).stdout
os.mkdir("folder")
os.rmdir("folder")
try:
    open("/no/where")
except FileNotFoundError:
    pass
)";
  expect_the_same(run, "made", 200);
  EXPECT_GE(run.processes.size(), 4U);
}

TEST(Coverage, APipelineOfTheShell) {
  if (!is_installed("strace")) GTEST_SKIP() << "strace is not installed: nothing to compare with";
  CountedRun run({"sh", "-c", "echo 1 2 3 | tr ' ' ':' | sort | tee made | wc -c"});
  expect_the_same(run, "made", 60);
}

}  // namespace
}  // namespace clew::inject
