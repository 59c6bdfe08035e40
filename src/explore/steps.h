// Steps of single nodes: what a node in some state does with some input, each computed once.
//
//   Steps steps(cluster);
//   const LocalId before = steps.unborn(a);
//   const Step& step = steps.take(before, steps.start_of(a));
//   ... step.after ... step.sent ...               // numbers again
//
// The state of a node, with its disk and its timers, is a number, and so is an input. Handlers are
// functions of both, so a pair that was seen before need not run again: exploring is mostly
// arithmetic on small arrays of numbers. The same number means the same bytes, and never changes.
//
// Every handler runs twice and has to do the same: on a node made anew, and on one that has taken
// other steps before. A node that is not deterministic, or remembers what is no Field, fails at the
// first step that shows it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/checkpoint.h"
#include "explore/cluster.h"
#include "explore/table.h"

namespace clew::explore {

using LocalId = uint32_t;  // the state of a certain node
using InputId = uint32_t;  // what happens to a certain node

struct Input {
  enum class Kind : uint8_t { kStart, kEnvelope, kRequest, kTimer, kCrash };

  Kind kind = Kind::kStart;
  Id to{};                           // whose input it is
  Id from{};                         // of an envelope
  node::RequestId request{};         // of a request
  std::vector<std::string> parts{};  // messages of an envelope, the request, the timer's name
  std::vector<uint32_t> reached{};  // of a crash, by field: how many unsynced writes reach the disk
  // Of a step that a process has recorded: the random numbers that it drew, and no others.
  std::optional<std::vector<uint64_t>> random{};
  CLEW_FIELDS(Input, kind, to, from, request, parts, reached, random)
};

struct Answer {
  node::RequestId request;
  std::string reply;

  friend bool operator==(const Answer&, const Answer&) = default;
};

struct Step {
  uint32_t number = 0;  // of the step
  LocalId after = 0;
  std::vector<InputId> sent{};  // envelopes, sorted by receiver
  std::vector<Answer> answered{};
  node::Footprint footprint{};
  std::string failure{};  // why the handler did not finish; then nothing else is of interest

  friend bool operator==(const Step&, const Step&) = default;
};

class Steps {
 public:
  // `cluster` outlives this.
  explicit Steps(const Cluster& cluster);
  ~Steps();
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  const Cluster& cluster() const { return cluster_; }

  LocalId unborn(Id id) const { return unborn_[id.number]; }
  InputId start_of(Id id) const { return starts_[id.number]; }
  InputId number(const Input& input);
  const Input& input(InputId id) const { return inputs_[id]; }
  Id receiver(InputId id) const { return receivers_[id]; }

  // Requires an input for the node whose state it is, which is up; or a start, and it is down.
  const Step& take(LocalId local, InputId input);
  // The same if it was taken before, else null.
  const Step* known(LocalId local, InputId input) const {
    const uint32_t* found = step_of_.find(key_of(local, input));
    return found == nullptr ? nullptr : &steps_[*found];
  }

