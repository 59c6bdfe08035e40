// Reading goes in two steps: toml++ makes a table of the text, and a TargetReader takes out of it
// what it knows.
#include "inject/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/files.h"
#include "base/toml.h"
#include "inject/target_reader.h"

namespace clew::inject {

namespace {

constexpr uint64_t kMostTargetBytes = 256 << 10;

const std::vector<std::string> kTopKeys = {"state", "spec",  "node",   "workload",
                                           "check", "fact",  "tells",  "failures",
                                           "only",  "never", "rename", "limits"};

}  // namespace

TargetReader::TargetReader(const std::string& path, const toml::table& root)
    : top_(path, root, "a target", kTopKeys) {
  std::error_code error;
  target_.path = path;
  target_.folder = std::filesystem::absolute(path, error).parent_path().lexically_normal();
}

void TargetReader::state() {
  for (const auto& [text, node] : top_.texts("state")) {
    const std::string path = below(text);
    top_.check(*node, check_state(path, target_.state));
    target_.state.push_back(path);
  }
}

void TargetReader::spec() {
  for (const auto& [text, node] : top_.texts("spec")) {
    const std::string path = below(text);
    top_.check(*node, check_spec(path));
    target_.spec.push_back(path);
  }
  if (!target_.spec.empty()) return;
  top_.fail("promises nothing",
            "say what must hold: spec = [\"promises.ded\"] (docs/inject.md, Promises)");
}

Regex TargetReader::regex(const TargetTable& table, std::string_view key) const {
  const Result<Regex> made = Regex::make(table.text(key));
  if (made.ok()) return *made;
  table.fail(table.at(key),
             fmt::format("{} is no regular expression: {}", key, made.error().message),
             made.error().remedy);
}

Target TargetReader::read() && {
  state();
  nodes();
  workload();
  spec();
  tells();
  facts();
  failures();
  filters();
  renames();
  limits();
  std::ranges::sort(target_.warnings);
  target_.warnings.erase(std::unique(target_.warnings.begin(), target_.warnings.end()),
                         target_.warnings.end());
  return std::move(target_);
}

Result<Target> parse_target(std::string_view text, const std::string& path) {
  const Result<toml::table> root = parse_toml(text, path, "a target file");
  if (!root.ok()) return root.error();
  try {
    return TargetReader(path, *root).read();
  } catch (const TargetMistake& mistake) {
    return mistake.error;
  }
}

Result<Target> read_target(const std::string& path) {
  const Result<std::string> text = read_file(path, kMostTargetBytes);
  if (!text.ok()) return text.error();
  return parse_target(*text, path);
}

}  // namespace clew::inject
