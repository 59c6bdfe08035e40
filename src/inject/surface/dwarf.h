// Functions, files and lines of a program by its debug information.
//
//   Dwarf dwarf(file);
//   dwarf.names_at(address);      // {"merge (master.cc:81)", "main (master.cc:120)"}
//
// What was compiled into another function comes before it, as if it had been called.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inject/surface/dwarf_lines.h"
#include "inject/surface/dwarf_units.h"
#include "inject/surface/elf_file.h"

namespace clew::inject {

class Dwarf {
 public:
  explicit Dwarf(const ElfFile& file);
  Dwarf(const Dwarf&) = delete;
  Dwarf& operator=(const Dwarf&) = delete;

  // Innermost first; empty: it says nothing of this address.
  std::vector<std::string> names_at(uint64_t address);
  size_t bytes() const;  // of the sections, which are kept

 private:
  struct Scope {  // a function, or one that was compiled into it
    std::vector<DwarfUnits::Range> ranges;
    uint64_t entry = 0;
    uint64_t call_file = 0, call_line = 0;
  };
  struct Known {                // of one unit
    std::vector<Scope> scopes;  // each after those that contain it
    DwarfLines lines;
  };
  struct Covered {
    uint64_t begin = 0, end = 0;
    size_t unit = 0;
  };

  void index_units();
  const DwarfUnit* find_unit(uint64_t address);
  Known& known(const DwarfUnit& unit);
  std::vector<Scope> read_scopes(const DwarfUnit& unit);
  std::string name_of(uint64_t offset);

  DwarfSections sections_;
  Budget budget_;
  DwarfUnits units_;
  bool is_indexed_ = false;
  std::vector<Covered> covered_;                      // by where they begin
  std::map<uint64_t, std::unique_ptr<Known>> known_;  // by where the unit begins
};

}  // namespace clew::inject
