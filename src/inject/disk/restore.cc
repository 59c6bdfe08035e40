#include "inject/disk/restore.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "inject/disk/build.h"

namespace clew::inject {

namespace {

Error cannot_restore(const std::string& path, int code) {
  return {fmt::format("cannot bring {} into a crash state: {}", path, why_not(code)),
          remedy_for(code)};
}

// Nothing: it is a folder, or has several names.
std::optional<Stamp> stamp_of(const struct stat& status) {
  if (S_ISDIR(status.st_mode) || status.st_nlink != 1) return {};
  return Stamp{status.st_dev, status.st_ino, status.st_size, status.st_ctim, {}};
}

void stamp(InodeId id, const std::string& path, const Extents& content, Stamps& stamps) {
  struct stat status {};
  std::optional<Stamp> now;
  if (::lstat(path.c_str(), &status) == 0) now = stamp_of(status);
  if (!now) return;
  now->content = content;
  stamps[id] = *std::move(now);
}

void look_below(const Model& model, InodeId folder, const std::string& path, Stamps& stamps) {
  for (const auto& [name, id] : model.durable.names(folder)) {
    const std::string below = path + "/" + name;
    if (model.inodes[id].is_folder()) {
      look_below(model, id, below, stamps);
    } else {
      stamp(id, below, model.durable.content(id), stamps);
    }
  }
}

class Restorer {
 public:
  Restorer(Model& model, const Layer& layer, Stamps& stamps)
      : model_(model), layer_(layer), stamps_(stamps), builder_(model, layer) {}

  Status restore();

 private:
  Status folder(InodeId id, const std::string& path, Owner above);
  Result<std::set<std::string>> clear(InodeId id, const std::string& path);
  bool stays(InodeId id, const struct stat& status) const;

  Model& model_;
  const Layer& layer_;
  Stamps& stamps_;
  Builder builder_;
};

bool Restorer::stays(InodeId id, const struct stat& status) const {
  if (model_.inodes[id].is_folder()) return S_ISDIR(status.st_mode);
  const auto known = stamps_.find(id);
  if (known == stamps_.end() || model_.touched.contains(id) || layer_.links(id) != 1) return false;
  const std::optional<Stamp> now = stamp_of(status);
  const Stamp& then = known->second;
  return now && now->device == then.device && now->number == then.number &&
         now->size == then.size && now->changed.tv_sec == then.changed.tv_sec &&
         now->changed.tv_nsec == then.changed.tv_nsec && layer_.content(id) == then.content;
}

// Takes away what is not as it has to be, and gives the names of what is.
Result<std::set<std::string>> Restorer::clear(InodeId id, const std::string& path) {
  const Layer::Names& names = layer_.names(id);
  std::set<std::string> left;
  std::vector<std::filesystem::path> gone;
  std::error_code error;
  for (std::filesystem::directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    std::string name = it->path().filename().string();
    struct stat status {};
    if (::lstat(it->path().c_str(), &status) != 0) return cannot_restore(it->path(), errno);
    const auto wanted = names.find(name);
    if (wanted != names.end() && stays(wanted->second, status)) {
      left.insert(std::move(name));
    } else {
      gone.push_back(it->path());
    }
  }
  for (const auto& below : gone) {
    if (!error) std::filesystem::remove_all(below, error);
  }
  if (error) return cannot_restore(path, error.value());
  return left;
}

Status Restorer::folder(InodeId id, const std::string& path, Owner above) {
  const Inode& inode = model_.inodes[id];
  const Owner owner = inode.owner.value_or(above);
  const Result<std::set<std::string>> left = clear(id, path);
  if (!left.ok()) return left.error();
  for (const auto& [name, below] : layer_.names(id)) {
    const bool is_there = left->contains(name);
    if (is_there && !model_.inodes[below].is_folder()) continue;
    const std::string there = path + "/" + name;
    Status done = is_there ? folder(below, there, owner) : builder_.make(below, there, owner);
    if (!done.ok()) return done;
  }
  return builder_.give(path, inode, owner);
}

Status Restorer::restore() {
  for (size_t i = 0; i < model_.folders.size(); ++i) {
    Status done = folder(static_cast<InodeId>(i), model_.folders[i], builder_.own());
    if (!done.ok()) return done;
  }
  for (const auto& [id, path] : builder_.made()) {
    stamps_.erase(id);
    stamp(id, path, layer_.content(id), stamps_);
  }
  return Nothing();
}

}  // namespace

Stamps look_at(const Model& model) {
  Stamps stamps;
  for (size_t i = 0; i < model.folders.size(); ++i) {
    look_below(model, static_cast<InodeId>(i), model.folders[i], stamps);
  }
  return stamps;
}

Status restore_files(Model& model, const Layer& layer, Stamps& stamps) {
  return Restorer(model, layer, stamps).restore();
}

}  // namespace clew::inject
