#include "systems/raft/messages.h"

#include <cstring>

#include "base/check.h"

namespace clew::raft {

namespace {

// A configuration as the library writes it into its log: a version, how many servers there are, and
// of each the number, the address, a zero, the role. The rest, up to a multiple of 8, is whatever
// was in memory before, so that equal configurations are not equal bytes.
Change change_of(std::string_view bytes) {
  const auto number = [&] {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof value);
    bytes.remove_prefix(sizeof value);
    return value;
  };
  Change change;
  bytes.remove_prefix(1);
  for (uint64_t left = number(); left > 0; --left) {
    const uint64_t server = number();
    bytes.remove_prefix(bytes.find('\0') + 1);
    change.servers.push_back({node_of(server), bytes.front()});
    bytes.remove_prefix(1);
  }
  return change;
}

Entry value_of(const raft_entry& from) {
  Entry entry{.term = from.term};
  if (from.type == RAFT_COMMAND) entry.content = Command{bytes_of(from.buf)};
  if (from.type == RAFT_BARRIER) entry.content = Barrier{};
  if (from.type == RAFT_CHANGE) entry.content = change_of(bytes_of(from.buf));
  return entry;
}

unsigned short type_of(const Entry& entry) {
  constexpr unsigned short kTypes[] = {RAFT_COMMAND, RAFT_BARRIER, RAFT_CHANGE};
  return kTypes[entry.content.index()];
}

std::string data_of(const Entry& entry) {
  if (const auto* command = std::get_if<Command>(&entry.content)) return command->text;
  const auto* change = std::get_if<Change>(&entry.content);
  if (change == nullptr) return std::string(8, '\0');  // a barrier, as the library has it
  raft_configuration configuration = to_library(change->servers);
  raft_buffer buffer{};
  const int failed = raft_configuration_encode(&configuration, &buffer);
  CHECK(failed == 0, "a configuration: {}", raft_strerror(failed));
  std::string data = bytes_of(buffer);
  raft_free(buffer.base);
  raft_configuration_close(&configuration);
  return data;
}

RequestVote value_of(const raft_request_vote& from) {
  return {.term = from.term,
          .candidate = node_of(from.candidate_id),
          .last_index = from.last_log_index,
          .last_term = from.last_log_term,
          .disrupt_leader = from.disrupt_leader,
          .pre_vote = from.pre_vote};
}

Vote value_of(const raft_request_vote_result& from) {
  return {.term = from.term,
          .granted = from.vote_granted,
          .pre_vote = static_cast<uint8_t>(from.pre_vote)};
}

Append value_of(const raft_append_entries& from) {
  return {.term = from.term,
          .previous_index = from.prev_log_index,
          .previous_term = from.prev_log_term,
          .commit = from.leader_commit,
          .entries = entries_of(from.entries, from.n_entries)};
}

Appended value_of(const raft_append_entries_result& from) {
  return {.term = from.term, .rejected = from.rejected, .last_index = from.last_log_index};
}

InstallSnapshot value_of(const raft_install_snapshot& from) {
  return {.term = from.term,
          .last_index = from.last_index,
          .last_term = from.last_term,
          .servers = servers_of(from.conf),
          .servers_index = from.conf_index,
          .data = bytes_of(from.data)};
}

TimeoutNow value_of(const raft_timeout_now& from) {
  return {.term = from.term, .last_index = from.last_log_index, .last_term = from.last_log_term};
}

void put(const RequestVote& from, raft_message& to) {
  to.type = RAFT_IO_REQUEST_VOTE;
  to.request_vote = {.term = from.term,
                     .candidate_id = server_of(from.candidate),
                     .last_log_index = from.last_index,
                     .last_log_term = from.last_term,
                     .disrupt_leader = from.disrupt_leader,
                     .pre_vote = from.pre_vote};
}

void put(const Vote& from, raft_message& to) {
  to.type = RAFT_IO_REQUEST_VOTE_RESULT;
  to.request_vote_result = {.term = from.term,
                            .vote_granted = from.granted,
                            .pre_vote = static_cast<raft_tribool>(from.pre_vote)};
}

void put(const Append& from, raft_message& to) {
  to.type = RAFT_IO_APPEND_ENTRIES;
  to.append_entries = {.term = from.term,
                       .prev_log_index = from.previous_index,
                       .prev_log_term = from.previous_term,
                       .leader_commit = from.commit,
                       .entries = to_library(from.entries),
                       .n_entries = static_cast<unsigned>(from.entries.size())};
}

void put(const Appended& from, raft_message& to) {
  to.type = RAFT_IO_APPEND_ENTRIES_RESULT;
  to.append_entries_result = {
      .term = from.term, .rejected = from.rejected, .last_log_index = from.last_index};
}

void put(const InstallSnapshot& from, raft_message& to) {
  to.type = RAFT_IO_INSTALL_SNAPSHOT;
  to.install_snapshot = {.term = from.term,
                         .last_index = from.last_index,
                         .last_term = from.last_term,
                         .conf = to_library(from.servers),
                         .conf_index = from.servers_index,
                         .data = to_library(from.data)};
}

void put(const TimeoutNow& from, raft_message& to) {
  to.type = RAFT_IO_TIMEOUT_NOW;
  to.timeout_now = {
      .term = from.term, .last_log_index = from.last_index, .last_log_term = from.last_term};
}

}  // namespace

