// What a place in a module is called: `merge (master.cc:81)` by debug information, else
// `libc.so.6:fsync+0x12` by symbols, else `redis-server+0x1a2b`.
//
//   ModuleNames names("redis-server", Descriptor(open(...)), build_id);
//   names.at(address);                // innermost first, at least one
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "inject/surface/dwarf.h"
#include "inject/surface/elf_file.h"

namespace clew::inject {

class ModuleNames {
 public:
  // A file of another build than `build_id` is not used; without one any is.
  ModuleNames(std::string module, Descriptor file, const std::string& build_id);
  ModuleNames(std::string module, ElfFile file);

  // `address`: as the file counts.
  std::vector<std::string> at(uint64_t address);

 private:
  std::string module_;
  ElfFile file_;
  std::unique_ptr<Dwarf> dwarf_;
};

// Without folders and ` (deleted)`, and no longer than a name should be.
std::string module_name(std::string_view path);

}  // namespace clew::inject
