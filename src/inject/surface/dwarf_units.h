// Units and entries (DIEs) of DWARF 2 to 5, as they lie in the sections of a file.
//
// The file may be damaged or made to harm. All reading is within the sections, references are
// followed a few times only, and a Budget bounds the work of everything that is ever asked of one
// file: once it is spent, there is nothing more to be found.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "inject/surface/bytes.h"
#include "inject/surface/elf_file.h"

namespace clew::inject {

class Budget {
 public:
  static constexpr uint64_t kStored = 24;  // steps that something costs which is kept in memory

  // False: it is spent.
  bool take(uint64_t steps = 1) {
    left_ -= std::min(left_, steps);
    return left_ > 0;
  }

 private:
  uint64_t left_ = 200'000'000;  // about a second
};

struct DwarfSections {
  explicit DwarfSections(const ElfFile& file);
  std::string info, abbrev, str, line, line_str, ranges, rnglists, addr, str_offsets;
};

struct DwarfUnit {
  uint64_t begin = 0, end = 0;  // in .debug_info
  uint64_t entries = 0;         // the first one
  uint64_t abbreviations = 0;   // in .debug_abbrev
  uint16_t version = 0;
  uint8_t address_size = 8;
  uint8_t offset_size = 4;
  bool has_code = false;  // no type unit
  // What the first entry says.
  uint64_t str_offsets_base = 8, addr_base = 8, rnglists_base = 12;
  uint64_t low_pc = 0;
  std::optional<uint64_t> lines{};  // in .debug_line
};

// An attribute's value as it stands; DwarfUnits has what it means.
struct DwarfValue {
  uint64_t form = 0;  // 0: there is no such attribute
  uint64_t number = 0;
  std::string_view text{};
  explicit operator bool() const { return form != 0; }
};

struct DwarfEntry {
  enum Attribute : size_t {
    kName,
    kLinkageName,
    kLowPc,
    kHighPc,
    kRanges,
    kOrigin,  // DW_AT_abstract_origin, or DW_AT_specification
    kLines,
    kCallFile,
    kCallLine,
    kStrOffsetsBase,
    kAddrBase,
    kRnglistsBase,
    kAttributes
  };
  uint64_t offset = 0;
  uint64_t tag = 0;  // 0: the end of what an entry contains
  bool has_children = false;
  std::array<DwarfValue, kAttributes> values{};
};

class DwarfUnits {
 public:
  using Range = std::pair<uint64_t, uint64_t>;  // begin, end

  DwarfUnits(const DwarfSections& sections, Budget& budget);

  std::vector<DwarfUnit>& all() { return units_; }
  const DwarfUnit* unit_at(uint64_t offset) const;

  // The entry there; false if there is none.
  bool read_entry(const DwarfUnit& unit, ByteReader& reader, DwarfEntry& entry);
  std::string_view text(const DwarfUnit& unit, const DwarfValue& value) const;
  std::vector<Range> ranges(const DwarfUnit& unit, const DwarfEntry& entry) const;
  // What `value` refers to.
  std::optional<uint64_t> reference(const DwarfUnit& unit, const DwarfValue& value) const;
  ByteReader reader(const DwarfUnit& unit, uint64_t offset) const;

 private:
  struct Specification {
    uint64_t name = 0, form = 0;
    uint64_t constant = 0;
  };
  struct Abbreviation {
    uint64_t tag = 0;
    bool has_children = false;
    std::vector<Specification> attributes{};
  };
  using Abbreviations = std::unordered_map<uint64_t, Abbreviation>;

  void read_units();
  bool read_header(DwarfUnit& unit, ByteReader& reader);
  void read_first_entry(DwarfUnit& unit);
  const Abbreviations& abbreviations(uint64_t offset);
  std::optional<uint64_t> address(const DwarfUnit& unit, const DwarfValue& value) const;
  std::optional<uint64_t> indexed_address(const DwarfUnit& unit, uint64_t index) const;
  std::vector<Range> listed_ranges(const DwarfUnit& unit, uint64_t offset) const;
  std::vector<Range> new_ranges(const DwarfUnit& unit, uint64_t offset) const;

  const DwarfSections* sections_;
  Budget* budget_;
  std::vector<DwarfUnit> units_;
  std::map<uint64_t, Abbreviations> abbreviations_;
};

// Reads one value of that form. `constant`: of DW_FORM_implicit_const.
DwarfValue read_form(ByteReader& reader, const DwarfUnit& unit, uint64_t form, uint64_t constant);

}  // namespace clew::inject
