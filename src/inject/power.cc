#include "inject/power.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

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
    disks.back().look();
  }
  return disks;
}

Result<std::vector<std::string>> cut_power(const Target& target, Disk& disk,
                                           const std::string& keeps) {
  std::vector<std::string> choices =
      disk.choices(target.kinds.most_states, target.kinds.torn_renames);
  std::erase(choices, keeps);
  if (const Status restored = disk.restore(keeps); !restored.ok()) return restored.error();
  return choices;
}

}  // namespace clew::inject
