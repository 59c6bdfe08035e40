#include "base/toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/columns.h"
#include "base/toml_guard.h"

namespace clew {

namespace {

bool stumbles(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
  } catch (const toml::parse_error&) {
    return false;
  } catch (const TomlStumbles&) {
    return true;
  }
  return false;
}

// The line is the last one of the shortest beginning that cannot be read so.
Error where_it_stumbles(std::string_view text, const std::string& path, const std::string& what) {
  std::vector<size_t> ends;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ends.push_back(i + 1);
  }
  ends.push_back(text.size());
  const auto line = std::ranges::partition_point(
      ends, [&](size_t end) { return !stumbles(text.substr(0, end)); });
  return {fmt::format("{}:{}:1: a value of this line cannot be read", path,
                      std::min<ptrdiff_t>(line - ends.begin() + 1, std::ssize(ends))),
          fmt::format("is it a date or time? No key of {} has one", what)};
}

}  // namespace

Result<toml::table> parse_toml(std::string_view text, const std::string& path,
                               const std::string& what) {
  const Status guarded = guard_toml(text, path);
  if (!guarded.ok()) return guarded.error();
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    return Error{
        fmt::format("{}:{}:{}: {}", path, at.line, at.column, printable(error.description())),
        fmt::format("{} is TOML (https://toml.io)", what)};
  } catch (const TomlStumbles&) {
    return where_it_stumbles(text, path, what);
  }
}

}  // namespace clew
