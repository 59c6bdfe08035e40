#include "host/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "base/descriptor.h"
#include "base/files.h"

namespace clew::host {

namespace {

constexpr uint64_t kMostBytes = uint64_t{4} << 30U;  // of a file that is read
constexpr mode_t kMode = 0600;                       // what a node keeps may be secret
constexpr mode_t kFolderMode = 0700;

Error failed(const char* what, const std::string& path) {
  const int code = errno;
  return {fmt::format("cannot {} {}: {}", what, path, why_not(code)), remedy_for(code)};
}

class RealFile : public File {
 public:
  RealFile(Descriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  Status write(uint64_t at, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t count =
          ::pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return failed("write", path_);
      at += static_cast<uint64_t>(count);
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    return Nothing{};
  }
  Status reserve(uint64_t size) override {
    int code = EINTR;
    while (code == EINTR) {
      code = ::posix_fallocate(file_.number(), 0, static_cast<off_t>(size));
    }
    errno = code;
    if (code != 0) return failed("make room in", path_);
    return Nothing{};
  }
  void begin_sync(uint64_t at, uint64_t size) override {
    // Only a hint: what fails here fails again in sync().
    (void)::sync_file_range(file_.number(), static_cast<off_t>(at), static_cast<off_t>(size),
                            SYNC_FILE_RANGE_WRITE);
  }
  Status sync() override {
    // Never again after it has failed: the kernel then believes that all is written.
    if (::fdatasync(file_.number()) != 0) return failed("sync", path_);
    return Nothing{};
  }

 private:
  Descriptor file_;
  std::string path_;
};

class RealFolder : public Folder {
 public:
  RealFolder(Descriptor folder, std::string path)
      : folder_(std::move(folder)), path_(std::move(path)) {}

  std::string path_of(const std::string& name) const override { return path_ + "/" + name; }

  Result<std::vector<std::string>> list() override {
    DIR* stream = ::opendir(path_.c_str());
    if (stream == nullptr) return failed("list", path_);
    std::vector<std::string> names;
    for (const dirent* entry = ::readdir(stream); entry != nullptr; entry = ::readdir(stream)) {
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    ::closedir(stream);
    std::ranges::sort(names);
    return names;
  }
  Result<std::string> read(const std::string& name) override {
    return read_file(path_of(name), kMostBytes);
  }
  Result<std::unique_ptr<File>> create(const std::string& name) override {
    return open(name, O_CREAT | O_TRUNC);
  }
  Result<std::unique_ptr<File>> open_file(const std::string& name) override {
    return open(name, 0);
  }
  Status rename(const std::string& from, const std::string& to) override {
    if (::renameat(folder_.number(), from.c_str(), folder_.number(), to.c_str()) != 0) {
      return failed("rename", path_of(from));
    }
    return Nothing{};
  }
  Status remove(const std::string& name) override {
    if (::unlinkat(folder_.number(), name.c_str(), 0) != 0) return failed("remove", path_of(name));
    return Nothing{};
  }
  Status sync() override {
    if (::fsync(folder_.number()) != 0) return failed("sync", path_);
    return Nothing{};
  }

 private:
  Result<std::unique_ptr<File>> open(const std::string& name, int flags) {
    Descriptor file(
        ::openat(folder_.number(), name.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, kMode));
    if (!file.valid()) return failed("open", path_of(name));
    return std::unique_ptr<File>(std::make_unique<RealFile>(std::move(file), path_of(name)));
  }

  Descriptor folder_;  // locked
  std::string path_;
};

// That the folder's own name is on the disk, too.
Status sync_above(const std::string& path) {
  const Descriptor above(::open((path + "/..").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!above.valid() || ::fsync(above.number()) != 0) return failed("sync the folder of", path);
  return Nothing{};
}

// With the folders above it; the names of all that are made are on the disk then.
Status make_folder(const std::filesystem::path& path) {
  const auto is_made = [&] { return ::mkdir(path.c_str(), kFolderMode) == 0; };
  if (!is_made()) {
    if (errno == EEXIST) return Nothing{};
    if (errno != ENOENT || !path.has_parent_path()) return failed("make the folder", path);
    if (const Status above = make_folder(path.parent_path()); !above.ok()) return above.error();
    if (!is_made() && errno != EEXIST) return failed("make the folder", path);
  }
  return sync_above(path);
}

}  // namespace

Result<std::unique_ptr<Folder>> Folder::open(const std::string& path) {
  if (const Status made = make_folder(path); !made.ok()) return made.error();
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return failed("open the folder", path);
  if (::flock(folder.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return failed("lock the folder", path);
    return Error{fmt::format("another process works in {}", path),
                 "end that one first, or give each node a data folder of its own"};
  }
  return std::unique_ptr<Folder>(std::make_unique<RealFolder>(std::move(folder), path));
}

}  // namespace clew::host
