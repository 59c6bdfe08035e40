// The instructions of call frame information, run up to one place in the code.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "inject/surface/bytes.h"
#include "inject/surface/frame_rule.h"

namespace clew::inject {

class CfiProgram {
 public:
  // What an entry's common part says.
  uint64_t code_factor = 1;
  int64_t data_factor = 1;
  uint64_t return_column = 16;

  // The rule for `pc` of code that begins at `begin`.
  FrameRule run(std::string_view common, std::string_view own, uint64_t begin, uint64_t pc);

 private:
  struct State {
    uint64_t cfa_register = 0;
    int64_t cfa_offset = 0;
    bool cfa_is_known = false;
    FrameRule rule{};  // `cfa` only if an expression says it
    bool unknown = false;
  };

  bool run(ByteReader reader, uint64_t pc);
  bool step(ByteReader& reader, uint8_t code);
  bool step_cfa(ByteReader& reader, uint8_t code);
  bool step_register(ByteReader& reader, uint8_t code);
  void set(uint64_t column, FrameRule::Where where);
  void set_at_cfa(uint64_t column, int64_t offset, bool in_memory);
  void restore(uint64_t column);

  State state_{}, initial_{};
  std::vector<State> remembered_;
  uint64_t location_ = 0;
};

}  // namespace clew::inject
