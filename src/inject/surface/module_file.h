// What the file of a module says of a place in it. Its name: `merge (master.cc:81)` by debug
// information, else `libc.so.6:fsync+0x12` by symbols, else `redis-server+0x1a2b`.
//
//   ModuleFile file("redis-server", Descriptor(::open(path, O_RDONLY)), build_id);
//   file.names_at(address);                // innermost first, at least one
//   file.rule_at(address);                 // of programs that do not carry a table for it
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "inject/surface/cfi.h"
#include "inject/surface/dwarf.h"
#include "inject/surface/elf_file.h"

namespace clew::inject {

class ModuleFile {
 public:
  // A file of another build than `build_id` is not used; without one any is.
  ModuleFile(std::string module, Descriptor file, const std::string& build_id);
  ModuleFile(std::string module, ElfFile file);

  // `address`: as the file counts.
  std::vector<std::string> names_at(uint64_t address);
  FrameRule rule_at(uint64_t address);

 private:
  std::string module_;
  ElfFile file_;
  std::unique_ptr<Dwarf> dwarf_;
  std::string unwind_;  // .eh_frame
  std::unique_ptr<CfiReader> cfi_;
};

// Without folders and ` (deleted)`, and no longer than a name should be.
std::string module_name(std::string_view path);

}  // namespace clew::inject
