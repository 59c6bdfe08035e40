// The paper's random injector. Never sure of anything but what it sees.
#include "base/random.h"

#include <algorithm>

#include "search/lattice.h"

namespace clew::search {

namespace {

class RandomChoice : public LatticeAdversary {
 public:
  RandomChoice(const FaultModel& model, uint64_t seed, Stop stop)
      : model_(model), random_(seed), stop_(std::move(stop)), all_(all_faults(model)) {}

  Proposal propose_within(const Scope& scope) override {
    if (stop_ && stop_()) return {Proposal::Kind::kStopped};
    if (scope.below) {
      std::optional<FaultSet> next = descent_.next(*scope.below);
      if (!next) return {Proposal::Kind::kNothing};
      return try_faults(std::move(*next));
    }
    const size_t most = scope.at_most.value_or(SIZE_MAX);
    for (int attempt = 0; attempt < 1000; ++attempt) {
      FaultSet faults = choose();
      while (faults.size() > most) {
        faults = faults.without(random_.uniform_below(faults.size()));
      }
      if (!excluded_.covers(faults)) return try_faults(std::move(faults));
    }
    return {Proposal::Kind::kNothing};
  }

  void observe(const Run&) override {}
  void exclude_above(const FaultSet& faults) override { excluded_.add(faults); }
  std::string why_unsure() const override { return "the adversary is not complete"; }

 private:
  FaultSet choose() {
    FaultSet faults;
    for (const Fault& fault : all_) {
      if (std::holds_alternative<Omission>(fault) && random_.chance(0.5)) faults.insert(fault);
    }
    std::vector<NodeName> nodes = model_.nodes;
    std::erase_if(nodes, [&](const NodeName& node) { return !model_.may_crash(node); });
    random_.shuffle(nodes);
    const bool any = model_.last_fault() >= 1;
    const uint64_t crashes = any ? random_.uniform_below(model_.most_crashes() + 1) : 0;
    for (uint64_t i = 0; i < crashes; ++i) {
      faults.insert(Crash{nodes[i], static_cast<Tick>(random_.uniform_in(1, model_.last_fault()))});
    }
    return faults;
  }

  FaultModel model_;
  Random random_;
  Stop stop_;
  std::vector<Fault> all_;
  Exclusions excluded_;
  Descent descent_;
};

}  // namespace

std::unique_ptr<LatticeAdversary> make_random(const FaultModel& model, uint64_t seed, Stop stop) {
  return std::make_unique<RandomChoice>(model, seed, std::move(stop));
}

}  // namespace clew::search
