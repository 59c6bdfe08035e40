// Exploring as one would do it by hand: live nodes, every world made anew by running its whole path
// again, nothing numbered, nothing remembered but texts. It shares with src/explore what a cluster
// is, and no other code.
//
//   Naive naive(cluster);
//   const std::set<std::string> worlds = naive.all_worlds();
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/cluster.h"

namespace clew::explore {

class Naive {
 public:
  struct Envelope {
    Id from;
    Id to;
    std::vector<std::string> messages;
  };
  struct Place {
    std::unique_ptr<node::AnyNode> node;
    bool up = false;
    std::set<std::string> timers;
    uint64_t random_numbers = 0;
  };
  struct World {
    std::vector<Place> places;
    std::vector<Envelope> under_way;  // in the order sent
    std::vector<int> asked;           // by client
    std::vector<bool> waits;
    std::map<std::string, int> spent;
    std::string failure;
  };
  struct Action {
    std::string kind;  // deliver, ask, fire, crash, restart, lose, duplicate
    size_t what = 0;   // envelope, client or node
    std::string timer;
    bool early = false;
    std::vector<size_t> reached;  // of a crash
  };
  using Path = std::vector<Action>;

  explicit Naive(const Cluster& cluster) : cluster_(cluster) {}

  World run(const Path& path) const;
  std::vector<Action> actions(const Path& path) const;  // that may come after it
  // Everything that tells one world from another; `as` says which name each node gets.
  std::string text(World& world, const node::Renaming& as = {}) const;
  // The least text of all that renaming the declared groups gives.
  std::string canonical(const Path& path) const;

  struct Found {
    std::set<std::string> worlds;
    std::set<std::string> ends;  // of worlds in which nothing is left to happen
    std::optional<std::string> violated;
    size_t moves_to_violation = 0;
    bool complete = false;
  };
  // Whether the step between the two worlds, or the end, shows that this property does not hold.
  bool violates(const std::string& property, const World& before, const World& after) const;
  // By all paths, if there are not too many worlds; ends at the level of the first violation.
  Found explore(size_t most_worlds, bool up_to_renaming) const;

 private:
  class Env;

  bool is_busy(const Path& path, const std::vector<Action>& deliveries) const;
  void apply(World& world, const Action& action) const;
  void step(World& world, Id id, const std::function<void(node::AnyEnv&)>& handler) const;
  int limit(const std::string& what) const;
  bool may(const World& world, const std::string& what) const;
  void spend(World& world, const std::string& what) const;
  void crash(World& world, const Action& action) const;
  std::optional<std::string> violated(const World& before, const World& after) const;
  std::optional<std::string> violated_at_end(const World& world) const;

  const Cluster& cluster_;
};

}  // namespace clew::explore
