#include "systems/raft/disk.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace clew::raft {

void Log::truncate(uint64_t from) {
  if (from < first) first = from;
  entries.resize(std::min<size_t>(entries.size(), from - first));
}

void Log::drop_before(uint64_t from) {
  if (from <= first) return;
  const auto count = static_cast<std::ptrdiff_t>(std::min<size_t>(entries.size(), from - first));
  entries.erase(entries.begin(), entries.begin() + count);
  first = from;
}

const Entry* Log::find(uint64_t index) const {
  return index < first || index > last() ? nullptr : &entries[index - first];
}

Snapshot snapshot_of(const raft_snapshot& snapshot) {
  std::string data;
  for (unsigned i = 0; i < snapshot.n_bufs; ++i) data += bytes_of(snapshot.bufs[i]);
  return {.index = snapshot.index,
          .term = snapshot.term,
          .servers = servers_of(snapshot.configuration),
          .servers_index = snapshot.configuration_index,
          .data = std::move(data)};
}

raft_snapshot* to_library(const Snapshot& snapshot) {
  if (snapshot.index == 0) return nullptr;
  auto* out = static_cast<raft_snapshot*>(raft_calloc(1, sizeof(raft_snapshot)));
  auto* buffer = static_cast<raft_buffer*>(raft_malloc(sizeof(raft_buffer)));
  CHECK(out != nullptr && buffer != nullptr, "no memory for a snapshot");
  *buffer = to_library(snapshot.data);
  *out = {.index = snapshot.index,
          .term = snapshot.term,
          .configuration = to_library(snapshot.servers),
          .configuration_index = snapshot.servers_index,
          .bufs = buffer,
          .n_bufs = 1};
  return out;
}

Pending::Work Pending::take() {
  CHECK(!queue_.empty(), "no work is left");
  Work work = std::move(queue_.front());
  queue_.pop_front();
  return work;
}

void Pending::do_first() { take()(0); }

void Pending::do_all() {
  while (!queue_.empty()) do_first();
}

void Pending::cancel_all() {
  while (!queue_.empty()) take()(RAFT_CANCELED);
}

}  // namespace clew::raft
