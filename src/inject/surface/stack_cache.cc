// The bytes, version 1: "clewstk1"; for each module 1, its key, how many places, and these: offset,
// rule, names; then 0. Numbers as LEB128, texts after their length.
#include "inject/surface/stack_cache.h"

#include <algorithm>
#include <utility>

#include "inject/surface/bytes.h"

namespace clew::inject {

namespace {

constexpr std::string_view kVersion = "clewstk1";
constexpr size_t kMostNewsBytes = 64 << 20;
constexpr size_t kMostText = 1024;

using Base = FrameRule::Where::Base;
using Kind = FrameRule::Kind;

void write(std::string& bytes, uint64_t number) {
  for (; number >= 0x80; number >>= 7U) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

void write(std::string& bytes, const std::string& text) {
  write(bytes, text.size());
  bytes += text;
}

void write(std::string& bytes, const FrameRule::Where& where) {
  write(bytes, static_cast<uint64_t>(where.base) * 2 + (where.in_memory ? 1 : 0));
  write(bytes, static_cast<uint32_t>(where.offset));
}

void write(std::string& bytes, uint64_t offset, const StackPlace& place) {
  write(bytes, offset);
  write(bytes, static_cast<uint64_t>(place.rule.kind) * 2 + (place.rule.is_signal ? 1 : 0));
  write(bytes, place.rule.cfa);
  write(bytes, place.rule.return_address);
  write(bytes, place.rule.bp);
  write(bytes, place.names.size());
  for (const std::string& name : place.names) write(bytes, name);
}

uint64_t read_below(ByteReader& reader, uint64_t limit) {
  const uint64_t number = reader.uleb();
  if (number >= limit) reader.fail();
  return number;
}

std::string read_text(ByteReader& reader) {
  return std::string(reader.text(read_below(reader, kMostText + 1)));
}

FrameRule::Where read_where(ByteReader& reader) {
  const uint64_t both = read_below(reader, (static_cast<uint64_t>(Base::kCfa) + 1) * 2);
  const uint64_t offset = read_below(reader, uint64_t{1} << 32U);
  return {static_cast<Base>(both / 2), both % 2 == 1,
          static_cast<int32_t>(static_cast<uint32_t>(offset))};
}

StackPlace read_place(ByteReader& reader) {
  StackPlace place;
  const uint64_t both = read_below(reader, (static_cast<uint64_t>(Kind::kRule) + 1) * 2);
  place.rule.kind = static_cast<Kind>(both / 2);
  place.rule.is_signal = both % 2 == 1;
  place.rule.cfa = read_where(reader);
  place.rule.return_address = read_where(reader);
  place.rule.bp = read_where(reader);
  const uint64_t names = read_below(reader, kMostFrames + 1);
  for (uint64_t i = 0; i < names && !reader.failed(); ++i) place.names.push_back(read_text(reader));
  if (names == 0) reader.fail();
  return place;
}

}  // namespace

StackCache::StackCache() : modules(std::make_unique<decltype(modules)::element_type>()) {}
StackCache::~StackCache() = default;

const StackPlace& remember(StackCache::Module& module, uint64_t offset, const StackPlace& place) {
  const auto [found, is_new] = module.places.try_emplace(offset, place);
  if (is_new) module.news.push_back(offset);
  return found->second;
}

std::string StackCache::take_news() const {
  std::string bytes(kVersion);
  bool any = false;
  for (const auto& [key, module] : *modules) {
    if (module->news.empty() || bytes.size() > kMostNewsBytes / 2) continue;
    any = true;
    std::vector<uint64_t> news = std::exchange(module->news, {});
    std::ranges::sort(news);
    write(bytes, 1);
    write(bytes, key);
    write(bytes, news.size());
    for (const uint64_t offset : news) write(bytes, offset, module->places.at(offset));
  }
  write(bytes, 0);
  return any ? bytes : std::string();
}

bool StackCache::add_news(const std::string& bytes) const {
  if (bytes.empty()) return true;
  if (bytes.size() > kMostNewsBytes || !bytes.starts_with(kVersion)) return false;
  ByteReader reader(bytes, kVersion.size());
  std::vector<std::pair<std::string, std::vector<std::pair<uint64_t, StackPlace>>>> read;
  while (read_below(reader, 2) == 1) {
    auto& [key, places] = read.emplace_back();
    key = read_text(reader);
    const uint64_t count = read_below(reader, reader.left() + 1);
    for (uint64_t i = 0; i < count && !reader.failed(); ++i) {
      const uint64_t offset = reader.uleb();
      places.emplace_back(offset, read_place(reader));
    }
    if (reader.failed()) return false;
  }
  if (reader.failed() || !reader.at_end()) return false;
  for (auto& [key, places] : read) {
    std::unique_ptr<Module>& module = (*modules)[key];
    if (!module) module = std::make_unique<Module>();
    // It is no news to whoever has sent it.
    for (auto& [offset, place] : places) module->places.try_emplace(offset, place);
  }
  return true;
}

}  // namespace clew::inject
