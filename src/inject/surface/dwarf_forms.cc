// How long the values of attributes are, and what they mean.
#include "inject/surface/dwarf_forms.h"

#include "inject/surface/dwarf_units.h"

namespace clew::inject {

namespace {

// The size of a form that is a number of fixed size; 0: it is none.
size_t fixed_size(const DwarfUnit& unit, uint64_t form) {
  switch (form) {
    case kFormAddr:
      return unit.address_size;
    case kFormData1:
    case kFormFlag:
    case kFormRef1:
    case kFormStrx1:
    case kFormAddrx1:
      return 1;
    case kFormData2:
    case kFormRef2:
    case kFormStrx2:
    case kFormAddrx2:
      return 2;
    case kFormStrx3:
    case kFormAddrx3:
      return 3;
    case kFormData4:
    case kFormRef4:
    case kFormRefSup4:
    case kFormStrx4:
    case kFormAddrx4:
      return 4;
    case kFormData8:
    case kFormRef8:
    case kFormRefSig8:
    case kFormRefSup8:
      return 8;
    case kFormRefAddr:
      return unit.version < 3 ? unit.address_size : unit.offset_size;
    case kFormSecOffset:
    case kFormStrp:
    case kFormLineStrp:
    case kFormStrpSup:
    case kFormGnuRefAlt:
    case kFormGnuStrpAlt:
      return unit.offset_size;
    default:
      return 0;
  }
}

}  // namespace

DwarfValue read_form(ByteReader& reader, const DwarfUnit& unit, uint64_t form, uint64_t constant) {
  if (form == kFormIndirect) {
    form = reader.uleb();
    if (form == kFormIndirect) reader.fail();
  }
  DwarfValue value{.form = form};
  if (const size_t size = fixed_size(unit, form)) {
    value.number = reader.number(size);
    return value;
  }
  switch (form) {
    case kFormBlock1:
      value.text = reader.text(reader.u8());
      break;
    case kFormBlock2:
      value.text = reader.text(reader.u16());
      break;
    case kFormBlock4:
      value.text = reader.text(reader.u32());
      break;
    case kFormBlock:
    case kFormExprloc:
      value.text = reader.text(reader.uleb());
      break;
    case kFormData16:
      value.text = reader.text(16);
      break;
    case kFormString:
      value.text = reader.zero_ended();
      break;
    case kFormSdata:
      value.number = static_cast<uint64_t>(reader.sleb());
      break;
    case kFormUdata:
    case kFormRefUdata:
    case kFormStrx:
    case kFormAddrx:
    case kFormLoclistx:
    case kFormRnglistx:
      value.number = reader.uleb();
      break;
    case kFormFlagPresent:
      value.number = 1;
      break;
    case kFormImplicitConst:
      value.number = constant;
      break;
    default:
      reader.fail();
  }
  return value;
}

std::string_view DwarfUnits::text(const DwarfUnit& unit, const DwarfValue& value) const {
  constexpr size_t kMostTextBytes = 1024;
  const auto within = [&](std::string_view section, uint64_t at) {
    const std::string_view most =
        section.substr(std::min<uint64_t>(at, section.size()), kMostTextBytes);
    return most.substr(0, most.find('\0'));
  };
  switch (value.form) {
    case kFormString:
      return value.text.substr(0, kMostTextBytes);
    case kFormStrp:
      return within(sections_->str, value.number);
    case kFormLineStrp:
      return within(sections_->line_str, value.number);
    case kFormStrx:
    case kFormStrx1:
    case kFormStrx2:
    case kFormStrx3:
    case kFormStrx4: {
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
    case kFormAddr:
      return value.number;
    case kFormAddrx:
    case kFormAddrx1:
    case kFormAddrx2:
    case kFormAddrx3:
    case kFormAddrx4:
      return indexed_address(unit, value.number);
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> DwarfUnits::reference(const DwarfUnit& unit,
                                              const DwarfValue& value) const {
  switch (value.form) {
    case kFormRef1:
    case kFormRef2:
    case kFormRef4:
    case kFormRef8:
    case kFormRefUdata:
      return unit.begin + value.number;
    case kFormRefAddr:
      return value.number;
    default:
      return std::nullopt;
  }
}

}  // namespace clew::inject
