// Evaluates the rules of a spec over the facts of one Run after the other: a frame is a tick.
// Nothing of one Run is left when the next one comes.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "datalog/engine.h"
#include "dedalus/lowered_program.h"
#include "microspec/frames.h"
#include "microspec/runtime_error.h"

namespace clew::microspec {

// A rule that failed, if one did.
struct Evaluated {
  std::optional<RuntimeError> error{};
  size_t clause = 0;  // of the program: the rule
};

class Evaluation {
 public:
  // `program` outlives this, and `lowered` is one of its two forms.
  Evaluation(const dedalus::LoweredProgram& program, const dedalus::Lowered& lowered,
             const datalog::EngineOptions& options);

  // By tick - 1. An Error if there are facts that the rules cannot take. Throws Stopped.
  Result<Evaluated> run(const std::vector<std::vector<Fact>>& facts);

  Frames frames() const { return {program_.program(), lowered_, engine_, entered_}; }
  datalog::Engine& engine() { return engine_; }

 private:
  Status enter(const std::vector<Fact>& facts, Tick tick);
  Status enter(const Fact& fact, dedalus::RelationIndex relation, Tick tick);
  void enter_own_facts(Tick tick);
  void enter_tick_reads(Tick tick);

  const dedalus::LoweredProgram& program_;
  const dedalus::Lowered& lowered_;
  datalog::ValueTable values_;
  datalog::Engine engine_;
  std::vector<datalog::Engine::Mark> entered_;
  std::vector<datalog::Value> tuple_;
  Watch watch_;
};

}  // namespace clew::microspec
