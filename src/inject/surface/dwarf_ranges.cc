// Which addresses an entry is about: DW_AT_low_pc and high_pc, .debug_ranges, .debug_rnglists.
#include "inject/surface/dwarf_forms.h"
#include "inject/surface/dwarf_units.h"

namespace clew::inject {

namespace {

constexpr size_t kMostRanges = 1 << 16;

}  // namespace

// DWARF 2 to 4.
std::vector<DwarfUnits::Range> DwarfUnits::listed_ranges(const DwarfUnit& unit,
                                                         uint64_t offset) const {
  std::vector<Range> found;
  ByteReader reader(sections_->ranges, offset);
  const uint64_t highest = unit.address_size == 4 ? ~uint32_t{0} : ~uint64_t{0};
  uint64_t base = unit.low_pc;
  while (found.size() < kMostRanges && budget_->take()) {
    const uint64_t begin = reader.number(unit.address_size);
    const uint64_t end = reader.number(unit.address_size);
    if (reader.failed() || (begin == 0 && end == 0)) break;
    if (begin == highest) {
      base = end;
    } else if (begin < end) {
      found.emplace_back(base + begin, base + end);
    }
  }
  return found;
}

std::vector<DwarfUnits::Range> DwarfUnits::new_ranges(const DwarfUnit& unit,
                                                      uint64_t offset) const {
  std::vector<Range> found;
  ByteReader reader(sections_->rnglists, offset);
  uint64_t base = unit.low_pc;
  const auto indexed = [&] { return indexed_address(unit, reader.uleb()).value_or(0); };
  const auto direct = [&] { return reader.number(unit.address_size); };
  while (found.size() < kMostRanges && budget_->take() && !reader.failed()) {
    Range range;
    switch (reader.u8()) {
      case 1:  // base_addressx
        base = indexed();
        continue;
      case 2:  // startx_endx
        range.first = indexed();
        range.second = indexed();
        break;
      case 3:  // startx_length
        range.first = indexed();
        range.second = range.first + reader.uleb();
        break;
      case 4:  // offset_pair
        range.first = base + reader.uleb();
        range.second = base + reader.uleb();
        break;
      case 5:  // base_address
        base = direct();
        continue;
      case 6:  // start_end
        range.first = direct();
        range.second = direct();
        break;
      case 7:  // start_length
        range.first = direct();
        range.second = range.first + reader.uleb();
        break;
      default:  // end_of_list
        return found;
    }
    if (!reader.failed() && range.first < range.second) found.push_back(range);
  }
  return found;
}

std::vector<DwarfUnits::Range> DwarfUnits::ranges(const DwarfUnit& unit,
                                                  const DwarfEntry& entry) const {
  const DwarfValue& list = entry.values[DwarfEntry::kRanges];
  if (list) {
    if (unit.version < 5) return listed_ranges(unit, list.number);
    if (list.form != kFormRnglistx) return new_ranges(unit, list.number);
    if (list.number > sections_->rnglists.size()) return {};
    ByteReader reader(sections_->rnglists, unit.rnglists_base);
    reader.skip(list.number * unit.offset_size);
    const uint64_t at = reader.number(unit.offset_size);
    return reader.failed() ? std::vector<Range>() : new_ranges(unit, unit.rnglists_base + at);
  }
  const std::optional<uint64_t> low = address(unit, entry.values[DwarfEntry::kLowPc]);
  const DwarfValue& high = entry.values[DwarfEntry::kHighPc];
  if (!low || !high) return {};
  const uint64_t end = address(unit, high).value_or(*low + high.number);
  if (end <= *low) return {};
  return {{*low, end}};
}

}  // namespace clew::inject
