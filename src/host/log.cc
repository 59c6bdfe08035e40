#include "host/log.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>

#include "base/check.h"

namespace clew::host {

namespace {

// Of a snapshot so much is written at a time, at least, and more where more is flushed meanwhile:
// so it ends.
constexpr uint64_t kPiece = uint64_t{256} << 10U;
constexpr uint64_t kFaster = 4;

uint64_t random_life() {
  uint64_t life = 0;
  CHECK(::getrandom(&life, sizeof life, 0) == sizeof life, "no random numbers");
  return life;
}

std::string log_name(uint64_t base) { return fmt::format("log.{}", base); }
std::string snapshot_name(uint64_t base) { return fmt::format("snapshot.{}", base); }
std::string being_written(const std::string& name) { return name + ".new"; }

}  // namespace

Result<std::unique_ptr<Log>> Log::open(const std::string& folder, LogOptions options) {
  Result<std::unique_ptr<Folder>> opened = Folder::open(folder);
  if (!opened.ok()) return opened.error();
  return open(*std::move(opened), std::move(options));
}

Result<std::unique_ptr<Log>> Log::open(std::unique_ptr<Folder> folder, LogOptions options) {
  std::unique_ptr<Log> log(new Log(std::move(folder), std::move(options)));
  if (const Status status = log->recover(); !status.ok()) return status.error();
  for (const auto& [field, value] : log->values_) log->recovered_.push_back({field, *value});
  return log;
}

// What has failed once fails for good.
Status Log::keep(Status status) {
  if (!status.ok() && !error_) {
    error_ = Error{status.error().message,
                   status.error().remedy + (status.error().remedy.empty() ? "" : "; then ") +
                       "start the node again: what was confirmed is still there"};
    return *error_;
  }
  return status;
}

void Log::append(const std::vector<Kept>& changes) {
  for (const Kept& change : changes) unflushed_[change.field] = change.bytes;
}

Status Log::flush() {
  if (error_) return *error_;
  Changes changes;
  for (auto& [field, bytes] : unflushed_) {
    Value& value = values_[field];
    const bool is_new = value == nullptr;
    if (!is_new && *value == bytes) continue;
    Delta delta = delta_of(is_new ? std::string_view() : *value, bytes);
    changes.push_back({field, std::move(delta)});
    value = std::make_shared<const std::string>(std::move(bytes));
  }
  unflushed_.clear();
  if (changes.empty()) return Nothing{};
  ++flushes_;
  if (Status status = keep(write(Entry::Kind::kChanges, flushes_, node::encode(changes)));
      !status.ok()) {
    return status;
  }
  told_synced_ = false;
  return keep(tail_.file->sync());
}

Status Log::write(Entry::Kind kind, uint64_t number, std::string_view payload) {
  const std::string bytes = to_bytes({.kind = kind, .life = tail_.life, .number = number}, payload);
  // The last sector is for a kSynced.
  if (tail_.end + bytes.size() + kSector > tail_.reserved) {
    const uint64_t more =
        (bytes.size() + kSector + options_.room - 1) / options_.room * options_.room;
    tail_.reserved += more;
    if (Status status = tail_.file->reserve(tail_.reserved); !status.ok()) return status;
    // The size first: otherwise a crash could leave a file that looks as if it had been cut.
    if (Status status = tail_.file->sync(); !status.ok()) return status;
  }
  if (Status status = tail_.file->write(tail_.end, bytes); !status.ok()) return status;
  tail_.end += bytes.size();
  log_bytes_ += bytes.size();
  since_tended_ += bytes.size();
  return Nothing{};
}

// Where nothing is flushed, there is time to say that the last flush was on the disk. If it should
// be damaged later, that shows: it was not interrupted. It is said at the end of the file, where
// the same accident does not hit both.
Status Log::tell_synced() {
  told_synced_ = true;
  const std::string bytes = to_bytes(
      {.kind = Entry::Kind::kSynced, .life = tail_.life, .number = flushes_}, std::string_view());
  return tail_.file->write(tail_.reserved - kSector, bytes);
}

Status Log::tend() {
  if (error_) return *error_;
  const uint64_t flushed = std::exchange(since_tended_, 0);
  if (flushed == 0 && !told_synced_) {
    if (Status status = keep(tell_synced()); !status.ok()) return status;
  }
  if (snapshot_) return keep(go_on_with_snapshot(std::max(kPiece, kFaster * flushed)));
  if (log_bytes_ < std::max(options_.snapshot_after, 2 * value_bytes())) return Nothing{};
  return keep(begin_snapshot());
}

uint64_t Log::value_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [field, value] : values_) bytes += value->size();
  return bytes;
}

