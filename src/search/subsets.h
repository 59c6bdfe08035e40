// Enumerations of FaultSets by size, each once, in a fixed order.
//
//   Subsets subsets(faults);
//   while (std::optional<FaultSet> next = subsets.next()) ...     // {} first, `faults` last
//
//   AdmissibleSets sets(model);
//   while (std::optional<FaultSet> next = sets.next()) ...        // all that the model admits
#pragma once

#include <optional>
#include <vector>

#include "domain/fault_model.h"

namespace clew::search {

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

}  // namespace clew::search
