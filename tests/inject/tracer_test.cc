#include "inject/surface/tracer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "tests/inject/traced_run.h"

namespace clew::inject {
namespace {

using Kind = Action::Kind;

// A scene of victim.cc in a program that loads libraries and in one that does not.
class Scenes : public testing::TestWithParam<bool> {
 protected:
  static std::string program() { return GetParam() ? static_victim() : victim(); }
};

INSTANTIATE_TEST_SUITE_P(Tracer, Scenes, testing::Bool(),
                         [](const auto& which) { return which.param ? "Static" : "Dynamic"; });

TEST_P(Scenes, CallsOnFiles) {
  TracedRun run({program(), "files"});
  run.play();
  EXPECT_EQ(run.story(0),
            "openat=3 pwrite64=64 fdatasync=0 writev=3 ftruncate=0 pread64=10 close=0 rename=0 "
            "link=0 unlink=0 mkdir=0 rmdir=0 rename=-ENOENT\nexits 0");
  EXPECT_EQ(run.size_of("three"), 10U);
}

TEST_P(Scenes, CallsOnSockets) {
  TracedRun run({program(), "sockets"});
  run.play();
  EXPECT_EQ(run.story(0),
            "socketpair=0 sendto=5 recvfrom=5 sendmsg=5 recvmsg=5 shutdown=0\nexits 0");
}

TEST_P(Scenes, WhatChangesNothingPasses) {
  TracedRun run({program(), "unseen"});
  run.play();
  EXPECT_EQ(run.story(0), "exits 0");
}

TEST_P(Scenes, SomeOfMmapFcntlAndIoctl) {
  TracedRun run({program(), "seen"});
  // Whether files can be cloned depends on the file system.
  run.give = [](const StoppedCall& call, int64_t result) {
    return call.row->number == SYS_ioctl ? -EOPNOTSUPP : result;
  };
  run.play();
  std::string story = run.story(0);
  story = story.substr(0, story.find("mmap=") + 5) + "..." + story.substr(story.find(" msync"));
  const size_t clone = story.find("ioctl=");
  story = story.substr(0, clone + 6) + "..." + story.substr(story.find(' ', clone));
  EXPECT_EQ(story,
            "openat=3 ftruncate=0 mmap=... msync=0 fcntl=0 fcntl=100 close=0 fcntl=100 close=0 "
            "ioctl=... dup2=50 close=0\nexits 0");
}

TEST_P(Scenes, Threads) {
  TracedRun run({program(), "threads"});
  run.act = [](const StoppedCall& call) {
    return Action{.tell_result = call.row->io == Io::kWrite};
  };
  run.play();
  ASSERT_EQ(run.processes.size(), 1U);
  const TracedRun::OneProcess& process = run.processes[0];
  ASSERT_EQ(process.order.size(), 5U);
  for (size_t i = 1; i < 5; ++i) {
    std::string line;
    const TracedRun::OneThread& thread = process.threads.at(process.order[i]);
    for (const TracedRun::Seen& seen : thread.calls) {
      if (seen.name != "mmap") line += seen.name + seen.result + " ";
    }
    EXPECT_EQ(line, "openat pwrite64=64 pwrite64=64 pwrite64=64 close exit ");
    EXPECT_TRUE(thread.ended);
  }
  EXPECT_EQ(process.end, "exits 0");
}

TEST_P(Scenes, TheFirstThreadMayEndFirst) {
  TracedRun run({program(), "leaderless"});
  run.play();
  ASSERT_EQ(run.processes.size(), 1U);
  const TracedRun::OneProcess& process = run.processes[0];
  ASSERT_EQ(process.order.size(), 2U);
  EXPECT_EQ(process.threads.at(process.order[0]).calls.back().name, "exit");
  EXPECT_EQ(process.end, "exits 7");
  EXPECT_EQ(run.size_of("left"), 192U);
}

TEST_P(Scenes, Fork) {
  TracedRun run({program(), "forks"});
  run.play();
  ASSERT_EQ(run.processes.size(), 2U);
  const auto child = fmt::to_string(run.processes[1].id);
  EXPECT_EQ(run.story(0), "clone=" + child + " wait4=" + child + "\nexits 3");
  EXPECT_EQ(run.story(1), "rename=-ENOENT exit_group\nexits 3");
  EXPECT_EQ(run.processes[0].parent, 0);
  EXPECT_EQ(run.processes[1].parent, run.processes[0].id);
}

TEST_P(Scenes, Vfork) {
  TracedRun run({program(), "vforks"});
  run.play();
  ASSERT_EQ(run.processes.size(), 2U);
  const auto child = fmt::to_string(run.processes[1].id);
  EXPECT_EQ(run.story(0), "vfork=" + child + " wait4=" + child + "\nexits 5");
  EXPECT_EQ(run.story(1), "rename=-ENOENT\nexits 5");
  EXPECT_EQ(run.processes[1].executed, 1);
}

TEST_P(Scenes, PosixSpawn) {
  TracedRun run({program(), "spawns"});
  run.play();
  ASSERT_EQ(run.processes.size(), 2U);
  EXPECT_EQ(run.story(1), "rename=-ENOENT\nexits 5");
  EXPECT_EQ(run.processes[0].end, "exits 5");
}

TEST_P(Scenes, AThreadThatIsNotTheFirstExecutes) {
  TracedRun run({program(), "exec-in-thread"});
  run.play();
  ASSERT_EQ(run.processes.size(), 1U);
  const TracedRun::OneProcess& process = run.processes[0];
  EXPECT_EQ(process.executed, 2);
  ASSERT_EQ(process.order.size(), 2U);
  EXPECT_TRUE(process.threads.at(process.order[1]).ended);
  std::string first;
  for (const TracedRun::Seen& seen : process.threads.at(process.id).calls) {
    first += seen.name + seen.result + " ";
  }
  EXPECT_EQ(first, "rename=-ENOENT ");
  EXPECT_EQ(process.end, "exits 5");
}

TEST_P(Scenes, NobodyHidesAChild) {
  TracedRun run({program(), "untraced"});
  run.play();
  ASSERT_EQ(run.processes.size(), 2U);
  EXPECT_EQ(run.story(1), "rename=-ENOENT exit_group\nexits 3");
}

TEST_P(Scenes, ThreadsThatDieInTheirCalls) {
  TracedRun run({program(), "end-in-call"});
  run.play();
  const TracedRun::OneProcess& process = run.processes.at(0);
  ASSERT_EQ(process.order.size(), 3U);
  for (size_t i = 1; i < 3; ++i) {
    const TracedRun::OneThread& thread = process.threads.at(process.order[i]);
    EXPECT_EQ(thread.calls.back().name, "read");
    EXPECT_EQ(thread.calls.back().result, "");
    EXPECT_TRUE(thread.ended);
  }
  EXPECT_EQ(process.end, "exits 4");
}

TEST_P(Scenes, EndsBySignal) {
  TracedRun run({program(), "raises"});
  run.play();
  EXPECT_EQ(run.story(0), "killed 15");
}

std::string times(int count, const std::string& word) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST_P(Scenes, SignalsDoNotMultiplyCalls) {
  TracedRun run({program(), "storm"});
  run.play();
  EXPECT_EQ(run.story(0), times(10, "read=1") + " " + times(300, "pwrite64=64") + "\nexits 0");
  EXPECT_EQ(run.size_of("storm"), 64U * 300);
}

TEST_P(Scenes, SignalsDoNotMultiplyCallsWithoutResults) {
  TracedRun run({program(), "storm"});
  run.act = [](const StoppedCall&) { return Action{}; };
  run.play();
  EXPECT_EQ(run.story(0), times(10, "read") + " " + times(300, "pwrite64") + "\nexits 0");
}

TEST_P(Scenes, CallsThatSignalsEndHaveAResult) {
  TracedRun run({program(), "eintr"});
  run.play();
  int interrupted = 0, complete = 0;
  for (const TracedRun::Seen& seen : run.processes.at(0).threads.begin()->second.calls) {
    ASSERT_EQ(seen.name, "read");
    interrupted += seen.result == "=-EINTR";
    complete += seen.result == "=1";
  }
  EXPECT_EQ(fmt::to_string(interrupted), run.errors());
  EXPECT_EQ(complete, 10);
}

TEST_P(Scenes, TheResultOfAnInterruptedCallCanBeChanged) {
  TracedRun run({program(), "eintr"});
  run.give = [](const StoppedCall&, int64_t result) { return result == -EINTR ? -EIO : result; };
  run.play();
  EXPECT_EQ(run.errors(), "read: Input/output error\n");
  EXPECT_EQ(run.processes.at(0).end, "exits 99");
}

TEST_P(Scenes, HandlersMakeCallsOfTheirOwn) {
  TracedRun run({program(), "calls-in-handler"});
  run.act = [](const StoppedCall&) { return Action{}; };
  run.play();
  EXPECT_EQ(run.story(0), "read rename\nexits 0");
}

TEST_P(Scenes, IgnoredSignals) {
  TracedRun run({program(), "ignored"});
  run.play();
  std::string reads;
  for (const TracedRun::Seen& seen : run.processes.at(0).threads.at(run.processes[0].id).calls) {
    reads += seen.name + seen.result + " ";
  }
  EXPECT_EQ(reads, "read=1 read=1 read=1 ");
}

TEST_P(Scenes, ForksInASignalStorm) {
  TracedRun run({program(), "forks-in-storm"});
  run.play();
  EXPECT_EQ(run.processes.size(), 21U);
  const std::vector<TracedRun::Seen>& calls = run.processes[0].threads.begin()->second.calls;
  EXPECT_EQ(std::ranges::count(calls, "clone", &TracedRun::Seen::name), 20);
  for (const TracedRun::Seen& seen : calls) {
    EXPECT_TRUE(seen.result.starts_with("=") && seen.result != "=-ERESTARTNOINTR") << seen.result;
  }
  EXPECT_EQ(run.processes[0].end, "exits 0");
}

TEST_P(Scenes, StoppedAndContinued) {
  TracedRun run({program(), "stops"});
  run.play();
  ASSERT_EQ(run.processes.size(), 2U);
  EXPECT_EQ(run.story(1), "read=1\nexits 6");
  EXPECT_EQ(run.processes[0].end, "exits 6");
}

TEST_P(Scenes, RefusesWhatWouldPassUnseen) {
  TracedRun run({program(), "refused"});
  run.play();
  EXPECT_EQ(run.errors(), "38 38 38 38");
  EXPECT_EQ(run.refusals,
            (std::vector<std::string>{"io_uring_setup", "io_setup", "x32 calls", "32-bit calls"}));
}

// Each write, and each close.
auto fails_with(int error) {
  return [error](const StoppedCall& call) {
    const bool fails = call.row->io == Io::kWrite || call.row->io == Io::kClose;
    return fails ? Action{.kind = Kind::kFail, .number = error} : Action{};
  };
}

TEST_P(Scenes, ShortWrites) {
  TracedRun run({program(), "writes", "out"});
  run.act = [](const StoppedCall& call) {
    return Action{.count = (call.arguments[2] + 1) / 2, .tell_result = true};
  };
  run.play();
  EXPECT_EQ(run.story(0),
            "write=500 write=250 write=125 write=63 write=31 write=16 write=8 write=4 write=2 "
            "write=1\nexits 0");
  EXPECT_EQ(run.size_of("out"), 1000U);
}

TEST_P(Scenes, AnErrorIsReturnedAndNothingWritten) {
  TracedRun run({program(), "writes", "out"});
  run.act = fails_with(ENOSPC);
  run.play();
  EXPECT_EQ(run.processes.at(0).end, fmt::format("exits {}", ENOSPC));
  EXPECT_EQ(run.size_of("out"), 0U);
}

TEST_P(Scenes, AnErrorAfterShortWrites) {
  TracedRun run({program(), "writes", "out"});
  int calls = 0;
  run.act = [&](const StoppedCall& call) {
    return ++calls < 3 ? Action{.count = 100} : fails_with(EIO)(call);
  };
  run.play();
  EXPECT_EQ(run.processes.at(0).end, fmt::format("exits {}", EIO));
  EXPECT_EQ(run.size_of("out"), 200U);
}

TEST_P(Scenes, AResultIsMadeUp) {
  TracedRun run({program(), "writes", "out"});
  run.act = [](const StoppedCall& call) {
    return Action{.kind = Kind::kGive, .number = static_cast<int64_t>(call.arguments[2])};
  };
  run.play();
  EXPECT_EQ(run.story(0), "write\nexits 0");
  EXPECT_EQ(run.size_of("out"), 0U);
}

TEST_P(Scenes, AResultIsChangedAfterwards) {
  TracedRun run({program(), "writes", "out"});
  run.give = [](const StoppedCall&, int64_t) { return -EDQUOT; };
  run.play();
  EXPECT_EQ(run.processes.at(0).end, fmt::format("exits {}", EDQUOT));
  EXPECT_EQ(run.size_of("out"), 1000U);
}

TEST_P(Scenes, KilledBeforeACall) {
  TracedRun run({program(), "writes", "out"});
  run.act = [&](const StoppedCall& call) {
    if (call.row->io != Io::kWrite) return Action{};
    run.tracer().kill(0);
    return Action{.kind = Kind::kKill};
  };
  run.play();
  EXPECT_EQ(run.story(0), "write\nkilled 9");
  EXPECT_EQ(run.size_of("out"), 0U);
}

TEST_P(Scenes, KilledBetweenTwoCalls) {
  TracedRun run({program(), "writes", "out"});
  int calls = 0;
  run.act = [&](const StoppedCall&) {
    if (++calls == 1) return Action{.count = 300};
    run.tracer().kill(0);
    return Action{.kind = Kind::kKill};
  };
  run.play();
  EXPECT_EQ(run.processes.at(0).end, "killed 9");
  EXPECT_EQ(run.size_of("out"), 300U);
}

TEST_P(Scenes, KilledAfterACall) {
  TracedRun run({program(), "writes", "out"});
  run.give = [&](const StoppedCall&, int64_t result) {
    run.tracer().kill(0);
    return result;
  };
  run.play();
  EXPECT_EQ(run.story(0), "write=1000\nkilled 9");
  EXPECT_EQ(run.size_of("out"), 1000U);
}

TEST_P(Scenes, ABrokenPipeKills) {
  TracedRun run({program(), "writes-to-pipe"});
  run.act = fails_with(EPIPE);
  run.play();
  EXPECT_EQ(run.processes.at(0).end, fmt::format("killed {}", SIGPIPE));
}

TEST_P(Scenes, CloseFreesTheNumberAlthoughItFails) {
  TracedRun run({program(), "closes"});
  run.act = fails_with(EIO);
  run.play();
  EXPECT_EQ(run.processes.at(0).end, fmt::format("exits {}", EIO));
}

// Until at least so many have begun.
void step_until(TracedRun& run, size_t processes) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (run.processes.size() < processes && run.tracer().step(deadline) == Tracer::Next::kEvent) {
  }
  ASSERT_GE(run.processes.size(), processes);
}

// Or dead, and nobody but its parent can do anything about it.
void expect_dead(const std::vector<TracedRun::OneProcess>& processes) {
  for (const TracedRun::OneProcess& one : processes) {
    const std::string status = read_whole(fmt::format("/proc/{}/status", one.id));
    EXPECT_TRUE(status.empty() || status.find("State:\tZ") != std::string::npos) << status;
  }
}

TEST(Tracer, KillsWhatHasLeftItsGroup) {
  TracedRun run({victim(), "daemons"});
  run.act = [](const StoppedCall&) { return Action{}; };
  ASSERT_TRUE(run.tracer().start(run.command, 0).ok());
  step_until(run, 7);
  run.tracer().kill(0);
  EXPECT_EQ(run.tracer().count(0), 0U);
  expect_dead(run.processes);
}

TEST(Tracer, KillsWhatMultiplies) {
  TracedRun run({victim(), "multiplies"});
  run.act = [](const StoppedCall&) { return Action{}; };
  ASSERT_TRUE(run.tracer().start(run.command, 0).ok());
  step_until(run, 50);
  run.tracer().kill(0);
  EXPECT_EQ(run.tracer().count(0), 0U);
  EXPECT_EQ(run.tracer().step({}), Tracer::Next::kNobody);
  expect_dead(run.processes);
}

TEST(Tracer, KillsOneOfTwo) {
  TracedRun run({victim(), "multiplies"});
  run.act = [](const StoppedCall&) { return Action{}; };
  ASSERT_TRUE(run.tracer().start(run.command, 0).ok());
  step_until(run, 20);
  run.command.words = {victim(), "files"};
  const Result<pid_t> other = run.tracer().start(run.command, 1);
  ASSERT_TRUE(other.ok());
  run.tracer().kill(0);
  EXPECT_EQ(run.tracer().count(0), 0U);
  EXPECT_EQ(run.tracer().count(1), 1U);
  while (run.tracer().count(1) > 0) run.tracer().step(std::chrono::steady_clock::time_point::max());
  const auto found = std::ranges::find(run.processes, *other, &TracedRun::OneProcess::id);
  ASSERT_NE(found, run.processes.end());
  EXPECT_EQ(found->end, "exits 0");
}

TEST(Tracer, WaitsNoLongerThanItIsTold) {
  TracedRun run({"sleep", "100"});
  ASSERT_TRUE(run.tracer().start(run.command, 0).ok());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
  Tracer::Next next = Tracer::Next::kEvent;
  while (next == Tracer::Next::kEvent) next = run.tracer().step(deadline);
  EXPECT_EQ(next, Tracer::Next::kTime);
  EXPECT_GE(std::chrono::steady_clock::now(), deadline);
  EXPECT_EQ(run.tracer().step({}), Tracer::Next::kTime);
}

// All that came of it is gone with the Tracer, and nobody is told.
TEST(Tracer, KillsAllAtItsEnd) {
  std::vector<TracedRun::OneProcess> processes;
  {
    TracedRun run({victim(), "daemons"});
    run.act = [](const StoppedCall&) { return Action{}; };
    ASSERT_TRUE(run.tracer().start(run.command, 0).ok());
    step_until(run, 7);
    processes = run.processes;
  }
  expect_dead(processes);
}

// Writes the numbers of the first seven processes of a run, and goes on with it for ever.
[[noreturn]] void trace_daemons(int to) {
  TracedRun run({victim(), "daemons"});
  run.act = [](const StoppedCall&) { return Action{}; };
  if (!run.tracer().start(run.command, 0).ok()) _exit(1);
  step_until(run, 7);
  std::vector<pid_t> ids;
  for (const TracedRun::OneProcess& one : run.processes) ids.push_back(one.id);
  if (write(to, ids.data(), 7 * sizeof(pid_t)) < 0) _exit(1);
  while (true) run.tracer().step(Tracer::Time::max());
}

// Also when it has no time left to do anything.
TEST(Tracer, NothingOutlivesIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t tracer = fork();
  if (tracer == 0) trace_daemons(ends[1]);
  pid_t ids[7] = {};
  ASSERT_EQ(read(ends[0], ids, sizeof ids), ssize_t{sizeof ids});
  kill(tracer, SIGKILL);
  ASSERT_EQ(waitpid(tracer, nullptr, 0), tracer);
  for (const pid_t id : ids) {
    const auto is_alive = [id] {
      const std::string status = read_whole(fmt::format("/proc/{}/status", id));
      return !status.empty() && status.find("State:\tZ") == std::string::npos;
    };
    for (int tries = 0; tries < 10'000 && is_alive(); ++tries) usleep(1000);
    EXPECT_FALSE(is_alive()) << id;
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(Tracer, APipelineOfTheShell) {
  TracedRun run({"sh", "-c", "echo one two | tr o 0 | wc -c > count; exit 3"});
  run.play();
  EXPECT_EQ(read_whole(run.folder() + "/count"), "8\n");
  ASSERT_GE(run.processes.size(), 4U);
  EXPECT_EQ(run.processes[0].end, "exits 3");
}

TEST(Tracer, WhereACommandRuns) {
  TracedRun run({victim(), "says-place"});
  run.command.environment.push_back("COLOR=blue");
  const std::string path = run.folder() + "/stdout";
  const Descriptor output(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  run.command.output = output.number();
  if (getuid() == 0) {
    run.command.user = 1234;
    run.command.group = 4321;
  }
  run.play();
  EXPECT_EQ(read_whole(path), std::filesystem::canonical(run.folder()).string() + " blue 0 1 1\n");
  EXPECT_EQ(run.errors(), getuid() == 0 ? "1234 4321" : fmt::format("{} {}", getuid(), getgid()));
}

TEST(Tracer, WhatCannotBeStarted) {
  const struct {
    std::vector<std::string> words;
    std::string folder;
    std::string message;
  } table[] = {
      {{"no-such-program", "x"}, "/", "cannot run `no-such-program`: No such file or directory"},
      {{"/etc/passwd"}, "/", "cannot run `/etc/passwd`: Permission denied"},
      {{"/"}, "/", "cannot run `/`: Permission denied"},
      {{"true"}, "/no/where", "cannot run `true` in /no/where: No such file or directory"},
  };
  for (const auto& [words, folder, message] : table) {
    TracedRun run(words);
    run.command.folder = folder;
    const Result<pid_t> started = run.tracer().start(run.command, 0);
    ASSERT_FALSE(started.ok());
    EXPECT_EQ(started.error().message, message);
    EXPECT_NE(started.error().remedy, "");
    EXPECT_EQ(run.tracer().step({}), Tracer::Next::kNobody);
    EXPECT_TRUE(run.processes.empty());
  }
}

TEST(Tracer, SetUserIdProgramsAreTold) {
  if (getuid() != 0) GTEST_SKIP() << "only root can make a program set-user-id for others";
  TracedRun run({"./armed", "-u"});
  const std::string program = run.folder() + "/armed";
  std::filesystem::copy_file("/usr/bin/id", program);
  ASSERT_EQ(chown(program.c_str(), 1234, 1234), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  run.play();
  EXPECT_EQ(run.disarmed_programs, std::vector{std::filesystem::canonical(program).string()});
  TracedRun plain({"id"});
  plain.play();
  EXPECT_TRUE(plain.disarmed_programs.empty());
}

}  // namespace
}  // namespace clew::inject
