// All paths, one by one, and how many classes of equivalent ones there are: two are equivalent if
// the same events conflict in the same order, and the same ones took what the same ones had sent.
//
//   AllPaths all(cluster);
//   if (all.count(10'000)) ... all.paths ... all.classes ...
#pragma once

#include <set>
#include <vector>

#include "explore/events.h"

namespace clew::explore {

class AllPaths {
 public:
  explicit AllPaths(const Cluster& cluster);

  // False: there are more paths than that, or one does not end.
  bool count(size_t most_paths);

  size_t paths = 0;
  size_t classes = 0;

 private:
  void judge(WorldView before, WorldView after);
  void go(const World& world);
  std::vector<std::set<size_t>> before() const;
  std::vector<LabelId> first_of_class() const;

  const Cluster& cluster_;
  Runner runner_;
  Looks looks_;
  Events events_;
  World initial_;
  size_t most_ = 0;
  bool too_many_ = false;
  std::vector<Event> path_;
  std::set<std::vector<LabelId>> found_;
};

}  // namespace clew::explore
