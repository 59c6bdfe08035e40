#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "explore/recorded.h"

namespace clew::explore {

namespace {

using nlohmann::json;

constexpr uint64_t kMostBytes = uint64_t{4} << 30U;

host::Recording read(const Cluster& cluster, const std::string& path) {
  const Result<std::string> bytes = read_file(path, kMostBytes);
  if (!bytes.ok()) throw Mistake(bytes.error().message);
  Result<host::Recording> recording = host::read_recording(*bytes);
  if (!recording.ok()) {
    throw Mistake(
        fmt::format("{}: {}; {}", path, recording.error().message, recording.error().remedy));
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < cluster.size(); ++i) {
    names.push_back(cluster.names().name(Id{static_cast<uint8_t>(i)}));
  }
  const host::RecordedLife& life = recording->lives.front();
  if (life.names != names) {
    throw Mistake(fmt::format("{} was recorded in a cluster of {}, and describe() has {}", path,
                              fmt::join(life.names, ", "), fmt::join(names, ", ")));
  }
  return *std::move(recording);
}

}  // namespace

json judge_recordings(Cluster cluster, const std::vector<std::string>& paths) {
  cluster.any_client = true;
  cluster.unit = Unit::kEnvelope;
  std::deque<host::Recording> recordings;
  Steps steps(cluster);
  std::vector<RecordedNode> nodes;
  json result = {{"nodes", json::array()},
                 {"steps", 0},
                 {"crashes", 0},
                 {"differences", json::array()},
                 {"impossible", json::array()},
                 {"missing", json::array()},
                 {"not_judged", json::array()},
                 {"judged", false}};
  size_t taken = 0, crashes = 0, lives = 0;
  std::set<Id> there;
  for (const std::string& path : paths) {
    recordings.push_back(read(cluster, path));
    nodes.emplace_back(steps, recordings.back());
    const RecordedNode& node = nodes.back();
    const std::string name = cluster.names().name(node.id());
    if (!there.insert(node.id()).second) {
      throw Mistake(fmt::format("{} is a second recording of {}", path, name));
    }
    result["nodes"].push_back(name);
    const auto is_step = [](const Happened& one) { return one.recorded != nullptr; };
    const auto steps_of_it = static_cast<size_t>(std::ranges::count_if(node.happened(), is_step));
    taken += steps_of_it;
    crashes += node.happened().size() - steps_of_it;
    lives += node.lives();
    if (node.difference()) result["differences"].push_back(*node.difference());
  }
  for (size_t i = 0; i < cluster.size(); ++i) {
    const Id id{static_cast<uint8_t>(i)};
    if (!there.contains(id)) result["missing"].push_back(cluster.names().name(id));
  }
  result["steps"] = taken;
  result["crashes"] = crashes;
  result["lives"] = lives;
  const bool whole = result["missing"].empty() && result["differences"].empty();
  if (!whole) {
    for (const RecordedNode& node : nodes) {
      for (const std::string& one : node.impossible()) result["impossible"].push_back(one);
    }
    return result;
  }
  const Judged judged = judge(steps, nodes);
  result["impossible"] = judged.impossible;
  if (!judged.impossible.empty()) return result;
  result["judged"] = true;
  result["steps"] = judged.steps;
  result["crashes"] = judged.crashes;
  result["not_judged"] = judged.not_judged;
  if (judged.broken) {
    result["broken"] = *judged.broken;
    result["left_out"] = judged.left_out;
    result["tale"] = judged.tale;
  }
  return result;
}

}  // namespace clew::explore
