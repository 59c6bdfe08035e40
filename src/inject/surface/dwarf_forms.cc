// How long the values of attributes are, and what they mean.
#include "inject/surface/dwarf_forms.h"

#include "inject/surface/dwarf_units.h"

namespace clew::inject {

using enum dwarf::Form;

namespace {

// The size of a form that is a number of fixed size; 0: it is none.
size_t fixed_size(const DwarfUnit& unit, uint64_t form) {
  switch (form) {
    case kAddr:
      return unit.address_size;
    case kData1:
    case kFlag:
    case kRef1:
    case kStrx1:
    case kAddrx1:
      return 1;
    case kData2:
    case kRef2:
    case kStrx2:
    case kAddrx2:
      return 2;
    case kStrx3:
    case kAddrx3:
      return 3;
    case kData4:
    case kRef4:
    case kRefSup4:
    case kStrx4:
    case kAddrx4:
      return 4;
    case kData8:
    case kRef8:
    case kRefSig8:
    case kRefSup8:
      return 8;
    case kRefAddr:
      return unit.version < 3 ? unit.address_size : unit.offset_size;
    case kSecOffset:
    case kStrp:
    case kLineStrp:
    case kStrpSup:
    case kGnuRefAlt:
    case kGnuStrpAlt:
      return unit.offset_size;
    default:
      return 0;
  }
}

}  // namespace

DwarfValue read_form(ByteReader& reader, const DwarfUnit& unit, uint64_t form, uint64_t constant) {
  if (form == kIndirect) {
    form = reader.uleb();
    if (form == kIndirect) reader.fail();
  }
  DwarfValue value{.form = form};
  if (const size_t size = fixed_size(unit, form)) {
    value.number = reader.number(size);
    return value;
  }
  switch (form) {
    case kBlock1:
      value.text = reader.text(reader.u8());
      break;
    case kBlock2:
      value.text = reader.text(reader.u16());
      break;
    case kBlock4:
      value.text = reader.text(reader.u32());
      break;
    case kBlock:
    case kExprloc:
      value.text = reader.text(reader.uleb());
      break;
    case kData16:
      value.text = reader.text(16);
      break;
    case kString:
      value.text = reader.zero_ended();
      break;
    case kSdata:
      value.number = static_cast<uint64_t>(reader.sleb());
      break;
    case kUdata:
    case kRefUdata:
    case kStrx:
    case kAddrx:
    case kLoclistx:
    case kRnglistx:
      value.number = reader.uleb();
      break;
    case kFlagPresent:
      value.number = 1;
      break;
    case kImplicitConst:
      value.number = constant;
      break;
    default:
      reader.fail();
  }
  return value;
}

std::string_view DwarfUnits::text(const DwarfUnit& unit, const DwarfValue& value) const {
  constexpr size_t kMostBytes = 1024;
  const auto within = [&](std::string_view section, uint64_t at) {
    const std::string_view most = section.substr(std::min<uint64_t>(at, section.size()), kMostBytes);
    return most.substr(0, most.find('\0'));
  };
  switch (value.form) {
    case kString:
      return value.text.substr(0, kMostBytes);
    case kStrp:
      return within(sections_->str, value.number);
    case kLineStrp:
      return within(sections_->line_str, value.number);
    case kStrx:
    case kStrx1:
    case kStrx2:
    case kStrx3:
    case kStrx4: {
      if (value.number > sections_->str_offsets.size()) return {};
      ByteReader reader(sections_->str_offsets, unit.str_offsets_base);
      reader.skip(value.number * unit.offset_size);
      const uint64_t at = reader.number(unit.offset_size);
      return reader.failed() ? std::string_view() : within(sections_->str, at);
    }
    default:
      return {};
  }
}

std::optional<uint64_t> DwarfUnits::indexed_address(const DwarfUnit& unit, uint64_t index) const {
  if (index > sections_->addr.size()) return std::nullopt;
  ByteReader reader(sections_->addr, unit.addr_base);
  reader.skip(index * unit.address_size);
  const uint64_t found = reader.number(unit.address_size);
  if (reader.failed()) return std::nullopt;
  return found;
}

std::optional<uint64_t> DwarfUnits::address(const DwarfUnit& unit, const DwarfValue& value) const {
  switch (value.form) {
    case kAddr:
      return value.number;
    case kAddrx:
    case kAddrx1:
    case kAddrx2:
    case kAddrx3:
    case kAddrx4:
      return indexed_address(unit, value.number);
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> DwarfUnits::reference(const DwarfUnit& unit,
                                              const DwarfValue& value) const {
  switch (value.form) {
    case kRef1:
    case kRef2:
    case kRef4:
    case kRef8:
    case kRefUdata:
      return unit.begin + value.number;
    case kRefAddr:
      return value.number;
    default:
      return std::nullopt;
  }
}

}  // namespace clew::inject
