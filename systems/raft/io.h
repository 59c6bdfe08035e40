// The library's raft_io, over an Env.
//
//   Io io(files, options);
//   raft_init(&server, io.get(), &machine, id, address);      // the library calls back from now on
//   ...
//   io.settle();                                              // at the end of each step
//
// Messages leave when the library sends them, and term and vote are on disk when the library
// goes on. What it does not wait for is pending: it is completed when the library has returned.
#pragma once

#include <chrono>

#include "node/env.h"
#include "systems/raft/disk.h"

namespace clew::raft {

// What the library is told wrongly, so that somebody can find out.
enum class Mistake : uint8_t {
  kNone,
  kVoteNotSynced,  // a vote is said to be on disk, and is not
  kLogNotSynced,   // so are entries
};

struct Options {
  uint8_t ticks = 0;       // that may fire, of each start
  uint8_t timeouts = 1;    // so many, too
  bool slow_disk = false;  // work of the disk is done when its timer fires, not within the step
  bool pre_vote = false;
  uint8_t snapshot_after = 0;  // so many entries; 0: never
  Mistake mistake = Mistake::kNone;
};

// Entries that are kept with a snapshot. More than none, so that Io can tell a server's own
// snapshots from those that it was sent.
inline constexpr unsigned kTrailing = 1;

struct Files {
  node::Durable<Ballot>& ballot;
  node::Durable<Log>& log;
  node::Durable<Snapshot>& snapshot;
};

class Io {
 public:
  using Env = node::Env<Message, Reply>;

  // What `files` refers to outlives this.
  Io(Files files, Options options);
  Io(const Io&) = delete;
  Io& operator=(const Io&) = delete;

  raft_io* get() { return &io_; }

  // The world of the step that begins; null when it is over.
  void enter(Env* env) { env_ = env; }
  Env* env() const { return env_; }

  void pass(std::chrono::milliseconds time);
  void receive(const Message& message, Id from);
  // Completes what is pending, but for the work of a slow disk.
  void settle();
  bool disk_works() const { return !disk_.empty(); }
  bool strays() const { return strays_; }
  void work() { disk_.do_first(); }

 private:
  static Io& of(raft_io* io) { return *static_cast<Io*>(io->impl); }

  void close(raft_io_close_cb done);
  int load(raft_term* term, raft_id* vote, raft_snapshot** snapshot, raft_index* first,
           raft_entry** entries, size_t* count);
  int bootstrap(const raft_configuration& configuration);
  int recover(const raft_configuration& configuration);
  int set_ballot(const Ballot& ballot, bool sync);
  int send(raft_io_send* request, const raft_message& message, raft_io_send_cb done);
  int append(raft_io_append* request, const std::vector<Entry>& entries, raft_io_append_cb done);
  int truncate(uint64_t index);
  int put_snapshot(unsigned trailing, raft_io_snapshot_put* request, const raft_snapshot& snapshot,
                   raft_io_snapshot_put_cb done);
  int get_snapshot(raft_io_snapshot_get* request, raft_io_snapshot_get_cb done);
  int random(int least, int most);

  Files files_;
  const Options options_;
  Env* env_ = nullptr;
  raft_io io_{};
  raft_io_tick_cb tick_ = nullptr;
  raft_io_recv_cb receive_ = nullptr;
  raft_time now_ = 0;
  bool strays_ = false;  // a message to nobody was sent
  Pending sent_;
  Pending disk_;
};

}  // namespace clew::raft
