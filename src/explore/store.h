// All worlds that were found, each once, in few bytes.
//
//   WorldStore store;
//   Packed packed;
//   packed.assign(world);
//   const auto [id, is_new] = store.insert(packed.view(), parent);
//   store.read(id, again);                     // again == world
//   store.parent(id)                           // the world that it was found from
//
// (1) Worlds are numbered in the order of insertion. (2) A world's parent is never before the
// parent of the world before it, as is so breadth first. (3) While nobody inserts, any number of
// threads may look.
//
// A world is packed four words at a time: a byte with the lengths of the four, then as few bytes of
// each as will do. Before it lies the difference of its parent's number to that of the world before
// it. Where a world lies is known of one in sixty-four; to find one by its words there is a table
// of slots with places and parts of hashes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "explore/pages.h"

namespace clew::explore {

class Loader;
class Saver;

using World = std::vector<uint32_t>;
using WorldView = std::span<const uint32_t>;

// Of packed worlds so many bytes more may be read and written than they have.
inline constexpr size_t kSlack = 8;

// The most bytes that so many words take.
constexpr size_t most_packed(size_t words) { return 5 + words * 4 + (words + 3) / 4; }
// Gives the end.
uint8_t* pack(WorldView world, uint8_t* out);
// At most so many words; gives the end of these.
const uint8_t* unpack(const uint8_t* in, World& out, size_t most = SIZE_MAX);
uint64_t hash_bytes(const uint8_t* bytes, size_t size);

// A packed world that lies somewhere.
struct PackedView {
  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  uint64_t hash = 0;
};

// One by itself.
class Packed {
 public:
  void assign(WorldView world);
  PackedView view() const { return {bytes_.data(), size_, hash_}; }

 private:
  std::vector<uint8_t> bytes_;
  uint32_t size_ = 0;
  uint64_t hash_ = 0;
};

// Where a world lies.
using Place = uint64_t;
inline constexpr Place kNowhere = 0;

class WorldStore {
 public:
  struct Inserted {
    uint32_t id;  // of a new world
    bool is_new;
  };

  WorldStore();

  size_t size() const { return size_; }
  size_t bytes() const { return bytes_after(0); }
  size_t bytes_after(size_t more) const;  // if so many worlds more came

  // Requires a parent as (2) says.
  Inserted insert(const PackedView& world, uint32_t parent);
  Place find(const PackedView& world) const;
  uint32_t id_at(Place place) const;  // of the world that lies there
  // Who looks for many worlds says so beforehand, twice each, so that memory has time to answer.
  void expect(uint64_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }
  void expect_world(uint64_t hash) const;

  void read(uint32_t id, World& out) const;
  World operator[](uint32_t id) const;
  uint32_t parent(uint32_t id) const;

  void save(Saver& out) const;
  // Requires that it is empty. Each of the worlds is looked at.
  bool load(Loader& in, const std::function<bool(WorldView)>& is_world);

  // Reads worlds one after the other.
  class Cursor {
   public:
    // Of the worlds from `id` on.
    Cursor(const WorldStore& store, uint32_t id);
    Place place() const { return place_; }       // of the world that comes next
    uint32_t parent() const { return parent_; }  // its parent
    void next(World& out);
    void skip();

   private:
    friend class WorldStore;
    void begin(Place place);
    void go_on(const uint8_t* end);  // of the world at which it is

    const WorldStore& store_;
    uint32_t left_;  // worlds, the next one among them
    uint32_t parent_;
    Place place_ = kNowhere;
  };

 private:
  // Worlds lie in blocks; a place is the number of the block and where in it.
  static constexpr uint32_t kBlockBits = 21;
  static constexpr size_t kBlock = size_t{1} << kBlockBits;
  static constexpr uint32_t kKnown = 64;
  // A slot is 0 if it is free; else a tag of 24 bits of the hash, then 40 of the place.
  static constexpr uint32_t kPlaceBits = 40;
  static constexpr uint64_t kPlaceMask = (uint64_t{1} << kPlaceBits) - 1;

  const uint8_t* at(Place place) const {
    return blocks_[place >> kBlockBits].data() + (place & (kBlock - 1));
  }
  bool same(Place place, const PackedView& world) const;
  Place append(const PackedView& world, uint32_t parent);
  void put(uint64_t hash, Place place);
  void make_slots(size_t count);
  void grow();

  Pages<uint64_t> slots_;
  uint32_t shift_ = 0;  // the upper bits of a hash say where to begin
  std::vector<Pages<uint8_t>> blocks_;
  std::vector<size_t> used_;       // of each block
  std::vector<Place> places_;      // of worlds 0, 64, ...: where their parents are written
  std::vector<uint32_t> parents_;  // of the worlds before these
  uint32_t last_parent_ = 0;
  size_t packed_ = 0;  // bytes
  size_t size_ = 0;
};

}  // namespace clew::explore
