// Runs some code in a world of its own, and gives back what it says.
//
//   std::string said = in_world(target, [](const World& world) { return world.first(0); });
#pragma once

#include <functional>
#include <string>

#include "inject/target.h"
#include "inject/world.h"

namespace clew::inject {

// Loud, where this machine does not permit worlds: then tests of them are skipped.
bool has_worlds();

std::string in_world(const Target& target, const std::function<std::string(const World&)>& code);

// What the code says in a process of its own, or of nobody's.
std::string in_process(const std::function<std::string()>& code);
std::string as_user(const std::function<std::string()>& code);

// A target in this folder, with nothing in it but state.
Target plain_target(const std::string& folder, const std::vector<std::string>& state = {});

// A file of the real file system, as text; "none" if it cannot be read.
std::string text_of(const std::string& path);
// "ok", or the name of the error.
std::string write_text(const std::string& path, const std::string& text);

}  // namespace clew::inject
