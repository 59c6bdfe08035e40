// Faults: what the world does wrong in one Run.
//
//   FaultSet faults{*parse_omission("a>b@2")};    // everything a sends to b at tick 2
//   faults.insert(*parse_crash("c@3"));           // c is silent from tick 3 on
//   for (const Fault& fault : faults) ...         // in order: by kind, then by node and tick
//   for (const Crash& crash : faults.of<Crash>()) ...
//
// The printed form is the parsed form: the same text in flags, JSON, logs and reports.
//
// A new kind of Fault is a struct with an order, an alternative of `Fault`, and these functions:
// tick_of and to_string here, admits and all_faults (fault_model.h), validate and its JSON
// (scenario.h), what it does to a message (delivery.h) and a sentence about it (report/story.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "domain/fact.h"

namespace clew {

// Loses everything sent from `from` to `to` at `tick`. from != to: nobody loses a message to
// itself.
struct Omission {
  NodeName from;
  NodeName to;
  Tick tick = 1;

  friend bool operator==(const Omission&, const Omission&) = default;
  friend auto operator<=>(const Omission&, const Omission&) = default;
};

// Silences `node` towards the others from `tick` on.
struct Crash {
  NodeName node;
  Tick tick = 1;

  friend bool operator==(const Crash&, const Crash&) = default;
  friend auto operator<=>(const Crash&, const Crash&) = default;
};

// kSilent: a crashed node keeps its state, receives, and talks to itself.
// kStop: from the crash on no rule fires at the node and nothing exists there.
enum class CrashModel { kSilent, kStop };

// One thing the world does wrong. Ordered by kind, as listed here, then as the kind says.
using Fault = std::variant<Omission, Crash>;

// The Faults of one kind among sorted ones: a range of `const Kind&`.
template <class Kind>
class FaultsOfKind {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Kind;
    using difference_type = std::ptrdiff_t;
    using pointer = const Kind*;
    using reference = const Kind&;

    Iterator() = default;
    explicit Iterator(const Fault* at) : at_(at) {}
    reference operator*() const { return std::get<Kind>(*at_); }
    pointer operator->() const { return &**this; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const Fault* at_ = nullptr;
  };

  FaultsOfKind(const Fault* begin, const Fault* end) : begin_(begin), end_(end) {}
  Iterator begin() const { return Iterator(begin_); }
  Iterator end() const { return Iterator(end_); }
  size_t size() const { return static_cast<size_t>(end_ - begin_); }
  bool empty() const { return begin_ == end_; }
  const Kind& operator[](size_t i) const { return std::get<Kind>(begin_[i]); }

 private:
  const Fault* begin_;
  const Fault* end_;
};

// An ordered set of Faults. Adding them in ascending order costs nothing extra.
class FaultSet {
 public:
  FaultSet() = default;
  FaultSet(std::initializer_list<Fault> faults) : FaultSet(std::vector<Fault>(faults)) {}
  explicit FaultSet(std::vector<Fault> faults);  // in any order; repetitions count once

  bool empty() const { return faults_.empty(); }
  size_t size() const { return faults_.size(); }
  auto begin() const { return faults_.begin(); }
  auto end() const { return faults_.end(); }
  const Fault& operator[](size_t i) const { return faults_[i]; }
  template <class Kind>
  FaultsOfKind<Kind> of() const&& = delete;  // would outlive the set
  template <class Kind>
  FaultsOfKind<Kind> of() const& {
    const Fault* all = faults_.data();
    const auto is_kind = [](const Fault& fault) { return std::holds_alternative<Kind>(fault); };
    const Fault* first = std::find_if(all, all + faults_.size(), is_kind);
    return {first, std::find_if_not(first, all + faults_.size(), is_kind)};
  }

  bool contains(const Fault& fault) const;
  bool includes(const FaultSet& others) const;  // every one of them
  // False if it was there already.
  bool insert(Fault fault);
  FaultSet without(size_t index) const;

  friend bool operator==(const FaultSet&, const FaultSet&) = default;
  friend auto operator<=>(const FaultSet&, const FaultSet&) = default;

 private:
  std::vector<Fault> faults_;  // sorted, distinct
};

// The Faults of one of the two sets only.
FaultSet difference(const FaultSet& a, const FaultSet& b);

Tick tick_of(const Fault& fault);  // the first tick that it concerns

std::string to_string(const Omission& omission);  // "a>b@2"
std::string to_string(const Crash& crash);        // "c@3"
std::string to_string(const Fault& fault);        // "drop a>b@2", "crash c@3"
std::string to_string(const FaultSet& faults);    // "drop a>b@2, crash c@3" or "no faults"
const char* to_string(CrashModel model);          // "silent" or "stop"

Result<Omission> parse_omission(std::string_view text);
Result<Crash> parse_crash(std::string_view text);
Result<CrashModel> parse_crash_model(std::string_view text);

}  // namespace clew
