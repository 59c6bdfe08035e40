#include "inject/surface/gate_code.h"

#include <cstring>

// The numbers are those of gate_code.h, which is compared below.
asm(R"(
  .pushsection .rodata.clew_gate, "a", @progbits
  .hidden clew_gate_begin, clew_gate_enter, clew_gate_stored, clew_gate_published
  .hidden clew_gate_leave, clew_gate_refused, clew_gate_end
  .globl clew_gate_begin, clew_gate_enter, clew_gate_stored, clew_gate_published
  .globl clew_gate_leave, clew_gate_refused, clew_gate_end
clew_gate_begin:
  syscall
  movq %gs:16, %rcx               # its slot
  movq %rax, 40(%rcx)
  movq $2, (%rcx)                 # is done
  movq %gs:8, %rcx
  addq $10, %rcx
  jmpq *%rcx

clew_gate_enter:                  # eax: site, rcx: where to ask
  cmpl $0x636c6577, %gs:0
  jne 8f
  movq %rcx, %gs:8
clew_gate_stored:
  movl %esp, %r11d                # which entries it may have
  shrl $4, %r11d
  movl %edi, %ecx
  shll $9, %ecx
  xorl %ecx, %r11d
  xorl %eax, %r11d
  imull $-1640531535, %r11d, %r11d
  shrl $27, %r11d
  imull $6144, %r11d, %r11d
  addq %gs:40, %r11
  movl %eax, %gs:56
  leaq 6144(%r11), %rcx
  movq %rcx, %gs:64
0:
  cmpq %rsp, (%r11)
  jne 5f
  movl %gs:56, %eax
  cmpl %eax, 24(%r11)
  jne 5f
  cmpl %edi, 28(%r11)
  jne 5f
  cmpl $0, 36(%r11)
  je 1f
  cmpq %rbp, 8(%r11)
  jne 5f
1:
  cmpl $0, 40(%r11)
  je 2f
  testq %r8, %r8
  jne 5f
2:
  leaq 64(%r11), %rcx             # whether the stack is as it was
3:
  movq (%rcx), %rax
  testq %rax, %rax
  jz 4f
  movq (%rax), %rax
  cmpq 8(%rcx), %rax
  jne 5f
  addq $16, %rcx
  jmp 3b
5:
  addq $768, %r11
  cmpq %gs:64, %r11
  jb 0b
  jmp 7f
4:
  movq %gs:24, %rcx
  movq %rcx, %rax
  subq %gs:32, %rax
  cmpq $512, %rax
  jae 7f                          # the ring is full
  andl $511, %ecx
  shll $6, %ecx
  addq %gs:48, %rcx
  movq %rcx, %gs:16
  movq $1, (%rcx)                 # is begun
  movq 16(%r11), %rax
  movq %rax, 16(%rcx)
  movq %rdx, 24(%rcx)
  movq %r10, 32(%rcx)
  movl $1, %eax
  lock xaddq %rax, 0x70010000
  movq %rax, 8(%rcx)
  lock incq %gs:24
clew_gate_published:
  cmpl $1, 32(%r11)               # withdrawn meanwhile?
  jne 6f
  movl 44(%r11), %eax
  jmp clew_gate_begin
6:
  movq $3, (%rcx)                 # is cancelled
clew_gate_leave:
7:
  jmpq *%gs:8
clew_gate_refused:
8:
  jmpq *%rcx
clew_gate_end:
  .popsection
)");

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): labels of the assembler
extern const char clew_gate_begin[], clew_gate_enter[], clew_gate_stored[], clew_gate_published[],
    clew_gate_leave[], clew_gate_refused[], clew_gate_end[];
// NOLINTEND(readability-identifier-naming)
}

namespace clew::inject {
namespace {

static_assert(kGateOpen == 0x636c6577 && kGateSharedAt == 0x70010000 && kGateDoneAfterAsk == 10);
static_assert(kGateSlots == 512 && sizeof(GateSlot) == 1U << 6U && sizeof(GateEntry) == 768);
static_assert(offsetof(GateLane, open) == 0 && offsetof(GateLane, ask) == 8 &&
              offsetof(GateLane, slot) == 16);
static_assert(offsetof(GateLane, head) == 24 && offsetof(GateLane, tail) == 32);
static_assert(offsetof(GateLane, entries) == 40 && offsetof(GateLane, slots) == 48);
static_assert(offsetof(GateLane, site) == 56 && offsetof(GateLane, last) == 64 &&
              kGateWays * 768 == 6144);
static_assert(offsetof(GateSlot, state) == 0 && offsetof(GateSlot, sequence) == 8);
static_assert(offsetof(GateSlot, number) == 16 && offsetof(GateSlot, count) == 24);
static_assert(offsetof(GateSlot, offset) == 32 && offsetof(GateSlot, result) == 40);
static_assert(offsetof(GateEntry, sp) == 0 && offsetof(GateEntry, bp) == 8 &&
              offsetof(GateEntry, number) == 16);
static_assert(offsetof(GateEntry, site) == 24 && offsetof(GateEntry, descriptor) == 28);
static_assert(offsetof(GateEntry, valid) == 32 && offsetof(GateEntry, uses_bp) == 36);
static_assert(offsetof(GateEntry, no_address) == 40 && offsetof(GateEntry, call) == 44);
static_assert(offsetof(GateEntry, words) == 64);
static_assert(GateSlot::kBegun == 1 && GateSlot::kDone == 2 && GateSlot::kCancelled == 3);

uint64_t address_of_label(const char* label) {
  return kGateCodeAt + static_cast<uint64_t>(label - clew_gate_begin);
}

void add_number(std::string& bytes, uint32_t number) {
  char four[4];
  std::memcpy(four, &number, sizeof four);
  bytes.append(four, sizeof four);
}

}  // namespace

std::string_view gate_code() {
  return {clew_gate_begin, static_cast<size_t>(clew_gate_end - clew_gate_begin)};
}

GatePlaces gate_places() {
  return {address_of_label(clew_gate_enter),     address_of_label(clew_gate_stored),
          address_of_label(clew_gate_published), address_of_label(clew_gate_leave),
          address_of_label(clew_gate_refused),   address_of_label(clew_gate_end)};
}

std::string gate_jump(uint64_t at, uint64_t to) {
  std::string bytes = "\xe9";
  add_number(bytes, static_cast<uint32_t>(to - (at + 5)));
  return bytes;
}

GateStub gate_stub(uint64_t at, std::string_view replaced, uint32_t site, uint32_t call,
                   uint64_t call_at) {
  constexpr uint32_t kToAgain = 5 + 6 + 3;  // bytes from behind `lea` to there
  GateStub made{.bytes = std::string(replaced)};
  made.bytes += "\x48\x8d\x0d";  // lea again(%rip), %rcx
  add_number(made.bytes, kToAgain);
  made.bytes += "\xb8";  // mov $site, %eax
  add_number(made.bytes, site);
  made.bytes += "\x41\xbb";  // mov $enter, %r11d
  add_number(made.bytes, static_cast<uint32_t>(gate_places().enter));
  made.bytes += "\x41\xff\xe3";  // jmp *%r11
  made.again = made.bytes.size();
  made.bytes += "\xb8";  // mov $call, %eax
  add_number(made.bytes, call);
  made.bytes += gate_jump(at + made.bytes.size(), call_at);
  made.bytes += gate_jump(at + made.bytes.size(), call_at + 2);
  return made;
}

}  // namespace clew::inject
