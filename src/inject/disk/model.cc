#include "inject/disk/model.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <filesystem>

#include "base/files.h"

namespace clew::inject {

namespace {

Error cannot_scan(const std::string& path, int code) {
  return {fmt::format("cannot read {}, which crash states are made of: {}", path, why_not(code)),
          remedy_for(code)};
}

std::string text_of_link(const std::string& path) {
  std::string text(PATH_MAX, '\0');
  const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
  text.resize(size < 0 ? 0 : static_cast<size_t>(size));
  return text;
}

// Sorted, so that everything has the same number in every run.
Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) return cannot_scan(folder, error.value());
  std::ranges::sort(names);
  return names;
}

// The first part of `path`, which is taken off.
std::string_view take_part(std::string_view& path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  const std::string_view part = path.substr(0, path.find('/'));
  path.remove_prefix(part.size());
  return part;
}

}  // namespace

InodeId Model::add(Inode inode) {
  inodes.push_back(std::move(inode));
  return static_cast<InodeId>(inodes.size() - 1);
}

void Model::warn(std::string what, std::string remedy) {
  warnings.insert({std::move(what), std::move(remedy)});
}

InodeId Model::add_found(const std::string& path, const struct stat& status) {
  const InodeId id = add({.mode = status.st_mode,
                          .owner = Owner{status.st_uid, status.st_gid},
                          .device = status.st_rdev,
                          .named = true});
  if (S_ISLNK(status.st_mode)) inodes[id].leads_to = text_of_link(path);
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<uint64_t>(status.st_size);
    durable.change(id) = Extents(size, {{0, size, bytes.add_file(path), 0}});
  }
  return id;
}

Status Model::scan_folder(const std::string& path, InodeId folder,
                          std::map<std::pair<dev_t, ino_t>, InodeId>& seen) {
  const Result<std::vector<std::string>> names = names_in(path);
  if (!names.ok()) return names.error();
  for (const std::string& name : *names) {
    const std::string below = path + "/" + name;
    struct stat status {};
    if (::lstat(below.c_str(), &status) != 0) return cannot_scan(below, errno);
    const auto known = seen.find({status.st_dev, status.st_ino});
    const InodeId id = known != seen.end() ? known->second : add_found(below, status);
    seen[{status.st_dev, status.st_ino}] = id;
    durable.set(folder, name, id, inodes[id].is_folder());
    if (!inodes[id].is_folder()) continue;
    if (Status done = scan_folder(below, id, seen); !done.ok()) return done;
  }
  return Nothing();
}

Status Model::scan(const std::string& base) {
  std::map<std::pair<dev_t, ino_t>, InodeId> seen;
  for (size_t i = 0; i < folders.size(); ++i) add({.mode = S_IFDIR | 0755, .named = true});
  for (size_t i = 0; i < folders.size(); ++i) {
    const std::string path = fmt::format("{}/{}", base, i);
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return cannot_scan(path, errno);
    Inode& root = inodes[i];
    root.mode = status.st_mode;
    root.owner = Owner{status.st_uid, status.st_gid};
    if (Status done = scan_folder(path, static_cast<InodeId>(i), seen); !done.ok()) {
      return done;
    }
  }
  return Nothing();
}

// The innermost one.
std::optional<size_t> Model::folder_of(std::string_view path) const {
  std::optional<size_t> best;
  for (size_t i = 0; i < folders.size(); ++i) {
    const std::string& folder = folders[i];
    const bool inside =
        path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
    if (inside && (!best || folder.size() > folders[*best].size())) best = i;
  }
  return best;
}

bool Model::is_inside(std::string_view path) const { return folder_of(path).has_value(); }

std::optional<Where> Model::find(std::string_view path) const {
  const std::optional<size_t> root = folder_of(path);
  if (!root) return {};
  path.remove_prefix(folders[*root].size());
  Where where{.inode = static_cast<InodeId>(*root)};
  for (std::string_view part = take_part(path); !part.empty(); part = take_part(path)) {
    if (!where.inode) return {};
    where.folder = where.inode;
    where.name = part;
    const Layer::Names& names = live.names(*where.folder);
    const auto found = names.find(where.name);
    where.inode = found == names.end() ? std::nullopt : std::optional(found->second);
  }
  return where;
}

}  // namespace clew::inject
