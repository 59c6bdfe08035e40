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
extern const char clew_gate_begin[], clew_gate_enter[], clew_gate_stored[], clew_gate_published[],
    clew_gate_leave[], clew_gate_refused[], clew_gate_end[];
}

namespace clew::inject::gate {
namespace {

static_assert(kOpen == 0x636c6577 && kSharedAt == 0x70010000 && kDoneAfterAsk == 10);
static_assert(kSlots == 512 && sizeof(Slot) == 1U << 6U && sizeof(Entry) == 768);
static_assert(offsetof(Lane, open) == 0 && offsetof(Lane, ask) == 8 && offsetof(Lane, slot) == 16);
static_assert(offsetof(Lane, head) == 24 && offsetof(Lane, tail) == 32);
static_assert(offsetof(Lane, entries) == 40 && offsetof(Lane, slots) == 48);
static_assert(offsetof(Lane, site) == 56 && offsetof(Lane, last) == 64 && kWays * 768 == 6144);
static_assert(offsetof(Slot, state) == 0 && offsetof(Slot, sequence) == 8);
static_assert(offsetof(Slot, number) == 16 && offsetof(Slot, count) == 24);
static_assert(offsetof(Slot, offset) == 32 && offsetof(Slot, result) == 40);
static_assert(offsetof(Entry, sp) == 0 && offsetof(Entry, bp) == 8 &&
              offsetof(Entry, number) == 16);
static_assert(offsetof(Entry, site) == 24 && offsetof(Entry, descriptor) == 28);
static_assert(offsetof(Entry, valid) == 32 && offsetof(Entry, uses_bp) == 36);
static_assert(offsetof(Entry, no_address) == 40 && offsetof(Entry, call) == 44);
static_assert(offsetof(Entry, words) == 64);
static_assert(Slot::kBegun == 1 && Slot::kDone == 2 && Slot::kCancelled == 3);

uint64_t address_of(const char* label) {
  return kCodeAt + static_cast<uint64_t>(label - clew_gate_begin);
}

void add_number(std::string& bytes, uint32_t number) {
  char four[4];
  std::memcpy(four, &number, sizeof four);
  bytes.append(four, sizeof four);
}

}  // namespace

std::string_view code() {
  return {clew_gate_begin, static_cast<size_t>(clew_gate_end - clew_gate_begin)};
}

Places places() {
  return {address_of(clew_gate_enter),     address_of(clew_gate_stored),
          address_of(clew_gate_published), address_of(clew_gate_leave),
          address_of(clew_gate_refused),   address_of(clew_gate_end)};
}

std::string jump(uint64_t at, uint64_t to) {
  std::string bytes = "\xe9";
  add_number(bytes, static_cast<uint32_t>(to - (at + 5)));
  return bytes;
}

Stub stub(uint64_t at, std::string_view replaced, uint32_t site, uint32_t call, uint64_t call_at) {
  constexpr uint32_t kToAgain = 5 + 6 + 3;  // bytes from behind `lea` to there
  Stub made{.bytes = std::string(replaced)};
  made.bytes += "\x48\x8d\x0d";  // lea again(%rip), %rcx
  add_number(made.bytes, kToAgain);
  made.bytes += "\xb8";  // mov $site, %eax
  add_number(made.bytes, site);
  made.bytes += "\x41\xbb";  // mov $enter, %r11d
  add_number(made.bytes, static_cast<uint32_t>(places().enter));
  made.bytes += "\x41\xff\xe3";  // jmp *%r11
  made.again = made.bytes.size();
  made.bytes += "\xb8";  // mov $call, %eax
  add_number(made.bytes, call);
  made.bytes += jump(at + made.bytes.size(), call_at);
  made.bytes += jump(at + made.bytes.size(), call_at + 2);
  return made;
}

}  // namespace clew::inject::gate