  // Every step that was taken, in the same order each time.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& [key, number] : step_of_.all()) {
      visit(static_cast<LocalId>(key >> 32U), static_cast<InputId>(key), steps_[number]);
    }
  }

  bool up(LocalId local) const { return (traits_[local] & kUp) != 0; }
  // Runs the handler again. Requires that it was taken.
  void repeat(LocalId local, InputId input);

  // Inputs that the state itself makes possible: timers that are set, ways to crash.
  bool has_timers(LocalId local) const { return (traits_[local] & kHasTimers) != 0; }
  const std::vector<InputId>& timers(LocalId local) const { return locals_[local].timers; }
  const std::vector<InputId>& crashes(LocalId id);
  // The same if it was asked before, else null.
  const std::vector<InputId>* known_crashes(LocalId id) const {
    return locals_[id].knows_crashes ? &locals_[id].crashes : nullptr;
  }
  const node::AnyNode& node(LocalId id);  // as it is in that state
  // The one that has taken the latest step of this node, and others before; null: it has failed.
  const node::AnyNode* worn(Id id) const { return worn_[id.number].get(); }
  std::string print_local(LocalId id);  // `ballot 3, votes {a, b}`
  std::string print_input(InputId id);  // `a>b Promise{ballot: 3}`
  std::string print_what(InputId id);   // `Promise{ballot: 3}`, or the timer's name
  void clear_looks(LocalId id) { locals_[id].node->clear_footprint(); }  // at node(id)
  // Bytes that are the same for the same state, of whatever Steps of the cluster.
  std::string encode_local(LocalId id) const;

  // For what processes have recorded (recorded.h). The node is down, and its disk has these values
  // of durable fields, by name; a Mistake if it has no such fields.
  LocalId down_with(Id id, const std::map<std::string, std::string>& durable);
  LocalId synced(LocalId id);  // the same, with all that was written on the disk
  void drop_node(LocalId id) { locals_[id].node.reset(); }  // until node() is asked again

  // The same after renaming all nodes.
  LocalId renamed(LocalId id, const node::Renaming& renaming);
  InputId renamed_input(InputId id, const node::Renaming& renaming);

  Id owner(LocalId local) const { return locals_[local].id; }  // whose state it is
  size_t locals() const { return locals_.size(); }
  size_t inputs() const { return inputs_.size(); }
  size_t taken() const { return steps_.size(); }
  size_t bytes() const;  // that all this takes, about

  // All that is known, by number. Loading requires that nothing was taken yet; false if it is of
  // another cluster.
  void save(Saver& out) const;
  bool load(Loader& in);
  bool is_possible(const Input& input) const;  // of this cluster

 private:
  struct Local {
    Id id;
    bool up = false;
    std::string fields{};
    std::vector<InputId>
        since{};  // of a node that does not declare its state: what came after that
    std::vector<std::string> timer_names{};  // sorted
    uint64_t random_numbers = 0;             // so many were taken
    uint64_t random_numbers_before = 0;      // `since`
    std::vector<InputId> timers{};
    std::vector<InputId> crashes{};
    bool knows_crashes = false;
    std::unique_ptr<node::AnyNode> node{};
  };
  class StepEnv;

  enum Trait : uint8_t { kUp = 1, kHasTimers = 2 };

  static uint64_t key_of(LocalId local, InputId input) { return (uint64_t{local} << 32U) | input; }
  static std::string key_of(const Local& local);
  LocalId intern(Local local);
  Step compute(LocalId id, InputId input);
  // The state after a handler has run; throws what the handler throws.
  Local handle(LocalId id, InputId input, node::AnyNode& node, Step& step,
               std::vector<std::vector<std::string>>& sent);
  void run(const Input& input, StepEnv& env, node::AnyNode& node) const;
  void run_handler(const Input& input, StepEnv& env, node::AnyNode& node) const;
  Step crash(const Local& local, const Input& input);
  std::vector<InputId> envelopes(Id from, std::vector<std::vector<std::string>>& sent);
  std::string print_reached(const Input& crash);
  bool load_inputs(Loader& in);
  bool load_locals(Loader& in);
  bool load_crashes(Loader& in);
  bool load_steps(Loader& in);
  std::unique_ptr<node::AnyNode> materialize(const Local& local) const;
  // The same, of a node that has taken steps, if its fields are all that it should remember.
  std::unique_ptr<node::AnyNode> take_worn(const Local& local);

  const Cluster& cluster_;
  std::vector<Local> locals_;
  std::vector<uint8_t> traits_;  // of locals: what is asked most often
  std::unordered_map<std::string, LocalId> local_of_;
  std::vector<Input> inputs_;
  std::vector<Id> receivers_;  // of inputs
  std::unordered_map<std::string, InputId> input_of_;
  std::vector<Step> steps_;
  NumberMap step_of_;                                 // by local and input
  std::vector<std::unique_ptr<node::AnyNode>> worn_;  // by node: null, or has taken steps
  std::vector<LocalId> unborn_;
  std::vector<InputId> starts_;
  std::vector<size_t> fields_;  // how many a node has
  size_t encoded_ = 0;          // bytes of states and inputs
};

}  // namespace clew::explore
