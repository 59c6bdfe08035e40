// Which cluster is run at random, and for how long: the flags of raft_walk, which a scenario that
// was kept begins with, too.
//
//   # A leader takes for committed what no other server has.
//   # raft_walk --commands 6
//   # violated: majority
//   fire b timeout
//   deliver b>c RequestVote{term: 2, ...}
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "systems/raft/properties.h"

namespace clew::raft {

struct Plan {
  uint64_t from = 0, to = 100;  // seeds
  size_t moves = 150;           // of each walk, at most
  uint64_t seconds = UINT32_MAX;
  size_t servers = 3;
  size_t commands = 24;  // that clients propose, to one server after the other
  size_t transfers = 0;  // of leadership, from one server to the next
  Options options{.ticks = 0, .timeouts = 3};
  std::set<std::string> without{};  // properties
  std::string replay{};             // a file
  bool whole = false;               // paths are shown as they were found
};

Result<Plan> plan_of(const std::vector<std::string>& flags);
Cluster cluster_of(const Plan& plan);

struct Scenario {
  Plan plan{};
  std::string violation{};
  std::vector<std::string> moves{};
};

Result<Scenario> scenario_of(std::string_view text);

}  // namespace clew::raft
