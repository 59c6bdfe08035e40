// The paper's random injector. Never sure of anything but what it sees.
#include <algorithm>

#include "base/random.h"
#include "search/adversary.h"
#include "search/subsets.h"

namespace clew::search {

namespace {

// Below a violation of at most so many faults all subsets are tried; of larger ones only those that
// lack a single fault.
constexpr size_t kFewFaults = 12;

class RandomChoice : public Adversary {
 public:
  RandomChoice(const FaultModel& model, uint64_t seed, Stop stop)
      : model_(model), random_(seed), stop_(std::move(stop)), all_(all_faults(model)) {}

  Proposal propose(const Scope& scope) override {
    if (stop_ && stop_()) return {Proposal::Kind::kStopped};
    if (scope.below) return propose_below(*scope.below);
    below_.reset();
    size_t most = scope.at_most.value_or(SIZE_MAX);
    for (int attempt = 0; attempt < 1000; ++attempt) {
      FaultSet faults = choose();
      while (size(faults) > most) drop_one(faults);
      bool excluded = std::ranges::any_of(
          excluded_, [&](const FaultSet& known) { return includes(faults, known); });
      if (!excluded) return {Proposal::Kind::kFaults, std::move(faults)};
    }
    return {Proposal::Kind::kNothing};
  }

  void observe(const FaultSet&, Outcome::Kind) override {}
  void exclude(const FaultSet& faults) override { excluded_.push_back(faults); }
  bool is_sure() const override { return false; }

 private:
  FaultSet choose() {
    FaultSet faults;
    for (const Omission& omission : all_.omissions) {
      if (random_.chance(0.5)) faults.omissions.push_back(omission);
    }
    std::vector<NodeName> nodes = model_.nodes;
    random_.shuffle(nodes);
    auto most = std::min(static_cast<uint64_t>(model_.crashes), static_cast<uint64_t>(nodes.size()));
    uint64_t crashes = model_.eot > 1 ? random_.uniform_below(most + 1) : 0;
    for (uint64_t i = 0; i < crashes; ++i) {
      faults.crashes.push_back(
          {nodes[i], static_cast<Tick>(random_.uniform_in(1, model_.eot - 1))});
    }
    faults.normalize();
    return faults;
  }

  void drop_one(FaultSet& faults) {
    uint64_t index = random_.uniform_below(size(faults));
    remove(faults, index);
  }

  static void remove(FaultSet& faults, uint64_t index) {
    if (index < faults.omissions.size()) {
      faults.omissions.erase(faults.omissions.begin() + static_cast<std::ptrdiff_t>(index));
    } else {
      index -= faults.omissions.size();
      faults.crashes.erase(faults.crashes.begin() + static_cast<std::ptrdiff_t>(index));
    }
  }

  Proposal propose_below(const FaultSet& faults) {
    if (below_ != faults) {
      // What could be left out of the larger set before the last success need not be tried again
      // from the start: go on from the same place.
      position_ = below_ && size(*below_) == size(faults) + 1 && size(faults) > kFewFaults
                      ? position_ - 1
                      : 0;
      below_ = faults;
      subsets_.reset();
      if (size(faults) <= kFewFaults) subsets_.emplace(faults);
    }
    if (subsets_) {
      std::optional<FaultSet> next = subsets_->next();
      if (!next || *next == faults) return {Proposal::Kind::kNothing};
      return {Proposal::Kind::kFaults, std::move(*next)};
    }
    if (position_ >= size(faults)) return {Proposal::Kind::kNothing};
    FaultSet next = faults;
    remove(next, position_++);
    return {Proposal::Kind::kFaults, std::move(next)};
  }

  FaultModel model_;
  Random random_;
  Stop stop_;
  FaultSet all_;
  std::vector<FaultSet> excluded_;
  std::optional<FaultSet> below_;
  std::optional<Subsets> subsets_;
  size_t position_ = 0;
};

}  // namespace

std::unique_ptr<Adversary> make_random(const FaultModel& model, uint64_t seed, Stop stop) {
  return std::make_unique<RandomChoice>(model, seed, std::move(stop));
}

}  // namespace clew::search
