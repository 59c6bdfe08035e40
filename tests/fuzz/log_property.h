// What must be true of whatever bytes a node's log is made of.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "host/log.h"
#include "tests/host/crash_folder.h"

namespace clew::host {

inline const LogOptions kFuzzedLog{
    .node = "a", .fields = {"x"}, .snapshot_after = 4096, .room = 4096};

// A file of an Entry with these payloads, checksums and all.
inline std::string fuzzed_file(std::string_view changes, uint64_t base) {
  const Head head{.version = kLogVersion,
                  .node = "a",
                  .fields = {"x"},
                  .base = base,
                  .reserved = kFuzzedLog.room};
  std::string file = to_bytes({.kind = Entry::Kind::kHead, .life = 7}, node::encode(head));
  file += to_bytes({.life = 7, .number = 1}, changes);
  const uint64_t rooms = (file.size() + kFuzzedLog.room) / kFuzzedLog.room;
  if (base == 0) file.resize(rooms * kFuzzedLog.room, '\0');
  return file;
}

// It is refused with a reason, or it goes on as a log should.
inline bool check_opened(CrashDisk& disk) {
  {
    const Result<std::unique_ptr<Log>> log =
        Log::open(std::make_unique<CrashFolder>(disk), kFuzzedLog);
    if (!log.ok()) {
      CHECK(!log.error().message.empty());
      CHECK(!log.error().remedy.empty());
      return false;
    }
    (*log)->append({{"x", "what comes next"}});
    CHECK((*log)->flush().ok());
    CHECK((*log)->tend().ok());
    CHECK((*log)->tend().ok());
  }
  const Result<std::unique_ptr<Log>> again =
      Log::open(std::make_unique<CrashFolder>(disk), kFuzzedLog);
  CHECK(again.ok(), "{}", again.error().message);
  for (const Kept& kept : (*again)->recovered()) {
    if (kept.field == "x") CHECK(kept.bytes == "what comes next");
  }
  return true;
}

// The bytes as a log, as changes in a log, as a snapshot, as changes in a snapshot.
inline bool check_log_property(std::string_view bytes) {
  bool any = false;
  const auto check = [&](const std::string& name, std::string file) {
    CrashDisk disk;
    const auto add = [&](const std::string& named, std::string text) {
      auto inode = std::make_shared<CrashDisk::Inode>();
      inode->now = inode->disk = std::move(text);
      disk.now[named] = disk.disk[named] = std::move(inode);
    };
    add(name, std::move(file));
    if (name == "snapshot.5") {
      std::string log = fuzzed_file("", 5).substr(0, kSector);
      log.resize(kFuzzedLog.room, '\0');
      add("log.5", std::move(log));
    }
    any = check_opened(disk) || any;
  };
  check("log.0", std::string(bytes));
  check("log.0", fuzzed_file(bytes, 0));
  check("snapshot.5", std::string(bytes));
  std::string snapshot = fuzzed_file(bytes, 5);
  snapshot += to_bytes({.kind = Entry::Kind::kEnd, .life = 7, .number = 2}, "");
  check("snapshot.5", std::move(snapshot));
  return any;
}

}  // namespace clew::host
