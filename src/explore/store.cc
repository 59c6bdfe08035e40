#include "explore/store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace clew::explore {

namespace {

constexpr size_t kFirstSlots = 1'024;

uint8_t* write_number(uint32_t number, uint8_t* out) {
  for (; number >= 0x80; number >>= 7U) *out++ = static_cast<uint8_t>(number | 0x80U);
  *out++ = static_cast<uint8_t>(number);
  return out;
}

const uint8_t* read_number(const uint8_t* in, uint32_t& number) {
  number = 0;
  for (uint32_t shift = 0;; shift += 7) {
    const uint8_t byte = *in++;
    number |= uint32_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return in;
  }
}

// How many bytes the words take whose lengths a byte says, all four or the first ones.
constexpr std::array<uint8_t, 256> kLengths = [] {
  std::array<uint8_t, 256> result{};
  for (uint32_t i = 0; i < 256; ++i) {
    result[i] =
        static_cast<uint8_t>(4 + (i & 3U) + ((i >> 2U) & 3U) + ((i >> 4U) & 3U) + (i >> 6U));
  }
  return result;
}();

// The end of a packed world.
const uint8_t* skip(const uint8_t* in) {
  uint32_t size = 0;
  in = read_number(in, size);
  for (; size >= 4; size -= 4) in += 1 + kLengths[*in];
  // Lengths of words that are not there are written as 1.
  return size == 0 ? in : in + 1 + kLengths[*in] - (4 - size);
}

// All four bytes are written, of which the last ones are written over by what comes next: without a
// branch, since nobody can guess the lengths.
inline uint8_t* write_word(uint32_t word, uint32_t& lengths, uint32_t which, uint8_t* out) {
  const uint32_t more = static_cast<uint32_t>(std::bit_width(word | 1U) - 1) >> 3U;
  std::memcpy(out, &word, 4);
  lengths |= more << (2 * which);
  return out + 1 + more;
}

}  // namespace

uint8_t* pack(WorldView world, uint8_t* out) {
  out = write_number(static_cast<uint32_t>(world.size()), out);
  const uint32_t* in = world.data();
  size_t left = world.size();
  for (; left >= 4; left -= 4, in += 4) {
    uint8_t* head = out++;
    uint32_t lengths = 0;
    out = write_word(in[0], lengths, 0, out);
    out = write_word(in[1], lengths, 1, out);
    out = write_word(in[2], lengths, 2, out);
    out = write_word(in[3], lengths, 3, out);
    *head = static_cast<uint8_t>(lengths);
  }
  if (left == 0) return out;
  uint8_t* head = out++;
  uint32_t lengths = 0;
  for (uint32_t i = 0; i < left; ++i) out = write_word(in[i], lengths, i, out);
  *head = static_cast<uint8_t>(lengths);
  return out;
}

const uint8_t* unpack(const uint8_t* in, World& out, size_t most) {
  static constexpr std::array<uint32_t, 4> kMasks{0xff, 0xffff, 0xffffff, 0xffffffff};
  uint32_t size = 0;
  in = read_number(in, size);
  out.resize(std::min<size_t>(size, most));
  uint32_t lengths = 0;
  for (uint32_t i = 0; i < out.size(); ++i) {
    if (i % 4 == 0) lengths = *in++;
    uint32_t word = 0;
    std::memcpy(&word, in, 4);
    out[i] = word & kMasks[lengths & 3U];
    in += (lengths & 3U) + 1;
    lengths >>= 2U;
  }
  return in;
}

uint64_t hash_bytes(const uint8_t* bytes, size_t size) {
  uint64_t hash = size;
  const auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 32U;
  };
  uint64_t word = 0;
  for (; size >= 8; size -= 8, bytes += 8) {
    std::memcpy(&word, bytes, 8);
    add(word);
  }
  if (size > 0) {
    std::memcpy(&word, bytes, 8);
    add(word << (64 - 8 * size));
  }
  hash *= 0xd6e8feb86659fd93U;
  return hash ^ (hash >> 32U);
}

void Packed::assign(WorldView world) {
  bytes_.resize(most_packed(world.size()) + kSlack);
  size_ = static_cast<uint32_t>(pack(world, bytes_.data()) - bytes_.data());
  hash_ = hash_bytes(bytes_.data(), size_);
}

WorldStore::WorldStore() { make_slots(kFirstSlots); }

void WorldStore::make_slots(size_t count) {
  slots_ = {};  // before there are others
  slots_ = Pages<uint64_t>(count);
  shift_ = 64 - static_cast<uint32_t>(std::countr_zero(count));
}

size_t WorldStore::bytes_after(size_t more) const {
  size_t slots = slots_.size();
  while ((size_ + more) * 4 > slots * 3) slots *= 2;
  const size_t worlds = packed_ + (size_ == 0 ? 0 : packed_ / size_ * more);
  return slots * 8 + worlds + places_.capacity() * 8 + parents_.capacity() * 4;
}

bool WorldStore::same(Place place, const PackedView& world) const {
  // Who has the same bytes from there on is the same: the first of them say how many there are.
  const bool fits = (place & (kBlock - 1)) + world.size <= kBlock;
  return fits && std::memcmp(at(place), world.bytes, world.size) == 0;
}

