// Executions per second, with and without lineage.
//
//   build/release/bench/run_bench
//
// Every execution starts at tick 1. `firings` is what one execution derives; firings
// per second should stay about the same however large the run is.
#include <benchmark/benchmark.h>

#include "base/check.h"
#include "bench/workloads.h"
#include "simulate/system.h"

namespace clew::bench {
namespace {

void run(benchmark::State& state, const Workload& workload, bool lineage) {
  simulate::Simulator simulator(workload.program, workload.nodes, CrashModel::kSilent,
                                {.lineage = lineage, .keep_states = false});
  for (auto _ : state) {
    auto error = simulator.run(workload.eot, {});
    CHECK(!error);
    benchmark::DoNotOptimize(simulator.last_change());
  }
  simulate::Simulator counting(workload.program, workload.nodes, CrashModel::kSilent, {});
  CHECK(!counting.run(workload.eot, {}));
  auto firings = static_cast<double>(counting.engine().firings().count());
  state.counters["firings"] = firings;
  state.counters["firings/s"] =
      benchmark::Counter(firings, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["runs/s"] = benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
}

void add(const std::string& name, Workload workload) {
  auto shared = std::make_shared<Workload>(std::move(workload));
  for (const bool lineage : {true, false}) {
    const std::string full = name + (lineage ? "/lineage" : "/plain");
    benchmark::RegisterBenchmark(full.c_str(), [shared, lineage](benchmark::State& state) {
      run(state, *shared, lineage);
    })->Unit(benchmark::kMicrosecond);
  }
}

void add_all() {
  for (const char* name : {"simple", "retry", "redun", "ack", "classic"}) {
    add(name + std::string("-deliv"),
        protocol("protocols/broadcast/" + std::string(name) + "_deliv.ded", 4));
  }
  for (const int nodes : {3, 6, 12, 24, 48}) {
    add("nodes/" + std::to_string(nodes), broadcast(nodes, 5, 1));
  }
  for (const Tick ticks : {5, 10, 20, 40, 80}) {
    add("ticks/" + std::to_string(ticks), broadcast(4, ticks, 1));
  }
  for (const int messages : {1, 4, 16, 64, 256}) {
    add("messages/" + std::to_string(messages), broadcast(4, 5, messages));
  }
}

}  // namespace
}  // namespace clew::bench

int main(int argc, char** argv) {
  clew::bench::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
