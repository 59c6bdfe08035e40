#include "inject/commands.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clew::inject {

namespace {

struct Account {
  uid_t user = 0;
  gid_t group = 0;
  std::string home;
};

// Not by getpwnam, which a program that is linked statically has no modules for.
std::optional<Account> find_account(const std::string& name) {
  std::ifstream file("/etc/passwd");
  for (std::string line; std::getline(file, line);) {
    std::vector<std::string> parts(1);
    for (const char c : line) {
      if (c == ':') {
        parts.emplace_back();
      } else {
        parts.back().push_back(c);
      }
    }
    if (parts.size() < 7 || parts[0] != name) continue;
    Account account{.home = parts[5]};
    std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), account.user);
    std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), account.group);
    return account;
  }
  return std::nullopt;
}

std::string from_environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

}  // namespace

Result<TracedCommand> traced_command(const Target& target, const CommandSpec& spec,
                                     const Outputs::Ends& ends) {
  TracedCommand command{.words = spec.words, .environment = {}, .folder = spec.folder};
  if (command.folder.empty()) command.folder = target.folder;
  std::map<std::string, std::string> environment = {
      {"PATH", from_environment("PATH", "/usr/local/bin:/usr/bin:/bin")},
      {"HOME", from_environment("HOME", "/")},
      {"LANG", "C"},
      {"TZ", "UTC"},
      {"CLEW_FACTS", fmt::format("{}", TracedCommand::kFacts)}};
  if (!spec.user.empty()) {
    const std::optional<Account> account = find_account(spec.user);
    if (!account) {
      return Error{fmt::format("there is no user {}", spec.user), "correct `user`"};
    }
    command.user = account->user;
    command.group = account->group;
    environment["HOME"] = account->home;
  }
  for (const auto& [name, value] : spec.environment) environment[name] = value;
  for (const auto& [name, value] : environment) {
    command.environment.push_back(fmt::format("{}={}", name, value));
  }
  command.output = ends.output;
  command.errors = ends.output;
  command.facts = ends.facts;
  return command;
}

}  // namespace clew::inject