Message message_of(const raft_message& message) {
  switch (message.type) {
    case RAFT_IO_REQUEST_VOTE:
      return value_of(message.request_vote);
    case RAFT_IO_REQUEST_VOTE_RESULT:
      return value_of(message.request_vote_result);
    case RAFT_IO_APPEND_ENTRIES:
      return value_of(message.append_entries);
    case RAFT_IO_APPEND_ENTRIES_RESULT:
      return value_of(message.append_entries_result);
    case RAFT_IO_INSTALL_SNAPSHOT:
      return value_of(message.install_snapshot);
    case RAFT_IO_TIMEOUT_NOW:
      return value_of(message.timeout_now);
    default:
      CHECK(false, "a message of type {}, which raft.h of 0.15 does not have", message.type);
  }
}

raft_message to_library(const Message& message, Id from, const std::string& address) {
  raft_message out{};
  out.server_id = server_of(from);
  out.server_address = address.c_str();
  std::visit([&](const auto& value) { put(value, out); }, message);
  return out;
}

raft_buffer to_library(const std::string& bytes) {
  // The library takes a null pointer for an error, even where there is nothing to point to.
  void* base = raft_malloc(bytes.size() + 1);
  CHECK(base != nullptr, "no memory for {} bytes", bytes.size());
  std::memcpy(base, bytes.data(), bytes.size());
  return {.base = base, .len = bytes.size()};
}

std::string bytes_of(const raft_buffer& buffer) {
  return {static_cast<const char*>(buffer.base), buffer.len};
}

std::vector<Entry> entries_of(const raft_entry* entries, size_t count) {
  std::vector<Entry> out;
  out.reserve(count);
  for (size_t i = 0; i < count; ++i) out.push_back(value_of(entries[i]));
  return out;
}

raft_entry* to_library(const std::vector<Entry>& entries) {
  if (entries.empty()) return nullptr;
  std::string all;
  std::vector<size_t> sizes;
  for (const Entry& entry : entries) {
    const std::string data = data_of(entry);
    all += data;
    sizes.push_back(data.size());
  }
  void* batch = to_library(all).base;
  auto* out = static_cast<raft_entry*>(raft_calloc(entries.size(), sizeof(raft_entry)));
  CHECK(out != nullptr, "no memory for {} entries", entries.size());
  auto* data = static_cast<char*>(batch);
  for (size_t i = 0; i < entries.size(); ++i) {
    out[i] = {.term = entries[i].term,
              .type = type_of(entries[i]),
              .buf = {.base = data, .len = sizes[i]},
              .batch = batch};
    data += sizes[i];
  }
  return out;
}

std::vector<Server> servers_of(const raft_configuration& configuration) {
  std::vector<Server> out;
  out.reserve(configuration.n);
  for (unsigned i = 0; i < configuration.n; ++i) {
    const raft_server& server = configuration.servers[i];
    out.push_back({node_of(server.id), server.role});
  }
  return out;
}

raft_configuration to_library(const std::vector<Server>& servers) {
  raft_configuration out;
  raft_configuration_init(&out);
  for (const Server& server : servers) {
    const int failed = raft_configuration_add(&out, server_of(server.id),
                                              address_of(server.id).c_str(), server.role);
    CHECK(failed == 0, "server {}: {}", server.id.number, raft_strerror(failed));
  }
  return out;
}

}  // namespace clew::raft
