#include "search/lattice.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clew::search {

Proposal LatticeAdversary::propose_smaller(const Choice& violation, Smaller how) {
  const size_t size = violation.faults.size();
  if (size == 0) return {Proposal::Kind::kNothing};
  if (how == Smaller::kPart) return propose_within({.below = violation.faults, .at_most = {}});
  return propose_within({.below = {}, .at_most = size - 1});
}

bool Exclusions::covers(const FaultSet& faults) const {
  return std::ranges::any_of(excluded_,
                             [&](const FaultSet& below) { return faults.includes(below); });
}

Choices::Choices(size_t n, size_t k) : n_(n), valid_(k <= n) {
  for (size_t i = 0; i < k; ++i) chosen_.push_back(i);
}

void Choices::next() {
  const size_t k = chosen_.size();
  for (size_t i = k; i-- > 0;) {
    if (chosen_[i] + (k - i) >= n_) continue;
    ++chosen_[i];
    for (size_t j = i + 1; j < k; ++j) chosen_[j] = chosen_[j - 1] + 1;
    return;
  }
  valid_ = false;
}

Subsets::Subsets(FaultSet faults) : faults_(std::move(faults)), choices_(faults_.size(), 0) {}

std::optional<FaultSet> Subsets::next() {
  if (!choices_.valid()) {
    if (size_ == faults_.size()) return std::nullopt;
    choices_ = Choices(faults_.size(), ++size_);
  }
  FaultSet subset;
  for (const size_t index : choices_.chosen()) subset.insert(faults_[index]);
  choices_.next();
  return subset;
}

double count_admissible(const FaultModel& model) {
  const auto mortal = static_cast<double>(std::ranges::count_if(
      model.nodes, [&](const NodeName& node) { return model.may_crash(node); }));
  FaultModel losses = model;
  losses.crashes = 0;
  double crashes = 0;
  double choices = 1;  // k nodes out of all, with a tick for each
  for (int k = 0; k <= model.crashes && k <= mortal; ++k) {
    crashes += choices;
    choices *= (mortal - k) / (k + 1.0) * std::max(0, model.last_fault());
  }
  return std::exp2(static_cast<double>(all_faults(losses).size())) * crashes;
}

AdmissibleSets::AdmissibleSets(const FaultModel& model)
    : all_(all_faults(model)),
      most_crashes_(model.most_crashes()),
      crashes_(0, 0),
      omissions_(0, 0) {}

bool AdmissibleSets::once_each() const {
  for (size_t i = 0; i + 1 < crashes_.chosen().size(); ++i) {
    // Crashes are sorted by node.
    const size_t a = crashes_.chosen()[i];
    const size_t b = crashes_.chosen()[i + 1];
    if (all_.of<Crash>()[a].node == all_.of<Crash>()[b].node) return false;
  }
  return true;
}

// To the first admissible choice of crashes from the present one on.
bool AdmissibleSets::start_crashes() {
  while (crashes_.valid() && !once_each()) crashes_.next();
  if (!crashes_.valid()) return false;
  omissions_ = Choices(all_.of<Omission>().size(), size_ - crash_count_);
  return omissions_.valid();
}

bool AdmissibleSets::advance() {
  omissions_.next();
  if (omissions_.valid()) return true;
  crashes_.next();
  if (start_crashes()) return true;
  const size_t most = all_.of<Omission>().size() + most_crashes_;
  while (size_ <= most) {
    if (crash_count_ < std::min(size_, most_crashes_)) {
      ++crash_count_;
    } else {
      ++size_;
      crash_count_ = 0;
    }
    crashes_ = Choices(all_.of<Crash>().size(), crash_count_);
    if (start_crashes()) return true;
  }
  return false;
}

std::optional<FaultSet> AdmissibleSets::next() {
  // The empty set first.
  if (std::exchange(started_, true) && !advance()) return std::nullopt;
  const auto omissions = all_.of<Omission>();
  const auto crashes = all_.of<Crash>();
  std::vector<Fault> faults;
  faults.reserve(size_);
  for (const size_t index : omissions_.chosen()) faults.emplace_back(omissions[index]);
  for (const size_t index : crashes_.chosen()) faults.emplace_back(crashes[index]);
  return FaultSet(std::move(faults));
}

std::optional<FaultSet> Descent::next(const FaultSet& faults) {
  if (faults_ != faults) {
    // If the last attempt has succeeded, go on from the same place: what could not be left out
    // before most likely still cannot, so that it is tried again last.
    const bool succeeded =
        faults_ && faults_->size() == faults.size() + 1 && faults.size() > kFewFaults;
    position_ = succeeded ? position_ - 1 : 0;
    attempts_ = 0;
    faults_ = faults;
    subsets_.reset();
    if (faults.size() <= kFewFaults) subsets_.emplace(faults);
  }
  if (!subsets_) {
    if (attempts_ >= faults.size()) return std::nullopt;
    ++attempts_;
    if (position_ >= faults.size()) position_ = 0;
    return faults.without(position_++);
  }
  const std::optional<FaultSet> next = subsets_->next();
  return next == faults ? std::nullopt : next;
}

}  // namespace clew::search
