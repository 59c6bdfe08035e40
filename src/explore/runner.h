// Worlds and moves: what may happen next, and what comes of it.
//
//   Runner runner(cluster);
//   World world = runner.initial();
//   std::vector<Move> moves;
//   runner.moves(world, moves);               // all that may happen, in a fixed order
//   World next;
//   runner.apply(world, moves.front(), next);
//
// A World is an array of numbers: the state of each node, what has been spent of the Limits, what
// clients have seen, how far each of them is, then the envelopes under way, sorted (by channel and
// in order, where channels are FIFO). Equal worlds are equal arrays.
//
// Whatever begins with known_ does the same by what is known already, and gives false if something
// has to be found out first, such as what a handler does: any number of threads may ask for that.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/cluster.h"
#include "explore/steps.h"
#include "explore/store.h"

namespace clew::explore {

struct Move {
  enum class Kind : uint8_t {
    kDeliver,  // an envelope
    kRequest,  // of a client
    kTimer,
    kCrash,
    kRestart,
    kLose,       // an envelope
    kDuplicate,  // deliver an envelope and keep it
  };
  Kind kind = Kind::kDeliver;
  InputId input = 0;
  bool early = false;  // a timer that fires although something else could change something

  // Happens sooner or later if nothing else does: no fault.
  bool must() const { return kind <= Kind::kTimer; }
  friend bool operator==(const Move&, const Move&) = default;
};

class Runner {
 public:
  // `cluster` outlives this.
  explicit Runner(const Cluster& cluster);

  Steps& steps() { return steps_; }
  const Steps& steps() const { return steps_; }
  const Cluster& cluster() const { return steps_.cluster(); }

  // All nodes have started, in order; or what begin_at() says.
  World initial();
  // Whatever is explored begins at this world of this Runner.
  void begin_at(World world) { begun_ = std::move(world); }
  const std::string& start_failure() const { return start_failure_; }  // of a node, in initial()
  void moves(WorldView world, std::vector<Move>& out);
  bool known_moves(WorldView world, std::vector<Move>& out) const;
  // Of these, those that are no faults: one of them happens next if no fault does.
  void due(WorldView world, std::vector<Move>& out);
  // The Step that a node took, or null if none did: for kLose. `out` must not be `world`.
  const Step* apply(WorldView world, Move move, World& out);
  bool known_apply(WorldView world, Move move, World& out, const Step*& step) const;

  // Which Limits count moves of a kind and can run out, as bits; timers count if they are early.
  uint32_t budgets(Move::Kind kind) const;
  // Whether clients ever have to wait for others: so many are allowed fewer than there are.
  bool limits_requests() const {
    const uint8_t most = cluster().limits.requests;
    return most != kUnlimited && most < requests_.size();
  }
  // Whether so many wait for answers that others ask only once nothing is under way.
  bool many_wait(WorldView world) const;
  // Adds what clients may ask for if they do not wait for others.
  void add_all_requests(WorldView world, std::vector<Move>& out) const;

  LocalId local(WorldView world, Id id) const { return world[id.number]; }
  WorldView under_way(WorldView world) const { return world.subspan(fixed_); }
  Id node_of(Move move) const { return steps_.receiver(move.input); }
  // Whether no order of the requests explains what clients have seen.
  bool unexplained(WorldView world) const {
    return histories_ && histories_->broken(world[history_word()]);
  }
  // Whether each property of the cluster holds of these two worlds, one after the other.
  std::vector<bool> judge(WorldView before, WorldView after);
  // Whether some world has had all the faults that Limits::total allows. If none has, it limits
  // nothing.
  bool spent_all() const { return spent_all_.load(std::memory_order_relaxed); }
  std::string print(Move move);  // `deliver a>b Promise{ballot: 3}`
  // Bytes that are the same for the same world, of whatever Runner of the cluster; without what
  // clients have seen, which follows from the path.
  std::string encode(WorldView world) const;

