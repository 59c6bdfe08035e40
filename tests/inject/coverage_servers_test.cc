// Servers, a static Go program, and Python in a storm of signals, under the Tracer and under
// `strace -f`. They share their work among threads and processes, and some of it comes of timers:
// so it is counted, program by program.
//
//   what nothing but the program decides       as often on both sides: paths, errors and all
//   reads and writes, however many they are    as many as the kernel counts, in the same run
//   what depends on how the bytes come         on both sides, or on neither
//   polls: EAGAIN, EINTR                       may come or not
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/inject/counted_run.h"
#include "tests/inject/strace.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

struct Compared {
  std::vector<std::string> needs;     // programs that have to be installed
  std::vector<std::string> programs;  // that are compared: not the shell that waits for them
  std::string script{};               // sh; it ends by itself
  std::set<std::string> varies{};     // besides kVaries: names of calls, or with their paths
  void (*prepare)(const std::string& folder) = [](const std::string&) {};
};

// How many there are depends on when bytes come, and on how many of them at once.
const std::set<std::string> kVaries = {"read",    "write",  "readv",   "writev",   "recvfrom",
                                       "recvmsg", "sendto", "sendmsg", "sendmmsg", "close",
                                       "accept",  "wait4",  "waitid",  "accept4",  "clone"};

bool is_poll(const std::string& call) {
  return call.ends_with(" -EAGAIN") || call.ends_with(" -EINTR");
}

// What varies becomes 1.
Counts steady(const Counts& counts, const std::set<std::string>& varies) {
  Counts result;
  for (const auto& [call, count] : counts) {
    const std::string name = call.substr(0, call.find(' '));
    if (is_poll(call)) continue;
    const bool is_varying = kVaries.contains(name) || varies.contains(name);
    if (varies.contains(call)) continue;
    result[is_varying ? name : call] = is_varying ? 1 : count;
  }
  return result;
}

// What one has and the other has not, or not as often.
std::string difference(const Counts& traced, const Counts& shown) {
  std::string text;
  std::set<std::string> calls;
  for (const Counts* counts : {&traced, &shown}) {
    for (const auto& [call, count] : *counts) calls.insert(call);
  }
  for (const std::string& call : calls) {
    const size_t ours = traced.contains(call) ? traced.at(call) : 0;
    const size_t theirs = shown.contains(call) ? shown.at(call) : 0;
    if (ours != theirs) text += fmt::format("{}: {}, strace {}\n", call, ours, theirs);
  }
  return text;
}

void prepare(const Compared& compared, const std::string& folder) {
  fs::permissions(folder, fs::perms(0755));
  std::ofstream(folder + "/script.sh") << compared.script;
  compared.prepare(folder);
}

// `least`: so many different calls of each program that are as often on both sides.
void expect_as_often(const Compared& compared, size_t least) {
  if (!is_installed("strace")) GTEST_SKIP() << "strace is not installed: nothing to compare with";
  for (const std::string& program : compared.needs) {
    if (!is_installed(program)) GTEST_SKIP() << program << " is not installed: nothing to look at";
  }
  CountedRun run({"sh", "script.sh"});
  prepare(compared, run.folder());
  run.play();
  EXPECT_GT(run.reads(), 0U);
  EXPECT_GT(run.writes(), 0U);
  auto traced = by_program(calls_of(run), run.folder());
  const CountedRun other({"sh", "script.sh"});
  prepare(compared, other.folder());
  auto shown = by_program(calls_under_strace(other), other.folder());
  EXPECT_FALSE(fs::exists(run.folder() + "/failed"));
  EXPECT_FALSE(fs::exists(other.folder() + "/failed"));
  for (const std::string& program : compared.programs) {
    const Counts counts = steady(shown[program], compared.varies);
    const auto exact =
        std::ranges::count_if(counts, [](const auto& one) { return !kVaries.contains(one.first); });
    EXPECT_GE(static_cast<size_t>(exact), least) << program;
    EXPECT_EQ(difference(steady(traced[program], compared.varies), counts), "") << program;
  }
}

