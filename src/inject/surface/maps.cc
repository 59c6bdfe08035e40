#include "inject/surface/maps.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/descriptor.h"

namespace clew::inject {

namespace {

constexpr size_t kMostMapBytes = 32 << 20;  // the kernel allows 65,530 mappings

// As much of it as can be read now; files of /proc say nothing of their size.
std::string read_proc(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  while (file.valid() && text.size() < kMostMapBytes) {
    const size_t had = text.size();
    text.resize(had + (1 << 15));
    const ssize_t got = ::read(file.number(), text.data() + had, text.size() - had);
    text.resize(had + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) break;
  }
  return text;
}

// Takes a number and the byte behind it off the text.
std::optional<uint64_t> take_number(std::string_view& text, char behind, int base) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end == text.data() + text.size() || *end != behind) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(end - text.data()) + 1);
  return number;
}

// 7f1c-7f1d r-xp 00001000 fe:01 131 /lib/x.so
std::optional<Mapping> parse_mapping(std::string_view line) {
  Mapping mapping;
  const std::optional<uint64_t> begin = take_number(line, '-', 16);
  const std::optional<uint64_t> end = begin ? take_number(line, ' ', 16) : std::nullopt;
  if (!end || line.size() < 5) return std::nullopt;
  mapping.begin = *begin;
  mapping.end = *end;
  mapping.executable = line[2] == 'x';
  line.remove_prefix(5);
  const std::optional<uint64_t> offset = take_number(line, ' ', 16);
  const size_t device = line.find(' ');
  if (!offset || device == std::string_view::npos) return std::nullopt;
  mapping.offset = *offset;
  line.remove_prefix(device + 1);
  mapping.inode = take_number(line, ' ', 10).value_or(0);
  const size_t path = line.find_first_not_of(' ');
  if (path != std::string_view::npos) mapping.path = std::string(line.substr(path));
  return mapping;
}

}  // namespace

std::vector<Mapping> parse_maps(std::string_view text) {
  std::vector<Mapping> all;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::optional<Mapping> mapping = parse_mapping(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!mapping) continue;
    // Of the same file as the last one that has a file: a module's parts lie together, but for
    // what it has zeroed.
    size_t before = all.size();
    while (before > 0 && before + 4 > all.size() && all[before - 1].path.empty()) --before;
    const bool continues = before > 0 && !mapping->path.empty() && mapping->offset != 0 &&
                           all[before - 1].path == mapping->path &&
                           all[before - 1].inode == mapping->inode;
    mapping->first = continues ? all[before - 1].first : all.size();
    all.push_back(*std::move(mapping));
  }
  return all;
}

std::vector<Mapping> read_maps(pid_t process) {
  return parse_maps(read_proc(fmt::format("/proc/{}/maps", process)));
}

const Mapping* find_mapping(const std::vector<Mapping>& all, uint64_t address) {
  const auto after = std::ranges::upper_bound(all, address, {}, &Mapping::begin);
  if (after == all.begin() || address >= (after - 1)->end) return nullptr;
  return &*(after - 1);
}

}  // namespace clew::inject
