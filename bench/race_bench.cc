// Explores one model of systems/bugs by one strategy; bench/explore --race asks for many.
//
//   build/release/bench/race_bench MODEL STRATEGY [order=chain] [faults] [seed=1] [most=200000]
//                                  [parts=...] [repair] [coverage] [nosym] [limit=SECONDS]
//                                  [memory=MIB] [prefix=FILE,N] [analysis=FILE]
//
// MODEL may be cluster:SEED, a random cluster of tiny nodes (tests/explore/random_cluster.h).
// STRATEGY may be stateful, the oracle, or stateless, optimal partial order reduction; `most` is of
// states, then. `coverage` goes on after a violation, and counts worlds and ends, and the plans
// that wait. `limit` is of processor seconds; `stopped` says if it, or `memory`, was what ended
// the run. `prefix`: begin after the first N moves of a saved
// schedule (systems/bugs/found). `analysis`: what handlers read and write is from this file, which
// clew analyze --json has written; `unpredicted` are kinds of steps that did more. Prints a line of
// JSON.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "explore/footprints.h"
#include "explore/predictions.h"
#include "explore/stateful.h"
#include "explore/stateless.h"
#include "explore/strategies/guided.h"
#include "explore/walk.h"
#include "systems/bugs/models.h"
#include "tests/explore/random_cluster.h"

namespace clew::explore {
namespace {

using nlohmann::json;

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// The most that there ever were.
size_t resident_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) / 1024;
}

struct Words {
  std::vector<std::string> all;

  bool has(std::string_view word) const { return std::ranges::find(all, word) != all.end(); }
  std::string value(const std::string& name, std::string otherwise) const {
    for (const std::string& word : all) {
      if (word.starts_with(name + "=")) return word.substr(name.size() + 1);
    }
    return otherwise;
  }
  size_t number(const std::string& name, size_t otherwise) const {
    return std::stoull(value(name, std::to_string(otherwise)));
  }
};

json told(const Exploration& found) {
  return {{"paths", found.paths},
          {"moves", found.moves},
          {"depth", found.depth},
          {"worlds", found.states},
          {"ends", found.terminals},
          {"complete", found.complete},
          {"gave_up", found.gave_up},
          {"violated", found.violation ? found.violation->property : ""},
          {"steps", found.violation ? found.violation->path.size() : 0},
          {"not_alike", found.not_alike.value_or("")}};
}

// Ends the work after so many seconds or with so much memory, and remembers which of them it was.
struct Limit {
  double seconds = 0;
  size_t mebibytes = 0;
  std::string reached{};

  explicit Limit(const Words& words)
      : seconds(std::stod(words.value("limit", "1e9"))),
        mebibytes(words.number("memory", 1'000'000)) {}
  Stop stop() {
    return [this] {
      if (reached.empty() && processor_seconds() > seconds) reached = "time";
      if (reached.empty() && resident_mebibytes() > mebibytes) reached = "memory";
      return !reached.empty();
    };
  }
};

