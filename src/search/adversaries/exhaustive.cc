// Every admissible FaultSet, the smallest first: the twin of all other adversaries.
#include <algorithm>

#include "search/lattice.h"

namespace clew::search {

namespace {

class Exhaustive : public LatticeAdversary {
 public:
  Exhaustive(const FaultModel& model, Stop stop)
      : stop_(std::move(stop)), all_(model), count_(count_admissible(model)) {}

  Proposal propose_within(const Scope& scope) override {
    // Smaller sets have all been tried before, so that a violation has no smaller one below it.
    if (scope.below || scope.at_most.value_or(SIZE_MAX) < size_) return {Proposal::Kind::kNothing};
    while (std::optional<FaultSet> next = all_.next()) {
      size_ = next->size();
      if (size_ > scope.at_most.value_or(SIZE_MAX)) return {Proposal::Kind::kNothing};
      if (++steps_ % 64 == 0 && stop_ && stop_()) return {Proposal::Kind::kStopped};
      const bool known = next->empty() && has_begun_;
      if (!known && !excluded_.covers(*next)) return try_faults(std::move(*next));
    }
    return {Proposal::Kind::kNothing};
  }

  void observe(const Run& run) override { has_begun_ |= run.scenario.faults.empty(); }
  double settled() const override { return static_cast<double>(steps_) / count_; }
  void exclude_above(const FaultSet& faults) override { excluded_.add(faults); }

 private:
  Stop stop_;
  AdmissibleSets all_;
  double count_;
  size_t size_ = 0;
  size_t steps_ = 0;
  bool has_begun_ = false;  // the run without faults has been seen
  Exclusions excluded_;
};

}  // namespace

std::unique_ptr<LatticeAdversary> make_exhaustive(const FaultModel& model, Stop stop) {
  return std::make_unique<Exhaustive>(model, std::move(stop));
}

}  // namespace clew::search
