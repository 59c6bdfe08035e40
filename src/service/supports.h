// What the good outcome of an observed run rests on: sets of sites, each of which was enough.
//
//   Origins origins(target, seen);            // where facts come from
//   Supports supports = supports_of(run, program, origins, past_of);
//   supports.sets;                            // {{0, 2}, {1, 2}}: sites 0 and 2, or 1 and 2
//
// After lineage-driven fault injection: a promise that holds rests on the facts that keep it, a
// fact on one of its derivations, a derivation on all that it used, and a fact of the run on its
// causal past (past.h). So whatever breaks the promise in a way that lineage shows strikes at a
// site of each set.
//
// What this account omits. A derivation may need that something is absent. Then it counts as
// resting on all facts of this moment that keep it absent: of relations whose absence the rules for
// it ask for, as far as they share a value with it. Without what is promised (`pre`) a promise is
// not broken, so nothing rests on that. Facts that only error paths bring about no lineage shows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dedalus/program.h"
#include "domain/run.h"
#include "inject/observed.h"
#include "inject/target.h"

namespace clew::service {

// Which happening told a fact first.
class Origins {
 public:
  // What is found out at the end, by the check and by commands that look at files. No calls are
  // seen there: what tells of a file that it names.
  static constexpr uint32_t kEnd = UINT32_MAX;

  Origins(const inject::Target& target, const inject::Observed& seen);

  // Nothing: nobody knows.
  std::optional<uint32_t> of(const Fact& fact) const;

 private:
  uint32_t as_seen(uint32_t happening) const {
    return happening < at_end_.size() && at_end_[happening] ? kEnd : happening;
  }

  std::vector<bool> at_end_;  // by happening
  std::map<Fact, uint32_t> told_;
};

struct Supports {
  std::vector<std::vector<uint32_t>> sets;  // sorted
  std::set<uint32_t> all;  // every site that some derivation of the outcome rests on
  bool known = false;      // the outcome is good, and rests on something that was seen
};

// The sites before a fact was told by a happening, or at the end.
using PastOf = std::function<std::vector<uint32_t>(const Fact& fact, uint32_t happening)>;

// `run` is judged and has Firings. `program` may be null: then nothing is known of what keeps
// something absent.
Supports supports_of(const Run& run, const dedalus::Program* program, const Origins& origins,
                     const PastOf& past_of);

// The relations whose absence the rules for this one ask for, or those for what these use.
std::set<std::string> keepers_of(const dedalus::Program& program, const std::string& relation);

}  // namespace clew::service
