// Paths made of other paths by changing two events that race: what MODIST, SAMC and FlyMC have in
// common.
//
//   Flips flips(runner, *parts_of("flymc"), false, {});
//   flips.next()                // nothing is planned
//   flips.observe(path);        // for each event, the nearest earlier one that it races with
//   flips.next()                // the path up to there, what the later one needs, the two reversed
//
// One flip for each event of an executed path; if that was tried already or is left out, the next
// one further back. Faults that a path does not have are put in before each event that they have to
// do with; of one that it has, all others of its kind are tried in its place. What was run or is
// planned is known by the order of the events of each node.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "explore/strategies/abstract.h"
#include "explore/strategies/recovery.h"
#include "explore/strategies/reorder.h"
#include "explore/strategies/strategy.h"
#include "explore/table.h"

namespace clew::explore {

// A path with some of its events in another order, in few bytes.
struct Flip {
  std::shared_ptr<const std::vector<Move>> base{};
  size_t kept = 0;           // events of the base
  std::vector<Move> more{};  // then these
};

class Flips : public Strategy {
 public:
  Flips(Runner& runner, const Parts& parts, bool faults, Analysed analysed);

  std::optional<Plan> next() override;
  void observe(const Path& path) override;
  size_t open() const override {
    return high_.size() + normal_.size() + low_.size() + last_.size();
  }

 private:
  struct Candidate {
    Pair pair{};
    Flip flip{};
  };

  void flip_races(const Path& path, std::vector<Candidate>& out);
  bool flip(const Path& path, Pair pair, Flip& out);
  void put_in_faults(const Path& path);
  void try_fault(const Path& path, size_t at, Move fault);
  bool is_new(const Path& path, const Flip& flip);
  bool mirrors(const Path& path, const Flip& flip);
  uint64_t mirror_of(WorldView world, Move move);
  // The world after it, if all of it is possible.
  bool follow(const Path& path, const Flip& flip, World& out);
  bool possible(WorldView world, Move move);

  // parallel.cc
  std::vector<Flip> merge(const Path& path, std::vector<Candidate>& candidates);

  Runner& runner_;
  const Parts parts_;
  const bool faults_;
  Conflicts conflicts_;
  Abstract abstract_;
  Recovery recovery_;
  WordSet seen_;      // what was run or is planned
  WordSet mirrored_;  // states and moves, up to names
  std::shared_ptr<const std::vector<Move>> base_;
  std::deque<Flip> high_, normal_, low_, last_;
  size_t depth_ = SIZE_MAX;  // events beyond are not flipped
  size_t asked_ = 0;
  std::vector<Move> moves_;
  World world_, next_;
};

}  // namespace clew::explore
