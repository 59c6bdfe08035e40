// The durable log of one node: the Store that is on a disk.
//
//   Result<std::unique_ptr<Log>> log = Log::open("data/a", {.node = "a", .fields = {"ballot"}});
//   (*log)->recovered()                  // what the fields held when the last process ended
//   (*log)->append({{"ballot", bytes}});        // what it holds now; of a turn the last counts
//   (*log)->flush()                             // one write, one sync: now it is on the disk
//   (*log)->tend()                              // a little tidying, after what was sent has left
//
// (1) What flush() has confirmed is never forgotten: open() gives it again, or an Error that names
// the file, the place and the remedy. (2) What open() gives is what all fields together held after
// some flush. (3) A flush that was interrupted is cut off, which note() says; it was never
// confirmed. (4) After a write or a sync that failed all else fails, too: nobody knows what is on
// the disk.
//
// The folder has `log.N`, the flushes after number N, and `snapshot.N`, all fields after flush N
// (none if N is 0). Once the log is long, tend() begins another one and writes a snapshot piece by
// piece; when that is on the disk, what is older goes. In between there are two logs or more.
// `begun` is there once there was a log, so that one that is missing is no first start.
//
// A change is kept as a Delta to what was there before, which takes time proportional to the field
// and is short where the change was small. docs/formats/log.md has the bytes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "host/entries.h"
#include "host/folder.h"
#include "host/store.h"

namespace clew::host {

struct LogOptions {
  std::string node;
  std::vector<std::string> fields{};  // that are durable, in order: what the class is known by
  // A snapshot is taken when the log has so many bytes, and more than twice those of the fields.
  uint64_t snapshot_after = uint64_t{16} << 20U;
  uint64_t room = uint64_t{4} << 20U;  // by so much a log grows; a multiple of kSector
};

class Log : public Store {
 public:
  static Result<std::unique_ptr<Log>> open(const std::string& folder, LogOptions options);
  static Result<std::unique_ptr<Log>> open(std::unique_ptr<Folder> folder, LogOptions options);

  const std::vector<Kept>& recovered() const override { return recovered_; }
  const std::string& note() const { return note_; }  // what was cut off, if anything was

  void append(const std::vector<Kept>& changes) override;
  Status flush() override;
  Status tend() override;

  uint64_t flushes() const { return flushes_; }      // since the first start
  uint64_t snapshots() const { return snapshots_; }  // since open()
  uint64_t bytes() const { return log_bytes_; }      // of logs that a start would have to read

 private:
  using Value = std::shared_ptr<const std::string>;
  using Values = std::map<std::string, Value>;

  // What is appended to.
  struct Tail {
    std::unique_ptr<File> file;
    uint64_t life = 0;
    uint64_t end = 0;       // of what is written
    uint64_t reserved = 0;  // its size
  };
  // One that is being written.
  struct Snapshot {
    std::unique_ptr<File> file;
    uint64_t base = 0;
    uint64_t life = 0;
    Values left;        // fields that are not written yet
    uint64_t from = 0;  // of the first of these so many bytes are
    uint64_t entries = 0;
    uint64_t end = 0;
  };
  // A log as it was read.
  struct Read {
    std::string name;
    std::string bytes;
    Head head;
    uint64_t life = 0;
    uint64_t last = 0, end = 0;  // the last entry
  };

  Log(std::unique_ptr<Folder> folder, LogOptions options)
      : folder_(std::move(folder)), options_(std::move(options)) {}

  // log_recover.cc
  Status recover();
  Status tell_begun();
  Result<std::vector<uint64_t>> find_files(uint64_t& base);
  Status read_snapshot(uint64_t base);
  Result<Read> read_log(uint64_t base);
  Status end_of_older(const Read& log, uint64_t next_base) const;
  Status end_of_last(const Read& log);
  Result<Entry> read_head(const std::string& name, std::string_view bytes, uint64_t base,
                          Head& head) const;
  bool apply(const Entry& entry);
  Status remove_older(uint64_t base);
  Error damaged(const std::string& name, uint64_t at, const std::string& what) const;

  Status keep(Status status);
  std::string head_bytes(uint64_t base, uint64_t life, uint64_t reserved) const;
  Status begin_log();
  Status write(Entry::Kind kind, uint64_t number, std::string_view payload);
  Status tell_synced();
  Status begin_snapshot();
  Status go_on_with_snapshot(uint64_t bytes);
  Status end_snapshot();
  uint64_t value_bytes() const;

  std::unique_ptr<Folder> folder_;
  LogOptions options_;
  std::vector<Kept> recovered_;
  std::string note_;
  Values values_;                                 // as of the last flush
  std::map<std::string, std::string> unflushed_;  // what has changed since
  bool has_begun_ = false;                        // some time before
  uint64_t flushes_ = 0;
  Tail tail_;
  uint64_t log_bytes_ = 0;     // of all logs since the last snapshot
  uint64_t since_tended_ = 0;  // bytes
  bool told_synced_ = true;    // the last flush has a kSynced after it
  std::optional<Snapshot> snapshot_;
  uint64_t snapshots_ = 0;
  std::optional<Error> error_;
};

}  // namespace clew::host
