// What it costs to stop a process at its calls: processor time of both, for each call.
//
//   build/release/bench/inject_bench
//
// And what a run of `clew inject` costs, stacks and records included: the target writes 64 bytes
// and calls fdatasync on a file in memory. `alone`: without Clew; `gate`, `stops`: with and without
// a gate.
//
// The target writes 64 bytes into memory (memfd_create, pwrite) as fast as it can. `free`: nobody
// traces it; `before`: it stops before each call; `both`: before and after. The time shown is
// processor time, of user and system, of the target and of the tracer, less what `count` 0 takes.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/check.h"
#include "inject/local_runner.h"
#include "inject/surface/tracer.h"

namespace clew::inject {
namespace {

constexpr int kCalls = 20'000;

int toil(int calls) {
  const int file = memfd_create("toil", 0);
  const char block[64] = {};
  for (; calls > 0; --calls) CHECK(pwrite(file, block, sizeof block, 0) == sizeof block);
  return 0;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Of this process and of all its children that have ended.
double processor_seconds() {
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    sum += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum;
}

class Counter : public Watcher {
 public:
  explicit Counter(bool both) : both_(both) {}

  Action before(const StoppedCall&) override {
    ++calls;
    return {.tell_result = both_};
  }
  int64_t after(const StoppedCall&, int64_t result) override { return result; }
  void process_began(uint32_t, pid_t, pid_t) override {}
  void thread_began(uint32_t, pid_t, pid_t) override {}
  void executes(pid_t) override {}
  void thread_ended(pid_t, pid_t) override {}
  void process_ended(uint32_t, pid_t, int) override {}
  void refused(uint32_t, pid_t, const char*) override {}
  void disarmed(uint32_t, pid_t, const std::string&) override {}

  int calls = 0;

 private:
  bool both_;
};

// Two calls each.
int toil_with_syncs(const char* name, int times) {
  const int file = open(name, O_CREAT | O_RDWR, 0644);
  const char block[64] = {};
  for (int i = 0; i < times; ++i) {
    CHECK(pwrite(file, block, sizeof block, i % 64 * 64) == sizeof block);
    CHECK(fdatasync(file) == 0);
  }
  return 0;
}

std::string own_path() { return std::filesystem::read_symlink("/proc/self/exe"); }

void run_free(int calls) {
  const pid_t child = fork();
  if (child == 0) {
    execl(own_path().c_str(), "inject_bench", std::to_string(calls).c_str(), nullptr);
    _exit(1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

void run_traced(int calls, bool both) {
  Counter counter(both);
  Tracer tracer(counter);
  TracedCommand command;
  command.words = {own_path(), std::to_string(calls)};
  command.folder = std::string("/");
  CHECK(tracer.start(command, 0).ok());
  while (tracer.step(Tracer::Time::max()) == Tracer::Next::kEvent) {
  }
  CHECK(counter.calls >= calls);
}

const std::string kMemory = "/dev/shm/clew-inject-bench";

void run_alone(int calls) {
  const pid_t child = fork();
  if (child == 0) {
    execl(own_path().c_str(), "inject_bench", (kMemory + "/alone").c_str(),
          std::to_string(calls / 2).c_str(), nullptr);
    _exit(1);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
}

void run_whole(int calls, bool gate) {
  Target target;
  target.folder = kMemory;
  target.path = kMemory + "/target.toml";
  target.state = {kMemory + "/state"};
  target.gate = gate;
  target.run_seconds = 60;
  NodeSpec node{.name = "n", .command = {}};
  node.command.words = {own_path(), target.state[0] + "/file", std::to_string(calls / 2)};
  node.runs_to_end = true;
  node.restart = Restart::kNever;
  target.nodes.push_back(node);
  const auto runner = LocalRunner::make(target, {.jobs = 1});
  CHECK(runner.ok(), "{}", runner.error().message);
  (*runner)->start(1, {});
  const Observed seen = (*runner)->next().observed;
  CHECK(seen.trouble.empty(), "{}", seen.trouble);
  CHECK(seen.happenings.size() >= static_cast<size_t>(calls));
  CHECK(!gate || calls < 100 || seen.passed > static_cast<uint64_t>(calls) * 9 / 10, "{}",
        seen.passed);
}

template <class Run>
void measure(benchmark::State& state, const Run& run) {
  for (const auto _ : state) {
    const double begin = processor_seconds();
    run(0);
    const double middle = processor_seconds();
    run(kCalls);
    state.SetIterationTime(
        std::max(0.0, (processor_seconds() - middle - (middle - begin)) / kCalls));
  }
}

void inject_free(benchmark::State& state) { measure(state, run_free); }
void inject_before(benchmark::State& state) {
  measure(state, [](int calls) { run_traced(calls, false); });
}
void inject_both(benchmark::State& state) {
  measure(state, [](int calls) { run_traced(calls, true); });
}

void inject_alone(benchmark::State& state) { measure(state, run_alone); }
void inject_gate(benchmark::State& state) {
  measure(state, [](int calls) { run_whole(calls, true); });
}
void inject_stops(benchmark::State& state) {
  measure(state, [](int calls) { run_whole(calls, false); });
}

BENCHMARK(inject_alone)->UseManualTime()->Iterations(5)->Unit(benchmark::kMicrosecond);
BENCHMARK(inject_gate)->UseManualTime()->Iterations(5)->Unit(benchmark::kMicrosecond);
BENCHMARK(inject_stops)->UseManualTime()->Iterations(5)->Unit(benchmark::kMicrosecond);
BENCHMARK(inject_free)->UseManualTime()->Iterations(5)->Unit(benchmark::kMicrosecond);
BENCHMARK(inject_before)->UseManualTime()->Iterations(5)->Unit(benchmark::kMicrosecond);
BENCHMARK(inject_both)->UseManualTime()->Iterations(5)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace clew::inject

// With a number, or a file and a number: the target.
int main(int count, char** words) {
  using clew::inject::kMemory;
  if (count == 3 && words[1][0] == '/') {
    return clew::inject::toil_with_syncs(words[1], std::atoi(words[2]));
  }
  if (count == 2 && words[1][0] != '-') return clew::inject::toil(std::atoi(words[1]));
  benchmark::Initialize(&count, words);
  std::filesystem::create_directories(kMemory + "/state");
  benchmark::RunSpecifiedBenchmarks();
  std::filesystem::remove_all(kMemory);
}
