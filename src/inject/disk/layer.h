// What a disk holds: names in folders and contents of files, by inodes, so that hard links and open
// files without a name are what they are.
//
//   Layer durable;                        // what is certainly there
//   durable.set(kRoot, "log", file, false);
//   Layer live(&durable);                 // what processes see: durable, but for what has changed
//   live.content(file).size();
//
// A Layer over another one keeps only what differs. A folder has one name at most: to set another
// one moves it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "inject/disk/extents.h"

namespace clew::inject {

using InodeId = uint32_t;

// One thing that an operation does to one folder or file. An operation has up to three.
struct Step {
  enum class Kind {
    kSet,     // of a folder: `name` is `inode` now
    kRemove,  // of a folder: there is no `name`
    kWrite,   // of a file: `pieces` and zeros from `at` on; it grows if it has to
    kClear,   // of a file: zeros, as far as it goes
    kResize,  // of a file: to `length`
    kGrow,    // of a file: to `length`, if it is smaller
  };
  // Of a rename, in this order: it removes two names and sets one.
  enum class Part : uint8_t { kNone, kOldTarget, kSource, kTarget };

  Kind kind = Kind::kWrite;
  InodeId object = 0;
  std::string name{};
  InodeId inode = 0;
  bool moves_folder = false;  // `inode` is a folder
  Part part = Part::kNone;
  uint64_t at = 0;
  uint64_t length = 0;
  std::vector<Piece> pieces{};

  // Of the Log.
  uint32_t operation = 0;
  bool durable = false;
  bool stuck = false;  // a failed sync has given it up: no later one makes it durable
};

// How much of an operation is there.
enum class Kept : uint8_t {
  kNothing,
  kAll,
  kSector,     // of a write: up to the first multiple of 512 in the file
  kHalf,       // of a write: the first half of the bytes
  kZeros,      // of a write: the new size, but zeros
  kOldTarget,  // of a rename: the file that was there is gone, and nothing else has happened
  kNames,      // of a rename: both names are gone
};

class Layer {
 public:
  using Names = std::map<std::string, InodeId>;

  explicit Layer(const Layer* below = nullptr) : below_(below) {}

  const Names& names(InodeId folder) const;
  const Extents& content(InodeId file) const;
  bool has_own(InodeId file) const { return contents_.contains(file); }  // not that of below
  uint32_t links(InodeId inode) const;                                   // how many names it has

  void set(InodeId folder, const std::string& name, InodeId inode, bool moves_folder);
  void remove(InodeId folder, const std::string& name);
  Extents& change(InodeId file);
  void apply(const Step& step, Kept kept);
  // What the layer above says.
  void absorb(Layer above);

 private:
  struct Place {
    InodeId folder;
    std::string name;
  };

  Names& change_names(InodeId folder);
  void count(InodeId inode, int more);
  std::optional<Place> place(InodeId folder) const;
  void apply_names(const Step& step, Kept kept);

  const Layer* below_;
  std::map<InodeId, Names> names_;
  std::map<InodeId, Extents> contents_;
  std::map<InodeId, uint32_t> links_;
  std::map<InodeId, std::optional<Place>> places_;  // of folders
};

}  // namespace clew::inject
