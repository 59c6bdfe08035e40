// What a crash state costs: processor time, by the number of files of 4096 bytes, of which one was
// written to.
//
//   build/release/bench/disk_bench
//
// `restore`: the folder becomes the state; `whole`: all of it is written anew and copied there;
// `choices`: which states there are, after 20 writes; `first`: what a run does before it begins.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/syscall.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "inject/disk.h"
#include "inject/trees.h"

namespace clew::inject {
namespace {

namespace fs = std::filesystem;

// A folder in memory with a base and a copy of it, which a Disk is about.
class Setting {
 public:
  explicit Setting(int64_t files) {
    fs::remove_all(kFolder);
    fs::create_directories(base());
    for (int64_t i = 0; i < files; ++i) {
      std::ofstream(fmt::format("{}/file{}", base(), i)) << std::string(4096, 'x');
    }
    CHECK(copy_tree(base(), state()).ok());
    disk.emplace(std::vector{state()}, kFolder + "/base");
    disk->look();
  }
  ~Setting() { fs::remove_all(kFolder); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;

  static std::string base() { return kFolder + "/base/0"; }
  static std::string state() { return kFolder + "/state"; }
  static std::string scratch() { return kFolder + "/scratch"; }

  void write(uint64_t at) {
    const std::string path = state() + "/file0";
    std::ofstream(path, std::ios::in).seekp(static_cast<std::streamoff>(at)) << "written";
    disk->note({.row = find_call(SYS_pwrite64),
                .result = 7,
                .path = path,
                .offset = at,
                .bytes = "written"});
  }

  std::optional<Disk> disk{};

 private:
  inline static const std::string kFolder = "/dev/shm/clew-disk-bench";
};

void restore(benchmark::State& state) {
  Setting setting(state.range(0));
  for ([[maybe_unused]] auto each : state) {
    setting.write(100);
    CHECK(setting.disk->restore("none").ok());
  }
}

void whole(benchmark::State& state) {
  Setting setting(state.range(0));
  for ([[maybe_unused]] auto each : state) {
    setting.write(100);
    CHECK(setting.disk->build("none", Setting::scratch()).ok());
    CHECK(empty_folder(Setting::state()).ok());
    CHECK(copy_tree(Setting::scratch() + "/0", Setting::state()).ok());
    fs::remove_all(Setting::scratch());
    CHECK(setting.disk->settle("none").ok());
  }
}

void choices(benchmark::State& state) {
  Setting setting(state.range(0));
  for (uint64_t i = 0; i < 20; ++i) setting.write(100 * i);
  size_t count = 0;
  for ([[maybe_unused]] auto each : state) count = setting.disk->choices(200).size();
  state.counters["states"] = static_cast<double>(count);
}

void first(benchmark::State& state) {
  const Setting setting(state.range(0));
  for ([[maybe_unused]] auto each : state) {
    Disk disk({Setting::state()}, Setting::base().substr(0, Setting::base().size() - 2));
    disk.look();
    benchmark::DoNotOptimize(disk.unsynced());
  }
}

BENCHMARK(restore)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(whole)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(choices)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(first)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace clew::inject

BENCHMARK_MAIN();