// redis reads /proc/self/stat ten times in a second.
TEST(CoverageOfServers, Redis) {
  Compared redis{.needs = {"redis-server", "redis-cli"}, .programs = {"redis-server", "redis-cli"}};
  redis.varies = {"openat /proc/self/stat"};
  redis.script = R"sh(
redis-server --port 0 --unixsocket "$PWD/socket" --save "" --appendonly yes --appendfsync always &
until [ -S socket ]; do sleep 0.05; done
redis-cli -s socket set key value
redis-cli -s socket shutdown nosave
wait
)sh";
  expect_as_often(redis, 20);
}

// It begins threads as it needs them, which may make glibc look for the number of processors, and
// commits to its database whenever 100 ms have passed. When it ends, two threads may do so at once.
TEST(CoverageOfServers, Etcd) {
  Compared etcd{.needs = {"etcd", "etcdctl"}, .programs = {"etcd", "etcdctl"}};
  etcd.varies = {"clone3", "fdatasync", "pwrite64", "exit_group",
                 "openat /sys/devices/system/cpu/online"};
  etcd.script = R"sh(
etcd --data-dir data --logger zap --log-outputs stderr --listen-peer-urls unix://peer:1 \
  --listen-client-urls unix://client:1 --advertise-client-urls http://localhost:2379 2> log &
until grep -q "serving client traffic" log; do sleep 0.05; done
etcdctl --endpoints unix://client:1 put key value
kill $!
wait
)sh";
  expect_as_often(etcd, 10);
}

TEST(CoverageOfServers, Postgres) {
  const std::string server = "/usr/lib/postgresql/15/bin/postgres";
  Compared postgres{.needs = {server, "psql"}, .programs = {"postgres", "psql"}};
  postgres.script = R"sh(
if [ "$(id -u)" = 0 ]; then as="setpriv --reuid=postgres --regid=postgres --init-groups"; fi
$as /usr/lib/postgresql/15/bin/postgres -D postgres -k "$PWD" -c listen_addresses= \
  -c autovacuum=off > log 2>&1 &
until grep -q "ready to accept" log; do sleep 0.05; done
psql -h "$PWD" -U postgres -c "insert into keys values (1)" template1
kill -INT $!
wait
)sh";
  postgres.prepare = [](const std::string& folder) {
    const std::string line = fmt::format(
        "cp systems/databases/postgres_init.sh {0} && cd {0} && sh postgres_init.sh && "
        "if [ $(id -u) = 0 ]; then chown postgres: .; fi",
        folder);
    EXPECT_EQ(std::system(line.c_str()), 0);
  };
  expect_as_often(postgres, 50);
}

TEST(CoverageOfServers, AStaticProgramInGo) {
  Compared shfmt{.needs = {"shfmt"}, .programs = {"shfmt"}};
  shfmt.script = R"sh(
export GOMAXPROCS=1
mkdir d
echo "if true;then echo 1;fi" > d/one.sh
echo "for i in 1 2; do echo ;done" > d/two.sh
shfmt -l -w d
)sh";
  expect_as_often(shfmt, 15);
}

// A signal every 200 us, whatever is called; and children that execute something else meanwhile.
TEST(CoverageOfServers, PythonInASignalStorm) {
  Compared python{.needs = {"python3"}, .programs = {"python3", "sh", "cat"}};
  python.prepare = [](const std::string& folder) {
    std::ofstream(folder + "/script.py") << R"py(
import os, signal, subprocess
signals = []
signal.signal(signal.SIGALRM, lambda number, frame: signals.append(number))
signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
for i in range(100):
    with open("made", "w") as file:
        file.write(str(i) * 500)
        file.flush()
        os.fsync(file.fileno())
    os.rename("made", f"made{i}")
for i in range(5):
    subprocess.run(["/usr/bin/sh", "-c", "echo hello | cat > said; mkdir made.d; rmdir made.d"])
signal.setitimer(signal.ITIMER_REAL, 0, 0)
assert len(signals) > 10
)py";
  };
  python.script = R"sh(
export PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0
/usr/bin/python3 -I script.py || mkdir failed
)sh";
  expect_as_often(python, 5);
}

}  // namespace
}  // namespace clew::inject
