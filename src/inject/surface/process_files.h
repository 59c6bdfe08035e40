// The descriptors and paths of a stopped process, as it sees them itself.
//
//   link_of(thread, 3);                                // "/srv/state/log", "pipe:[4711]", ""
//   const Located at = locate(thread, AT_FDCWD, "log", true);
//   at.path;                                           // absolute, without links
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <optional>
#include <string>

#include "base/descriptor.h"

namespace clew::inject {

// What /proc says; empty: there is no such descriptor. Of a file without a name it ends with
// ` (deleted)`.
std::string link_of(pid_t thread, int descriptor);
std::optional<struct stat> stat_of(pid_t thread, int descriptor);
// The position and flags of an open file.
struct OpenFile {
  uint64_t position = 0;
  int flags = 0;
};
std::optional<OpenFile> open_file_of(pid_t thread, int descriptor);

// A file, a folder, or a name that nothing has yet.
struct Located {
  std::string path{};
  std::optional<struct stat> status{};  // nothing: it is not there
};
// `folder`: a descriptor that the path is relative to, or AT_FDCWD. `follow`: also what a link
// leads to that is the last part.
Located locate(pid_t thread, int folder, const std::string& path, bool follow);

// A second descriptor of ours for what one of the process is open on: of sockets.
Descriptor copy_of(pid_t process, int descriptor);

}  // namespace clew::inject