  // By permutation: the World in which each node has the other's place. `renaming` keeps clients.
  void rename(WorldView world, const node::Renaming& renaming, size_t permutation, World& out);
  // The two parts of it: of all but the envelopes, then of these; `out` is as large as `world`.
  void rename_nodes(WorldView world, const node::Renaming& renaming, size_t permutation,
                    World& out);
  void rename_envelopes(WorldView world, const node::Renaming& renaming, size_t permutation,
                        World& out);
  bool known_rename_nodes(WorldView world, const node::Renaming& renaming, size_t permutation,
                          World& out) const;
  bool known_rename_envelopes(WorldView world, size_t permutation, World& out) const;

  size_t bytes() const;  // that all that is known takes, about

  // All that is known, but for what renaming does: that depends on who asks for it.
  void save(Saver& out) const;
  bool load(Loader& in);
  void save_renamed(Saver& out) const;
  bool load_renamed(Loader& in, const std::vector<node::Renaming>& renamings);
  // Whether a move may be one of this cluster, these numbers a world, and these moves a path from
  // the beginning.
  bool fits(Move move) const;
  bool is_world(WorldView world) const;
  bool is_path(const std::vector<Move>& path);

 private:
  static constexpr size_t kBudgets = 2;  // words

  uint8_t spent(WorldView world, size_t which) const;
  bool has_left(WorldView world, size_t which) const;
  bool may(WorldView world, size_t which) const;
  void spend(World& world, size_t which) const;
  bool known_musts(WorldView world, std::vector<Move>& out) const;
  std::optional<bool> known_busy(WorldView world, const std::vector<Move>& moves) const;
  void learn_deliveries(WorldView world);
  void learn(WorldView world, Move move);
  void add_deliveries(WorldView world, std::vector<Move>& out) const;
  bool has_timers(WorldView world) const;
  void add_timers(WorldView world, bool early, std::vector<Move>& out) const;
  bool add_known_crashes(WorldView world, std::vector<Move>& out) const;
  void add_losses(WorldView world, std::vector<Move>& out) const;
  bool is_head(WorldView all, size_t at) const;
  void put(World& world, InputId envelope) const;
  void take_away(World& world, InputId envelope) const;
  bool channel_before(InputId a, InputId b) const;
  size_t history_word() const { return cluster().size() + kBudgets; }
  size_t client_word(size_t client) const { return history_word() + 1 + client; }
  bool makes_history(Move move, const Step& step) const;
  void learn_history(Move move, const Step& step, HistoryId history);
  bool count_move(Move move, const Step& step, World& out) const;
  void sort_envelopes(World& world) const;

  Steps steps_;
  mutable std::atomic<bool> spent_all_ = false;
  std::string start_failure_;
  std::optional<World> begun_;
  size_t fixed_;  // words before the envelopes
  std::optional<Histories> histories_;
  NumberMap next_history_;                      // by history and step
  std::vector<std::vector<InputId>> requests_;  // by client
  // By permutation, then by number: the other number + 1, or 0 if it is not known.
  using Renamed = std::vector<std::vector<uint32_t>>;
  static uint32_t known(const Renamed& table, size_t permutation, uint32_t number);
  static uint32_t& entry(Renamed& table, size_t permutation, uint32_t number);
  Renamed renamed_locals_;
  Renamed renamed_inputs_;
};

// A World as properties see it. `runner` and `world` outlive this.
class WorldStates : public States {
 public:
  WorldStates(Runner& runner, WorldView world) : runner_(runner), world_(world) {}
  bool up(Id id) const override { return runner_.steps().up(world_[id.number]); }
  const node::AnyNode& any(Id id) const override { return runner_.steps().node(world_[id.number]); }
  Id id(std::string_view name) const override { return runner_.cluster().id(name); }
  std::string name(Id id) const override { return runner_.cluster().names().name(id); }

 private:
  Runner& runner_;
  WorldView world_;
};

}  // namespace clew::explore
