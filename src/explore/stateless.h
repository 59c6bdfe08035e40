// Explores paths from the beginning to an end, keeping no worlds but those of the current one.
//
//   Stateless engine(cluster, {.seed = 7});
//   const Exploration result = engine.run();
//   if (result.violation) ...                 // a path to it
//   if (result.complete) ...                  // there is none
//
// Two paths are equivalent if one becomes the other by exchanging neighbours that have nothing to
// do with each other (events.h). They lead to the same world, and nodes, clients and properties see
// the same on the way. Of each class of equivalent paths kOptimal runs exactly one, and begins none
// that it has to give up: optimal dynamic partial order reduction, with source sets and wakeup
// trees (Abdulla and others). How it finds out which classes there are is told in races.cc.
//
// What is claimed once `complete`: every end that can be reached within the Limits was reached, and
// if some step, some world or some end violates a property, that was found. What is not: that every
// world was seen; two nodes may have been in states at one moment that no path has shown together,
// if no property looks at both. Nor is a violation's path as short as can be.
//
// Properties must be functions of what they look at through States. A node that does not declare
// its state is known by its inputs, so all that is said above holds for it too.
//
// Baselines: kDfs runs all paths, kRandom some.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "explore/events.h"
#include "explore/exploration.h"
#include "explore/looks.h"
#include "explore/runner.h"
#include "explore/table.h"
#include "explore/wakeup.h"

namespace clew::explore {

enum class Reduction { kOptimal, kDfs, kRandom };

class Stateless {
 public:
  struct Options {
    Reduction reduction = Reduction::kOptimal;
    uint64_t seed = 0;  // which path comes first; 0: what was sent first arrives first
    size_t most_paths = 100'000'000;
    size_t longest = 10'000;      // moves of a path
    size_t repeat_every = 1'000;  // so many paths, one is run again by nodes made anew
    Stop stop{};
    std::function<void(const Progress&)> progress{};  // called every kSeldom events
    std::function<void()> now_and_then{};             // called as often, where save() may be
  };
  static constexpr size_t kSeldom = 64;

  // `cluster` outlives this.
  Stateless(const Cluster& cluster, Options options);

  Exploration run();
  Runner& runner() { return runner_; }
  const WordSet& terminals() const { return terminals_; }  // all worlds in which a path has ended

  // Now and then, or after run(); loading requires an engine that has not run. False if it is of
  // something else.
  void save(Saver& out) const;
  bool load(Loader& in);

 private:
  // A world on the path, and the event that comes next.
  struct Frame {
    World world{};
    std::vector<Event>
        asleep{};                // whatever begins with one of them was tried, or will be elsewhere
    std::vector<Branch> tree{};  // to be tried after the current one
    bool begun = false;
    Event event{};
    std::vector<uint64_t>
        past{};  // the events on the path that come before it on all equivalent ones
  };
  using Places = std::vector<size_t>;  // on the path

  bool over() const;
  bool may_go_on();
  void explore_in_order();
  void explore_at_random();
  void begin();
  void go_on();
  void enter(Branch branch);
  void leave();
  bool fill(Frame& frame);
  size_t choose(const Frame& frame, const std::vector<Choice>& choices);
  size_t next_branch(const Frame& frame) const;
  bool was_tried(const Frame& frame, LabelId id, InputId input) const;
  void finish();
  void cut();

  // The path's own order.
  void order(size_t at);
  std::optional<size_t> sender(const Event& event) const;
  void note(size_t at);
  void unnote(size_t at);
  bool before(size_t one, size_t other) const;

  // saved_paths.cc.
  bool load_result(Loader& in);
  bool load_path(Loader& in);
  bool load_frame(Loader& in, size_t at);

  // races.cc: what else has to be tried, seen from the end of a path.
  void find_races();
  void reverse(size_t one, size_t other);
  void find_disabled(size_t at);
  void find_disabled(size_t at, const Places& places, LabelId label);
  void find_waiting(size_t at, const Places& places);
  void find_waiting(size_t at, const Places& places, LabelId label);
  void try_waiting(size_t at, const Places& first, LabelId label);
  void try_at(size_t at, const Places& first, const Event& event, const Places& last);
  std::vector<LabelId> disabled(size_t at, const Places& places);
  bool disables(size_t at, const World& world, LabelId label);
  std::vector<LabelId> conceivable(size_t at, const Places& places);
  bool sleeps(size_t at, const Places& places) const;
  Places beside(size_t at) const;
  Places without(const Places& left_out, const Places& places) const;
  World after(size_t at, const Places& places);
  void follow(World& world, size_t at);

  // Whether all is well; otherwise says what is not.
  bool judge_first();
  bool judge(size_t at);
  bool judge_vain(const World& world);
  bool judge_end();
  bool violated(std::string property);
  bool repeat();

  const Cluster& cluster_;
  Options options_;
  Runner runner_;
  Looks looks_;
  Events events_;
  Random random_;
  std::vector<Frame> path_;                    // the last one has no event yet
  std::vector<std::vector<int64_t>> senders_;  // by queue: of all that was ever put there, or -1
  std::vector<size_t> taken_;                  // by queue: how many are gone
  NumberMap tried_;                            // states and inputs
  WordSet terminals_;
  size_t begun_paths_ = 0;
  bool judges_all_ = false;  // properties at every step, though nothing that they look at changes
  bool anew_ = false;        // what was relied on has turned out to be wrong
  bool finished_ = false;
  bool stopped_ = false;
  bool loaded_ = false;
  size_t asked_ = 0;  // whether to go on
  Exploration result_;
};

}  // namespace clew::explore
