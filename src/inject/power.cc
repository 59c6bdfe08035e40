#include "inject/power.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "inject/trees.h"

namespace clew::inject {

namespace {

const std::vector<std::string>& files_of(const NodeSpec& node, const Target& target) {
  return node.files.empty() ? target.state : node.files;
}

}  // namespace

Result<std::vector<Disk>> disks_of(const Target& target, const World& world) {
  std::vector<Disk> disks;
  for (size_t i = 0; i < target.nodes.size(); ++i) {
    const std::vector<std::string>& folders = files_of(target.nodes[i], target);
    const std::string base = fmt::format("{}/base{}", world.scratch(), i);
    ::mkdir(base.c_str(), 0700);
    for (size_t k = 0; k < folders.size(); ++k) {
      const Status kept = world.keep(folders[k], fmt::format("{}/{}", base, k));
      if (!kept.ok()) return kept.error();
    }
    disks.emplace_back(folders, base);
  }
  return disks;
}

Result<std::vector<std::string>> cut_power(const NodeSpec& node, const Target& target, Disk& disk,
                                           const std::string& keeps, const std::string& scratch) {
  std::vector<std::string> choices =
      disk.choices(target.kinds.most_states, target.kinds.torn_renames);
  std::erase(choices, keeps);
  std::error_code error;
  std::filesystem::remove_all(scratch, error);
  if (::mkdir(scratch.c_str(), 0700) != 0) {
    return Error{fmt::format("cannot make room for a crash state: {}", why_not(errno)),
                 remedy_for(errno)};
  }
  if (const Status built = disk.build(keeps, scratch); !built.ok()) return built.error();
  const std::vector<std::string>& folders = files_of(node, target);
  for (size_t k = 0; k < folders.size(); ++k) {
    const Status emptied = empty_folder(folders[k]);
    if (!emptied.ok()) return emptied.error();
    const Status copied = copy_tree(fmt::format("{}/{}", scratch, k), folders[k]);
    if (!copied.ok()) return copied.error();
  }
  std::filesystem::remove_all(scratch, error);
  if (const Status settled = disk.settle(keeps); !settled.ok()) return settled.error();
  return choices;
}

}  // namespace clew::inject
