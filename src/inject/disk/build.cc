#include "inject/disk/build.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/descriptor.h"
#include "base/files.h"

namespace clew::inject {

namespace {

Error cannot_make(const std::string& path, int code) {
  return {fmt::format("cannot make {} of a crash state: {}", path, why_not(code)),
          remedy_for(code)};
}

Status did(bool done, const std::string& path) {
  if (!done) return cannot_make(path, errno);
  return Nothing();
}

}  // namespace

Builder::Builder(Model& model, const Layer& layer)
    : model_(model), layer_(layer), own_{::geteuid(), ::getegid()} {}

Status Builder::make(InodeId id, const std::string& path, Owner above) {
  const Inode& inode = model_.inodes[id];
  const Owner owner = inode.owner.value_or(above);
  if (inode.is_folder()) return make_folder(id, path, owner);
  const auto [known, is_new] = made_.try_emplace(id, path);
  if (!is_new) return did(::link(known->second.c_str(), path.c_str()) == 0, path);
  if (inode.is_file()) return make_file(id, path, owner);
  const bool made = S_ISLNK(inode.mode) ? ::symlink(inode.leads_to.c_str(), path.c_str()) == 0
                                        : ::mknod(path.c_str(), inode.mode, inode.device) == 0;
  if (!made) return did(false, path);
  return give(path, inode, owner);
}

Status Builder::give(const std::string& path, const Inode& inode, Owner owner) const {
  if (owner.user != own_.user || owner.group != own_.group) {
    const int done =
        ::fchownat(AT_FDCWD, path.c_str(), owner.user, owner.group, AT_SYMLINK_NOFOLLOW);
    if (done != 0 && errno != EPERM) return did(false, path);
  }
  if (S_ISLNK(inode.mode)) return Nothing();
  return did(::chmod(path.c_str(), inode.mode & 07777U) == 0, path);
}

Status Builder::make_file(InodeId id, const std::string& path, Owner owner) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) return did(false, path);
  const Extents& content = layer_.content(id);
  for (const Piece& piece : content.pieces()) {
    Status written = model_.bytes.write(piece, file.number());
    if (!written.ok()) return written;
  }
  const bool ends = !content.pieces().empty() && content.pieces().back().end() == content.size();
  if (!ends && content.size() > 0 &&
      ::ftruncate(file.number(), static_cast<off_t>(content.size())) != 0) {
    return did(false, path);
  }
  return give(path, model_.inodes[id], owner);
}

Status Builder::make_folder(InodeId id, const std::string& path, Owner owner) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return did(false, path);
  for (const auto& [name, below] : layer_.names(id)) {
    Status done = make(below, path + "/" + name, owner);
    if (!done.ok()) return done;
  }
  return give(path, model_.inodes[id], owner);
}

Status build_files(Model& model, const Layer& layer, const std::string& into) {
  if (::mkdir(into.c_str(), 0700) != 0 && errno != EEXIST) return cannot_make(into, errno);
  Builder builder(model, layer);
  for (size_t i = 0; i < model.folders.size(); ++i) {
    const std::string path = fmt::format("{}/{}", into, i);
    Status done = builder.make(static_cast<InodeId>(i), path, builder.own());
    if (!done.ok()) return done;
  }
  return Nothing();
}

}  // namespace clew::inject
