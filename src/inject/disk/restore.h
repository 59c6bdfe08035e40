// Brings real files into a crash state, and changes only what differs from it.
//
//   Stamps stamps = look_at(model);                      // the folders are as `durable` says
//   record({.row = find_call(SYS_ftruncate), .path = folder + "/a", .size = 7}, model);
//   const Status done = restore_files(model, layer, stamps);     // they are as the layer says
//
// A file is left alone if it has the number, size and time of change that it had when it was
// looked at, the layer wants what it held then, and the model knows of nothing that was written to
// it or mapped since. All others are made anew, those with several names always.
#pragma once

#include <sys/stat.h>

#include <ctime>
#include <map>

#include "base/result.h"
#include "inject/disk/model.h"

namespace clew::inject {

// A file as it was when somebody looked.
struct Stamp {
  dev_t device = 0;
  ino_t number = 0;
  off_t size = 0;
  timespec changed{};
  Extents content{};
};
using Stamps = std::map<InodeId, Stamp>;

Stamps look_at(const Model& model);

Status restore_files(Model& model, const Layer& layer, Stamps& stamps);

}  // namespace clew::inject
