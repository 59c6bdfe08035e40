// What the stack of a stopped thread costs (src/inject/surface/stacks.h): every call of a run has
// one walked.
//
//   build/release/bench/stack_bench
#include <benchmark/benchmark.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/surface/stacks.h"
#include "tests/inject/stopped.h"

namespace clew::inject {
namespace {

constexpr int kDepth = 5;  // 16 frames in all
volatile int sink = 0;

__attribute__((noinline)) void deeper(int depth) {
  if (depth == 0) {
    sink = ::fsync(-1);
  } else {
    deeper(depth - 1);
  }
  sink = sink + 1;
}

// Stops in its call for as long as the benchmarks run.
struct Deep {
  Deep() : child([] { deeper(kDepth); }), call(child.next(SYS_fsync).value()) {}
  Stopped child;
  StoppedCall call;
};

// Made before anything is measured, and so below fewer frames.
Deep& deep() {
  static Deep made;
  return made;
}

void show(benchmark::State& state, const Stacks::Walked& walked) {
  state.counters["frames"] = static_cast<double>(walked.frames.size());
  if (walked.truncated) state.SkipWithError("the walk ended early");
}

void walk_again(benchmark::State& state) {
  StackCache cache;
  Stacks stacks(cache);
  Stacks::Walked walked = stacks.walk(deep().call);
  for (auto _ : state) walked = stacks.walk(deep().call);
  show(state, walked);
}

// Of a process that is new, with all that was learned from others.
void walk_first_with_cache(benchmark::State& state) {
  StackCache known;
  Stacks(known).walk(deep().call);
  const std::string news = known.take_news();
  Stacks::Walked walked;
  for (auto _ : state) {
    StackCache cache;
    cache.add_news(news);
    walked = Stacks(cache).walk(deep().call);
  }
  show(state, walked);
}

void walk_first(benchmark::State& state) {
  Stacks::Walked walked;
  for (auto _ : state) {
    StackCache cache;
    walked = Stacks(cache).walk(deep().call);
  }
  show(state, walked);
}

BENCHMARK(walk_again)->Unit(benchmark::kMicrosecond);
BENCHMARK(walk_first_with_cache)->Unit(benchmark::kMicrosecond);
BENCHMARK(walk_first)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace clew::inject

int main(int count, char** words) {
  clew::inject::deep();
  benchmark::Initialize(&count, words);
  benchmark::RunSpecifiedBenchmarks();
}
