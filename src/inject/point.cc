#include "inject/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace clew::inject {

namespace {

// With its length, so that nothing that follows can be taken for a part of it.
void add(std::string& text, std::string_view part) {
  text += fmt::format("{}:{}", part.size(), part);
}

void add(std::string& text, const Object& object) {
  add(text, fmt::format("{}", static_cast<int>(object.kind)));
  add(text, object.name);
}

// `libc.so.6+0x1a2b`, `libc.so.6:fsync+0x12`, `[vdso]+0x10`, `[anonymous]`: a place in a module
// that is no program.
bool is_library(std::string_view frame) {
  if (frame.starts_with('[')) return true;
  const size_t plus = frame.rfind("+0x");
  if (plus == std::string_view::npos || frame.ends_with(')')) return false;
  std::string_view module = frame.substr(0, plus);
  module.remove_prefix(module.rfind('/') + 1);
  return module.ends_with(".so") || module.find(".so.") != std::string_view::npos ||
         module.find(".so:") != std::string_view::npos;
}

}  // namespace

std::string Point::id() const {
  std::string all;
  add(all, node);
  add(all, thread);
  add(all, call);
  add(all, to_string(io));
  add(all, object);
  add(all, object2);
  for (const std::string& frame : stack) add(all, frame);
  const uint64_t hash = std::stoull(fingerprint(all), nullptr, 16);
  return fmt::format("{:08x}", static_cast<uint32_t>(hash ^ (hash >> 32U)));
}

std::string Point::place() const {
  if (stack.empty()) return "an unknown place";
  const auto own = std::ranges::find_if_not(stack, is_library);
  return own == stack.end() ? stack.front() : *own;
}

bool Point::is_loading() const {
  const auto is_loader = [](std::string_view frame) {
    frame.remove_prefix(frame.substr(0, frame.find("+0x")).rfind('/') + 1);
    return frame.starts_with("ld-linux") || frame.starts_with("ld-musl");
  };
  return !stack.empty() && std::ranges::all_of(stack, is_loader);
}

}  // namespace clew::inject
