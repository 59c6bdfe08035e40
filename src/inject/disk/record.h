// What calls do to the Model: their operations, and what is durable after a sync.
//
//   record({.row = find_call(SYS_fsync), .path = "/state/db"}, model);
#pragma once

#include "inject/disk.h"
#include "inject/disk/model.h"

namespace clew::inject {

void record(const DiskCall& call, Model& model);

}  // namespace clew::inject
