// Reading goes in two steps, as that of target files does: a table of TOML, then what is known of
// it. Whatever is left over, or of another type, is a mistake with a place.
#include "host/config.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "base/columns.h"
#include "base/files.h"
#include "base/text.h"
#include "base/toml.h"

namespace clew::host {

namespace {

constexpr uint64_t kMostConfigBytes = 256 << 10;
constexpr size_t kLeastSecret = 16;
constexpr const char* kExample = "docs/host.md has a config to begin with";

struct ConfigMistake {
  Error error;
};

// A line of the text, and a caret below a column of it.
std::string with_caret(std::string_view text, uint32_t line, uint32_t column) {
  size_t begin = 0;
  for (uint32_t i = 1; i < line; ++i) {
    const size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return "";
    begin = end + 1;
  }
  const std::string_view whole = text.substr(begin, text.find('\n', begin) - begin);
  const std::string shown = printable(whole, 100);
  if (column == 0 || column > shown.size() + 1) return "\n    " + shown;
  return "\n    " + shown + "\n    " + std::string(column - 1, ' ') + "^";
}

class ConfigReader {
 public:
  ConfigReader(std::string_view text, const std::string& path)
      : text_(text), path_(path), folder_(std::filesystem::path(path).parent_path()) {}

  Config read(const toml::table& root);

 private:
  using Keys = std::vector<std::string>;

  [[noreturn]] void fail(const toml::source_region& at, const std::string& message,
                         const std::string& remedy) const {
    const auto line = static_cast<uint32_t>(at.begin.line);
    const auto column = static_cast<uint32_t>(at.begin.column);
    throw ConfigMistake{{fmt::format("{}:{}:{}: {}{}", path_, line, column, message,
                                     with_caret(text_, line, column)),
                         remedy}};
  }
  void check_keys(const toml::table& table, const std::string& what, const Keys& keys) const;
  const toml::table& as_table(const toml::node& node, std::string_view key) const;
  const toml::node& need(const toml::table& table, const std::string& what,
                         std::string_view key) const;
  std::string as_text(const toml::node& node, std::string_view key) const;
  Address as_address(const toml::node& node, std::string_view key) const;
  uint64_t as_number(const toml::node& node, std::string_view key, uint64_t least,
                     uint64_t most) const;
  uint64_t as_size(const toml::node& node, std::string_view key, uint64_t least) const;
  std::string as_path(const toml::node& node, std::string_view key) const;
  Config::Node node(const toml::node& node, const std::string& name) const;
  void distinct(const Config& config, const toml::table& nodes) const;
  Limits limits(const toml::node& node) const;

