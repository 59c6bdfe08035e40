// Copies of folders with all that is in them, as a run needs them.
//
//   if (is_small(state, 8U << 20U)) copied = copy_tree(state, copy);
//   const Status emptied = empty_folder(copy);      // the folder itself stays
//
// Modes, owners, times, links of both kinds and pipes are copied as they are; sockets are left out,
// since nobody listens to a copy. Links are never followed.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace clew::inject {

// At most so many bytes, and a thousand files. A folder that cannot be read is not.
bool is_small(const std::string& folder, uint64_t most_bytes);

// What is in `from` comes into `to`, which is made if it is not there.
Status copy_tree(const std::string& from, const std::string& to);

Status empty_folder(const std::string& folder);

}  // namespace clew::inject
