// What properties look at, and therefore which moves they can tell apart.
//
//   Looks looks(runner);
//   looks.judge(property, before, after);     // whether it holds; notes what it looked at
//   looks.seen_by(was, is, node);             // which properties may notice that step of the node
//
// A property is a function of what it looks at. As long as two worlds agree in all that it has ever
// looked at, it says the same of both: were it to look at something else, it would have to have
// seen something else before. So a step that changes nothing of that need not be judged, and two
// steps may change places unless both change some of it.
//
// The more worlds are judged, the more is looked at. Whoever relied on less begins anew.
#pragma once

#include <cstdint>
#include <vector>

#include "explore/runner.h"

namespace clew::explore {

class Looks {
 public:
  // `runner` outlives this.
  explicit Looks(Runner& runner);

  // `property` is a number in cluster().properties(), of one that is judged on the way.
  bool judge(size_t property, WorldView before, WorldView after);
  // A set of bits: property number i is bit i modulo 64.
  uint64_t seen_by(LocalId before, LocalId after, Id node);
  // Whether something was looked at for the first time since this was last asked.
  bool grew();

  void save(Saver& out) const;
  bool load(Loader& in);

 private:
  // Of one property, what it has looked at of each node.
  struct Look {
    std::vector<bool> up;          // by node: at anything
    std::vector<uint64_t> fields;  // by node, as in node::Footprint
  };
  class Noting;

  bool differs(LocalId before, LocalId after, uint64_t fields);

  Runner& runner_;
  std::vector<Look> looks_;  // by property
  NumberMap known_;          // seen_by(), by both states: place in masks_
  std::vector<uint64_t> masks_;
  bool grew_ = false;
};

}  // namespace clew::explore
