#include "inject/surface/cfi_program.h"

#include <optional>

namespace clew::inject {

namespace {

constexpr size_t kMostRemembered = 64;
constexpr uint64_t kBp = 6;  // DWARF's numbers of registers
constexpr uint64_t kSp = 7;

using Base = FrameRule::Where::Base;

std::optional<Base> base_of(uint64_t dwarf_register) {
  if (dwarf_register == kBp) return Base::kBp;
  if (dwarf_register == kSp) return Base::kSp;
  return std::nullopt;
}

int64_t times(uint64_t count, int64_t factor) {
  return static_cast<int64_t>(count * static_cast<uint64_t>(factor));
}

bool fits(int64_t offset) { return offset == static_cast<int32_t>(offset); }

// The two expressions that compilers and libraries write: a register and an offset, and what memory
// has there. `at`: it gives the address of what is wanted.
std::optional<FrameRule::Where> read_expression(std::string_view bytes, bool at) {
  constexpr uint8_t kFirstRegister = 0x70;  // DW_OP_breg0
  constexpr uint8_t kDereference = 0x06;
  ByteReader reader(bytes);
  const uint8_t code = reader.u8();
  if (code < kFirstRegister) return std::nullopt;
  const std::optional<Base> base = base_of(code - uint64_t{kFirstRegister});
  const int64_t offset = reader.sleb();
  const bool dereferenced = !reader.at_end();
  if (dereferenced && (reader.u8() != kDereference || at)) return std::nullopt;
  if (!base || !fits(offset) || reader.failed() || !reader.at_end()) return std::nullopt;
  return FrameRule::Where{*base, dereferenced || at, static_cast<int32_t>(offset)};
}

}  // namespace

void CfiProgram::set(uint64_t column, FrameRule::Where where) {
  if (column == return_column) state_.rule.return_address = where;
  if (column == kBp) state_.rule.bp = where;
}

void CfiProgram::set_at_cfa(uint64_t column, int64_t offset, bool in_memory) {
  if (!fits(offset)) {
    state_.unknown = true;
  } else {
    set(column, {Base::kCfa, in_memory, static_cast<int32_t>(offset)});
  }
}

void CfiProgram::restore(uint64_t column) {
  set(column, column == kBp ? initial_.rule.bp : initial_.rule.return_address);
}

bool CfiProgram::step_cfa(ByteReader& reader, uint8_t code) {
  switch (code) {
    case 0x0c:  // def_cfa
    case 0x12:  // def_cfa_sf
      state_.cfa_register = reader.uleb();
      state_.cfa_offset = code == 0x0c ? static_cast<int64_t>(reader.uleb())
                                       : times(static_cast<uint64_t>(reader.sleb()), data_factor);
      state_.cfa_is_known = true;
      return true;
    case 0x0d:  // def_cfa_register
      state_.cfa_register = reader.uleb();
      return true;
    case 0x0e:  // def_cfa_offset
      state_.cfa_offset = static_cast<int64_t>(reader.uleb());
      return true;
    case 0x13:  // def_cfa_offset_sf
      state_.cfa_offset = times(static_cast<uint64_t>(reader.sleb()), data_factor);
      return true;
    case 0x0f: {  // def_cfa_expression
      const std::string_view bytes = reader.text(reader.uleb());
      const std::optional<FrameRule::Where> where = read_expression(bytes, false);
      state_.rule.cfa = where.value_or(FrameRule::Where{});
      state_.cfa_is_known = false;
      return true;
    }
    default:
      return false;
  }
}

bool CfiProgram::step_register(ByteReader& reader, uint8_t code) {
  switch (code) {
    case 0x05: {  // offset_extended
      const uint64_t column = reader.uleb();
      set_at_cfa(column, times(reader.uleb(), data_factor), true);
      return true;
    }
    case 0x06:  // restore_extended
      restore(reader.uleb());
      return true;
    case 0x07:  // undefined
      set(reader.uleb(), {});
      return true;
    case 0x08:  // same_value
      set(reader.uleb(), {.base = Base::kSame});
      return true;
    case 0x09: {  // register
      const uint64_t column = reader.uleb();
      const std::optional<Base> base = base_of(reader.uleb());
      if (!base && (column == kBp || column == return_column)) state_.unknown = true;
      if (base) set(column, {.base = *base});
      return true;
    }
    case 0x10:    // expression
    case 0x16: {  // val_expression
      const uint64_t column = reader.uleb();
      const std::string_view bytes = reader.text(reader.uleb());
      const std::optional<FrameRule::Where> where = read_expression(bytes, code == 0x10);
      if (!where && (column == kBp || column == return_column)) state_.unknown = true;
      if (where) set(column, *where);
      return true;
    }
    case 0x11:    // offset_extended_sf
    case 0x14:    // val_offset
    case 0x15: {  // val_offset_sf
      const uint64_t column = reader.uleb();
      const uint64_t count = code == 0x14 ? reader.uleb() : static_cast<uint64_t>(reader.sleb());
      set_at_cfa(column, times(count, data_factor), code == 0x11);
      return true;
    }
    default:
      return false;
  }
}

// False: an instruction that is not known, and whose length is not.
bool CfiProgram::step(ByteReader& reader, uint8_t code) {
  switch (code) {
    case 0x00:  // nop
      return true;
    case 0x01:  // set_loc
      location_ = reader.u64();
      return true;
    case 0x02:
      location_ += reader.u8() * code_factor;
      return true;
    case 0x03:
      location_ += reader.u16() * code_factor;
      return true;
    case 0x04:
      location_ += reader.u32() * code_factor;
      return true;
    case 0x0a:
      remembered_.push_back(state_);
      return remembered_.size() <= kMostRemembered;
    case 0x0b:
      if (remembered_.empty()) return false;
      state_ = remembered_.back();
      remembered_.pop_back();
      return true;
    case 0x2e:  // GNU_args_size
      reader.uleb();
      return true;
    default:
      return step_cfa(reader, code) || step_register(reader, code);
  }
}

bool CfiProgram::run(ByteReader reader, uint64_t pc) {
  while (!reader.at_end()) {
    const uint8_t code = reader.u8();
    const uint8_t low = code & 0x3f;
    bool known = true;
    switch (code & 0xc0) {
      case 0x40:  // advance_loc
        location_ += low * code_factor;
        break;
      case 0x80:  // offset
        set_at_cfa(low, times(reader.uleb(), data_factor), true);
        break;
      case 0xc0:
        restore(low);
        break;
      default:
        known = step(reader, low);
    }
    if (!known || reader.failed()) return false;
    if (location_ > pc) {
      return true;
    }
  }
  return true;
}

FrameRule CfiProgram::run(std::string_view common, std::string_view own, uint64_t begin,
                          uint64_t pc) {
  const FrameRule unknown{};
  location_ = begin;
  if (!run(ByteReader(common), ~uint64_t{0})) return unknown;
  initial_ = state_;
  location_ = begin;
  // An instruction is only run if the code that it is about begins at or before `pc`.
  if (!run(ByteReader(own), pc) || state_.unknown) return unknown;
  FrameRule rule = state_.rule;
  rule.kind = FrameRule::Kind::kRule;
  if (state_.cfa_is_known) {
    const std::optional<Base> base = base_of(state_.cfa_register);
    if (!base || !fits(state_.cfa_offset)) return unknown;
    rule.cfa = {*base, false, static_cast<int32_t>(state_.cfa_offset)};
  }
  if (rule.return_address.base == Base::kNothing) return {.kind = FrameRule::Kind::kEnd};
  if (rule.cfa.base == Base::kNothing) return unknown;
  return rule;
}

}  // namespace clew::inject
