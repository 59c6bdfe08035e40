// An empty folder to be in, for as long as it lives.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/check.h"

namespace clew::inject {

class ScratchFolder {
 public:
  ScratchFolder() : before_(std::filesystem::current_path()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "clew-inject-XXXXXX").string();
    CHECK(mkdtemp(pattern.data()) != nullptr);
    folder_ = std::filesystem::canonical(pattern);
    std::filesystem::current_path(folder_);
  }
  ~ScratchFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

 private:
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

}  // namespace clew::inject
