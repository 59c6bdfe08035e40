#include "tests/inject/disk_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "base/check.h"

namespace clew::inject {

namespace {

namespace fs = std::filesystem;

std::string make_folder() {
  const bool quick = ::access("/dev/shm", W_OK) == 0;  // no disk is slowed down by this
  const std::string parent = quick ? "/dev/shm" : fs::temp_directory_path().string();
  std::string name = parent + "/clew-disk-XXXXXX";
  CHECK(::mkdtemp(name.data()) != nullptr, "no temporary folder");
  return name;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void add_below(const fs::path& folder, const std::string& prefix,
               std::map<ino_t, std::string>& seen, std::string& all) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const std::string name = prefix + path.filename().string();
    struct stat status {};
    CHECK(::lstat(path.c_str(), &status) == 0);
    const auto [first, is_new] = seen.try_emplace(status.st_ino, name);
    all += all.empty() ? "" : " ";
    if (S_ISDIR(status.st_mode)) {
      all += name + "/";
      add_below(path, name + "/", seen, all);
    } else if (S_ISLNK(status.st_mode)) {
      all += name + ">" + fs::read_symlink(path).string();
    } else if (!is_new) {
      all += name + "&" + first->second;
    } else {
      all += name + "=" + text_of(path);
    }
  }
}

}  // namespace

std::string files_below(const std::string& folder) {
  std::map<ino_t, std::string> seen;
  std::string all;
  add_below(folder, "", seen, all);
  std::ranges::replace(all, '\0', '0');
  return all;
}

std::string files_of(Disk& disk, const std::string& keeps) {
  const std::string into = make_folder();
  const Status built = disk.build(keeps, into);
  const std::string files = built.ok() ? files_below(into + "/0") : built.error().message;
  fs::remove_all(into);
  return files;
}

BaseFolder::BaseFolder(const std::vector<std::string>& files) : path_(make_folder()) {
  fs::create_directory(path_ + "/0");
  for (const std::string& file : files) {
    const std::string below = path_ + "/0/" + file.substr(0, file.find('='));
    if (file.ends_with('/')) {
      fs::create_directory(below);
      fs::permissions(below, fs::perms{0755});
    } else {
      std::ofstream(below, std::ios::binary) << file.substr(file.find('=') + 1);
      fs::permissions(below, fs::perms{0644});
    }
  }
}

BaseFolder::~BaseFolder() { fs::remove_all(path_); }

}  // namespace clew::inject
