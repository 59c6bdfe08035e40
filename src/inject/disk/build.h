// Makes the files that a Layer says there are.
//
//   Builder builder(model, layer);
//   const Status done = builder.make(inode, path, builder.own());
//   builder.made().at(inode);                           // path
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "inject/disk/model.h"

namespace clew::inject {

class Builder {
 public:
  Builder(Model& model, const Layer& layer);

  // Who runs this.
  Owner own() const { return own_; }
  // With all that is below, if it is a folder, which may be there already.
  Status make(InodeId id, const std::string& path, Owner above);
  // Mode and owner; what is not ours to give stays ours.
  Status give(const std::string& path, const Inode& inode, Owner owner) const;
  // The first names of files that were made.
  const std::map<InodeId, std::string>& made() const { return made_; }

 private:
  Status make_file(InodeId id, const std::string& path, Owner owner);
  Status make_folder(InodeId id, const std::string& path, Owner owner);

  Model& model_;
  const Layer& layer_;
  const Owner own_;
  std::map<InodeId, std::string> made_;
};

// Into INTO/0, INTO/1, ... for the model's folders. Modes as they were known; owners, if it may.
// Holes stay holes, hard links hard links.
Status build_files(Model& model, const Layer& layer, const std::string& into);

}  // namespace clew::inject
