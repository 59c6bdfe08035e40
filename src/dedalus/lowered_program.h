// A Program that is lowered once and then shared by all that run or ground it.
//
//   auto lowered = std::make_shared<const LoweredProgram>(program, nodes, false);
//   simulate::Simulator simulator(lowered, {});         // any number of them, in any thread
//   ground::Grounder grounder(lowered, model, {});
//
// It never changes: who computes with values that the program does not mention does so in a copy
// of values().
//
// (1) Nodes are distinct, so that the i-th is value number i, in values() and in every copy of it,
// and a value tells which node it is. (2) The program is well-formed (program.h).
//
// full() and for_verdict() have the same rules with the same numbers; they differ in when views are
// evaluated.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "datalog/value.h"
#include "dedalus/lower.h"
#include "dedalus/program.h"

namespace clew::dedalus {

class LoweredProgram {
 public:
  // `program` outlives this. Requires distinct nodes. `stop` as for lower().
  LoweredProgram(const Program& program, std::vector<std::string> nodes, bool stop);

  const Program& program() const { return program_; }
  bool stop() const { return stop_; }
  const std::vector<std::string>& nodes() const { return names_; }

  const datalog::ValueTable& values() const { return values_; }
  const std::vector<datalog::Value>& node_values() const { return node_values_; }
  // The node that a value names.
  std::optional<size_t> node_number(datalog::Value value) const {
    if ((value.bits & 1U) != 0 || (value.bits >> 1U) >= names_.size()) return std::nullopt;
    return value.bits >> 1U;
  }

  const Lowered& full() const { return full_; }
  const Lowered& for_verdict() const { return for_verdict_; }  // views at the last tick only

 private:
  const Program& program_;
  bool stop_;
  std::vector<std::string> names_;
  datalog::ValueTable values_;
  std::vector<datalog::Value> node_values_;
  Lowered full_;
  Lowered for_verdict_;
};

// Whether some rule that is applied at every tick reads `crash`, which tells of crashes to come.
bool reads_crash_early(const Lowered& lowered);

}  // namespace clew::dedalus
