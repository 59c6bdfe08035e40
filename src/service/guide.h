// The lineage adversary, asked which combination of failures to try next.
//
//   Guide guide(known, 2);
//   guide.observe({}, looks);                              // of runs without failures
//   while (std::optional<Combination> next = guide.propose({})) {
//     guide.observe(*next, looks_of(*next));
//   }
//
// It is the one of `clew check` (search/lattice.h: make_observed_lineage), which knows Supports and
// chooses Faults. Each failure is a Fault to it by a mapping: the only thing that the node `f7` of
// its FaultModel can do is to crash at tick 1, which stands for failure 7; a Support is a set of
// messages, one from each failure that would have cut it. So nothing needs to be known there of
// processes, and what it proposes is minimal: no failure without which all supports are still cut.
//
// Every failure that becomes known later means a larger FaultModel: then it begins anew, and learns
// again what was observed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/stop.h"
#include "search/lattice.h"
#include "service/known.h"
#include "service/look.h"

namespace clew::service {

class Guide {
 public:
  Guide(Known& known, uint32_t most_failures) : known_(known), most_failures_(most_failures) {}

  // What runs of this combination showed. One that violates is of no more interest, nor what
  // includes it.
  void observe(const Combination& combination, const std::vector<Look>& looks);
  // It will not be proposed any more: it was tried, cannot strike, or is about to be tried.
  void leave_out(const Combination& combination);
  // Few failures first. Nothing: there is nothing left to cut. Throws Stopped.
  std::optional<Combination> propose(const Stop& stop);
  // Some run has shown what its outcome rests on.
  bool knows_supports() const { return knows_supports_; }
  // It includes one that violates.
  bool is_settled(const Combination& combination) const;

 private:
  struct Lesson {
    Combination combination;
    bool violates = false;
    std::vector<std::vector<uint32_t>> supports;  // failures; sorted
  };

  void begin_anew();
  void teach(const Lesson& lesson);
  FaultSet faults_of(const Combination& combination) const;

  Known& known_;
  uint32_t most_failures_;
  bool knows_supports_ = false;
  std::vector<Lesson> lessons_;
  size_t taught_ = 0;
  size_t failures_ = 0;  // that the adversary knows
  size_t size_ = 1;      // with fewer failures there is nothing left to cut
  FaultModel model_;
  std::unique_ptr<search::LatticeAdversary> adversary_;
  Stop stop_;
};

}  // namespace clew::service
