#include "inject/surface/process_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <string_view>

namespace clew::inject {

namespace {

std::string read_link(const std::string& path) {
  std::array<char, PATH_MAX> text;
  const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
  return size <= 0 ? std::string() : std::string(text.data(), static_cast<size_t>(size));
}

// Without `.`, `..`, and slashes that do nothing.
std::string plain(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      result.erase(std::min(result.rfind('/'), result.size()));
    } else {
      result += fmt::format("/{}", part);
    }
  }
  return result.empty() ? "/" : result;
}

std::optional<struct stat> status_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  return status;
}

// Within the root of the process, where links lead as they do for itself.
std::optional<Located> find_within(const Descriptor& root, const std::string& path, bool follow) {
  struct open_how how {};
  how.flags = O_PATH | O_CLOEXEC | (follow ? 0U : O_NOFOLLOW);
  how.resolve = RESOLVE_IN_ROOT;
  const long number = ::syscall(SYS_openat2, root.number(), path.c_str(), &how, sizeof how);
  const Descriptor file(static_cast<int>(number));
  if (!file.valid()) return std::nullopt;
  Located found{read_link(fmt::format("/proc/self/fd/{}", file.number())),
                status_of(file.number())};
  if (found.path.empty()) return std::nullopt;
  return found;
}

}  // namespace

std::string link_of(pid_t thread, int descriptor) {
  return descriptor < 0 ? std::string()
                        : read_link(fmt::format("/proc/{}/fd/{}", thread, descriptor));
}

std::optional<struct stat> stat_of(pid_t thread, int descriptor) {
  struct stat status {};
  const std::string path = fmt::format("/proc/{}/fd/{}", thread, descriptor);
  if (descriptor < 0 || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

// pos:	123
// flags:	02100001
std::optional<OpenFile> open_file_of(pid_t thread, int descriptor) {
  const std::string path = fmt::format("/proc/{}/fdinfo/{}", thread, descriptor);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 512> bytes;
  const ssize_t size = ::read(file.number(), bytes.data(), bytes.size());
  if (size <= 0) return std::nullopt;
  const std::string_view text(bytes.data(), static_cast<size_t>(size));
  const auto number = [&](std::string_view key, int base, auto& to) {
    const size_t at = text.find(key);
    if (at == std::string_view::npos) return;
    std::from_chars(text.data() + at + key.size(), text.data() + text.size(), to, base);
  };
  OpenFile open;
  number("pos:\t", 10, open.position);
  number("flags:\t", 8, open.flags);
  return open;
}

Located locate(pid_t thread, int folder, const std::string& path, bool follow) {
  std::string whole = path;
  if (!path.starts_with('/')) {
    const std::string base = folder == AT_FDCWD ? read_link(fmt::format("/proc/{}/cwd", thread))
                                                : link_of(thread, folder);
    whole = fmt::format("{}/{}", base, path);
  }
  const bool is_link_of_process = whole.starts_with("/proc/") || whole.starts_with("/dev/");
  const std::string root_path = fmt::format("/proc/{}/root", thread);
  const Descriptor root(::open(root_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (is_link_of_process || !root.valid()) return {plain(whole), std::nullopt};
  // Of a process in a chroot, links are told from our root, and paths start at its own.
  const std::string above = read_link(root_path);
  if (above.size() > 1 && !path.starts_with('/') && whole.starts_with(above + "/")) {
    whole.erase(0, above.size());
  }
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  const std::string last = whole.substr(whole.rfind('/') + 1);
  if (std::optional<Located> found = find_within(root, whole, follow)) return *std::move(found);
  if (last == "." || last == "..") return {plain(whole), std::nullopt};
  const std::string folders = whole.substr(0, whole.rfind('/') + 1);
  const std::optional<Located> parent = find_within(root, folders, true);
  return {plain(fmt::format("{}/{}", parent ? parent->path : folders, last)), std::nullopt};
}

Descriptor copy_of(pid_t process, int descriptor) {
  const auto number = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  const Descriptor of(number);
  if (!of.valid()) return Descriptor();
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_getfd, of.number(), descriptor, 0)));
}

}  // namespace clew::inject
