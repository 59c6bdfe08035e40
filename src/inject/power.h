// Power cuts: the files of each node, what is on their disk, and how they go back.
// What is on a disk, and what may be left of it, is disk.h's; here are the folders.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "inject/disk.h"
#include "inject/target.h"
#include "inject/world.h"

namespace clew::inject {

// Before anything has been started. Where a node has no `files`, they are the state.
Result<std::vector<Disk>> disks_of(const Target& target, const World& world);

// The files of a node, whose processes are gone, become this crash state. Gives the names of the
// others that there are now.
Result<std::vector<std::string>> cut_power(const Target& target, Disk& disk,
                                           const std::string& keeps);

}  // namespace clew::inject
