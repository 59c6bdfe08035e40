// A walk is a few steps of arithmetic and one read of the memory of the process, once all places
// on the stack are known: `at` of a Process finds them by their addresses.
#include "inject/surface/stacks.h"

#include <optional>

#include "inject/surface/modules.h"
#include "inject/surface/stack_cache.h"
#include "inject/surface/stack_memory.h"

namespace clew::inject {

namespace {

using Base = FrameRule::Where::Base;
using Kind = FrameRule::Kind;

struct Registers {
  uint64_t pc = 0, sp = 0, bp = 0;
};

enum class Stride { kCaller, kEnd, kLost };

std::optional<uint64_t> value_of(const FrameRule::Where& where, const Registers& now, uint64_t cfa,
                                 StackMemory& memory) {
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
  const uint64_t at = base + static_cast<uint64_t>(int64_t{where.offset});
  return where.in_memory ? memory.word(at) : std::optional<uint64_t>(at);
}

Stride follow_rule(const FrameRule& rule, Registers& now, StackMemory& memory) {
  const std::optional<uint64_t> cfa = value_of(rule.cfa, now, 0, memory);
  // The stack grows downwards, so callers lie higher, and whoever goes on ends somewhere. Only a
  // signal may have come on a stack of its own.
  if (!cfa || (*cfa <= now.sp && !rule.is_signal)) return Stride::kLost;
  const std::optional<uint64_t> pc = value_of(rule.return_address, now, *cfa, memory);
  const std::optional<uint64_t> bp = value_of(rule.bp, now, *cfa, memory);
  if (!pc || !bp) return Stride::kLost;
  now = {*pc, *cfa, *bp};
  return Stride::kCaller;
}

Stride follow_frame_pointer(Registers& now, StackMemory& memory) {
  if (now.bp == 0) return Stride::kEnd;
  if (now.bp < now.sp || now.bp % sizeof(uint64_t) != 0) return Stride::kLost;
  const std::optional<uint64_t> bp = memory.word(now.bp);
  const std::optional<uint64_t> pc = memory.word(now.bp + 8);
  if (!bp || !pc) return Stride::kLost;
  now = {*pc, now.bp + 16, *bp};
  return Stride::kCaller;
}

Stride follow(const FrameRule& rule, Registers& now, StackMemory& memory) {
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
  Registers now{call.pc, call.sp, call.bp};
  StackMemory& memory = state_->memory;
  memory.begin(call.thread, call.sp);
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
