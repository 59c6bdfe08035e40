// A server's disk: term and vote, the log, and the last snapshot, a file each.
//
// Term and vote are written at once, as the library demands. All else is work in order of its
// submission, which is done within the step, or later, one thing at a time, so that a node can
// crash between a write and its completion, and messages arrive meanwhile.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "node/field.h"
#include "systems/raft/messages.h"

namespace clew::raft {

struct Ballot {
  uint64_t term = 0;
  uint64_t vote = 0;  // a server, or 0
  CLEW_FIELDS(Ballot, term, vote)
};

struct Log {
  uint64_t first = 1;  // index of the first entry
  std::vector<Entry> entries{};
  CLEW_FIELDS(Log, first, entries)

  uint64_t last() const { return first + entries.size() - 1; }
  void truncate(uint64_t from);             // this entry and what follows it
  void drop_before(uint64_t from);          // what is before this entry
  const Entry* find(uint64_t index) const;  // null if it is not there
};

struct Snapshot {
  uint64_t index = 0;  // of the last entry that it stands for; 0: there is none
  uint64_t term = 0;
  std::vector<Server> servers{};
  uint64_t servers_index = 0;
  std::string data{};
  CLEW_FIELDS(Snapshot, index, term, servers, servers_index, data)
};

Snapshot snapshot_of(const raft_snapshot& snapshot);
raft_snapshot* to_library(const Snapshot& snapshot);  // null if there is none

// Work that is not done yet.
class Pending {
 public:
  // done(0) does it, done(RAFT_CANCELED) only says that it will never be.
  using Work = std::function<void(int status)>;

  bool empty() const { return queue_.empty(); }
  void push(Work work) { queue_.push_back(std::move(work)); }
  void do_first();
  // Work that the work submits is done, or cancelled, too.
  void do_all();
  void cancel_all();

 private:
  Work take();

  std::deque<Work> queue_;
};

}  // namespace clew::raft
