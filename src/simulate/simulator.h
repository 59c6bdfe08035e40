// A Program under a Scenario: runs it, tick by tick.
//
//   Simulator simulator(program, {"a", "b", "c"}, CrashModel::kSilent, {});
//   if (std::optional<RuntimeError> error = simulator.run(4, faults)) ...
//   Run run = describe(simulator, scenario);   // everything, as people read it (describe.h)
//   run.outcome().kind;                        // how it ends
//
// A tick is one frame of the Datalog engine:
//
//   enter: what the tick before derived or delivered, facts of this tick, crash, @node and so on
//   evaluate: all that holds now, what is sent, what @next rules put at the next tick
//   deliver: the messages that no fault loses, to the next tick
//
// The state on entering each tick is kept, so that a run starts at the tick at which it first goes
// differently from the last one: a message is lost that was delivered, or the other way round.
// Faults that strike nothing make no difference. It is the same run to the byte.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "datalog/engine.h"
#include "dedalus/lowered_program.h"
#include "dedalus/program.h"
#include "domain/run.h"
#include "domain/scenario.h"
#include "microspec/frames.h"
#include "microspec/runtime_error.h"
#include "simulate/losses.h"

namespace clew::simulate {

using microspec::Frames;
using microspec::RuntimeError;

struct SimulatorOptions {
  bool lineage = true;      // keep the firings
  bool keep_states = true;  // start later runs from kept states
  // Evaluate views at the last tick only. Enough for the outcome; not for describe().
  bool only_verdict = false;
  datalog::Row most_rows = datalog::EngineOptions{}.most_rows;
  Stop stop{};  // asked often; true ends a run with Stopped
};

class Simulator {
 public:
  Simulator(std::shared_ptr<const dedalus::LoweredProgram> program, SimulatorOptions options);
  // Lowers the program for itself. `program` outlives the simulator. Requires sorted, distinct
  // nodes.
  Simulator(const dedalus::Program& program, const std::vector<NodeName>& nodes, CrashModel model,
            SimulatorOptions options);

  // Requires a scenario that is valid for the simulator's nodes and crash model. Throws Stopped.
  std::optional<RuntimeError> run(Tick eot, const FaultSet& faults);

  // How many ticks at the beginning the last run had in common with the one before.
  Tick ticks_reused() const { return start_ - 1; }
  // The last tick whose facts and messages differ from those of the tick before.
  Tick last_change() const;

  const dedalus::Program& program() const { return shared_->program(); }
  const dedalus::Lowered& lowered() const { return lowered_; }
  const datalog::Engine& engine() const { return engine_; }
  datalog::Engine& engine() { return engine_; }
  Tick eot() const { return eot_; }
  // The tick that the last run has come to: the last one, unless it was ended before.
  Tick tick() const { return tick_; }
  const Stop& stop() const { return options_.stop; }

  // What the last run has left behind.
  Frames frames() const {
    return {program(), lowered_, engine_, {entered_.data(), static_cast<size_t>(eot_)}};
  }

  std::optional<size_t> node_number(datalog::Value value) const {
    return shared_->node_number(value);
  }
  // What became of a message between two nodes in the last run.
  Message::Fate fate(size_t from, size_t to, Tick sent_at) const;

 private:
  void read_faults(const FaultSet& faults, Losses& losses);
  // The first tick that could go differently from the last run if these are the losses, as far as
  // states are kept; eot + 1 if none could.
  Tick first_difference(Tick eot, const Losses& losses) const;
  // Of what was sent at this tick of the last run, the same is delivered.
  bool same_deliveries(Tick tick, const Losses& losses) const;
  void go_back(Tick tick);
  void start_over();
  void insert_crashes(Tick tick);
  void enter(Tick tick);
  void enter_facts(Tick tick);
  void enter_life(Tick tick);
  void enter_links(Tick tick);
  void deliver(Tick tick);
  void deliver_outbox(const dedalus::Outbox& outbox, Tick tick);
  // Nothing exists at the node any more.
  bool has_stopped(size_t node, Tick tick) const {
    return model_ == CrashModel::kStop && losses_.crashed(node, tick);
  }
  bool same_rows(datalog::RelationId id, Tick a, Tick b) const;
  bool same_tick(Tick a, Tick b) const;

  std::shared_ptr<const dedalus::LoweredProgram> shared_;
  CrashModel model_;
  SimulatorOptions options_;
  datalog::ValueTable values_;
  const std::vector<datalog::Value>& nodes_;
  const dedalus::Lowered& lowered_;
  datalog::Engine engine_;
  bool crash_matters_early_;  // some rule that is applied at every tick reads `crash`

  // Of the last run:
  Tick eot_ = 0;
  Tick tick_ = 0;
  Tick start_ = 1;
  Losses losses_;
  Losses losses_before_;                        // of the run before, for its memory
  std::vector<datalog::Engine::Mark> entered_;  // by tick - 1: before enter()
  Tick kept_ = 0;                               // how many of entered_ are valid
  bool complete_ = false;                       // it came to its end
};

}  // namespace clew::simulate
