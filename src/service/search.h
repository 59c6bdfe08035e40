// Which combination of failures comes next: each that can strike once, few failures first.
//
//   Search search(known, 2);
//   search.begin(looks);                                   // of runs without failures
//   while (std::optional<uint32_t> next = search.next()) {
//     search.observe(*next, looks_of(search.item(*next).combination));
//   }
//
// The idea is the failure locking of the paper (section 2.2.2), read as a tree. Its root is the run
// without failures; the children of a combination add one failure each, at a site that its own run
// showed for the first time after its last failure had struck. So a combination comes from the one
// that lacks what strikes last, and from no other: where a target always does the same, whatever
// can strike comes once, in the order in which it strikes, and nothing else comes.
//
// What this account omits. (1) A target that does not always do the same may show a site before
// and after: what has come once does not come again. (2) A power cut leaves what the disk chooses:
// a run of one choice tells the others, which are its siblings. (3) What is unlikely to matter
// comes when nothing else is left, or is under way: sites of which the look says so, and what
// includes combinations that violate. (4) What was brought forward comes first.
//
// What next() gives depends on what was observed, not on how many are under way: whoever observes
// in the order of next() gets the same sequence whether he asks ahead or not.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "service/known.h"
#include "service/look.h"

namespace clew::service {

class Search {
 public:
  enum class State { kWaiting, kUnderWay, kTried, kNotReached };

  struct Item {
    Combination combination;
    uint32_t parent = 0;
    uint32_t last = 0;   // the failure that the parent lacks
    bool later = false;  // unlikely to matter
    State state = State::kWaiting;
    bool violates = false;
    // What a run of it showed, as long as others can come of it: of each run the sites, and from
    // where on they came after the last failure.
    struct Shown {
      std::vector<uint32_t> sites;
      size_t after = 0;
    };
    std::vector<Shown> shown{};
  };

  Search(Known& known, uint32_t most_failures);

  void begin(const std::vector<Look>& looks);
  // The number of the one to try. Nothing: nothing is left, or not before others were observed.
  std::optional<uint32_t> next();
  // The runs of an item, in the order of next(). Without one that struck it was not reached.
  void observe(uint32_t number, const std::vector<Look>& looks);

  // Comes next, unless it is under way or was tried.
  void bring_forward(uint32_t item);
  // From now on only what is brought forward comes, or everything again.
  void only_forward(bool only) { only_forward_ = only; }
  // The combination of this set that is to be tried for it: itself, if it is known by now, else
  // what lacks failures that strike later. Nothing if no run has shown that it can strike.
  std::optional<uint32_t> towards(const Combination& wanted) const;

  const Item& item(uint32_t number) const { return items_[number]; }
  size_t size() const { return items_.size(); }  // the root included
  size_t under_way() const { return under_way_; }
  size_t waiting() const { return waiting_; }
  std::optional<uint32_t> find(const Combination& combination) const;

 private:
  std::deque<uint32_t>* first_queue();
  void extend(uint32_t number, const std::vector<Look>& looks);
  void add_states(uint32_t number, const std::vector<Look>& looks);
  void add(Item item);
  bool includes_violation(const Combination& combination) const;

  Known& known_;
  size_t most_failures_;
  std::vector<Item> items_;
  std::unordered_map<Combination, uint32_t, CombinationHash> number_of_;
  CombinationSet violating_;
  std::deque<uint32_t> forward_, queue_, later_;
  size_t under_way_ = 0, waiting_ = 0;
  bool only_forward_ = false;
};

}  // namespace clew::service