Place WorldStore::find(const PackedView& world) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = world.hash >> shift_; slots_[at] != 0; at = (at + 1) & mask) {
    const uint64_t slot = slots_[at];
    if (((slot ^ (world.hash << kPlaceBits)) >> kPlaceBits) != 0) continue;
    if (same(slot & kPlaceMask, world)) return slot & kPlaceMask;
  }
  return kNowhere;
}

uint32_t WorldStore::id_at(Place place) const {
  // A known place is where the number of a parent is written, before the world itself.
  const auto after = std::ranges::upper_bound(places_, place);
  auto id = static_cast<uint32_t>(after - places_.begin() - 1) * kKnown;
  for (Cursor cursor(*this, id); cursor.place() != place; ++id) cursor.skip();
  return id;
}

void WorldStore::expect_world(uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash >> shift_; slots_[at] != 0; at = (at + 1) & mask) {
    const uint64_t slot = slots_[at];
    if (((slot ^ (hash << kPlaceBits)) >> kPlaceBits) != 0) continue;
    __builtin_prefetch(this->at(slot & kPlaceMask));
    return;
  }
}

WorldStore::Inserted WorldStore::insert(const PackedView& world, uint32_t parent) {
  if (find(world) != kNowhere) return {0, false};
  CHECK(size_ < UINT32_MAX, "more than 2^32 worlds");
  if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  put(world.hash, append(world, parent));
  return {static_cast<uint32_t>(size_++), true};
}

Place WorldStore::append(const PackedView& world, uint32_t parent) {
  CHECK(parent >= last_parent_, "a world of parent {} after one of {}", parent, last_parent_);
  const size_t most = 5 + world.size + kSlack;
  CHECK(most < kBlock, "a world of {} bytes", world.size);
  if (blocks_.empty() || used_.back() + most > kBlock) {
    blocks_.emplace_back(kBlock);
    used_.push_back(blocks_.size() == 1 ? 1 : 0);  // nothing lies at kNowhere
  }
  const Place block = (blocks_.size() - 1) << kBlockBits;
  CHECK(block < kPlaceMask, "more than 2^{} bytes of worlds", kPlaceBits);
  if (size_ % kKnown == 0) {
    places_.push_back(block + used_.back());
    parents_.push_back(last_parent_);
  }
  uint8_t* const begin = blocks_.back().data();
  uint8_t* const at = write_number(parent - last_parent_, begin + used_.back());
  std::memcpy(at, world.bytes, world.size);
  last_parent_ = parent;
  const auto place = static_cast<size_t>(at - begin);
  packed_ += place + world.size - used_.back();
  used_.back() = place + world.size;
  return block + place;
}

void WorldStore::put(uint64_t hash, Place place) {
  const size_t mask = slots_.size() - 1;
  size_t at = hash >> shift_;
  while (slots_[at] != 0) at = (at + 1) & mask;
  slots_[at] = (hash << kPlaceBits) | place;
}

void WorldStore::grow() {
  make_slots(slots_.size() * 2);
  constexpr size_t kAhead = 16;
  std::array<std::pair<uint64_t, Place>, kAhead> waiting{};
  Cursor cursor(*this, 0);
  for (size_t i = 0; i < size_ + kAhead; ++i) {
    auto& [hash, place] = waiting[i % kAhead];
    if (i >= kAhead) put(hash, place);
    if (i >= size_) continue;
    place = cursor.place();
    const uint8_t* const begin = at(place);
    const uint8_t* const end = skip(begin);
    hash = hash_bytes(begin, static_cast<size_t>(end - begin));
    expect(hash);
    cursor.go_on(end);
  }
}

WorldStore::Cursor::Cursor(const WorldStore& store, uint32_t id)
    : store_(store),
      left_(static_cast<uint32_t>(store.size_) - id / kKnown * kKnown),
      parent_(store.parents_.empty() ? 0 : store.parents_[id / kKnown]) {
  if (left_ > 0) begin(store.places_[id / kKnown]);
  for (uint32_t i = 0; i < id % kKnown; ++i) skip();
}

// A world begins with the number of its parent.
void WorldStore::Cursor::begin(Place place) {
  uint32_t more = 0;
  const uint8_t* const in = store_.at(place);
  place_ = place + static_cast<Place>(read_number(in, more) - in);
  parent_ += more;
}

void WorldStore::Cursor::go_on(const uint8_t* end) {
  if (--left_ == 0) return;
  const Place after = place_ + static_cast<Place>(end - store_.at(place_));
  const Place block = after >> kBlockBits;
  const bool is_last = (after & (kBlock - 1)) == store_.used_[block];
  begin(is_last ? (block + 1) << kBlockBits : after);
}

void WorldStore::Cursor::skip() { go_on(explore::skip(store_.at(place_))); }

void WorldStore::Cursor::next(World& out) { go_on(unpack(store_.at(place_), out)); }

void WorldStore::read(uint32_t id, World& out) const { Cursor(*this, id).next(out); }

World WorldStore::operator[](uint32_t id) const {
  World world;
  read(id, world);
  return world;
}

uint32_t WorldStore::parent(uint32_t id) const { return Cursor(*this, id).parent(); }

}  // namespace clew::explore
