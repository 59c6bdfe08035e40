// What must be true of all files that a process may have loaded.
#pragma once

#include <cstring>
#include <string>

#include "base/check.h"
#include "inject/surface/module_file.h"

namespace clew::inject {

// Every place has a name of a sane length, and the same one when asked again. True if one is told
// by the file.
inline bool check_module_property(const std::string& bytes) {
  ModuleFile file("module", ElfFile(bytes));
  uint64_t entry = 0;  // where the program begins
  if (bytes.size() >= 32) std::memcpy(&entry, bytes.data() + 24, sizeof entry);
  bool told = false;
  for (const uint64_t offset : {0U, 1U, 8U, 0x10U, 0x20U, 0x40U, 0x80U, 0x100U}) {
    const std::vector<std::string> names = file.names_at(entry + offset);
    CHECK(!names.empty());
    for (const std::string& name : names) CHECK(!name.empty() && name.size() <= 1024);
    CHECK(file.names_at(entry + offset) == names);
    CHECK(file.rule_at(entry + offset) == file.rule_at(entry + offset));
    told |= !names.front().starts_with("module+0x");
  }
  return told;
}

}  // namespace clew::inject
