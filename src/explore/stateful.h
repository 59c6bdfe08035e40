// Explores every world once: breadth first, so that what is found is as short as can be.
//
// Worlds that differ only in the names of nodes said to be alike count as one. That they are alike
// is tried on many worlds; if it turns out to be wrong, all begins anew without it. Where a
// property is about what goes on for ever (lasso.h), every world stands for itself: who waits for
// what would be lost with the names.
//
//   Stateful engine(cluster, {.symmetry = true});
//   const Exploration result = engine.run();
//   if (result.violation) ...                 // the shortest path to it
//   if (result.complete) ...                  // there is none
//
// Worlds are expanded many at a time, by several threads, as far as it is known what their moves
// do; what is not, is found out afterwards by one thread, which also inserts all that was found, in
// the order in which a single thread would have found it. So results do not depend on the threads,
// and handlers and properties are only called by the thread that calls run().
//
// What has not come to its end can be saved, and loaded into a new engine for the same cluster,
// which then goes on as if nothing had been in between.
#pragma once

#include <functional>
#include <vector>

#include "base/stop.h"
#include "explore/crew.h"
#include "explore/expansion.h"
#include "explore/exploration.h"
#include "explore/runner.h"
#include "explore/store.h"
#include "explore/symmetry.h"
#include "explore/verdicts.h"

namespace clew::explore {

class Stateful {
 public:
  struct Options {
    bool symmetry = true;
    size_t most_states = 100'000'000;
    Stop stop{};
    size_t threads = 0;                               // 0: as many as there are processors
    size_t most_bytes = SIZE_MAX;                     // of all that is kept
    std::function<void(const Progress&)> progress{};  // called every kProgress moves or so
    std::function<void()> now_and_then{};             // called where save() may be
  };
  static constexpr size_t kProgress = 100'000;

  // `cluster` outlives this.
  Stateful(const Cluster& cluster, Options options);

  Exploration run();
  Runner& runner() { return runner_; }
  const WorldStore& worlds() const { return worlds_; }  // canonical ones, all that were found
  const std::vector<uint32_t>& terminals() const { return terminals_; }

  // Now and then, or after run(); loading requires an engine that has not run. False if it is of
  // something else.
  void save(Saver& out) const;
  bool load(Loader& in);

 private:
  void begin();
  void begin_anew();
  void explore();
  // A batch: worlds from due_ on, as far as it is known what their moves do.
  void expand_known();
  // What is left to do of it, in order; false if there is a reason to end.
  bool expand_rest();
  bool is_due(uint32_t id);
  bool may_go_on(uint32_t id);
  void tell_progress(uint32_t id);
  bool load_result(Loader& in);
  bool load_batch(Loader& in);
  // Looks whether renaming makes a difference to some of the worlds: the first ones, and of later
  // ones fewer and fewer.
  bool treats_alike(uint32_t id);
  // Runs the way to that world again (again.h).
  bool repeats(uint32_t id);
  bool begins_badly() const { return result_.violation && result_.violation->path.empty(); }
  // All moves of world `id`, which is then in world_.
  void expand(uint32_t id);
  void insert_all(uint32_t id, const Expansion& part, const Expansion::OfWorld& of);
  // From world_ to next_ and its canonical_ like.
  const Step* follow(Move move);
  void judge_beginning(const World& first);
  // Notes the first property that does not hold after that move of world `id`.
  void judge(uint32_t id, Move move, const Step* step, Verdicts::Which which);
  void judge_end(uint32_t id);
  // Once all worlds are known.
  void find_lasso();
  Move like(const std::vector<Move>& path, Move move);
  std::vector<Move> path_to(uint32_t id);
  // Nothing: a world on the way does not follow from the one before, as in a file that somebody has
  // changed.
  std::optional<std::vector<Move>> way_to(uint32_t id);

  const Cluster& cluster_;
  Options options_;
  Runner runner_;
  Symmetry symmetry_;
  Verdicts verdicts_;
  WorldStore worlds_;
  Crew crew_;
  std::vector<Expansion> parts_;
  std::vector<uint32_t> terminals_;
  uint32_t due_ = 0;  // the world that comes next
  uint32_t batch_begin_ = 0, batch_end_ = 0;
  size_t level_end_ = 0;
  size_t other_bytes_ = 0;  // that are taken by all but worlds_
  size_t told_ = 0;         // moves, when progress was told
  bool loaded_ = false;     // goes on from what was kept in a file
  std::vector<Move> moves_;
  World world_, next_, canonical_;
  Packed packed_;
  Exploration result_;
};

}  // namespace clew::explore
