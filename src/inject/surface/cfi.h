// The call frame information of .eh_frame, where it lies in the memory of a process.
//
//   const CfiReader cfi(header, read);
//   const FrameRule rule = cfi.rule_at(pc);
//
// It may have been damaged, or made to harm: whatever is read is checked, and the work is bounded.
// What it can say is far more than compilers do; the rest is FrameRule::Kind::kUnknown. x86-64.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "inject/surface/frame_rule.h"

namespace clew::inject {

class CfiReader {
 public:
  // How much could be read.
  using Read = std::function<size_t(uint64_t address, std::span<char> to)>;

  // `header`: where .eh_frame_hdr is, which has a table for finding entries; 0: nowhere.
  CfiReader(uint64_t header, Read read) : header_(header), read_(std::move(read)) {}
  // .eh_frame itself, without that table (of static programs): looks at every entry at first.
  CfiReader(uint64_t begin, uint64_t end, Read read);

  // kFramePointer: it says nothing of this place.
  FrameRule rule_at(uint64_t pc) const;

 private:
  struct Entry;

  std::string bytes_at(uint64_t address, size_t size) const;
  std::optional<uint64_t> find_entry(uint64_t pc) const;
  std::optional<uint64_t> search_header(uint64_t pc) const;
  std::optional<Entry> read_entry(uint64_t address) const;
  bool read_common(Entry& entry, uint64_t address) const;

  uint64_t header_;
  Read read_;
  std::vector<std::pair<uint64_t, uint64_t>> entries_;  // where code begins, and its entry
};

}  // namespace clew::inject
