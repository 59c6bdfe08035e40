// Programs that nobody here wrote make the same calls under the Tracer as under `strace -f`: each
// thread the same ones, in the same order, with the same errors.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/inject/traced_run.h"

namespace clew::inject {
namespace {

bool is_installed(const std::string& program) {
  return access(("/usr/bin/" + program).c_str(), X_OK) == 0;
}

// Whether strace's line shows one that is part of the surface.
bool is_of_surface(const std::string& name, const std::string& line) {
  const auto has = [&](const char* word) { return line.find(word) != std::string::npos; };
  if (name == "mmap") {
    return !has("MAP_ANONYMOUS") && (has("MAP_SHARED") || has("PROT_EXEC"));
  }
  if (name == "fcntl") return has("F_DUPFD") || has("F_SETFL");
  if (name == "ioctl") return has("FICLONE");
  return std::ranges::any_of(all_calls(), [&](const CallRow& row) { return row.name == name; });
}

using Threads = std::map<std::string, std::vector<std::string>>;

// "openat -ENOENT", "read": of each thread, as strace's file tells. What is not finished on its
// line ends on a later one, and what is restarted counts once.
Threads read_strace(const std::string& path) {
  static const std::regex begins(R"((\d+) +(\w+)\((.*))");
  static const std::regex resumes(R"((\d+) +<\.\.\. \w+ resumed>(.*))");
  static const std::regex fails(R"(.* = -1 (E\w+) \(.*)");
  Threads threads;
  std::map<std::string, bool> counts;  // whether the call that is not finished is of the surface
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::smatch match;
    std::string thread;
    if (std::regex_match(line, match, begins)) {
      thread = match[1];
      counts[thread] = is_of_surface(match[2], line);
      if (counts[thread]) threads[thread].push_back(match[2]);
    } else if (std::regex_match(line, match, resumes)) {
      thread = match[1];
    }
    if (thread.empty() || !counts[thread]) continue;
    if (line.find(" = ? ERESTART") != std::string::npos) threads[thread].pop_back();
    if (std::regex_match(line, match, fails)) threads[thread].back() += " -" + match[1].str();
  }
  return threads;
}

std::vector<std::string> texts_of(const Threads& threads) {
  std::vector<std::string> texts;
  for (const auto& [id, calls] : threads) {
    std::string text;
    for (const std::string& call : calls) text += call + "\n";
    texts.push_back(text);
  }
  std::ranges::sort(texts);
  return texts;
}

// The execve of the command itself is not its own, but strace shows it.
std::vector<std::string> under_strace(const TracedRun& run) {
  std::string line = "cd " + run.folder() + " && env -i";
  for (const std::string& variable : run.command.environment) line += " " + variable;
  line += " strace -f -o strace.out";
  for (const std::string& word : run.command.words) line += " \"" + word + "\"";
  EXPECT_EQ(std::system((line + " < /dev/null > /dev/null 2> strace.err").c_str()), 0)
      << read_whole(run.folder() + "/strace.err");
  std::vector<std::string> texts = texts_of(read_strace(run.folder() + "/strace.out"));
  const auto command = std::ranges::find_if(texts, [](const std::string& text) {
    return text.starts_with("execve\nopenat ") || text.starts_with("execve\nopenat\n");
  });
  EXPECT_NE(command, texts.end());
  if (command != texts.end()) *command = command->substr(std::string("execve\n").size());
  std::ranges::sort(texts);
  return texts;
}

std::vector<std::string> under_tracer(TracedRun& run) {
  run.all = true;
  run.play();
  Threads threads;
  for (size_t i = 0; i < run.processes.size(); ++i) {
    for (const auto& [id, thread] : run.processes[i].threads) {
      std::vector<std::string>& calls = threads[fmt::format("{} {}", i, id)];
      for (const TracedRun::Seen& seen : thread.calls) {
        const bool failed = seen.result.starts_with("=-");
        calls.push_back(seen.name + (failed ? " " + seen.result.substr(1) : ""));
      }
    }
  }
  return texts_of(threads);
}

// `made`: a file that it makes; `least`: that many calls at least.
void expect_the_same(TracedRun& run, const std::string& made, size_t least) {
  const std::vector<std::string> traced = under_tracer(run);
  size_t calls = 0;
  for (const std::string& text : traced) {
    calls += static_cast<size_t>(std::ranges::count(text, '\n'));
  }
  EXPECT_GE(calls, least);
  ASSERT_TRUE(std::filesystem::remove(run.folder() + "/" + made));
  EXPECT_EQ(traced, under_strace(run));
  EXPECT_TRUE(std::filesystem::exists(run.folder() + "/" + made));
}

TEST(Coverage, Sqlite) {
  if (!is_installed("strace")) GTEST_SKIP() << "strace is not installed: nothing to compare with";
  if (!is_installed("sqlite3")) GTEST_SKIP() << "sqlite3 is not installed: nothing to look at";
  TracedRun run({"sqlite3", "test.db",
                 "create table t(a, b); insert into t values(1, 2); insert into t values(3, 4); "
                 "update t set a = 5; select count(*) from t; vacuum"});
  expect_the_same(run, "test.db", 100);
}

TEST(Coverage, Python) {
  if (!is_installed("strace")) GTEST_SKIP() << "strace is not installed: nothing to compare with";
  if (!is_installed("python3")) GTEST_SKIP() << "python3 is not installed: nothing to look at";
  TracedRun run({"python3", "-I", "script.py"});
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
  TracedRun run({"sh", "-c", "echo 1 2 3 | tr ' ' ':' | sort | tee made | wc -c"});
  expect_the_same(run, "made", 60);
}

}  // namespace
}  // namespace clew::inject
