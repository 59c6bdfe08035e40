#include "inject/surface/dwarf_lines.h"

#include <algorithm>

namespace clew::inject {

namespace {

constexpr size_t kMostFiles = 1 << 18;

}  // namespace

DwarfLines::DwarfLines(const DwarfSections& sections, const DwarfUnits& texts,
                       const DwarfUnit& unit, Budget& budget)
    : budget_(&budget), unit_(unit) {
  if (!unit.lines) return;
  ByteReader length(sections.line, *unit.lines);
  uint64_t size = length.u32();
  unit_.offset_size = 4;
  if (size == 0xffffffff) {
    size = length.u64();
    unit_.offset_size = 8;
  }
  if (length.failed() || size > length.left()) return;
  const std::string_view whole(sections.line);
  ByteReader reader(whole.substr(0, length.at() + size), length.at());
  unit_.version = reader.u16();
  if (unit_.version < 2 || unit_.version > 5) return;
  if (unit_.version == 5) {
    unit_.address_size = reader.u8();
    reader.u8();  // size of segment selectors
  }
  const uint64_t head_size = reader.number(unit_.offset_size);
  if (head_size > reader.left()) return;
  const uint64_t program = reader.at() + head_size;
  Head head;
  if (!read_head(reader, head)) return;
  unit_.version == 5 ? read_new_files(reader, texts) : read_old_files(reader);
  ByteReader rest(whole.substr(0, length.at() + size), program);
  run(rest, head);
  std::ranges::stable_sort(rows_, {}, &Row::begin);
}

bool DwarfLines::read_head(ByteReader& reader, Head& head) const {
  head.step = reader.u8();
  if (unit_.version >= 4) reader.u8();  // operations per instruction
  reader.u8();                          // default_is_stmt
  head.line_base = static_cast<int8_t>(reader.u8());
  head.line_range = reader.u8();
  head.first_special = reader.u8();
  if (head.line_range == 0 || head.first_special == 0) return false;
  head.lengths = reader.text(head.first_special - uint64_t{1});
  return !reader.failed();
}

void DwarfLines::read_old_files(ByteReader& reader) {
  while (!reader.failed() && budget_->take() && !reader.zero_ended().empty()) {
  }
  files_.emplace_back();  // they are counted from 1
  while (!reader.failed() && budget_->take() && files_.size() < kMostFiles) {
    const std::string_view name = reader.zero_ended();
    if (name.empty()) return;
    files_.push_back(name);
    for (int i = 0; i < 3; ++i) reader.uleb();  // folder, time, size
  }
}

// Folders, then files, each a table with columns of its own.
void DwarfLines::read_new_files(ByteReader& reader, const DwarfUnits& texts) {
  constexpr uint64_t kPath = 1;
  for (const bool folders : {true, false}) {
    std::vector<std::pair<uint64_t, uint64_t>> columns;
    for (int left = reader.u8(); left > 0; --left) {
      const uint64_t content = reader.uleb();
      columns.emplace_back(content, reader.uleb());
    }
    const uint64_t count = reader.uleb();
    for (uint64_t i = 0; i < count && files_.size() < kMostFiles; ++i) {
      std::string_view name;
      for (const auto& [content, form] : columns) {
        const DwarfValue value = read_form(reader, unit_, form, 0);
        if (content == kPath) name = texts.text(unit_, value);
      }
      if (reader.failed() || !budget_->take()) return;
      if (!folders) files_.push_back(name);
    }
  }
}

void DwarfLines::add(const Registers& now) {
  if (!budget_->take(Budget::kStored)) return;
  if (is_open_) end_sequence(now.address);
  rows_.push_back(
      {now.address, now.address, static_cast<uint32_t>(now.file), static_cast<uint32_t>(now.line)});
  is_open_ = true;
}

void DwarfLines::end_sequence(uint64_t address) {
  if (is_open_) {
    Row& last = rows_.back();
    last.end = std::max(last.begin, address);
    if (last.begin == last.end) rows_.pop_back();
  }
  is_open_ = false;
}

// True: a sequence has ended.
bool DwarfLines::extended(ByteReader& reader, Registers& now) {
  const uint64_t size = reader.uleb();
  if (size == 0 || size > reader.left()) return reader.fail();
  const uint64_t after = reader.at() + size;
  const uint8_t code = reader.u8();
  if (code == 0x01) end_sequence(now.address);
  if (code == 0x02) now.address = reader.number(std::min<uint64_t>(size - 1, 8));
  reader.seek(after);
  return code == 0x01;
}

void DwarfLines::standard(ByteReader& reader, uint8_t code, const Head& head, Registers& now) {
  switch (code) {
    case 0x01:
      add(now);
      break;
    case 0x02:
      now.address += reader.uleb() * head.step;
      break;
    case 0x03:
      now.line += static_cast<uint64_t>(reader.sleb());
      break;
    case 0x04:
      now.file = reader.uleb();
      break;
    case 0x08:
      now.address += uint64_t{head.step} * ((255U - head.first_special) / head.line_range);
      break;
    case 0x09:
      now.address += reader.u16();
      break;
    default:
      for (char i = 0; i < head.lengths[code - uint64_t{1}]; ++i) reader.uleb();
  }
}

void DwarfLines::run(ByteReader& reader, const Head& head) {
  Registers now;
  while (!reader.at_end() && budget_->take()) {
    const uint8_t code = reader.u8();
    if (code >= head.first_special) {
      const unsigned special = code - unsigned{head.first_special};
      now.address += uint64_t{head.step} * (special / head.line_range);
      now.line += static_cast<uint64_t>(int64_t{head.line_base} + special % head.line_range);
      add(now);
    } else if (code != 0) {
      standard(reader, code, head, now);
    } else if (extended(reader, now)) {
      now = Registers{};
    }
  }
  end_sequence(0);  // one that does not end is about nothing
}

const DwarfLines::Row* DwarfLines::at(uint64_t address) const {
  const auto after = std::ranges::upper_bound(rows_, address, {}, &Row::begin);
  if (after == rows_.begin()) return nullptr;
  const Row& row = *(after - 1);
  return address < row.end ? &row : nullptr;
}

std::string_view DwarfLines::file(uint64_t index) const {
  if (index >= files_.size()) return {};
  const std::string_view path = files_[index];
  return path.substr(path.rfind('/') + 1);
}

}  // namespace clew::inject
