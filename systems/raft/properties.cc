#include "systems/raft/properties.h"

#include <algorithm>
#include <map>

namespace clew::raft {

namespace {

bool match(const Log& a, const Log& b) {
  bool below_same = false;  // an entry of the same term follows
  for (uint64_t index = std::min(a.last(), b.last()); index > 0; --index) {
    const Entry* one = a.find(index);
    const Entry* other = b.find(index);
    if (one == nullptr || other == nullptr) return true;
    below_same = below_same || one->term == other->term;
    if (below_same && *one != *other) return false;
  }
  return true;
}

bool has(const Log& log, const Committed& committed) {
  if (committed.index < log.first) return true;  // in a snapshot
  const Entry* entry = log.find(committed.index);
  return entry != nullptr && *entry == committed.entry;
}

// Inserts, unless there is something else already.
template <class Value>
bool agrees(std::map<uint64_t, Value>& known, uint64_t at, const Value& value) {
  return known.emplace(at, value).first->second == value;
}

}  // namespace

bool election_safety(const Servers& servers) {
  std::set<uint64_t> terms;
  for (const RaftNode* server : servers) {
    for (const uint64_t term : *server->led) {
      if (!terms.insert(term).second) return false;
    }
  }
  return true;
}

bool log_matching(const Servers& servers) {
  std::vector<Log> logs;
  logs.reserve(servers.size());
  for (const RaftNode* server : servers) logs.push_back(server->log());
  for (size_t i = 0; i < logs.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!match(logs[i], logs[j])) return false;
    }
  }
  return true;
}

bool state_machine_safety(const Servers& servers) {
  std::map<uint64_t, std::string> commands;
  std::map<uint64_t, Entry> entries;
  for (const RaftNode* server : servers) {
    for (const Applied& one : *server->ever_applied) {
      if (!agrees(commands, one.position, one.command)) return false;
    }
    for (const Committed& one : *server->committed) {
      if (!agrees(entries, one.index, one.entry)) return false;
    }
  }
  return true;
}

bool leader_completeness(const Servers& servers) {
  for (const RaftNode* leader : servers) {
    if (!leader->leads()) continue;
    const Log log = leader->log();
    for (const RaftNode* server : servers) {
      for (const Committed& one : *server->committed) {
        if (one.in_term < leader->term() && !has(log, one)) return false;
      }
    }
  }
  return true;
}

bool majority(const Servers& servers) {
  for (const RaftNode* server : servers) {
    for (const Committed& one : *server->committed) {
      const auto stores = [&](const RaftNode* other) { return has(*other->stored, one); };
      const auto count = static_cast<size_t>(std::ranges::count_if(servers, stores));
      if (count * 2 <= servers.size()) return false;
    }
  }
  return true;
}

bool known_receivers(const Servers& servers) {
  return std::ranges::none_of(servers, [](const RaftNode* server) { return server->strays(); });
}

bool nobody_gives_up(const Servers& servers) {
  return std::ranges::none_of(servers, [](const RaftNode* server) { return server->gave_up(); });
}

Cluster cluster_of(const std::vector<std::string>& names, const Options& options,
                   const std::set<std::string>& without) {
  Cluster cluster(names);
  for (const std::string& name : names) cluster.node<RaftNode>(name, options);
  const auto always = [&](const std::string& what, bool (*holds)(const Servers&)) {
    if (without.contains(what)) return;
    cluster.always(what, [names, holds](const States& states) {
      Servers servers;
      for (const std::string& name : names) servers.push_back(&states.node<RaftNode>(name));
      return holds(servers);
    });
  };
  always("election safety", election_safety);
  always("log matching", log_matching);
  always("state machine safety", state_machine_safety);
  always("leader completeness", leader_completeness);
  always("majority", majority);
  always("known receivers", known_receivers);
  always("nobody gives up", nobody_gives_up);
  return cluster;
}

}  // namespace clew::raft
