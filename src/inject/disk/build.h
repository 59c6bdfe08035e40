// Writes the files that a Layer says there are: into INTO/0, INTO/1, ... for the model's folders.
#pragma once

#include <string>

#include "base/result.h"
#include "inject/disk/model.h"

namespace clew::inject {

// Modes as they were known; owners, if it may. Holes stay holes, hard links hard links.
Status build_files(Model& model, const Layer& layer, const std::string& into);

}  // namespace clew::inject