std::string Log::head_bytes(uint64_t base, uint64_t life, uint64_t reserved) const {
  const Head head{.version = kLogVersion,
                  .node = options_.node,
                  .fields = options_.fields,
                  .base = base,
                  .reserved = reserved};
  return to_bytes({.kind = Entry::Kind::kHead, .life = life, .number = base}, node::encode(head));
}

// It has its name once it is whole.
Status Log::begin_log() {
  const std::string name = log_name(flushes_);
  Result<std::unique_ptr<File>> file = folder_->create(being_written(name));
  if (!file.ok()) return file.error();
  Tail tail{.file = *std::move(file), .life = random_life(), .reserved = options_.room};
  const std::string head = head_bytes(flushes_, tail.life, options_.room);
  tail.end = head.size();
  const auto fill = [&]() -> Status {
    if (Status status = tail.file->reserve(tail.reserved); !status.ok()) return status;
    if (Status status = tail.file->write(0, head); !status.ok()) return status;
    if (Status status = tail.file->sync(); !status.ok()) return status;
    if (Status status = folder_->rename(being_written(name), name); !status.ok()) return status;
    return folder_->sync();
  };
  if (Status status = fill(); !status.ok()) return status;
  tail_ = std::move(tail);
  told_synced_ = true;
  return Nothing{};
}

// The fields as they are now are what the snapshot gets, while flushes go on in a log of their own.
Status Log::begin_snapshot() {
  if (Status status = begin_log(); !status.ok()) return status;
  log_bytes_ = 0;
  Result<std::unique_ptr<File>> file = folder_->create(being_written(snapshot_name(flushes_)));
  if (!file.ok()) return file.error();
  snapshot_ =
      Snapshot{.file = *std::move(file), .base = flushes_, .life = random_life(), .left = values_};
  const std::string head = head_bytes(snapshot_->base, snapshot_->life, 0);
  snapshot_->end = head.size();
  return snapshot_->file->write(0, head);
}

// Each piece is an entry that appends to a field.
Status Log::go_on_with_snapshot(uint64_t bytes) {
  if (snapshot_->left.empty()) return end_snapshot();
  Changes changes;
  while (bytes > 0 && !snapshot_->left.empty()) {
    const auto& [field, value] = *snapshot_->left.begin();
    const std::string piece = value->substr(snapshot_->from, bytes);
    changes.push_back({field, {{.keep = snapshot_->from, .skip = 0, .insert = piece}}});
    snapshot_->from += piece.size();
    bytes -= piece.size();
    if (snapshot_->from < value->size()) break;
    snapshot_->left.erase(snapshot_->left.begin());
    snapshot_->from = 0;
  }
  const Entry entry{.life = snapshot_->life, .number = ++snapshot_->entries};
  const std::string written = to_bytes(entry, node::encode(changes));
  if (Status status = snapshot_->file->write(snapshot_->end, written); !status.ok()) return status;
  snapshot_->file->begin_sync(snapshot_->end, written.size());
  snapshot_->end += written.size();
  return Nothing{};
}

Status Log::end_snapshot() {
  const Entry entry{
      .kind = Entry::Kind::kEnd, .life = snapshot_->life, .number = ++snapshot_->entries};
  const std::string name = snapshot_name(snapshot_->base);
  const auto put_in_place = [&]() -> Status {
    if (Status status = snapshot_->file->write(snapshot_->end, to_bytes(entry, "")); !status.ok()) {
      return status;
    }
    if (Status status = snapshot_->file->sync(); !status.ok()) return status;
    if (Status status = folder_->rename(being_written(name), name); !status.ok()) return status;
    return folder_->sync();
  };
  if (Status status = put_in_place(); !status.ok()) return status;
  const uint64_t base = snapshot_->base;
  snapshot_.reset();
  ++snapshots_;
  return remove_older(base);
}

}  // namespace clew::host
