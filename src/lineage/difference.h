// Where two Runs of one program differ, and why: differential lineage.
//
//   Difference difference(good, bad);             // two Graphs: without faults, and with them
//   uint32_t node = difference.missing(point);     // a fact of the good run that the bad one lacks
//   for (const Difference::Reason& reason : difference.node(node).reasons) ...
//
// A node is a fact that only one of the runs has: `missing` ones the good run, `extra` ones the bad
// run. A missing fact has a reason for each way in which the good run derived it, since all of them
// have failed: a message was lost, a fact it used is missing, or an absence it relied on is not one
// any more, because of something extra. An extra fact has one reason, the way in which the bad run
// derived it: it used something extra, or the absence of something that is missing. The ends of all
// reasons are faults.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "domain/pattern.h"
#include "lineage/fault_list.h"
#include "lineage/graph.h"

namespace clew::lineage {

class Difference {
 public:
  struct Absence {
    const Firing::Absence* absence = nullptr;
    // What is there now (of a missing fact), or what is missing (of an extra one).
    uint32_t node = 0;
  };
  // A message that did not arrive, with what became of it in the bad run and the faults that took
  // it away.
  struct Loss {
    Message message;  // of the good run; of the bad one where only that sent it
    Message::Fate fate = Message::Fate::kOmitted;
    bool sent = true;  // in the bad run; otherwise its sender had stopped by then
    std::vector<uint32_t> faults{};
  };
  struct Reason {
    // Of the good run for a missing fact, of the bad one for an extra one; null for what was sent
    // in vain, or given.
    const Graph::Step* step = nullptr;
    // Nodes: what it used, or would have. An aggregate is what it is also for lack of what only the
    // other run counted: such a node is `missing` where this one is extra, or the other way round.
    std::vector<uint32_t> used;
    std::vector<Absence> absences;
    std::vector<Loss> losses;
    std::vector<uint32_t> faults;  // that have a part in it by themselves, as `crash` facts
  };
  struct Node {
    bool missing = true;
    PointId point = kNone;  // of the good graph if missing, else of the bad one
    std::vector<Reason> reasons;
  };

  // Both outlive the difference. They are runs of one program with the same nodes and last tick.
  Difference(const Graph& good, const Graph& bad);

  // Requires that the point's fact does not hold in the other run at that tick. Works out all that
  // it depends on.
  uint32_t missing(PointId point) { return add({true, point}); }
  uint32_t extra(PointId point) { return add({false, point}); }

  const Node& node(uint32_t index) const { return nodes_[index]; }
  size_t size() const { return nodes_.size(); }
  const Fact& fact(uint32_t index) const;
  Tick tick(uint32_t index) const;
  // kNone if the runs do not differ in this, or nobody asked so far.
  uint32_t find(bool missing, PointId point) const;

  // Of the bad run. Where a number stands for a fault, it is this list's.
  const FaultList& faults() const { return faults_; }
  // The faults that the node's reasons end in, sorted.
  std::vector<uint32_t> faults_behind(uint32_t node) const;

  const Graph& good() const { return good_; }
  const Graph& bad() const { return bad_; }

  // What the other run has of an absence's pattern and this one lacks; a few, if there are many.
  std::vector<PointId> new_matches(const Firing::Absence& absence, bool in_bad,
                                   size_t most = kMostBreakers) const;
  // Patterns with `_` can match very many facts; a few are enough to tell.
  static constexpr size_t kMostBreakers = 8;

  // Why a step of the good run has no counterpart in the bad one. Its head may be there for some
  // other reason.
  Reason why_failed(const Graph::Step& step);
  // How a step of the bad run came about that has no counterpart in the good one.
  Reason why_fired(const Graph::Step& step);

 private:
  using Key = std::pair<bool, PointId>;
  uint32_t add(Key key);
  void explain_missing(uint32_t index);
  void explain_extra(uint32_t index);
  void add_loss(const Message& message, bool sent, Reason& reason) const;
  void add_losses(const Graph::Step& step, Reason& reason) const;
  void add_silent_rule(const Graph::Step& step, Reason& reason) const;
  void add_stopped(const Fact& fact, Tick tick, Reason& reason) const;
  void add_recoveries(uint32_t index);
  void compare_groups(const Graph::Step& step, const Graph& other, bool other_is_good,
                      Reason& reason);

  // The messages of the bad run that carry this fact and were sent at this tick.
  std::vector<const Message*> sent_in_bad(const Fact& fact, Tick sent_at) const;

  const Graph& good_;
  const Graph& bad_;
  FaultList faults_;
  std::vector<uint32_t> sent_;                   // messages of the bad run, by tick and fact
  std::vector<std::vector<uint32_t>> folds_[2];  // steps that aggregate, by tick; good, then bad
  std::vector<Node> nodes_;
  std::map<Key, uint32_t> index_;
  std::deque<uint32_t> open_;  // nodes without reasons yet
  bool working_ = false;
};

}  // namespace clew::lineage
