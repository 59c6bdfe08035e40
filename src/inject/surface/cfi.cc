#include "inject/surface/cfi.h"

#include <algorithm>
#include <array>
#include <vector>

#include "inject/surface/bytes.h"
#include "inject/surface/cfi_program.h"

namespace clew::inject {

namespace {

constexpr uint32_t kMostEntryBytes = 1 << 16;
constexpr size_t kMostEntries = 1 << 20;
constexpr uint8_t kDatarelSdata4 = 0x3b;  // the only search table that linkers write

// A pointer as `encoding` says (DW_EH_PE_*), at `address`.
std::optional<uint64_t> read_pointer(ByteReader& reader, uint8_t encoding, uint64_t address) {
  constexpr uint8_t kPcrel = 0x10;
  const uint64_t base = (encoding & 0x70) == kPcrel ? address + reader.at() : 0;
  if ((encoding & 0x70) != 0 && (encoding & 0x70) != kPcrel) return std::nullopt;
  switch (encoding & 0x0f) {
    case 0x00:
    case 0x04:
    case 0x0c:
      return base + reader.u64();
    case 0x02:
      return base + reader.u16();
    case 0x03:
      return base + reader.u32();
    case 0x0a:
      return base + static_cast<uint64_t>(static_cast<int16_t>(reader.u16()));
    case 0x0b:
      return base + static_cast<uint64_t>(static_cast<int32_t>(reader.u32()));
    default:
      return std::nullopt;
  }
}

}  // namespace

// A place's description, with what it has in common with others.
struct CfiReader::Entry {
  uint64_t begin = 0, end = 0;
  CfiProgram program{};
  bool is_signal = false;
  bool has_augmentation = false;
  uint8_t encoding = 0;
  std::string common, own;  // instructions
};

std::string CfiReader::bytes_at(uint64_t address, size_t size) const {
  std::string bytes(size, '\0');
  bytes.resize(read_(address, bytes));
  return bytes;
}

// By the sorted table of .eh_frame_hdr: (where code begins, its entry), relative to the header.
std::optional<uint64_t> CfiReader::search_header(uint64_t pc) const {
  const std::string head = bytes_at(header_, 12);
  ByteReader reader(head);
  const uint8_t version = reader.u8();
  const uint8_t pointer = reader.u8();
  const uint8_t count_encoding = reader.u8();
  const uint8_t table = reader.u8();
  reader.skip(4);
  const uint32_t count = reader.u32();
  const bool known = version == 1 && (pointer & 0x0f) == 0x0b && table == kDatarelSdata4;
  if (reader.failed() || !known || count_encoding != 0x03 || count == 0) return std::nullopt;
  const auto row = [&](uint64_t i) {
    std::array<int32_t, 2> words{};
    const std::span<char> to(reinterpret_cast<char*>(words.data()), sizeof words);
    const bool there = read_(header_ + 12 + i * sizeof words, to) == sizeof words;
    return std::make_pair(there, words);
  };
  const auto place = static_cast<int64_t>(pc - header_);
  uint64_t low = 0;
  uint64_t high = count;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    const auto [there, words] = row(middle);
    if (!there) return std::nullopt;
    (words[0] <= place ? low : high) = middle;
  }
  const auto [there, words] = row(low);
  if (!there || words[0] > place) return std::nullopt;
  return header_ + static_cast<uint64_t>(static_cast<int64_t>(words[1]));
}

CfiReader::CfiReader(uint64_t begin, uint64_t end, Read read) : header_(0), read_(std::move(read)) {
  for (uint64_t at = begin; at < end && end - at >= 4 && entries_.size() < kMostEntries;) {
    const std::string length = bytes_at(at, 4);
    const uint32_t size = ByteReader(length).u32();
    if (size == 0 || size > kMostEntryBytes) break;
    if (const std::optional<Entry> entry = read_entry(at)) entries_.emplace_back(entry->begin, at);
    at += 4 + uint64_t{size};
  }
  std::ranges::sort(entries_);
}

std::optional<uint64_t> CfiReader::find_entry(uint64_t pc) const {
  if (header_ != 0) return search_header(pc);
  const auto after =
      std::ranges::upper_bound(entries_, pc, {}, [](const auto& one) { return one.first; });
  if (after == entries_.begin()) return std::nullopt;
  return (after - 1)->second;
}

bool CfiReader::read_common(Entry& entry, uint64_t address) const {
  const std::string length = bytes_at(address, 4);
  ByteReader head(length);
  const uint32_t size = head.u32();
  if (size < 8 || size > kMostEntryBytes) return false;
  const std::string bytes = bytes_at(address + 4, size);
  ByteReader reader(bytes);
  if (bytes.size() < size || reader.u32() != 0) return false;
  const uint8_t version = reader.u8();
  if (version != 1 && version != 3) return false;
  const std::string_view augmentation = reader.zero_ended();
  entry.program.code_factor = reader.uleb();
  entry.program.data_factor = reader.sleb();
  entry.program.return_column = version == 1 ? reader.u8() : reader.uleb();
  if (augmentation.starts_with('z')) {
    entry.has_augmentation = true;
    const uint64_t end = reader.uleb() + reader.at();
    for (const char letter : augmentation.substr(1)) {
      if (letter == 'R') entry.encoding = reader.u8();
      if (letter == 'S') entry.is_signal = true;
      if (letter == 'L') reader.skip(1);
      if (letter == 'P') {
        const uint8_t encoding = reader.u8();
        if (!read_pointer(reader, encoding & 0x7f, 0)) return false;
      }
    }
    reader.seek(end);
  } else if (!augmentation.empty()) {
    return false;
  }
  entry.common = std::string(reader.text(reader.left()));
  return !reader.failed();
}

std::optional<CfiReader::Entry> CfiReader::read_entry(uint64_t address) const {
  const std::string length = bytes_at(address, 4);
  ByteReader head(length);
  const uint32_t size = head.u32();
  if (size < 8 || size > kMostEntryBytes) return std::nullopt;
  const std::string bytes = bytes_at(address + 4, size);
  ByteReader reader(bytes);
  const uint32_t back = reader.u32();
  Entry entry;
  if (bytes.size() < size || back == 0 || !read_common(entry, address + 4 - back)) {
    return std::nullopt;
  }
  const std::optional<uint64_t> begin = read_pointer(reader, entry.encoding, address + 4);
  const std::optional<uint64_t> range = read_pointer(reader, entry.encoding & 0x0f, 0);
  if (!begin || !range) return std::nullopt;
  entry.begin = *begin;
  entry.end = *begin + *range;
  if (entry.has_augmentation) reader.skip(reader.uleb());
  entry.own = std::string(reader.text(reader.left()));
  if (reader.failed()) return std::nullopt;
  return entry;
}

FrameRule CfiReader::rule_at(uint64_t pc) const {
  const FrameRule nothing{.kind = FrameRule::Kind::kFramePointer};
  const std::optional<uint64_t> found = find_entry(pc);
  if (!found) return nothing;
  const std::optional<Entry> entry = read_entry(*found);
  if (!entry || pc < entry->begin || pc >= entry->end) return nothing;
  CfiProgram program = entry->program;
  FrameRule rule = program.run(entry->common, entry->own, entry->begin, pc);
  rule.is_signal = entry->is_signal;
  return rule;
}

}  // namespace clew::inject