  std::string_view text_;
  std::string path_;
  std::filesystem::path folder_;
};

void ConfigReader::check_keys(const toml::table& table, const std::string& what,
                              const Keys& keys) const {
  for (const auto& [key, value] : table) {
    if (std::ranges::find(keys, key.str()) != keys.end()) continue;
    const auto meant = closest(key.str(), keys);
    fail(key.source(), fmt::format("{} has no key `{}`", what, printable(key.str(), 60)),
         meant ? fmt::format("did you mean `{}`?", *meant)
               : fmt::format("there are {}", fmt::join(keys, ", ")));
  }
}

const toml::table& ConfigReader::as_table(const toml::node& node, std::string_view key) const {
  if (!node.is_table()) {
    fail(node.source(), fmt::format("{} must be a table", printable(key, 60)), kExample);
  }
  return *node.as_table();
}

const toml::node& ConfigReader::need(const toml::table& table, const std::string& what,
                                     std::string_view key) const {
  const toml::node* found = table.get(key);
  if (found == nullptr) {
    fail(table.source(), fmt::format("{} needs the key `{}`", what, key), kExample);
  }
  return *found;
}

std::string ConfigReader::as_text(const toml::node& node, std::string_view key) const {
  const auto* text = node.as_string();
  if (text == nullptr || text->get().empty() || text->get().find('\0') != std::string::npos) {
    fail(node.source(), fmt::format("{} must be a text that is not empty", key), kExample);
  }
  return text->get();
}

Address ConfigReader::as_address(const toml::node& node, std::string_view key) const {
  std::string text;
  if (const auto* number = node.as_integer()) {
    text = std::to_string(number->get());
  } else {
    text = as_text(node, key);
  }
  const Result<Address> address = parse_address(text);
  if (!address.ok()) fail(node.source(), address.error().message, address.error().remedy);
  if (address->port == 0) {
    fail(node.source(), fmt::format("{} has the port 0", key), "choose one, as 7101");
  }
  return *address;
}

uint64_t ConfigReader::as_number(const toml::node& node, std::string_view key, uint64_t least,
                                 uint64_t most) const {
  const auto* number = node.as_integer();
  if (number == nullptr || number->get() < 0 || static_cast<uint64_t>(number->get()) < least ||
      static_cast<uint64_t>(number->get()) > most) {
    fail(node.source(), fmt::format("{} must be a number from {} to {}", key, least, most),
         "docs/host.md says what it limits");
  }
  return static_cast<uint64_t>(number->get());
}

uint64_t ConfigReader::as_size(const toml::node& node, std::string_view key, uint64_t least) const {
  const std::string text = as_text(node, key);
  const auto wrong = [&]() {
    fail(node.source(), fmt::format("{} must be a size from {} B to 1 GiB", key, least),
         "write it as \"64KiB\", \"1MiB\" or \"1GiB\"");
  };
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 10) wrong();
  const std::string unit = text.substr(digits);
  const std::vector<std::string> units = {"B", "KiB", "MiB", "GiB"};
  const auto at = std::ranges::find(units, unit);
  if (at == units.end()) wrong();
  const uint64_t size = std::stoull(text.substr(0, digits));
  const auto shift = static_cast<unsigned>(10 * (at - units.begin()));
  constexpr uint64_t kMost = uint64_t{1} << 30U;
  if (size > (kMost >> shift) || (size << shift) < least) wrong();
  return size << shift;
}

std::string ConfigReader::as_path(const toml::node& node, std::string_view key) const {
  return (folder_ / as_text(node, key)).lexically_normal().string();
}

Config::Node ConfigReader::node(const toml::node& node, const std::string& name) const {
  const std::string what = fmt::format("nodes.{}", printable(name, 60));
  const toml::table& table = as_table(node, what);
  check_keys(table, what, {"peers", "clients", "data"});
  return {.peers = as_address(need(table, what, "peers"), "peers"),
          .clients = as_address(need(table, what, "clients"), "clients"),
          .data = as_path(need(table, what, "data"), "data")};
}

// That no two listen at one place, or write into one folder.
void ConfigReader::distinct(const Config& config, const toml::table& nodes) const {
  std::map<std::string, std::string> users;
  for (const auto& [name, node] : config.nodes) {
    for (const std::string& place : {node.peers.text(), node.clients.text(), node.data}) {
      const auto [at, is_new] = users.emplace(place, name);
      if (is_new) continue;
      const std::string whose = at->second == name ? "itself" : at->second;
      fail(nodes.get(name)->source(),
           fmt::format("nodes.{} shares {} with {}", printable(name, 60), place, whose),
           "give each node ports and a folder of its own");
    }
  }
}

Limits ConfigReader::limits(const toml::node& node) const {
  const toml::table& table = as_table(node, "limits");
  check_keys(table, "limits", {"frame", "clients", "queue", "memory", "pipeline"});
  Limits limits;
  if (const auto* at = table.get("frame")) limits.frame = as_size(*at, "frame", 1024);
  if (const auto* at = table.get("queue")) limits.queue = as_size(*at, "queue", 4096);
  if (const auto* at = table.get("memory")) limits.memory = as_size(*at, "memory", 1 << 20);
  if (const auto* at = table.get("clients")) limits.clients = as_number(*at, "clients", 1, 100'000);
  if (const auto* at = table.get("pipeline")) {
    limits.pipeline = as_number(*at, "pipeline", 1, 100'000);
  }
  if (limits.queue < limits.frame || limits.memory < limits.frame) {
    fail(table.source(), "limits: queue and memory must each have room for a frame",
         "make them larger, or frame smaller");
  }
  return limits;
}

Config ConfigReader::read(const toml::table& root) {
  check_keys(root, "a config", {"secret", "nodes", "limits"});
  Config config;
  if (const auto* secret = root.get("secret")) config.secret_file = as_path(*secret, "secret");
  const toml::table& nodes = as_table(need(root, "a config", "nodes"), "nodes");
  for (const auto& [name, value] : nodes) {
    config.nodes.emplace(std::string(name.str()), node(value, std::string(name.str())));
  }
  if (config.nodes.empty()) fail(nodes.source(), "there are no nodes", kExample);
  distinct(config, nodes);
  if (const auto* at = root.get("limits")) config.limits = limits(*at);
  return config;
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& path) {
  const Result<toml::table> root = parse_toml(text, path, "a config");
  if (!root.ok()) return root.error();
  try {
    return ConfigReader(text, path).read(*root);
  } catch (const ConfigMistake& mistake) {
    return mistake.error;
  }
}

Result<Config> read_config(const std::string& path) {
  const Result<std::string> text = read_file(path, kMostConfigBytes);
  if (!text.ok()) return text.error();
  return parse_config(*text, path);
}

Result<Config::Node> find_node(const Config& config, const std::string& name,
                               const std::string& path) {
  const auto at = config.nodes.find(name);
  if (at != config.nodes.end()) return at->second;
  std::string known;
  for (const auto& [other, node] : config.nodes) known += (known.empty() ? "" : ", ") + other;
  return Error{name.empty() ? "it is not said which node"
                            : fmt::format("{} has no node {}", path, printable(name, 60)),
               fmt::format("--node names one of {}", printable(known))};
}

Status check_nodes(const Config& config, const node::Names& names, const std::string& path) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = names.name(node::Id{static_cast<uint8_t>(i)});
    if (config.nodes.contains(name)) continue;
    return Error{fmt::format("{} does not say where {} is", path, name),
                 fmt::format("add [nodes.{}] with peers, clients and data", name)};
  }
  for (const auto& [name, node] : config.nodes) {
    if (names.find(name)) continue;
    return Error{
        fmt::format("{} has a node {}, which the source does not have", path, printable(name, 60)),
        "take it out, or add it to describe()"};
  }
  return Nothing{};
}

namespace {

Result<std::string> secret_of_file(const std::string& path) {
  struct stat status {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  if (there && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Error{fmt::format("others may read the secret in {}", path),
                 fmt::format("chmod 600 {}", path)};
  }
  return read_file(path, 4096);
}

Result<std::string> secret_of_environment() {
  if (const char* given = std::getenv("CLEW_SECRET")) return std::string(given);
  return Error{"there is no secret by which nodes know each other",
               "name a file in the config, as secret = \"cluster.secret\", or set CLEW_SECRET"};
}

}  // namespace

Result<std::string> read_secret(const Config& config) {
  Result<std::string> secret =
      config.secret_file.empty() ? secret_of_environment() : secret_of_file(config.secret_file);
  if (!secret.ok()) return secret;
  while (secret->ends_with('\n') || secret->ends_with('\r')) secret->pop_back();
  if (secret->size() >= kLeastSecret) return secret;
  return Error{fmt::format("the secret has {} bytes, which is too few", secret->size()),
               "head -c 32 /dev/urandom | base64 makes a good one"};
}

}  // namespace clew::host
