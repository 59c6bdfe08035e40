// What the memory of a process says about a module that is loaded there: no file needs to be found
// or trusted for it.
//
//   const std::optional<Image> image = read_image(base, read);
//   image->build_id;                 // "8f2c...", empty: it has none
//   image->unwind_header;            // where .eh_frame_hdr is, for CfiReader
//   image->address_in_file(pc);      // as symbols and DWARF count
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "inject/surface/cfi.h"

namespace clew::inject {

struct Image {
  std::string build_id{};  // hexadecimal, of GNU's or Go's note
  uint64_t unwind_header = 0;
  uint64_t bias = 0;  // addresses in memory minus those of the file

  uint64_t address_in_file(uint64_t pc) const { return pc - bias; }
};

// `base`: where the first byte of the module is mapped. Nothing: it is no ELF file of 64 bits.
std::optional<Image> read_image(uint64_t base, const CfiReader::Read& read);

}  // namespace clew::inject