// The first moves of a file that has one in each line.
std::vector<std::string> beginning(const std::string& path, size_t moves) {
  const Result<std::string> text = read_file(path, 1'000'000);
  if (!text.ok()) throw Mistake("cannot read " + path);
  std::vector<std::string> all;
  std::string_view rest = *text;
  for (size_t end = 0; (end = rest.find('\n')) != std::string_view::npos && all.size() < moves;) {
    if (!rest.starts_with('#')) all.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  return all;
}

void begin_after(Runner& runner, const std::string& prefix) {
  const size_t comma = prefix.rfind(',');
  if (comma == std::string::npos) throw Mistake("prefix=FILE,N");
  const auto moves = beginning(prefix.substr(0, comma), std::stoull(prefix.substr(comma + 1)));
  const Walk walk = Walker(runner).walk_printed(moves, Walker::Then::kStop);
  if (!walk.left_out.empty()) throw Mistake("the prefix is no schedule of this model");
  runner.begin_at(walk.worlds.back());
}

std::optional<Footprints> footprints_in(const Cluster& cluster, const std::string& path) {
  if (path.empty()) return std::nullopt;
  const Result<std::string> text = read_file(path, 100'000'000);
  if (!text.ok()) throw Mistake("cannot read " + path);
  return std::optional<Footprints>(std::in_place, cluster, json::parse(*text));
}

json of_oracle(const Cluster& cluster, const Words& words) {
  Limit limit(words);
  Stateful engine(cluster, {.symmetry = !words.has("nosym"),
                            .most_states = words.number("most", 20'000'000),
                            .stop = limit.stop(),
                            .threads = 1,
                            .most_bytes = words.number("bytes", size_t{8} << 30U)});
  const Exploration found = engine.run();
  json result = told(found);
  result["bytes"] = found.bytes;
  result["stopped"] = limit.reached;
  return result;
}

json of_stateless(const Cluster& cluster, const Words& words) {
  Limit limit(words);
  Stateless engine(cluster,
                   {.most_paths = words.number("most", 100'000'000), .stop = limit.stop()});
  json result = told(engine.run());
  result["stopped"] = limit.reached;
  return result;
}

json of_strategy(const Cluster& cluster, const std::string& strategy, const Words& words) {
  const std::string order = words.value("order", "chain");
  const auto* which = std::ranges::find(kAllOrders, order, [](Order one) { return name_of(one); });
  if (which == std::end(kAllOrders)) throw Mistake("there is no order " + order);
  const std::optional<Footprints> footprints = footprints_in(cluster, words.value("analysis", ""));
  Analysed analysed;
  std::string parts = words.value("parts", "");
  if (footprints) {
    parts += parts.empty() ? "analysed" : ",analysed";
    analysed = [&footprints](Steps& steps, LocalId local, InputId input) {
      return footprints->predicted(steps.node(local), steps.input(input));
    };
  }
  Limit limit(words);
  json waiting = json::array();
  const auto progress = [&waiting](const Progress& now) {
    if (now.paths == 0 || std::has_single_bit(now.paths)) {
      waiting.push_back({now.paths, now.frontier});
    }
  };
  Guided engine(cluster, {.strategy = {.name = strategy,
                                       .parts = parts,
                                       .seed = words.number("seed", 1),
                                       .faults = words.has("faults"),
                                       .symmetry = !words.has("nosym"),
                                       .analysed = analysed},
                          .order = *which,
                          .most_paths = words.number("most", 200'000),
                          .longest = 1'000,
                          .coverage = words.has("coverage"),
                          .go_on = words.has("coverage"),
                          .stop = limit.stop(),
                          .progress = progress});
  if (const std::string prefix = words.value("prefix", ""); !prefix.empty()) {
    begin_after(engine.runner(), prefix);
  }
  json result = told(engine.run());
  result["stopped"] = limit.reached;
  result["waiting"] = waiting;
  result["diverged"] = engine.diverged();
  if (footprints) {
    const json compared = explore::compared(engine.runner().steps(), *footprints);
    result["unpredicted"] = compared.at("unpredicted").size();
  }
  result["steps_taken"] = engine.paths().steps();
  result["steps_known"] = engine.paths().known_steps();
  result["samples"] = json::array();
  for (const Guided::Sample& one : engine.samples()) {
    result["samples"].push_back({one.paths, one.worlds, one.ends});
  }
  return result;
}

constexpr std::string_view kRandom = "cluster:";

Cluster made(const std::string& name, const Words& words) {
  if (name.starts_with(kRandom)) {
    const uint64_t seed = std::stoull(name.substr(kRandom.size()));
    return std::move(*random_cluster(seed, seed % 4 == 0));
  }
  const auto model = std::ranges::find(bugs::models(), name, &bugs::Model::name);
  if (model == bugs::models().end()) throw Mistake("there is no model " + name);
  return model->make(words.has("repair") ? bugs::Variant::kRepair : bugs::Variant::kBug);
}

int run(const std::string& name, const std::string& strategy, const Words& words) {
  const Cluster cluster = made(name, words);
  const double begin = processor_seconds();
  json result = strategy == "stateful"    ? of_oracle(cluster, words)
                : strategy == "stateless" ? of_stateless(cluster, words)
                                          : of_strategy(cluster, strategy, words);
  result["seconds"] = processor_seconds() - begin;
  fmt::print("{}\n", result.dump());
  return 0;
}

}  // namespace
}  // namespace clew::explore

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 2) {
    fmt::print(stderr, "usage: race_bench MODEL STRATEGY [order=chain] [faults] [seed=1] ...\n");
    return 2;
  }
  try {
    return clew::explore::run(words[0], words[1], {{words.begin() + 2, words.end()}});
  } catch (const std::exception& error) {
    fmt::print(stderr, "race_bench: {}\n", error.what());
    return 2;
  }
}
