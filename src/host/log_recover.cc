// How a log is read again. What no crash can have left is no accident to be cut off, but damage:
// then nothing is changed, and the Error says where it is.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "host/log.h"

namespace clew::host {

namespace {

constexpr const char* kRemedy =
    "restore the folder from a copy that is not older than what the node has confirmed; if there "
    "is "
    "none, the node must not come back with less than it has promised: take it out of its cluster, "
    "and let it join under another name with an empty folder";

constexpr const char* kBegun = "begun";

// The N of `log.N`, if it is such a name.
std::optional<uint64_t> number_of(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind)) return std::nullopt;
  name.remove_prefix(kind.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool fine = error == std::errc() && end == name.data() + name.size();
  if (!fine || name != std::to_string(number)) return std::nullopt;
  return number;
}

std::optional<uint64_t> log_number(std::string_view name) { return number_of(name, "log."); }
std::optional<uint64_t> snapshot_number(std::string_view name) {
  return number_of(name, "snapshot.");
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace

Error Log::damaged(const std::string& name, uint64_t at, const std::string& what) const {
  return {fmt::format("{}, byte {}: {}", folder_->path_of(name), at, what), kRemedy};
}

Status Log::recover() {
  uint64_t base = 0;
  const Result<std::vector<uint64_t>> logs = find_files(base);
  if (!logs.ok()) return logs.error();
  if (logs->empty()) {
    if (Status status = begin_log(); !status.ok()) return status;
    return tell_begun();
  }
  if (base > 0) {
    if (Status status = read_snapshot(base); !status.ok()) return status;
  }
  flushes_ = base;
  for (size_t i = 0; i < logs->size(); ++i) {
    const Result<Read> log = read_log((*logs)[i]);
    if (!log.ok()) return log.error();
    const bool is_last = i + 1 == logs->size();
    Status end = is_last ? end_of_last(*log) : end_of_older(*log, (*logs)[i + 1]);
    if (!end.ok()) return end;
    log_bytes_ += log->end;
  }
  if (Status status = tell_begun(); !status.ok()) return status;
  return remove_older(base);
}

// Once there was a log, a folder without one is no first start.
Status Log::tell_begun() {
  if (has_begun_) return Nothing{};
  if (const auto file = folder_->create(kBegun); !file.ok()) return file.error();
  return folder_->sync();
}

// The logs that count, in order; `base` is the snapshot before them, 0 if there is none.
Result<std::vector<uint64_t>> Log::find_files(uint64_t& base) {
  const Result<std::vector<std::string>> names = folder_->list();
  if (!names.ok()) return names.error();
  std::vector<uint64_t> logs;
  bool any = false;
  for (const std::string& name : *names) {
    if (const auto number = log_number(name)) logs.push_back(*number);
    if (const auto number = snapshot_number(name)) base = std::max(base, *number), any = true;
    has_begun_ = has_begun_ || name == kBegun;
  }
  if (logs.empty() && !any && !has_begun_) return logs;
  std::ranges::sort(logs);
  const auto first = std::ranges::find(logs, base);
  if (first != logs.end()) return std::vector<uint64_t>(first, logs.end());
  const auto missing = [&](const std::string& name, const std::string& other) {
    return Error{fmt::format("{} is missing, but {} is there", folder_->path_of(name),
                             folder_->path_of(other)),
                 kRemedy};
  };
  if (any) return missing(fmt::format("log.{}", base), fmt::format("snapshot.{}", base));
  if (logs.empty()) return missing("log.0", kBegun);
  return missing(fmt::format("snapshot.{}", logs.front()), fmt::format("log.{}", logs.front()));
}

Result<Entry> Log::read_head(const std::string& name, std::string_view bytes, uint64_t base,
                             Head& head) const {
  const std::optional<Entry> entry = entry_at(bytes, 0);
  if (!entry || entry->kind != Entry::Kind::kHead) {
    return damaged(name, 0, "the head is damaged, or this is no file of a node's log");
  }
  std::optional<Head> read = node::decode<Head>(entry->payload);
  if (!read || read->version != kLogVersion) {
    return Error{fmt::format("{} is of a version of Clew that wrote logs in another way",
                             folder_->path_of(name)),
                 "run the node with that version"};
  }
  if (read->node != options_.node) {
    return Error{fmt::format("{} belongs to the node {}, not to {}", folder_->path_of(name),
                             clew::quoted(read->node), clew::quoted(options_.node)),
                 "give each node the data folder that is its own"};
  }
  if (read->fields != options_.fields) {
    return Error{
        fmt::format("{} is of a node whose durable fields are {}; this one has {}",
                    folder_->path_of(name), listed(read->fields), listed(options_.fields)),
        "run the node's code that wrote it, or give the new class a data folder of its own"};
  }
  if (read->base != base) {
    return damaged(name, 0, fmt::format("it is a copy of what was called .{}", read->base));
  }
  head = *std::move(read);
  return *entry;
}

bool Log::apply(const Entry& entry) {
  const std::optional<Changes> changes = node::decode<Changes>(entry.payload);
  if (!changes) return false;
  for (const auto& [field, delta] : *changes) {
    Value& value = values_[field];
    std::optional<std::string> now =
        applied(delta, value == nullptr ? std::string_view() : std::string_view(*value));
    if (!now) return false;
    value = std::make_shared<const std::string>(*std::move(now));
  }
  return true;
}

// It got its name when all of it was on the disk.
Status Log::read_snapshot(uint64_t base) {
  const std::string name = fmt::format("snapshot.{}", base);
  const Result<std::string> bytes = folder_->read(name);
  if (!bytes.ok()) return bytes.error();
  Head head;
  const Result<Entry> first = read_head(name, *bytes, base, head);
  if (!first.ok()) return first.error();
  uint64_t number = 0;
  uint64_t at = first->end;
  while (true) {
    const std::optional<Entry> entry = entry_at(*bytes, at);
    if (!entry || entry->life != first->life || entry->number != ++number) {
      return damaged(name, at, "the snapshot is damaged or cut off here");
    }
    if (entry->kind == Entry::Kind::kEnd) return Nothing{};
    if (entry->kind != Entry::Kind::kChanges || !apply(*entry)) {
      return damaged(name, at, "what stands here is no part of a snapshot");
    }
    at = entry->end;
  }
}

Result<Log::Read> Log::read_log(uint64_t base) {
  Read log;
  log.name = fmt::format("log.{}", base);
  Result<std::string> bytes = folder_->read(log.name);
  if (!bytes.ok()) return bytes.error();
  log.bytes = *std::move(bytes);
  const Result<Entry> first = read_head(log.name, log.bytes, base, log.head);
  if (!first.ok()) return first.error();
  log.life = first->life;
  log.end = first->end;
  while (true) {
    const std::optional<Entry> entry = entry_at(log.bytes, log.end);
    const bool is_next = entry && entry->life == log.life && entry->number == flushes_ + 1 &&
                         entry->kind == Entry::Kind::kChanges;
    if (!is_next) return log;
    if (!apply(*entry)) {
      return damaged(log.name, log.end, "what stands here is no change of what was there before");
    }
    ++flushes_;
    log.last = log.end;
    log.end = entry->end;
  }
}

// Another log goes on from here, so all of this one was on the disk.
Status Log::end_of_older(const Read& log, uint64_t next_base) const {
  if (flushes_ == next_base) return Nothing{};
  return damaged(log.name, log.end,
                 fmt::format("flush {} is damaged or missing, and log.{} goes on after flush {}",
                             flushes_ + 1, next_base, next_base));
}

Status Log::end_of_last(const Read& log) {
  const uint64_t size = log.bytes.size();
  if (log.head.reserved == 0 || size == 0 || size % log.head.reserved != 0) {
    return damaged(log.name, size, "the file ends here, which is not where it ended: it was cut");
  }
  const auto is_later = [&](const std::optional<Entry>& entry) {
    return entry && entry->life == log.life && entry->number > flushes_;
  };
  std::optional<Entry> later = entry_at(log.bytes, log.end);
  if (!is_later(later)) later = find_entry(log.bytes, log.end, log.life, flushes_ + 1);
  if (later) {
    return damaged(log.name, log.end,
                   fmt::format("flush {} is damaged or missing, but was on the disk once: what "
                               "stands at byte {} was written afterwards",
                               flushes_ + 1, later->begin));
  }
  Result<std::unique_ptr<File>> file = folder_->open_file(log.name);
  if (!file.ok()) return file.error();
  tail_ = {.file = *std::move(file), .life = log.life, .end = log.end, .reserved = size};
  const bool is_clean =
      log.end >= size || log.bytes.find_first_not_of('\0', log.end) >= size - kSector;
  if (!is_clean) {
    note_ =
        fmt::format("{}, byte {}: a write that was interrupted is cut off; it was not confirmed",
                    folder_->path_of(log.name), log.end);
    const std::string zeros(std::min(kSector, size - log.end), '\0');
    if (Status status = tail_.file->write(log.end, zeros); !status.ok()) return status;
  }
  // A process that was killed may have left the last flush to the kernel, and if its sync had
  // failed the kernel does not try again. No power cut may take away what the node now builds on.
  if (Status status = tail_.file->reserve(size); !status.ok()) return status;
  const std::string last = log.bytes.substr(log.last, log.end - log.last);
  if (Status status = tail_.file->write(log.last, last); !status.ok()) return status;
  if (Status status = tail_.file->sync(); !status.ok()) return status;
  told_synced_ = false;
  return folder_->sync();
}

// What was being written when the process ended, and what a snapshot makes needless.
Status Log::remove_older(uint64_t base) {
  const Result<std::vector<std::string>> names = folder_->list();
  if (!names.ok()) return names.error();
  for (const std::string& name : *names) {
    const std::optional<uint64_t> number =
        log_number(name) ? log_number(name) : snapshot_number(name);
    const bool is_ours =
        (name.starts_with("log.") || name.starts_with("snapshot.")) && name.ends_with(".new");
    if (!is_ours && (!number || *number >= base)) continue;
    if (Status status = folder_->remove(name); !status.ok()) return status;
  }
  return Nothing{};
}

}  // namespace clew::host
