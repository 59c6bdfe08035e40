// Reads numbers and texts out of bytes that anybody may have made. What is not there is 0, and
// failed() says so from then on.
//
//   ByteReader reader(bytes);
//   const uint32_t length = reader.u32();
//   const uint64_t code = reader.uleb();
//   if (reader.failed()) return std::nullopt;
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace clew::inject {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes, uint64_t at = 0) : bytes_(bytes) { seek(at); }

  bool failed() const { return failed_; }
  bool at_end() const { return failed_ || at_ == bytes_.size(); }
  uint64_t at() const { return at_; }
  uint64_t left() const { return bytes_.size() - at_; }

  bool fail() { return failed_ = true, at_ = bytes_.size(), false; }
  void seek(uint64_t at) {
    if (at > bytes_.size()) {
      fail();
    } else {
      at_ = at;
    }
  }
  void skip(uint64_t count) {
    if (count > left()) {
      fail();
    } else {
      at_ += count;
    }
  }

  uint8_t u8() { return fixed<uint8_t>(); }
  uint16_t u16() { return fixed<uint16_t>(); }
  uint32_t u32() { return fixed<uint32_t>(); }
  uint64_t u64() { return fixed<uint64_t>(); }
  // Of 1 to 8 bytes, the lowest first.
  uint64_t number(size_t size) {
    uint64_t value = 0;
    const std::string_view taken = size > sizeof value ? text(left() + 1) : text(size);
    if (!taken.empty()) std::memcpy(&value, taken.data(), taken.size());
    return value;
  }

  uint64_t uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = u8();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if ((byte & 0x80) == 0) return value;
    }
  }
  int64_t sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const uint8_t byte = u8();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if ((byte & 0x80) != 0) continue;
      if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }

  std::string_view text(uint64_t size) {
    if (size > left()) {
      fail();
      return {};
    }
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }
  // Up to a zero, which is skipped.
  std::string_view zero_ended() {
    const size_t end = bytes_.find('\0', at_);
    if (failed_ || end == std::string_view::npos) {
      fail();
      return {};
    }
    const std::string_view found = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return found;
  }

 private:
  template <class T>
  T fixed() {
    T value{};
    const std::string_view taken = text(sizeof value);
    if (!taken.empty()) std::memcpy(&value, taken.data(), sizeof value);
    return value;
  }

  std::string_view bytes_;
  uint64_t at_ = 0;
  bool failed_ = false;
};

}  // namespace clew::inject
