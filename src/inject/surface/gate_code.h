// What lies in the memory of a process that has a gate: its code, and the lanes that this code and
// the tracer share (gate.h says what for).
//
//   code page     the only `syscall` instruction that the filter lets pass, and the check before it
//   stubs         near the patched module: where each patched place jumps to
//   lanes         shared with the tracer; GS of a thread points at its own, which nobody else uses
//
// The code uses RAX, RCX and R11 alone, which a system call overwrites anyway, and no stack: until
// its `syscall` has been made, a thread that stands in it can be put back to where it came from,
// and afterwards to where it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace clew::inject {

constexpr uint64_t kGateCodeAt = 0x70000000;
constexpr uint64_t kGatePassed =
    kGateCodeAt + 2;  // behind the instruction, where the filter sees a call
constexpr uint64_t kGateSharedAt = 0x70010000;
constexpr uint64_t kGateLanesAt = 0x70020000;
constexpr uint64_t kGateLaneBytes = 0x40000;
constexpr uint64_t kGateMostLanes = 64;  // the first is closed for ever
constexpr uint64_t kGateSharedBytes =
    kGateLanesAt - kGateSharedAt + kGateMostLanes * kGateLaneBytes;
constexpr uint64_t gate_lane_at(size_t lane) { return kGateLanesAt + lane * kGateLaneBytes; }

constexpr uint32_t kGateOpen = 0x636c6577;

constexpr size_t kGateMostWords = 44;

// A word of a stack that has to be as it was.
struct GateWord {
  uint64_t address = 0;  // 0: behind the last one
  uint64_t value = 0;
};

// A call that may pass: made at this place, on this descriptor, with this stack.
struct GateEntry {
  uint64_t sp = 0;
  uint64_t bp = 0;
  uint64_t number = 0;  // what the watcher calls it
  uint32_t site = 0;    // 0: none
  int32_t descriptor = 0;
  uint32_t valid = 0;
  uint32_t uses_bp = 0;
  uint32_t no_address = 0;  // the fifth argument has to be 0
  uint32_t call = 0;
  uint64_t unused[2] = {};
  GateWord words[kGateMostWords] = {};
};
static_assert(sizeof(GateEntry) == 768);

// A call that has passed.
struct GateSlot {
  enum State : uint64_t { kBegun = 1, kDone = 2, kCancelled = 3, kLeft = 4 };
  uint64_t state = 0;
  uint64_t sequence = 0;  // between all lanes
  uint64_t number = 0;    // of its entry
  uint64_t count = 0;     // its third argument
  uint64_t offset = 0;    // its fourth argument
  int64_t result = 0;
  uint64_t unused[2] = {};
};
static_assert(sizeof(GateSlot) == 64);

constexpr size_t kGateSlots = 512;
constexpr size_t kGateEntries = 256;
constexpr size_t kGateWays = 8;  // so many entries, one behind the other, a call may have

struct GateLane {
  uint32_t open = 0;  // kGateOpen, or all calls go to the tracer
  uint32_t unused = 0;
  uint64_t ask = 0;      // of the stub where the thread came in
  uint64_t slot = 0;     // address of the last one
  uint64_t head = 0;     // how many slots were ever begun
  uint64_t tail = 0;     // and told to the watcher
  uint64_t entries = 0;  // addresses
  uint64_t slots = 0;
  uint64_t site = 0, last = 0;  // what is looked for, and up to where
  uint64_t unused2[55] = {};
  GateSlot ring[kGateSlots] = {};
  GateEntry table[kGateEntries] = {};
};
static_assert(sizeof(GateLane) <= kGateLaneBytes);

// The first of the entries that a call may have.
constexpr uint32_t gate_entry_of(uint64_t sp, int32_t descriptor, uint32_t site) {
  const uint32_t mixed =
      (static_cast<uint32_t>(sp) >> 4U) ^ (static_cast<uint32_t>(descriptor) << 9U) ^ site;
  return ((mixed * 0x9E3779B1U) >> 27U) * kGateWays;
}
static_assert(kGateEntries == 32 * kGateWays);

std::string_view gate_code();  // for kGateCodeAt

// Where a thread may stand in the code, as addresses.
struct GatePlaces {
  uint64_t enter;      // from a stub, with the address of its second half in RCX
  uint64_t stored;     // that is in GateLane::ask from here on
  uint64_t published;  // the last slot is begun from here on
  uint64_t leave;      // and not any more
  uint64_t refused;    // its lane is closed: the address is still in RCX
  uint64_t end;
};
GatePlaces gate_places();

// What a patched place jumps to: it does what was replaced there, enters the code, and comes back.
//   `again`     + 0: to the tracer: the call is made where it always was
//   `again + 10`: it has been made, go on behind it
struct GateStub {
  std::string bytes;
  size_t again = 0;
};
constexpr uint64_t kGateDoneAfterAsk = 10;
// `replaced`: instructions that mean the same everywhere; `call_at`: the old `syscall`.
GateStub gate_stub(uint64_t at, std::string_view replaced, uint32_t site, uint32_t call,
                   uint64_t call_at);

// `jmp to`, which lies within 2 GiB.
std::string gate_jump(uint64_t at, uint64_t to);

}  // namespace clew::inject
