// One run from the beginning, and whatever runs it.
//
//   PathRunner paths(runner, {.order = Order::kChain});
//   const Path path = paths.run({});                  // nobody said what happens
//   path.events[0].move                               // the first move, and the world before it:
//   path.worlds[0]
//   paths.run({.prefix = {path.events[1].move}})      // this one first, then as the order has it
//
// What nobody has planned follows an order. Which one makes much of a difference to strategies that
// begin with its path and change it here and there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "explore/runner.h"
#include "explore/verdicts.h"

namespace clew::explore {

// Which of what may happen comes next if nobody has planned it.
enum class Order : uint8_t {
  kChain,       // what follows from one request, until nothing does; then the next one
  kFifo,        // what has been possible for the longest time
  kRoundRobin,  // one node after the other
};
inline constexpr Order kAllOrders[] = {Order::kChain, Order::kFifo, Order::kRoundRobin};
std::string_view name_of(Order order);

inline bool is_crash(Move move) {
  return move.kind == Move::Kind::kCrash || move.kind == Move::Kind::kRestart;
}

inline constexpr uint32_t kNobody = UINT32_MAX;

struct Happening {
  Move move{};
  // The one that made it possible: that sent the envelope, set the timer, gave the answer that the
  // client had waited for. What was possible from the beginning has nobody.
  uint32_t creator = kNobody;
  uint8_t node = 0;  // whose step it is; of a loss, whose envelope
  uint8_t from = 0;  // who sent it; of all but envelopes the node itself
};

struct Path {
  std::vector<Happening> events;
  std::vector<World> worlds;  // one more than that: the first is the one before the first event
  size_t planned = 0;         // so many of the events were planned
  bool diverged = false;      // something that was planned was not possible
  bool cut = false;           // longer than paths may be
  bool left = false;          // by its guide
  bool unknown = false;       // what comes next is not known, and was not to be found out
  std::vector<size_t> ends;   // numbers of worlds in which nothing was left that must happen
  std::optional<std::string> broken;  // the property that the last world breaks
};

struct Plan {
  std::vector<Move> prefix{};
  bool random = false;  // what comes after it
};

// Whoever looks at worlds as they come, and says which way to go on.
class Guide {
 public:
  virtual ~Guide() = default;
  // World number `at` of the path was reached.
  virtual void reached(const Path& path, size_t at) = 0;
  // Which of these comes next, the first of which the order would have; none: the path is left.
  virtual std::optional<Move> choose(const Path& path, const std::vector<Move>& possible) = 0;
};

class PathRunner {
 public:
  struct Options {
    Order order = Order::kChain;
    bool faults = false;  // crash and restart nodes wherever nothing else is left to happen
    size_t longest = 10'000;
    bool remember = true;  // false: handlers run again, though what they do is known
    bool foresee = false;  // no handler runs: paths end before what is not known
  };

  // `runner` outlives this.
  PathRunner(Runner& runner, Options options)
      : runner_(runner), options_(options), verdicts_(runner) {}

  // Valid until the next run. `random` if the plan asks for it.
  const Path& run(const Plan& plan, Random* random = nullptr, Guide* guide = nullptr);

  Runner& runner() { return runner_; }
  // Steps of nodes, and those of them that were known already.
  size_t steps() const { return steps_; }
  size_t known_steps() const { return known_steps_; }

 private:
  // What is possible, or will be once nothing else is.
  struct Waiting {
    InputId input;
    uint32_t creator;
    uint32_t root;  // the first of the chain of creators
    uint32_t since;
    bool envelope;
  };

  void begin();
  bool take(Move move, Guide* guide);
  std::optional<Move> planned(Move wanted);
  bool judge_if_ended();
  void note(InputId input, uint32_t creator, bool envelope);
  void forget(InputId input);
  const Waiting* waiting(InputId input) const;
  void renew(uint32_t creator, uint8_t node);
  std::optional<Move> choose_at_random(Random& random);
  void find_due();
  std::optional<Move> choose_fault();
  std::optional<Move> go_on(const Plan& plan, Random* random, Guide* guide);
  void find(bool due);
  const Step* apply(Move move, World& out);
  bool changes(Move move);
  bool before(Move a, Move b) const;

  Runner& runner_;
  Options options_;
  Verdicts verdicts_;
  Path path_;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> roots_;         // by event
  std::vector<uint32_t> last_at_;       // by node: its latest event
  std::vector<Move> moves_, possible_;  // scratch
  World next_;
  uint32_t fresh_roots_ = 0, moments_ = 0;
  size_t taken_ = 0;  // steps that were known before this one
  size_t steps_ = 0, known_steps_ = 0;
};

}  // namespace clew::explore
