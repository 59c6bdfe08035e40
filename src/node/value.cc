#include "node/value.h"

#include <algorithm>

#include "base/text.h"

namespace clew::node {

std::string Names::name(Id id) const {
  return id.number < names_.size() ? names_[id.number] : "#" + std::to_string(id.number);
}

std::optional<Id> Names::find(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return Id{static_cast<uint8_t>(found - names_.begin())};
}

std::string quoted_text(std::string_view text) { return quoted(text); }

uint8_t Reader::byte() {
  const std::string_view one = take(1);
  return failed_ ? 0 : static_cast<uint8_t>(one.front());
}

Id Reader::id() {
  const Id id{byte()};
  if (id.number >= nodes_) fail();
  return id;
}

void Reader::enter() {
  if (depth_ == 0) fail();
  --depth_;
}

uint64_t Reader::number() {
  uint64_t number = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const uint64_t next = byte();
    const uint64_t bits = next & 0x7fU;
    // One way to write each number: none that is too large, none with needless bytes.
    const bool too_large = shift == 63 && bits > 1;
    const bool needless = shift > 0 && next == 0;
    if (too_large || needless) break;
    number |= bits << shift;
    if ((next & 0x80U) == 0) return number;
  }
  fail();
  return 0;
}

std::string_view Reader::take(uint64_t size) {
  if (size > bytes_.size()) {
    fail();
    return {};
  }
  const std::string_view taken = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return taken;
}

}  // namespace clew::node
