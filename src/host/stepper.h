// The node in its process, one step after the other.
//
//   Stepper stepper(std::move(node), names, self, seed);
//   stepper.take({.kind = Input::Kind::kStart, .recovered = store.recovered()}, outcome);
//   stepper.take({.kind = Input::Kind::kTimer, .timer = "election"}, outcome);
//   store.append(stepper.changed());             // once all steps of a turn are taken
//
// It knows nothing of sockets, files and clocks: what a step does is in the Outcome, and somebody
// else does it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "host/step.h"
#include "node/node.h"

namespace clew::host {

class Stepper {
 public:
  Stepper(std::unique_ptr<node::AnyNode> node, node::Names names, Id self, uint64_t seed);

  // Takes what the disk has of the fields, as a start needs it. An Error: it is of another node.
  Status recover(const std::vector<Kept>& kept);
  // Throws what the node throws; node::Undecodable if no handler has run. Requires that the first
  // input is a start, and no other.
  void take(const Input& input, Outcome& outcome);
  // Durable fields that steps have written and that hold something else than when this was called
  // before. Each is encoded as a whole: so ask once, when all steps of a turn are taken.
  std::vector<Kept> changed();

  const node::AnyNode& node() const { return *node_; }
  const node::Names& names() const { return names_; }
  uint64_t taken() const { return taken_; }  // steps
  // `Put{key: "k"} of client 3` as messages tell an input.
  std::string print(const Input& input) const;

 private:
  class Env;

  void run(const Input& input, Env& env);
  void deliver(const Input& input, Env& env);

  std::unique_ptr<node::AnyNode> node_;
  node::Names names_;
  Id self_;
  Random random_;
  uint64_t taken_ = 0;
  std::vector<uint64_t> numbers_;  // of the latest envelope to each node
  std::vector<size_t> slots_;      // in `sent` of this step, of each node; or kNoSlot
  std::vector<std::string> kept_;  // by field, if durable: what changed() knows
  uint64_t written_ = 0;           // since changed(): bits as in a Footprint
};

}  // namespace clew::host
