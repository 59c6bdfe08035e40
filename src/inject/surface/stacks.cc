// A walk is a few steps of arithmetic and one read of the memory of the process, once all places
// on the stack are known: `at` of a Process finds them by their addresses.
#include "inject/surface/stacks.h"

#include <optional>
#include <utility>

#include "inject/surface/modules.h"
#include "inject/surface/stack_cache.h"
#include "inject/surface/stack_memory.h"

namespace clew::inject {

namespace {

using Base = FrameRule::Where::Base;
using Kind = FrameRule::Kind;

struct Registers {
  uint64_t pc = 0, sp = 0, bp = 0;
  // Where bp is from: RBP itself, a word of the stack, or neither.
  bool bp_is_first = true;
  uint64_t bp_address = 0;
};

// The memory of a walk that notes what it depends on.
class Noted {
 public:
  Noted(StackMemory& memory, SameStack& same, uint64_t sp)
      : memory_(&memory), same_(&same), sp_(sp) {}

  std::optional<uint64_t> word(uint64_t address) {
    const std::optional<uint64_t> value = memory_->word(address);
    if (!value) same_->is_known = false;
    return value;
  }
  void depends_on(uint64_t address, uint64_t value) {
    constexpr uint64_t kMostStack = 8U << 20U;
    if (address < sp_ || address - sp_ > kMostStack) same_->is_known = false;
    same_->words.push_back({address, value});
  }
  void is_unsure() { same_->is_known = false; }
  // Once for each value of bp.
  void depends_on_bp(Registers& now) {
    if (std::exchange(now.bp_is_first, false)) same_->uses_bp = true;
    if (const uint64_t address = std::exchange(now.bp_address, 0)) depends_on(address, now.bp);
  }

 private:
  StackMemory* memory_;
  SameStack* same_;
  uint64_t sp_;
};

enum class Stride { kCaller, kEnd, kLost };

bool is_from_bp(const FrameRule::Where& where) {
  return where.base == Base::kSame || where.base == Base::kBp;
}

uint64_t place_of(const FrameRule::Where& where, const Registers& now, uint64_t cfa) {
  uint64_t base = 0;
  switch (where.base) {
    case Base::kNothing:
      return 0;
    case Base::kSame:
    case Base::kBp:
      base = now.bp;
      break;
    case Base::kSp:
      base = now.sp;
      break;
    case Base::kCfa:
      base = cfa;
      break;
  }
  return base + static_cast<uint64_t>(int64_t{where.offset});
}

std::optional<uint64_t> value_of(const FrameRule::Where& where, Registers& now, uint64_t cfa,
                                 Noted& memory) {
  if (is_from_bp(where)) memory.depends_on_bp(now);
  const uint64_t at = place_of(where, now, cfa);
  if (!where.in_memory || where.base == Base::kNothing) return at;
  const std::optional<uint64_t> value = memory.word(at);
  if (value) memory.depends_on(at, *value);
  return value;
}

// The caller's: what it is does not matter before it is used.
bool recover_bp(const FrameRule::Where& where, const Registers& now, uint64_t cfa, Noted& memory,
                Registers& caller) {
  const bool unchanged = is_from_bp(where) && !where.in_memory && where.offset == 0;
  caller.bp_is_first = unchanged && now.bp_is_first;
  caller.bp_address = unchanged ? now.bp_address : 0;
  caller.bp = place_of(where, now, cfa);
  if (unchanged || where.base == Base::kNothing) return true;
  if (is_from_bp(where)) {
    Registers used = now;
    memory.depends_on_bp(used);
  }
  if (!where.in_memory) return true;
  const std::optional<uint64_t> value = memory.word(caller.bp);
  if (!value) return false;
  caller.bp_address = caller.bp;
  caller.bp = *value;
  return true;
}

Stride follow_rule(const FrameRule& rule, Registers& now, Noted& memory) {
  const std::optional<uint64_t> cfa = value_of(rule.cfa, now, 0, memory);
  // The stack grows downwards, so callers lie higher, and whoever goes on ends somewhere. Only a
  // signal may have come on a stack of its own.
  if (!cfa || (*cfa <= now.sp && !rule.is_signal)) return Stride::kLost;
  const std::optional<uint64_t> pc = value_of(rule.return_address, now, *cfa, memory);
  Registers caller{.pc = pc.value_or(0), .sp = *cfa};
  if (!pc || !recover_bp(rule.bp, now, *cfa, memory, caller)) return Stride::kLost;
  now = caller;
  return Stride::kCaller;
}

Stride follow_frame_pointer(Registers& now, Noted& memory) {
  memory.is_unsure();  // it may be no frame pointer at all
  if (now.bp == 0) return Stride::kEnd;
  if (now.bp < now.sp || now.bp % sizeof(uint64_t) != 0) return Stride::kLost;
  const std::optional<uint64_t> bp = memory.word(now.bp);
  const std::optional<uint64_t> pc = memory.word(now.bp + 8);
  if (!bp || !pc) return Stride::kLost;
  now = {.pc = *pc, .sp = now.bp + 16, .bp = *bp, .bp_is_first = false, .bp_address = now.bp};
  return Stride::kCaller;
}

Stride follow(const FrameRule& rule, Registers& now, Noted& memory) {
  switch (rule.kind) {
    case Kind::kUnknown:
      return Stride::kLost;
    case Kind::kEnd:
      return Stride::kEnd;
    case Kind::kFramePointer:
      return follow_frame_pointer(now, memory);
    case Kind::kRule:
      return follow_rule(rule, now, memory);
  }
  return Stride::kLost;
}

}  // namespace

struct Stacks::State {
  explicit State(StackCache& to) : modules(to) {}

  Modules modules;
  StackMemory memory{};
};

Stacks::Stacks(StackCache& cache) : state_(std::make_unique<State>(cache)) {}
Stacks::~Stacks() = default;

void Stacks::forget(pid_t process) { state_->modules.forget(process); }

Stacks::Walked Stacks::walk(const StoppedCall& call) {
  Walked walked;
  Registers now{.pc = call.pc, .sp = call.sp, .bp = call.bp};
  state_->memory.begin(call.thread, call.sp);
  Noted memory(state_->memory, walked.same, call.sp);
  Modules::Walk places = state_->modules.walk(call.process);
  bool behind_call = true;  // the place is just behind the instruction that is meant
  while (walked.frames.size() < kMostFrames) {
    if (now.pc == 0 && !walked.frames.empty()) return walked;  // nobody called this
    const StackPlace* place = places.at(now.pc - (behind_call ? 1 : 0));
    if (!place) {
      walked.truncated = true;
      return walked;
    }
    for (const std::string& name : place->names) {
      if (walked.frames.size() < kMostFrames) walked.frames.push_back(name);
    }
    const Stride step = follow(place->rule, now, memory);
    if (step != Stride::kCaller) {
      walked.truncated = step == Stride::kLost;
      return walked;
    }
    behind_call = !place->rule.is_signal;
  }
  return walked;
}

}  // namespace clew::inject
