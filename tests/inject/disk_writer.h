// A folder on a disk as a test writes to it: each function tells the Disk of one call, and nothing
// really happens.
//
//   DiskWriter writer(disk, "/state");
//   writer.create("db");
//   writer.write("db", 0, "abc");
//   writer.fsync("db");
#pragma once

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/syscall.h>

#include <string>
#include <string_view>
#include <utility>

#include "inject/disk.h"

namespace clew::inject {

class DiskWriter {
 public:
  DiskWriter(Disk& disk, std::string folder) : disk_(disk), folder_(std::move(folder)) {}

  // As a process sees the file; 0: nobody has looked.
  uint64_t number = 0;

  std::string path(std::string_view name) const {
    return name.empty() ? folder_ : folder_ + "/" + std::string(name);
  }
  DiskCall call(long which, std::string_view name) const {
    return {.row = find_call(which), .path = path(name), .file = number};
  }
  void note(const DiskCall& done) { disk_.note(done); }

  void create(std::string_view name, int flags = 0) {
    DiskCall done = call(SYS_openat, name);
    done.flags = O_CREAT | O_RDWR | flags;
    done.creates = true;
    note(done);
  }
  void open(std::string_view name, int flags) {
    DiskCall done = call(SYS_openat, name);
    done.flags = flags;
    note(done);
  }
  void write(std::string_view name, uint64_t at, std::string_view bytes, bool synced = false) {
    DiskCall done = call(SYS_pwrite64, name);
    done.result = static_cast<int64_t>(bytes.size());
    done.offset = at;
    done.bytes = bytes;
    done.synced_at_once = synced;
    note(done);
  }
  void truncate(std::string_view name, uint64_t size) {
    DiskCall done = call(SYS_ftruncate, name);
    done.size = size;
    note(done);
  }
  void allocate(std::string_view name, int flags, uint64_t at, uint64_t length) {
    DiskCall done = call(SYS_fallocate, name);
    done.flags = flags;
    done.offset = at;
    done.size = length;
    note(done);
  }
  void copy(std::string_view from, uint64_t at, std::string_view to, uint64_t to_at,
            uint64_t length) {
    DiskCall done = call(SYS_copy_file_range, to);
    done.path2 = path(from);
    done.offset = to_at;
    done.offset2 = at;
    done.result = static_cast<int64_t>(length);
    note(done);
  }
  void fsync(std::string_view name, int64_t result = 0) {
    DiskCall done = call(SYS_fsync, name);
    done.result = result;
    note(done);
  }
  void sync() { note({.row = find_call(SYS_sync)}); }
  void mkdir(std::string_view name) { note(call(SYS_mkdir, name)); }
  void rmdir(std::string_view name) { note(call(SYS_rmdir, name)); }
  void unlink(std::string_view name) { note(call(SYS_unlink, name)); }
  void rename(std::string_view from, std::string_view to, int flags = 0) {
    DiskCall done = call(SYS_renameat2, from);
    done.path2 = path(to);
    done.flags = flags;
    note(done);
  }
  void link(std::string_view from, std::string_view to) {
    DiskCall done = call(SYS_link, from);
    done.path2 = path(to);
    note(done);
  }

 private:
  Disk& disk_;
  std::string folder_;
};

}  // namespace clew::inject
