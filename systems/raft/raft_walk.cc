// Random walks of a cluster, each from a seed of its own, with crashes, restarts, losses,
// duplicates and timers at any moment; and what came of them.
//
//   raft_walk --seeds 0..1000 --moves 150 --slow-disk
//   raft_walk --replay FILE                        a scenario that was kept
//
// Exit code 10: something is violated. 2: there is something wrong with the flags or the file.
#include <fmt/format.h>

#include <chrono>

#include "base/files.h"
#include "systems/raft/child.h"
#include "systems/raft/plan.h"

namespace clew::raft {
namespace {

int complain(const Error& error) {
  fmt::print(stderr, "raft_walk: {}; {}\n", error.message, error.remedy);
  return 2;
}

int show(const Outcome& outcome) {
  for (const std::string& move : outcome.moves) fmt::print("{}\n", move);
  if (outcome.violation.empty()) {
    fmt::print("# nothing is violated\n");
    return 0;
  }
  fmt::print("# violated: {}\n", outcome.violation);
  return 10;
}

Replay replayer(const Cluster& cluster) {
  return [&cluster](const std::vector<std::string>& moves) {
    return in_child([&](const OnMove& on_move) { return replay(cluster, moves, on_move); });
  };
}

int replay_file(const std::string& path) {
  const Result<std::string> text = read_file(path, 1'000'000);
  if (!text.ok()) return complain(text.error());
  const Result<Scenario> scenario = scenario_of(*text);
  if (!scenario.ok()) return complain(scenario.error());
  const Cluster cluster = cluster_of(scenario->plan);
  const Outcome outcome = replayer(cluster)(scenario->moves);
  if (outcome.moves != scenario->moves) fmt::print("# not all of it was possible\n");
  return show(outcome);
}

int walk_seeds(const Plan& plan) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const Cluster cluster = cluster_of(plan);
  std::map<std::string, size_t> found;
  size_t moves = 0, walks = 0;
  for (uint64_t seed = plan.from; seed < plan.to; ++seed) {
    if (passed() > static_cast<double>(plan.seconds)) break;
    Outcome outcome =
        in_child([&](const OnMove& on_move) { return walk(cluster, seed, plan.moves, on_move); });
    ++walks;
    moves += outcome.moves.size();
    if (outcome.violation.empty() || found[outcome.violation]++ > 0) continue;
    fmt::print("# seed {}, {} moves\n", seed, outcome.moves.size());
    show(plan.whole ? outcome : shrink(std::move(outcome), replayer(cluster)));
  }
  fmt::print("# {} walks, {} moves, {:.0f} moves/s\n", walks, moves,
             static_cast<double>(moves) / passed());
  for (const auto& [violation, count] : found) fmt::print("# {} times: {}\n", count, violation);
  return found.empty() ? 0 : 10;
}

int run(const std::vector<std::string>& flags) {
  const Result<Plan> plan = plan_of(flags);
  if (!plan.ok()) return complain(plan.error());
  return plan->replay.empty() ? walk_seeds(*plan) : replay_file(plan->replay);
}

}  // namespace
}  // namespace clew::raft

int main(int argc, char** argv) {
  return clew::raft::run(std::vector<std::string>(argv + 1, argv + argc));
}
