#include "inject/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "inject/random_names.h"
#include "inject/regex.h"

namespace clew::inject {

namespace {

// What net.ipv4.ip_local_port_range says unless somebody has changed it.
constexpr uint16_t kFirstPassing = 32768;
constexpr uint16_t kLastPassing = 60999;
constexpr size_t kMostName = 4096;
constexpr size_t kMostKept = 10'000;  // names whose rules are known

std::string without_end_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// How many bytes of all paths are folders that they have in common, the slash behind included.
size_t common_folders(const std::vector<std::string>& paths) {
  size_t common = paths.front().rfind('/') + 1;
  for (const std::string& path : paths) {
    const auto differ = std::ranges::mismatch(path, paths.front()).in1 - path.begin();
    const size_t same = path.substr(0, static_cast<size_t>(differ)).rfind('/') + 1;
    common = std::min(common, same);
  }
  return common;
}

bool is_below(std::string_view path, const std::string& folder) {
  return path == folder ||
         (path.starts_with(folder) && (folder.ends_with('/') || path[folder.size()] == '/'));
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Of /proc/4711/task/4712/fd/7 and /dev/pts/3, all numbers but of descriptors.
bool is_numbered(std::string_view path, std::string_view before, std::string_view name) {
  if (!is_number(name)) return false;
  const bool in_proc =
      path.starts_with("/proc/") && (before == "/proc/" || before.ends_with("/task/"));
  return in_proc || before == "/dev/pts/";
}

}  // namespace

struct Names::Rules {
  struct Rule {
    Regex pattern;
    std::string becomes;
  };
  std::vector<Rule> all;
};

bool is_passing_port(uint16_t port) { return port >= kFirstPassing && port <= kLastPassing; }

Result<Names> Names::make(const std::vector<Rename>& renames, const std::vector<std::string>& state,
                          const std::vector<std::string>& seen) {
  CHECK(seen.empty() || seen.size() == state.size());
  auto rules = std::make_shared<Rules>();
  for (const Rename& rename : renames) {
    Result<Regex> pattern = Regex::make(rename.pattern);
    if (!pattern.ok()) {
      return Error{
          fmt::format("`{}` is no pattern of names: {}", rename.pattern, pattern.error().message),
          pattern.error().remedy};
    }
    rules->all.push_back({*std::move(pattern), rename.becomes});
  }
  Names names;
  names.rules_ = std::move(rules);
  const size_t common = state.size() > 1 ? common_folders(state) : 0;
  for (size_t i = 0; i < state.size(); ++i) {
    const std::string folder = without_end_slash(seen.empty() ? state[i] : seen[i]);
    names.folders_.emplace_back(folder, state.size() > 1 ? state[i].substr(common) : "");
  }
  // The innermost folder counts.
  std::ranges::sort(names.folders_, std::ranges::greater(),
                    [](const auto& folder) { return folder.first.size(); });
  return names;
}

std::string Names::renamed(const std::string& text) const {
  if (rules_->all.empty()) return text;
  const auto found = renamed_.find(text);
  if (found != renamed_.end()) return found->second;
  std::string result = text;
  for (const Rules::Rule& rule : rules_->all) {
    result = rule.pattern.replaced(result, rule.becomes).substr(0, kMostName);
  }
  if (renamed_.size() >= kMostKept) renamed_.clear();
  return renamed_.emplace(text, std::move(result)).first->second;
}

std::string Names::path(std::string_view path) const {
  std::string name(path.substr(0, kMostName));
  for (const auto& [folder, begins] : folders_) {
    if (!is_below(path, folder)) continue;
    name.erase(0, std::min(name.size(), folder.size() + (folder.ends_with('/') ? 0 : 1)));
    if (!begins.empty()) name = name.empty() ? begins : fmt::format("{}/{}", begins, name);
    if (name.empty()) name = ".";
    break;
  }
  name = renamed(name);
  std::string result;
  for (std::string_view rest = name; !rest.empty();) {
    const size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    result += is_numbered(name, result, part) ? "*" : without_random(part, processes_);
    if (end < rest.size()) result += '/';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return result;
}

std::string Names::address(std::string_view host, uint16_t port) const {
  const std::string shown =
      host.find(':') == std::string_view::npos ? std::string(host) : fmt::format("[{}]", host);
  const std::string exact = fmt::format("{}:{}", shown, port);
  const std::string name = renamed(exact);
  return name == exact && is_passing_port(port) ? shown + ":*" : name;
}

std::string Names::thread(std::string_view name, bool is_first) const {
  const std::string result = renamed(std::string(name.substr(0, kMostName)));
  return is_first ? result : without_counters(result);
}

}  // namespace clew::inject
