#include "host/entries.h"

#include <cstring>

#include "base/check.h"
#include "base/crc32c.h"

namespace clew::host {

namespace {

// Little-endian, at these places: "CLWe", checksum of all that follows, kind, size of the payload,
// life, number.
constexpr uint32_t kMagic = 0x65574c43;
constexpr uint64_t kPrefix = 32;

void put(std::string& out, uint64_t number, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) out.push_back(static_cast<char>(number >> (8 * i)));
}

uint64_t get(std::string_view bytes, uint64_t at, size_t size) {
  uint64_t number = 0;
  for (size_t i = 0; i < size; ++i) {
    number |= uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return number;
}

uint64_t whole_sectors(uint64_t size) { return (size + kSector - 1) / kSector * kSector; }

}  // namespace

std::string to_bytes(const Entry& what, std::string_view payload) {
  CHECK(payload.size() <= UINT32_MAX, "a flush of {} bytes", payload.size());
  std::string checked;
  checked.reserve(whole_sectors(kPrefix + payload.size()));
  put(checked, static_cast<uint32_t>(what.kind), 4);
  put(checked, payload.size(), 4);
  put(checked, what.life, 8);
  put(checked, what.number, 8);
  checked += payload;
  std::string bytes;
  bytes.reserve(whole_sectors(kPrefix + payload.size()));
  put(bytes, kMagic, 4);
  put(bytes, crc32c(checked), 4);
  bytes += checked;
  bytes.resize(whole_sectors(bytes.size()), '\0');
  return bytes;
}

std::optional<Entry> entry_at(std::string_view file, uint64_t at) {
  if (at > file.size() || file.size() - at < kPrefix) return std::nullopt;
  const std::string_view rest = file.substr(at);
  if (get(rest, 0, 4) != kMagic) return std::nullopt;
  const uint64_t size = get(rest, 12, 4);
  if (size > rest.size() - kPrefix) return std::nullopt;
  if (crc32c(rest.substr(8, kPrefix - 8 + size)) != get(rest, 4, 4)) return std::nullopt;
  const uint64_t kind = get(rest, 8, 4);
  if (kind > static_cast<uint32_t>(Entry::Kind::kSynced)) return std::nullopt;
  return Entry{.kind = static_cast<Entry::Kind>(kind),
               .life = get(rest, 16, 8),
               .number = get(rest, 24, 8),
               .payload = rest.substr(kPrefix, size),
               .begin = at,
               .end = at + whole_sectors(kPrefix + size)};
}

std::optional<Entry> find_entry(std::string_view file, uint64_t at, uint64_t life,
                                uint64_t least_number) {
  for (at = whole_sectors(at + 1); at < file.size(); at += kSector) {
    const std::optional<Entry> entry = entry_at(file, at);
    if (entry && entry->life == life && entry->number >= least_number) return entry;
  }
  return std::nullopt;
}

}  // namespace clew::host
