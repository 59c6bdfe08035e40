// Runs judged per second: 60 rules and 20 promises over 5,000 facts.
//
//   build/release/bench/judge_bench
//
// 20 writers each acknowledge five entries and log them on four nodes at every tick, which rules
// carry on and promises compare. Reading the spec and planning its rules is not measured: a Judge
// does that once, whatever it judges then. `facts` is what the Run has, `derived` what the rules
// add.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "dedalus/parse.h"
#include "dedalus/passes/passes.h"
#include "microspec/microspec.h"

namespace clew::bench {
namespace {

constexpr int kWriters = 20;
constexpr int kTicks = 10;
constexpr int kEntries = 5;  // of a writer, at a tick
constexpr int kNodes = 4;

microspec::MicroSpec spec() {
  dedalus::GivenRelations given;
  std::string text;
  for (int writer = 0; writer < kWriters; ++writer) {
    given.emplace(fmt::format("acked_{}", writer), 1);
    given.emplace(fmt::format("log_{}", writer), 2);
    text += fmt::format(
        "seen_{0}(W)@next :- acked_{0}(W);\n"
        "seen_{0}(W)@next :- seen_{0}(W), notin lost_{0}(W);\n"
        "lost_{0}(W) :- acked_{0}(W), notin log_{0}(_, W);\n"
        "always kept_{0}: acked_{0}(W) implies log_{0}(_, W);\n",
        writer);
  }
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId id = sources.add("spec.ded", text);
  std::vector<dedalus::File> files;
  files.push_back(dedalus::parse(id, sources, diagnostics));
  auto program = dedalus::check_spec(std::move(files), given, diagnostics);
  CHECK(program, "{}", diagnostics.render(sources));
  return {*std::move(program), sources};
}

Run run() {
  Run run;
  for (int tick = 1; tick <= kTicks; ++tick) {
    std::vector<Fact>& facts = run.facts.emplace_back();
    for (int writer = 0; writer < kWriters; ++writer) {
      for (int entry = 0; entry < kEntries; ++entry) {
        const std::string name = fmt::format("entry {}", tick * kEntries + entry);
        facts.push_back({fmt::format("acked_{}", writer), {name}});
        for (int node = 0; node < kNodes; ++node) {
          facts.push_back({fmt::format("log_{}", writer), {fmt::format("n{}", node), name}});
        }
      }
    }
    std::ranges::sort(facts);
  }
  run.scenario.program.eot = kTicks;
  return run;
}

size_t size(const Run& run) {
  size_t count = 0;
  for (const std::vector<Fact>& tick : run.facts) count += tick.size();
  return count;
}

void judge(benchmark::State& state, Detail detail) {
  microspec::Judge judge(spec());
  const Run given = run();
  size_t all = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Run run = given;
    state.ResumeTiming();
    CHECK(judge.judge(run, detail).ok());
    CHECK(run.outcome().kind == Outcome::Kind::kHolds);
    all = size(run);
  }
  state.counters["facts"] = static_cast<double>(size(given));
  state.counters["derived"] = static_cast<double>(all - size(given));
}

void verdict(benchmark::State& state) { judge(state, Detail::kVerdict); }
void trace(benchmark::State& state) { judge(state, Detail::kTrace); }
void lineage(benchmark::State& state) { judge(state, Detail::kLineage); }

BENCHMARK(verdict)->Unit(benchmark::kMillisecond);
BENCHMARK(trace)->Unit(benchmark::kMillisecond);
BENCHMARK(lineage)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace clew::bench

BENCHMARK_MAIN();
