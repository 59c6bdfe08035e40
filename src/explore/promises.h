// Promises in rules (docs/language.md), over the states of nodes as facts: the syntax of `clew
// check`, judged by src/microspec. Each becomes a property of the cluster.
//
// A field is a relation: the node's name, then what the field holds, as node/value.h tells it;
// `up(N)` are the nodes that are up. Of one that is down nothing is told. An `always` and a `never`
// are judged in every state, other promises where nothing is left to happen.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "explore/cluster.h"

namespace clew::explore {

class Promises {
 public:
  // Throws a Mistake that says what is wrong, with the place. Outlives the explorations of the
  // cluster.
  Promises(Cluster& cluster, const std::vector<std::string>& paths);
  ~Promises();
  Promises(const Promises&) = delete;
  Promises& operator=(const Promises&) = delete;

  struct Applied {
    std::string name;
    size_t states = 0;  // so many of those that were looked at had something that was promised
  };
  const std::vector<Applied>& applied() const;
  void set_applied(const std::vector<size_t>& states);       // of each, as it was
  const std::string& warnings() const { return warnings_; }  // about the rules, as text

 private:
  struct Judging;

  std::unique_ptr<Judging> judging_;
  std::string warnings_;
};

}  // namespace clew::explore
