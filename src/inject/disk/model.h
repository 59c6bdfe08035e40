// All that is known of the files of a node: what is durable, what processes see, and what is in
// between.
//
//   Model model;
//   model.folders = {"/state"};
//   const Status scanned = model.scan(base);            // what is there at first
//   const std::optional<Where> where = model.find("/state/db/log");
//   where->inode;                                       // nothing: there is no such file
//
// A path leads nowhere if it is in none of the folders.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inject/disk/bytes.h"
#include "inject/disk/layer.h"
#include "inject/disk/log.h"
#include "inject/observed.h"

namespace clew::inject {

struct Owner {
  uid_t user = 0;
  gid_t group = 0;
};

// What does not change while the model looks at it: changes of modes and owners are not modelled.
struct Inode {
  mode_t mode = S_IFREG | 0644;
  std::optional<Owner> owner{};  // nothing: that of the folder that it is in
  dev_t device = 0;
  std::string leads_to{};  // of a symbolic link
  bool named = false;      // it has had a name: one without is gone once it is closed

  bool is_folder() const { return S_ISDIR(mode); }
  bool is_file() const { return S_ISREG(mode); }
};

struct Where {
  std::optional<InodeId> folder{};  // nothing: it is one of the model's folders
  std::string name{};
  std::optional<InodeId> inode{};
};

struct Model {
  std::vector<std::string> folders{};  // inodes 0, 1, ...
  std::vector<Inode> inodes{};
  std::map<uint64_t, InodeId> numbers{};  // as processes know them
  Bytes bytes{};
  Layer durable{};
  Layer live{&durable};
  Log log{};
  std::set<Warning> warnings{};
  std::set<InodeId> touched{};  // written to or mapped since the last start

  Model() = default;
  Model(const Model&) = delete;  // `live` is about this `durable`
  Model& operator=(const Model&) = delete;

  Status scan(const std::string& base);
  InodeId add(Inode inode);
  bool is_inside(std::string_view path) const;
  // As processes see it. Nothing: it is outside, or in a folder that nobody has seen being made.
  std::optional<Where> find(std::string_view path) const;
  void warn(std::string what, std::string remedy);

 private:
  std::optional<size_t> folder_of(std::string_view path) const;
  Status scan_folder(const std::string& path, InodeId folder,
                     std::map<std::pair<dev_t, ino_t>, InodeId>& seen);
  InodeId add_found(const std::string& path, const struct stat& status);
};

}  // namespace clew::inject
