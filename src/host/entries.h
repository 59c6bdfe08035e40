// What files of the log are made of: entries, each with a checksum.
//
//   std::string bytes = to_bytes({.kind = Entry::Kind::kChanges, .life = 7, .number = 3}, payload);
//   std::optional<Entry> entry = entry_at(bytes, 0);
//   entry->payload == payload
//
// An entry is what one flush has written: it is there as a whole or not at all. It begins where a
// sector of the disk does, so that writing one touches nothing that was written before. `life` is a
// random number that each file gets when it is made: bytes that an older file has left where this
// one is now are no entries of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/delta.h"
#include "node/value.h"

namespace clew::host {

inline constexpr uint64_t kSector = 512;

struct Entry {
  enum class Kind : uint32_t {
    kHead,     // first of each file: a Head
    kChanges,  // Changes
    kEnd,      // of a snapshot: it is whole
    kSynced,   // nothing new: all up to this number was on the disk once
  };
  Kind kind = Kind::kChanges;
  uint64_t life = 0;
  uint64_t number = 0;
  std::string_view payload{};
  uint64_t begin = 0, end = 0;  // in the file; the next entry begins at `end`
};

// Whose file it is.
struct Head {
  uint32_t version = 0;
  std::string node;
  std::vector<std::string> fields;  // durable, in order
  uint64_t base = 0;      // so many flushes came before this log; a snapshot holds so many
  uint64_t reserved = 0;  // the size of a log is a multiple of that
  CLEW_FIELDS(Head, version, node, fields, base, reserved)
};
inline constexpr uint32_t kLogVersion = 1;

struct Change {
  std::string field;
  Delta delta;
  CLEW_FIELDS(Change, field, delta)
};
using Changes = std::vector<Change>;

// With zeros up to the end of the last sector.
std::string to_bytes(const Entry& what, std::string_view payload);
// The entry that begins here, if it is whole.
std::optional<Entry> entry_at(std::string_view file, uint64_t at);
// The first after `at` that is whole and of this life and has at least this number.
std::optional<Entry> find_entry(std::string_view file, uint64_t at, uint64_t life,
                                uint64_t least_number);

}  // namespace clew::host
