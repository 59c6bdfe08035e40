// Flat hash tables over numbers: no allocation for an entry, no order to rely on.
//
//   NumberMap steps;                       // uint64_t -> uint32_t
//   steps.insert(key, value);
//   if (const uint32_t* found = steps.find(key)) ...
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"

namespace clew::explore {

inline uint64_t mixed(uint64_t bits) {
  bits ^= bits >> 32U;
  bits *= 0xd6e8feb86659fd93U;
  bits ^= bits >> 32U;
  bits *= 0xd6e8feb86659fd93U;
  return bits ^ (bits >> 32U);
}

inline uint64_t hash_words(std::span<const uint32_t> words) {
  uint64_t hash = words.size();
  for (const uint32_t word : words) hash = (hash ^ word) * 0x9e3779b97f4a7c15U + (hash >> 29U);
  return mixed(hash);
}

class NumberMap {
 public:
  NumberMap() : entries_(64) {}

  size_t size() const { return size_; }
  size_t bytes() const { return entries_.size() * sizeof(Entry); }
  const uint32_t* find(uint64_t key) const {
    for (size_t at = mixed(key) & mask();; at = (at + 1) & mask()) {
      if (!entries_[at].used) return nullptr;
      if (entries_[at].key == key) return &entries_[at].value;
    }
  }
  // All keys with their values, in order of the keys.
  std::vector<std::pair<uint64_t, uint32_t>> all() const {
    std::vector<std::pair<uint64_t, uint32_t>> result;
    for (const Entry& entry : entries_) {
      if (entry.used) result.emplace_back(entry.key, entry.value);
    }
    std::ranges::sort(result);
    return result;
  }
  // Requires that it is not there.
  void insert(uint64_t key, uint32_t value) {
    if ((size_ + 1) * 4 > entries_.size() * 3) grow();
    place({key, value, true});
    ++size_;
  }

 private:
  struct Entry {
    uint64_t key = 0;
    uint32_t value = 0;
    bool used = false;
  };

  size_t mask() const { return entries_.size() - 1; }
  void place(const Entry& entry) {
    size_t at = mixed(entry.key) & mask();
    while (entries_[at].used) at = (at + 1) & mask();
    entries_[at] = entry;
  }
  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old) {
      if (entry.used) place(entry);
    }
  }

  std::vector<Entry> entries_;
  size_t size_ = 0;
};

// Arrays of numbers, each kept once, one after the other.
//
//   const auto [id, is_new] = set.insert(words);
//   set[id]                                      // the words
//   if (set.contains(words)) ...
class WordSet {
 public:
  struct Inserted {
    uint32_t id;
    bool is_new;
  };

  WordSet() : slots_(64, 0), ends_{0} {}

  size_t size() const { return ends_.size() - 1; }
  size_t bytes() const { return words_.size() * 4 + ends_.size() * 8 + slots_.size() * 8; }
  std::span<const uint32_t> operator[](uint32_t id) const {
    return {words_.data() + ends_[id], ends_[id + 1] - ends_[id]};
  }
  bool contains(std::span<const uint32_t> words) const {
    return slots_[slot_of(words, hash_words(words))] != 0;
  }
  Inserted insert(std::span<const uint32_t> words) {
    const uint64_t hash = hash_words(words);
    const size_t at = slot_of(words, hash);
    if (slots_[at] != 0) return {static_cast<uint32_t>(slots_[at]) - 1, false};
    const auto id = static_cast<uint32_t>(size());
    CHECK(id < UINT32_MAX - 1, "more than 2^32 arrays");
    slots_[at] = (hash & kTag) | (id + 1);
    words_.insert(words_.end(), words.begin(), words.end());
    ends_.push_back(words_.size());
    if (size() * 4 > slots_.size() * 3) grow();
    return {id, true};
  }

 private:
  // The upper half of the hash is kept beside the number, so that few others are looked at.
  static constexpr uint64_t kTag = 0xffffffff00000000U;

  size_t mask() const { return slots_.size() - 1; }
  // Where they are, or where there is room for them.
  size_t slot_of(std::span<const uint32_t> words, uint64_t hash) const {
    size_t at = hash & mask();
    for (; slots_[at] != 0; at = (at + 1) & mask()) {
      const auto id = static_cast<uint32_t>(slots_[at]) - 1;
      if ((slots_[at] & kTag) == (hash & kTag) && same(id, words)) break;
    }
    return at;
  }
  bool same(uint32_t id, std::span<const uint32_t> words) const {
    const std::span<const uint32_t> there = (*this)[id];
    return std::ranges::equal(there, words);
  }
  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (uint32_t id = 0; id < size(); ++id) {
      const uint64_t hash = hash_words((*this)[id]);
      size_t at = hash & mask();
      while (slots_[at] != 0) at = (at + 1) & mask();
      slots_[at] = (hash & kTag) | (id + 1);
    }
  }

  std::vector<uint64_t> slots_;  // 0: free; else half a hash, and the number + 1
  std::vector<uint32_t> words_;
  std::vector<size_t> ends_;
};

}  // namespace clew::explore
