// What steps may have to do with, before they are taken: what `clew analyze` has found out, for the
// nodes of a cluster.
//
//   const Footprints footprints(two, predictions);      // of a cluster
//   footprints.predicted(voter, input)                  // in this state
//   footprints.anywhere(input)                          // whatever the state
//
// The footprint of the step, once it is taken, is part of both, unless the analysis is wrong
// (predictions.h finds out); except for `increments`, of which a prediction has only what surely
// is nothing else. Of a class that was not analysed, a step may do everything.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "explore/condition.h"
#include "explore/steps.h"

namespace clew::explore {

class Footprints {
 public:
  // What `clew analyze --json` prints (docs/formats/analyze.md). `cluster` outlives this. Throws
  // Mistake.
  Footprints(const Cluster& cluster, const nlohmann::json& analysis);

  // Of a node in this state. A crash runs no handler, so it has none.
  node::Footprint predicted(const node::AnyNode& before, const Input& input) const;
  node::Footprint anywhere(const Input& input) const;
  // Of whatever handles the crash of another: the functions that are CLEW_CRASH_PATHs.
  node::Footprint of_crash_paths(Id id) const { return crash_paths_[id.number]; }
  // Whether the class of the node is among those that were analysed.
  bool knows(Id id) const { return known_[id.number]; }

 private:
  struct Record {
    std::vector<Condition> guards;
    node::Footprint sets;
    bool sends = false;
  };
  // By handler and message: "receive", "Prepare".
  using Records = std::map<std::pair<std::string, std::string>, std::vector<Record>>;
  struct Part {
    node::Footprint sets{};
    bool sends = false;
  };

  void add(Id id, const nlohmann::json& node, const node::AnyNode& made);
  // Of one message of an envelope; in no known state if there is no moment.
  Part part(const Input& input, const std::string& printed, const Moment* moment) const;
  node::Footprint whole(const node::AnyNode* before, const Input& input) const;

  const Cluster& cluster_;
  bool plain_names_ = true;       // nobody is called `none` or `3`
  std::vector<Records> records_;  // by node
  std::vector<node::Footprint> crash_paths_;
  std::vector<bool> known_;
  std::vector<std::unique_ptr<node::AnyNode>> made_;  // which print messages
};

// `paxos::Acceptor`
std::string class_of(const node::AnyNode& node);
// `receive`
std::string handler_of(Input::Kind kind);
// Of `Prepare{ballot: 3}`, `Prepare`; empty if it does not begin with a name.
std::string name_in(const std::string& printed);

}  // namespace clew::explore
