// What is mapped where in a process, and of which file.
//
//   const std::vector<Mapping> all = read_maps(process);
//   const Mapping* one = find_mapping(all, pc);
//   if (one) use(one->path, one->offset + (pc - one->begin));
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clew::inject {

struct Mapping {
  uint64_t begin = 0, end = 0;
  uint64_t offset = 0;  // in the file
  uint64_t inode = 0;
  bool executable = false;
  std::string path{};  // as in /proc/PID/maps: `/bin/sh`, `[vdso]`, `` if it is of no file
  size_t first = 0;    // the index of the first mapping of the same module
};

// By address. Empty: the process is gone.
std::vector<Mapping> read_maps(pid_t process);
std::vector<Mapping> parse_maps(std::string_view text);
const Mapping* find_mapping(const std::vector<Mapping>& all, uint64_t address);

}  // namespace clew::inject
