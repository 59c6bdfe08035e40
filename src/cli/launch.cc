#include "cli/launch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>

#include "base/descriptor.h"

namespace clew::cli {

namespace {

bool is_newer(const struct stat& file, const struct stat& than) {
  return std::tie(file.st_mtim.tv_sec, file.st_mtim.tv_nsec) >
         std::tie(than.st_mtim.tv_sec, than.st_mtim.tv_nsec);
}

// The whole file, in which every line ends; else nothing.
std::string read_lines(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.valid() || ::fstat(file.number(), &status) != 0) return "";
  std::string text(static_cast<size_t>(status.st_size), '\0');
  const ssize_t count = ::read(file.number(), text.data(), text.size());
  const bool whole = count == status.st_size && text.ends_with('\n');
  return whole ? text : "";
}

bool is_up_to_date(const std::string& root) {
  const std::string built = root + "/build/release/built";
  struct stat stamp {};
  if (::stat((built + ".stamp").c_str(), &stamp) != 0) return false;
  std::string names = read_lines(built + ".sources");
  if (names.empty()) return false;
  const Descriptor folder(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  std::ranges::replace(names, '\n', '\0');
  for (size_t at = 0; at < names.size(); at = names.find('\0', at) + 1) {
    struct stat source {};
    if (::fstatat(folder.number(), names.c_str() + at, &source, 0) != 0) return false;
    if (is_newer(source, stamp)) return false;
  }
  return true;
}

std::string& started_in() {
  static std::string root;  // where the sources are, if ./clew has started this
  return root;
}

[[noreturn]] void build(const char* what, char** argv) {
  ::setenv("CLEW_BUILD", what, 1);
  const std::string launcher = started_in() + "/clew";
  ::execv(launcher.c_str(), argv);
  std::perror(launcher.c_str());
  std::_Exit(1);
}

}  // namespace

void build_first_if_needed(char** argv) {
  const char* given = std::getenv("CLEW_ROOT");
  if (given == nullptr) return;
  started_in() = given;
  ::unsetenv("CLEW_ROOT");
  if (!is_up_to_date(started_in())) build("1", argv);
}

void build_what_is_missing(const char* what, char** argv) {
  if (!started_in().empty()) build(what, argv);
}

}  // namespace clew::cli
