// The line table of one unit: .debug_line of DWARF 2 to 5.
//
//   const DwarfLines lines(sections, units, unit, budget);
//   const DwarfLines::Row* row = lines.at(address);
//   use(lines.file(row->file), row->line);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inject/surface/bytes.h"
#include "inject/surface/dwarf_units.h"

namespace clew::inject {

class DwarfLines {
 public:
  struct Row {
    uint64_t begin = 0, end = 0;
    uint32_t file = 0, line = 0;
  };

  // `texts` gives what the forms of DWARF 5 mean.
  DwarfLines(const DwarfSections& sections, const DwarfUnits& texts, const DwarfUnit& unit,
             Budget& budget);

  const Row* at(uint64_t address) const;        // null: of no line
  std::string_view file(uint64_t index) const;  // without its folders; empty: there is none

 private:
  struct Head {
    uint8_t step = 1;  // minimum_instruction_length
    int8_t line_base = 0;
    uint8_t line_range = 1;
    uint8_t first_special = 1;
    std::string_view lengths{};  // of the standard opcodes
  };
  struct Registers {
    uint64_t address = 0;
    uint64_t file = 1;
    uint64_t line = 1;
  };

  bool read_head(ByteReader& reader, Head& head) const;
  void read_old_files(ByteReader& reader);
  void read_new_files(ByteReader& reader, const DwarfUnits& texts);
  void run(ByteReader& reader, const Head& head);
  bool extended(ByteReader& reader, Registers& now);
  void standard(ByteReader& reader, uint8_t code, const Head& head, Registers& now);
  void add(const Registers& now);
  void end_sequence(uint64_t address);

  Budget* budget_;
  DwarfUnit unit_;
  std::vector<std::string_view> files_;
  std::vector<Row> rows_;
  bool is_open_ = false;  // the last row has no end yet
};

}  // namespace clew::inject
