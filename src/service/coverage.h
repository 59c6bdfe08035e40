// What counts as covered without a run of its own: docs/inject-coverage.md states the rule and
// proves it.
//
//   Coverage coverage(known);
//   coverage.add(search, item);       // once its runs were observed
//   coverage.count(search, 2);        // pairs that are covered
//
// The rule ("never reached"): a run of a combination and one failure more, in which that one does
// not strike, is a run of the combination. So where runs of the combination show that a site does
// not come by any more, the runs of the larger combination are those, which were judged already.
//
// It is said of a site only if (1) every run of what lacks the last failure shows the site after
// the place at which that failure strikes, (2) the combination has run at least twice, every time
// showing the same sites, and (3) the site is in none of these runs, neither before nor after.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "service/known.h"
#include "service/search.h"

namespace clew::service {

// By sites, of an item that was tried and may have children. Sorted.
std::vector<uint32_t> sites_never_reached(const Known& known, const Search& search,
                                          uint32_t number);

class Coverage {
 public:
  explicit Coverage(Known& known) : known_(known) {}

  void add(const Search& search, uint32_t number);
  // Combinations of so many failures. What was seen to strike after all, in a target that does not
  // always do the same, has runs of its own.
  size_t count(const Search& search, size_t failures) const;
  const CombinationSet& all() const { return covered_; }

 private:
  static constexpr size_t kMost = 4'000'000;  // beyond, nothing is claimed

  Known& known_;
  CombinationSet covered_;
};

}  // namespace clew::service
