// What is on the disk of a node when the power goes: an abstract model of what fsync, rename and
// folders promise, after the abstract persistence model of "All File Systems Are Not Created Equal"
// (Pillai and others). docs/crash-states.md has it as a table.
//
//   Disk disk({state}, base);        // the folders that are its files; what is there is durable
//   disk.note(done);                 // every call on them that succeeded, in order
//   for (const std::string& keeps : disk.choices(100)) ...     // "none", "all", "all-but-2", ...
//   disk.build("all-but-2", folder);     // the files as the next start finds them
//
// Operations that are not synced reorder freely; each is there, not there or torn. fsync of a file
// makes its data and size durable, not its name; fsync of a folder makes the names in it durable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "inject/call.h"
#include "inject/observed.h"

namespace clew::inject {

// A call that has succeeded, with all that the model needs to know of it; of syncs also one that
// has failed. Paths are absolute, after links were followed.
struct DiskCall {
  const CallRow* row = nullptr;
  int64_t result = 0;
  std::string path{}, path2{};   // of rename and link the new one is second, of copies the source
  uint64_t file = 0, file2 = 0;  // inode numbers, of link and rename of the first; 0: not known
  int flags = 0;                 // of open, fallocate, sync_file_range, msync, renameat2, mmap
  uint64_t offset = 0, offset2 = 0;  // where it was written; of copies where it was read
  uint64_t size = 0;                 // new size of truncate; length of fallocate, msync, mmap
  std::string bytes{};          // that were written, or that msync found; where a symlink leads
  bool synced_at_once = false;  // O_SYNC, O_DSYNC, RWF_SYNC, RWF_DSYNC
  bool creates = false;         // open made the file
  uint32_t mode = 0;            // of what open, mkdir and mknod made (stat); 0: not known
  bool writable = false;        // of mmap: PROT_WRITE
};

class Disk {
 public:
  // `base`: a folder with copies of `folders` as they were at first (FOLDER 0, 1, ... below it).
  Disk(std::vector<std::string> folders, const std::string& base);
  ~Disk();
  Disk(Disk&&) noexcept;
  Disk& operator=(Disk&&) noexcept;

  // What is outside of the folders is passed over.
  void note(const DiskCall& call);
  size_t unsynced() const;  // operations
  // Names of crash states (disk/choices.h) that differ in content, the most different first: none
  // and all, then in turn prefixes, all but one, only one, and torn at 512 bytes, in half, ...; in
  // the middle of a rename only if asked for. At most so many; if there are more, a warning.
  std::vector<std::string> choices(size_t most, bool torn_renames = false);
  // A fingerprint of the content of one, names and modes included; the same in every run.
  Result<std::string> content(const std::string& keeps);
  // Writes the files of folder 0, 1, ... into `into`/0, `into`/1, ...
  Status build(const std::string& keeps, const std::string& into);
  // The same, and goes on from there: the state after a restart, all of it durable.
  Status settle(const std::string& keeps);
  // The folders are as the base now: what does not change from here on, restore() leaves alone.
  void look();
  // Makes the folders themselves as build() writes them, changing only what differs, and settles.
  Status restore(const std::string& keeps);
  // What the model has not seen or cannot say: shared writable maps, O_DIRECT, ...
  const std::vector<Warning>& warnings() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace clew::inject
