// Sections and symbols of an ELF file (64 bits, little endian), which may be truncated, cyclic or
// huge: what does not fit together is not there, and nothing is read that is not needed.
//
//   ElfFile file(Descriptor(::open(path, O_RDONLY)));
//   const std::string lines = file.section(".debug_line");    // empty: there is none
//   file.build_id();
//   file.function_at(address);                                // "fsync+0x12"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace clew::inject {

class ElfFile {
 public:
  explicit ElfFile(Descriptor file);
  // The whole file, for tests.
  explicit ElfFile(std::string bytes);

  bool valid() const { return !sections_.empty(); }
  std::string build_id() const;
  // Compressed ones are not there, either.
  std::string section(std::string_view name) const;
  // Where the program finds it when it runs; 0: there is none.
  uint64_t address_of(std::string_view name) const;
  // By the symbols with a size; of several the one with the shortest name, then the first by name.
  // Empty: none.
  std::string function_at(uint64_t address);

 private:
  struct Section {
    std::string name;
    uint32_t type = 0;
    uint64_t offset = 0, size = 0, address = 0;
    uint32_t link = 0;
  };
  struct Symbol {
    uint64_t begin = 0, size = 0;
    uint32_t name = 0;  // where it is in symbol_names_
  };

  void read_sections();
  std::string read(uint64_t offset, uint64_t size) const;
  void read_symbols(uint32_t type);

  Descriptor file_;
  std::string bytes_;
  uint64_t size_ = 0;
  std::vector<Section> sections_;
  bool has_symbols_ = false;
  std::vector<Symbol> symbols_;  // by where they begin
  std::string symbol_names_;
};

// `leveldb::DBImpl::Write` of `_ZN7leveldb6DBImpl5WriteERKNS_...`: names in namespaces and classes.
// Whatever else (templates, operators) stays as it is.
std::string plain_function_name(std::string_view mangled);

}  // namespace clew::inject
