// The notes of an ELF file, of which we want the id of its build.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clew::inject {

constexpr uint64_t kMostNoteBytes = 1 << 12;

// Hexadecimal, of GNU's note or Go's. Empty: there is none.
std::string find_build_id(std::string_view notes);

}  // namespace clew::inject
