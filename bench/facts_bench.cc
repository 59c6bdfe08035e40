// What it takes to judge one run of processes: facts made of 2,000 happenings, then 50 rules and
// ten promises over them.
//
//   build/release/bench/facts_bench
//
// `at_the_end` has promises that look at the end alone. `always` has the same with `always`, so
// that there is a tick for each happening that tells the spec something new. Reading the target and
// the spec is not measured: that is done once for a campaign.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/syscall.h>

#include "base/check.h"
#include "dedalus/parse.h"
#include "dedalus/passes/passes.h"
#include "inject/facts.h"

namespace clew::bench {
namespace {

constexpr int kWriters = 10;
constexpr int kCalls = 1500;
constexpr int kLines = 500;

inject::Target target() {
  inject::Target target;
  target.facts.push_back(
      {.from = "workload", .line = "acked (\\w+) by (\\d+)", .is = "acked(\"$1\", $2)"});
  target.facts.push_back(
      {.from = "master", .line = "(\\w+) has (\\w+)", .is = "replica(\"$1\", \"$2\")"});
  return target;
}

microspec::MicroSpec spec(const char* kind) {
  std::string text;
  for (int writer = 0; writer < kWriters; ++writer) {
    text += fmt::format(
        "acked_{0}(W) :- acked(W, {0});\n"
        "stored_{0}(W) :- acked_{0}(W), replica(_, W);\n"
        "failed_{0}(F) :- call(_, \"fsync\", F, \"EIO\", At), At > {0};\n"
        "again_{0}(F) :- failed_{0}(F), call(_, \"fsync\", F, \"ok\", _);\n"
        "lost_{0}(W) :- acked_{0}(W), notin stored_{0}(W), notin again_{0}(W);\n"
        "{1} kept_{0}: lost_{0}(W) implies crashed(_, _), acked_{0}(W);\n",
        writer, kind);
  }
  SourceSet sources;
  Diagnostics diagnostics;
  const FileId id = sources.add("spec.ded", text);
  std::vector<dedalus::File> files;
  files.push_back(dedalus::parse(id, sources, diagnostics));
  auto program =
      dedalus::check_spec(std::move(files), *inject::relations_of(target()), diagnostics);
  CHECK(program, "{}", diagnostics.render(sources));
  return {*std::move(program), sources};
}

inject::Observed observe() {
  using inject::Call, inject::Change, inject::Line, inject::Object, inject::find_call;
  inject::Observed seen;
  seen.nodes = {"master"};
  seen.points.resize(1);
  for (int i = 0; i < kCalls; ++i) {
    const bool fails = i % 100 == 0;
    seen.happenings.emplace_back(
        Call{.row = find_call(i % 3 == 0 ? SYS_fsync : SYS_pwrite64),
             .object = {Object::Kind::kFile, fmt::format("data/{}", i % 20)},
             .result = fails ? -EIO : 0,
             .finished = true});
    if (i % 3 != 0) continue;
    const int entry = i / 3;
    const bool acked = entry % 2 == 0;
    seen.happenings.emplace_back(
        Line{acked ? "workload" : "master",
             acked ? fmt::format("acked w{} by {}", entry / 2, entry / 2 % kWriters)
                   : fmt::format("d{} has w{}", entry % 3, entry / 2)});
  }
  seen.happenings.emplace_back(Change{Change::Kind::kCrashed, "master", 0});
  CHECK(seen.happenings.size() == kCalls + kLines + 1);
  return seen;
}

void judge(benchmark::State& state, const char* kind) {
  const inject::Target given = target();
  const microspec::MicroSpec rules = spec(kind);
  const inject::Observed seen = observe();
  microspec::Judge judge(rules);
  size_t facts = 0;
  size_t ticks = 0;
  for (auto _ : state) {
    Result<Run> run = inject::to_run(given, rules, seen);
    CHECK(run.ok(), "{}", run.error().message);
    facts = run->facts.back().size();
    ticks = run->facts.size();
    CHECK(judge.judge(*run, Detail::kVerdict).ok());
  }
  state.counters["facts"] = static_cast<double>(facts);
  state.counters["ticks"] = static_cast<double>(ticks);
}

void at_the_end(benchmark::State& state) { judge(state, "promise"); }
void always(benchmark::State& state) { judge(state, "always"); }

BENCHMARK(at_the_end)->Unit(benchmark::kMillisecond);
BENCHMARK(always)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace clew::bench

BENCHMARK_MAIN();
