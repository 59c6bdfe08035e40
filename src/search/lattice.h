// Choosing FaultSets: what every Adversary does that chooses nothing but Faults.
//
// FaultSets form a lattice under inclusion. A strategy over it is a LatticeAdversary: it is asked
// for FaultSets within a Scope (below a violation, of at most so many Faults) and told what to
// leave out from now on. The rest of this file enumerates, each FaultSet once, by size, in a fixed
// order:
//
//   Subsets subsets(faults);
//   while (std::optional<FaultSet> next = subsets.next()) ...     // {} first, `faults` last
//
//   AdmissibleSets sets(model);
//   while (std::optional<FaultSet> next = sets.next()) ...        // all that the model admits
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "domain/fault_model.h"
#include "formula/formula.h"
#include "search/adversary.h"

namespace clew::search {

using formula::Scope;

class LatticeAdversary : public Adversary {
 public:
  // At most so many Faults, from now on.
  void limit(std::optional<size_t> most_faults) { most_faults_ = most_faults; }

  Proposal propose() final { return propose_within({.below = {}, .at_most = most_faults_}); }
  Proposal propose_smaller(const Choice& violation, Smaller how) final;
  void exclude(const Choice& violation) final { exclude_above(violation.faults); }

 protected:
  virtual Proposal propose_within(const Scope& scope) = 0;
  // Nothing that includes these Faults is of interest any more.
  virtual void exclude_above(const FaultSet& faults) = 0;

  static Proposal try_faults(FaultSet faults) {
    return {Proposal::Kind::kTry, {std::move(faults), {}}};
  }

 private:
  std::optional<size_t> most_faults_;
};

// FaultSets that are of no interest, nor is what includes them.
class Exclusions {
 public:
  void add(const FaultSet& faults) { excluded_.push_back(faults); }
  bool covers(const FaultSet& faults) const;

 private:
  std::vector<FaultSet> excluded_;
};

// The choices of k out of n things, in lexicographic order.
class Choices {
 public:
  Choices(size_t n, size_t k);
  bool valid() const { return valid_; }
  void next();
  const std::vector<size_t>& chosen() const { return chosen_; }

 private:
  size_t n_;
  bool valid_;
  std::vector<size_t> chosen_;  // ascending
};

class Subsets {
 public:
  explicit Subsets(FaultSet faults);
  std::optional<FaultSet> next();

 private:
  FaultSet faults_;
  size_t size_ = 0;
  Choices choices_;
};

// How many FaultSets the model admits, as far as a double can hold that.
double count_admissible(const FaultModel& model);

class AdmissibleSets {
 public:
  explicit AdmissibleSets(const FaultModel& model);
  std::optional<FaultSet> next();

 private:
  bool advance();
  bool start_crashes();
  bool once_each() const;

  FaultSet all_;
  size_t most_crashes_;
  size_t size_ = 0;         // of the sets at hand
  size_t crash_count_ = 0;  // how many of these are crashes
  Choices crashes_;
  Choices omissions_;
  bool started_ = false;
};

// Proper subsets of faults that violate, for adversaries that know nothing better than to try:
// all of them if the faults are few, by size, else those that lack a single fault. When a subset
// violates, the next call is about that one.
class Descent {
 public:
  std::optional<FaultSet> next(const FaultSet& faults);

 private:
  static constexpr size_t kFewFaults = 12;

  std::optional<FaultSet> faults_;
  std::optional<Subsets> subsets_;
  size_t position_ = 0;
  size_t attempts_ = 0;  // to leave out one of faults_
};

// Every admissible FaultSet, by size.
std::unique_ptr<LatticeAdversary> make_exhaustive(const FaultModel& model, Stop stop);
// The paper's baseline: each omission with probability one half, and so many crashes, at random.
std::unique_ptr<LatticeAdversary> make_random(const FaultModel& model, uint64_t seed, Stop stop);
// Knows all bodies beforehand: whatever it proposes violates the Spec.
std::unique_ptr<LatticeAdversary> make_symbolic(const formula::Rules& rules, Stop stop);

// What else could be than what a Run shows, where a System can tell.
struct Possible {
  const formula::Rules& rules;
  // The kinds of bodies (see Bodies::end) of which the Run shows one.
  std::function<std::vector<uint32_t>(const Run&)> shown;
};
// The forward and backward steps of the paper: Runs teach which bodies exist, and the next
// proposal has to cut all that are known. Exact, since it also knows what else could be.
std::unique_ptr<LatticeAdversary> make_lineage(Possible possible, Stop stop);
// The same where nobody can tell what else could be: it knows the Supports that Runs have shown, so
// that nothing left to try proves nothing.
std::unique_ptr<LatticeAdversary> make_observed_lineage(const FaultModel& model, Stop stop);

// How the lineage adversary reads that a firing relied on something absent.
enum class Negation {
  kExact,         // whatever could make it appear is in the Formula
  kIgnore,        // it stays absent
  kSurrogate,     // it stays absent as long as something blocks each firing that nearly happened
  kConservative,  // it stays absent as long as all true facts stay that it depends on negatively
};
// Lineage with a treatment of negation other than kExact, run by run as the paper's prototype.
std::unique_ptr<LatticeAdversary> make_published(const formula::Rules& rules, Negation negation,
                                                 Stop stop);

}  // namespace clew::search
