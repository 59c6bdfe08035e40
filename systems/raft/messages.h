// What servers and clients say to each other: the messages of the library, as values.
//
// The library's own structs point to memory that belongs now to one side and now to the other. Here
// it is copied: once when a message leaves, and once, into memory of the library, when it arrives.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "node/value.h"
#include "systems/raft/library.h"

namespace clew::raft {

using node::Id;

// The library's servers are numbers from 1 on; 0 is nobody.
inline raft_id server_of(Id id) { return raft_id{id.number} + 1; }
inline Id node_of(raft_id server) { return Id{static_cast<uint8_t>(server - 1)}; }
inline std::string address_of(Id id) { return std::to_string(server_of(id)); }

// A member of the cluster.
struct Server {
  Id id{};
  int role = RAFT_VOTER;
  CLEW_FIELDS(Server, id, role)
};

// Of the log.
struct Command {
  std::string text{};
  CLEW_FIELDS(Command, text)
};
struct Barrier {
  CLEW_FIELDS(Barrier)
};
struct Change {
  std::vector<Server> servers{};
  CLEW_FIELDS(Change, servers)
};
struct Entry {
  uint64_t term = 0;
  std::variant<Command, Barrier, Change> content{};
  CLEW_FIELDS(Entry, term, content)
};

struct RequestVote {
  uint64_t term = 0;
  Id candidate{};
  uint64_t last_index = 0;
  uint64_t last_term = 0;
  bool disrupt_leader = false;
  bool pre_vote = false;
  CLEW_FIELDS(RequestVote, term, candidate, last_index, last_term, disrupt_leader, pre_vote)
};

struct Vote {
  uint64_t term = 0;
  bool granted = false;
  uint8_t pre_vote = 0;  // unknown, true, false
  CLEW_FIELDS(Vote, term, granted, pre_vote)
};

struct Append {
  uint64_t term = 0;
  uint64_t previous_index = 0;
  uint64_t previous_term = 0;
  uint64_t commit = 0;
  std::vector<Entry> entries{};
  CLEW_FIELDS(Append, term, previous_index, previous_term, commit, entries)
};

struct Appended {
  uint64_t term = 0;
  uint64_t rejected = 0;  // 0: nothing was
  uint64_t last_index = 0;
  CLEW_FIELDS(Appended, term, rejected, last_index)
};

struct InstallSnapshot {
  uint64_t term = 0;
  uint64_t last_index = 0;
  uint64_t last_term = 0;
  std::vector<Server> servers{};
  uint64_t servers_index = 0;
  std::string data{};
  CLEW_FIELDS(InstallSnapshot, term, last_index, last_term, servers, servers_index, data)
};

struct TimeoutNow {
  uint64_t term = 0;
  uint64_t last_index = 0;
  uint64_t last_term = 0;
  CLEW_FIELDS(TimeoutNow, term, last_index, last_term)
};

using Message = std::variant<RequestVote, Vote, Append, Appended, InstallSnapshot, TimeoutNow>;

// Of clients.
struct Propose {
  std::string command{};
  CLEW_FIELDS(Propose, command)
};
struct Transfer {  // leadership
  Id to{};
  CLEW_FIELDS(Transfer, to)
};
using Request = std::variant<Propose, Transfer>;

struct Done {
  uint64_t position = 0;  // of the command, among all that were applied
  CLEW_FIELDS(Done, position)
};
struct Refused {
  std::string why{};
  CLEW_FIELDS(Refused, why)
};
using Reply = std::variant<Done, Refused>;

Message message_of(const raft_message& message);
// Whatever it points to is the library's from now on, but for `address`, the sender's.
raft_message to_library(const Message& message, Id from, const std::string& address);

// Memory of the library, with these bytes in it. Never null.
raft_buffer to_library(const std::string& bytes);
std::string bytes_of(const raft_buffer& buffer);

std::vector<Entry> entries_of(const raft_entry* entries, size_t count);
// Null if there are none; else an array, and one batch that has all the data.
raft_entry* to_library(const std::vector<Entry>& entries);

std::vector<Server> servers_of(const raft_configuration& configuration);
raft_configuration to_library(const std::vector<Server>& servers);

}  // namespace clew::raft
