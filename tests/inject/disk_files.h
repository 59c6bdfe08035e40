// Files as text that a test can compare: "a=abc d/ d/b=x".
#pragma once

#include <string>
#include <vector>

#include "inject/disk.h"

namespace clew::inject {

// All that is below a folder, by name, but for the kind of files: a folder ends in `/`, a link is
// `name>where`, and a second name of a file `name&first`. A byte 0 reads `0`.
std::string files_below(const std::string& folder);

// The crash state, really built; or the error.
std::string files_of(Disk& disk, const std::string& keeps);

// A folder that vanishes, with the base of a disk in it: folder 0 has these files, each "name=text"
// or "name/".
class BaseFolder {
 public:
  explicit BaseFolder(const std::vector<std::string>& files);
  ~BaseFolder();
  BaseFolder(const BaseFolder&) = delete;
  BaseFolder& operator=(const BaseFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace clew::inject
