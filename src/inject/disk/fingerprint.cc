#include "inject/disk/fingerprint.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace clew::inject {

namespace {

constexpr uint64_t kChunkBytes = 16U << 10U;
constexpr uint64_t kOdd = 0x9e3779b97f4a7c15U;

// Of two words that differ the results do.
uint64_t mix(uint64_t hash, uint64_t word) {
  uint64_t bits = ((hash << 23U) | (hash >> 41U)) ^ (word * kOdd);
  bits ^= bits >> 32U;
  bits *= 0xbf58476d1ce4e5b9U;
  return bits ^ (bits >> 29U);
}

uint64_t hash_of(std::string_view bytes) {
  uint64_t hash = bytes.size();
  while (bytes.size() >= sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    hash = mix(hash, word);
    bytes.remove_prefix(sizeof word);
  }
  uint64_t rest = 0;
  std::memcpy(&rest, bytes.data(), bytes.size());
  return mix(hash, rest);
}

bool is_zero(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return c == '\0'; });
}

}  // namespace

// 0 for zeros, so that a hole and zeros that were written are the same.
Result<uint64_t> Fingerprints::of_chunk(const std::vector<Piece>& pieces, uint64_t length) {
  uint64_t key = length;
  for (const Piece& piece : pieces) {
    key = mix(mix(mix(mix(key, piece.at), piece.length), piece.source), piece.from);
  }
  const auto known = chunks_.find(key);
  if (known != chunks_.end()) return known->second;
  buffer_.assign(length, '\0');
  for (const Piece& piece : pieces) {
    const Status done = model_->bytes.read(piece, buffer_.data() + piece.at);
    if (!done.ok()) return done.error();
  }
  const uint64_t hash = is_zero(buffer_) ? 0 : hash_of(buffer_);
  chunks_[key] = hash;
  return hash;
}

Result<uint64_t> Fingerprints::of_file(const Extents& file) {
  uint64_t all = mix(1, file.size());
  uint64_t at = 0;
  for (const Piece& piece : file.pieces()) {
    at = std::max(at, piece.at / kChunkBytes * kChunkBytes);
    for (; at < piece.end(); at += kChunkBytes) {
      const uint64_t length = std::min(kChunkBytes, file.size() - at);
      Result<uint64_t> chunk = of_chunk(file.slice(at, length), length);
      if (!chunk.ok()) return chunk;
      if (*chunk != 0) all = mix(mix(all, at), *chunk);
    }
  }
  return all;
}

Result<uint64_t> Fingerprints::of_content(const Layer& layer, InodeId file) {
  if (layer.has_own(file)) return of_file(layer.content(file));
  const auto known = below_.find(file);
  if (known != below_.end()) return known->second;
  Result<uint64_t> content = of_file(layer.content(file));
  if (content.ok()) below_[file] = *content;
  return content;
}

Status Fingerprints::add_inode(InodeId id, Owner above, Walk& walk) {
  const auto [place, is_new] = walk.seen.try_emplace(id, walk.seen.size());
  walk.all = mix(walk.all, place->second);
  if (!is_new) return Nothing();
  const Inode& inode = model_->inodes[id];
  const Owner owner = inode.owner.value_or(above);
  walk.all = mix(mix(mix(walk.all, inode.mode), inode.device), hash_of(inode.leads_to));
  walk.all = mix(mix(walk.all, owner.user), owner.group);
  if (inode.is_folder()) return add_folder(id, owner, walk);
  if (!inode.is_file()) return Nothing();
  const Result<uint64_t> content = of_content(walk.layer, id);
  if (!content.ok()) return content.error();
  walk.all = mix(walk.all, *content);
  return Nothing();
}

Status Fingerprints::add_folder(InodeId folder, Owner owner, Walk& walk) {
  const Layer::Names& names = walk.layer.names(folder);
  walk.all = mix(walk.all, names.size());
  for (const auto& [name, id] : names) {
    walk.all = mix(walk.all, hash_of(name));
    if (Status done = add_inode(id, owner, walk); !done.ok()) return done;
  }
  return Nothing();
}

Result<uint64_t> Fingerprints::of(const Layer& layer) {
  Walk walk{layer};
  for (size_t i = 0; i < model_->folders.size(); ++i) {
    const Status done = add_inode(static_cast<InodeId>(i), {}, walk);
    if (!done.ok()) return done.error();
  }
  return walk.all;
}

}  // namespace clew::inject
