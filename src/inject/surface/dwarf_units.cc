#include "inject/surface/dwarf_units.h"

#include <algorithm>

#include "inject/surface/dwarf_forms.h"

namespace clew::inject {

namespace {

constexpr size_t kMostUnits = 1 << 20;

// Which attributes are kept, and as what.
std::optional<DwarfEntry::Attribute> kept(uint64_t attribute) {
  switch (attribute) {
    case 0x03:
      return DwarfEntry::kName;
    case 0x6e:
    case 0x2007:
      return DwarfEntry::kLinkageName;
    case 0x11:
      return DwarfEntry::kLowPc;
    case 0x12:
      return DwarfEntry::kHighPc;
    case 0x55:
      return DwarfEntry::kRanges;
    case 0x31:
    case 0x47:
      return DwarfEntry::kOrigin;
    case 0x10:
      return DwarfEntry::kLines;
    case 0x58:
      return DwarfEntry::kCallFile;
    case 0x59:
      return DwarfEntry::kCallLine;
    case 0x72:
      return DwarfEntry::kStrOffsetsBase;
    case 0x73:
      return DwarfEntry::kAddrBase;
    case 0x74:
      return DwarfEntry::kRnglistsBase;
    default:
      return std::nullopt;
  }
}

}  // namespace

DwarfSections::DwarfSections(const ElfFile& file)
    : info(file.section(".debug_info")),
      abbrev(file.section(".debug_abbrev")),
      str(file.section(".debug_str")),
      line(file.section(".debug_line")),
      line_str(file.section(".debug_line_str")),
      ranges(file.section(".debug_ranges")),
      rnglists(file.section(".debug_rnglists")),
      addr(file.section(".debug_addr")),
      str_offsets(file.section(".debug_str_offsets")) {}

DwarfUnits::DwarfUnits(const DwarfSections& sections, Budget& budget)
    : sections_(&sections), budget_(&budget) {
  read_units();
}

ByteReader DwarfUnits::reader(const DwarfUnit& unit, uint64_t offset) const {
  return ByteReader(std::string_view(sections_->info).substr(0, unit.end), offset);
}

void DwarfUnits::read_units() {
  uint64_t at = 0;
  while (at < sections_->info.size() && units_.size() < kMostUnits && budget_->take()) {
    ByteReader reader(sections_->info, at);
    DwarfUnit unit{.begin = at};
    if (!read_header(unit, reader)) return;
    at = unit.end;
    if (unit.version < 2 || unit.version > 5 || unit.address_size > 8) continue;
    if (unit.address_size == 0) continue;
    if (unit.has_code) read_first_entry(unit);
    units_.push_back(unit);
  }
}

// False: nobody can tell where the next one begins.
bool DwarfUnits::read_header(DwarfUnit& unit, ByteReader& reader) {
  uint64_t length = reader.u32();
  if (length == 0xffffffff) {
    length = reader.u64();
    unit.offset_size = 8;
  }
  if (reader.failed() || length > reader.left() || length < 7) return false;
  unit.end = reader.at() + length;
  unit.version = reader.u16();
  uint8_t type = 1;  // DW_UT_compile
  if (unit.version >= 5) {
    type = reader.u8();
    unit.address_size = reader.u8();
  }
  unit.abbreviations = reader.number(unit.offset_size);
  if (unit.version < 5) unit.address_size = reader.u8();
  if (type == 4 || type == 5) reader.skip(8);                     // skeleton, split
  if (type == 2 || type == 6) reader.skip(8 + unit.offset_size);  // type units
  unit.has_code = type == 1 || type == 4 || type == 5;
  unit.entries = reader.at();
  if (unit.offset_size == 8) {
    unit.str_offsets_base = unit.addr_base = 16;
    unit.rnglists_base = 20;
  }
  return !reader.failed();
}

void DwarfUnits::read_first_entry(DwarfUnit& unit) {
  ByteReader entries = reader(unit, unit.entries);
  DwarfEntry entry;
  if (!read_entry(unit, entries, entry)) return;
  const auto set = [&](DwarfEntry::Attribute attribute, uint64_t& to) {
    if (entry.values[attribute]) to = entry.values[attribute].number;
  };
  set(DwarfEntry::kStrOffsetsBase, unit.str_offsets_base);
  set(DwarfEntry::kAddrBase, unit.addr_base);
  set(DwarfEntry::kRnglistsBase, unit.rnglists_base);
  unit.low_pc = address(unit, entry.values[DwarfEntry::kLowPc]).value_or(0);
  if (const DwarfValue& lines = entry.values[DwarfEntry::kLines]) unit.lines = lines.number;
}

const DwarfUnits::Abbreviations& DwarfUnits::abbreviations(uint64_t offset) {
  const auto [found, is_new] = abbreviations_.try_emplace(offset);
  Abbreviations& all = found->second;
  if (!is_new) return all;
  ByteReader reader(sections_->abbrev, offset);
  while (budget_->take()) {
    const uint64_t code = reader.uleb();
    if (code == 0 || reader.failed()) break;
    Abbreviation& one = all[code];
    one = {reader.uleb(), reader.u8() != 0, {}};
    while (budget_->take()) {
      Specification attribute{reader.uleb(), reader.uleb(), 0};
      if (attribute.form == kFormImplicitConst) {
        attribute.constant = static_cast<uint64_t>(reader.sleb());
      }
      if (reader.failed() || (attribute.name == 0 && attribute.form == 0)) break;
      if (!budget_->take(Budget::kStored)) break;
      one.attributes.push_back(attribute);
    }
  }
  return all;
}

bool DwarfUnits::read_entry(const DwarfUnit& unit, ByteReader& reader, DwarfEntry& entry) {
  entry = DwarfEntry{.offset = reader.at()};
  const uint64_t code = reader.uleb();
  if (reader.failed() || !budget_->take()) return false;
  if (code == 0) return true;
  const Abbreviations& all = abbreviations(unit.abbreviations);
  const auto found = all.find(code);
  if (found == all.end()) return false;
  entry.tag = found->second.tag;
  entry.has_children = found->second.has_children;
  for (const Specification& attribute : found->second.attributes) {
    const DwarfValue value = read_form(reader, unit, attribute.form, attribute.constant);
    if (reader.failed() || !budget_->take()) return false;
    const std::optional<DwarfEntry::Attribute> as = kept(attribute.name);
    if (as) entry.values[*as] = value;
  }
  return entry.tag != 0;
}

const DwarfUnit* DwarfUnits::unit_at(uint64_t offset) const {
  const auto after = std::ranges::upper_bound(units_, offset, {}, &DwarfUnit::begin);
  if (after == units_.begin() || offset >= (after - 1)->end) return nullptr;
  return offset < (after - 1)->entries ? nullptr : &*(after - 1);
}

}  // namespace clew::inject
