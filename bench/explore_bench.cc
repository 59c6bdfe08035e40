// Explores Paxos once, and says how fast; bench/explore asks for many.
//
//   build/release/bench/explore_bench PROPOSERS ACCEPTORS SYMMETRY THREADS CRASHES
//
// explore_bench_untracked is the same with nodes that do not notice which fields a handler reads
// and writes. Prints a line of JSON: what was found, seconds on the clock and of processors, and
// how many events per second are handled that nobody has seen before (handlers run, twice each).
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "explore/stateful.h"
#include "systems/paxos/paxos.h"

namespace clew::explore {
namespace {

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

double clock_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// Every state with every input of its node, from the first ones on.
size_t handle_all(const Cluster& cluster, size_t most) {
  Runner runner(cluster);
  runner.initial();
  Steps& steps = runner.steps();
  std::vector<size_t> next_input;  // by state
  for (bool more = true; more && steps.taken() < most;) {
    more = false;
    for (LocalId local = 0; local < steps.locals() && steps.taken() < most; ++local) {
      next_input.resize(steps.locals(), 0);
      if (!steps.up(local)) continue;
      for (; next_input[local] < steps.inputs(); ++next_input[local]) {
        const auto input = static_cast<InputId>(next_input[local]);
        const bool is_its = steps.receiver(input) == steps.owner(local);
        if (!is_its || steps.input(input).kind != Input::Kind::kEnvelope) continue;
        steps.take(local, input);
        more = true;
      }
    }
  }
  return steps.taken();
}

double events_per_second(const Cluster& cluster) {
  constexpr size_t kEvents = 20'000;
  const double begin = processor_seconds();
  size_t events = 0;
  while (events < kEvents) events += handle_all(cluster, kEvents - events);
  return static_cast<double>(events) / (processor_seconds() - begin);
}

void run(const std::vector<int>& numbers) {
  const paxos::Setup setup{.proposers = static_cast<uint8_t>(numbers[0]),
                           .acceptors = static_cast<uint8_t>(numbers[1])};
  Cluster cluster = paxos::cluster(setup);
  cluster.limits.crashes = cluster.limits.restarts = static_cast<uint8_t>(numbers[4]);
  const double events = events_per_second(cluster);
  const double processor = processor_seconds(), clock = clock_seconds();
  Stateful engine(cluster,
                  {.symmetry = numbers[2] != 0, .threads = static_cast<size_t>(numbers[3])});
  const Exploration found = engine.run();
  fmt::print(R"({{"states": {}, "moves": {}, "bytes": {}, "complete": {}, "processor": {:.3f}, )"
             R"("clock": {:.3f}, "handlers": {}, "events_per_second": {:.0f}}})"
             "\n",
             found.states, found.moves, found.bytes, found.complete,
             processor_seconds() - processor, clock_seconds() - clock,
             engine.runner().steps().taken(), events);
}

}  // namespace
}  // namespace clew::explore

int main(int argc, char** argv) {
  std::vector<int> numbers;
  for (int i = 1; i < argc; ++i) numbers.push_back(std::atoi(argv[i]));
  if (numbers.size() != 5 || numbers[0] < 1 || numbers[1] < 1) {
    fmt::print(stderr, "usage: explore_bench PROPOSERS ACCEPTORS SYMMETRY THREADS CRASHES\n");
    return 2;
  }
  clew::explore::run(numbers);
  return 0;
}
