#include "inject/surface/filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "inject/call.h"
#include "inject/surface/gate_code.h"
#include "inject/surface/gate_sites.h"

namespace clew::inject {
namespace {

constexpr struct {
  long number;
  const char* name;
} kRefusedCalls[] = {
    {SYS_io_setup, "io_setup"},
    {SYS_io_destroy, "io_destroy"},
    {SYS_io_getevents, "io_getevents"},
    {SYS_io_submit, "io_submit"},
    {SYS_io_cancel, "io_cancel"},
    {SYS_io_pgetevents, "io_pgetevents"},
    {SYS_io_uring_setup, "io_uring_setup"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_io_uring_register, "io_uring_register"},
};

constexpr uint32_t kX32Bit = 0x40000000;

// The low half of an argument; x86 is little endian, and flags and commands are 32 bits.
constexpr uint32_t argument(uint32_t which) {
  return static_cast<uint32_t>(offsetof(seccomp_data, args)) + 8 * which;
}

// A program that grows line by line; jumps are relative to the next line.
class Program {
 public:
  void load(size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)); }
  void skip_if_equal(uint32_t value, size_t lines) { jump(BPF_JEQ, value, lines, 0); }
  void skip_if_any_bit(uint32_t bits, size_t lines) { jump(BPF_JSET, bits, lines, 0); }
  void skip_unless_equal(uint32_t value, size_t lines) { jump(BPF_JEQ, value, 0, lines); }
  void skip_unless_at_least(uint32_t value, size_t lines) { jump(BPF_JGE, value, 0, lines); }
  void skip_unless_any_bit(uint32_t bits, size_t lines) { jump(BPF_JSET, bits, 0, lines); }
  void stop(StopReason reason) {
    add(BPF_RET | BPF_K, SECCOMP_RET_TRACE | static_cast<uint32_t>(reason));
  }
  void pass() { add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW); }
  void append(const Program& other) {
    lines_.insert(lines_.end(), other.lines_.begin(), other.lines_.end());
  }
  size_t size() const { return lines_.size(); }
  std::vector<sock_filter> take() { return std::move(lines_); }

 private:
  void add(int code, uint32_t value) {
    lines_.push_back({static_cast<uint16_t>(code), 0, 0, value});
  }
  void jump(int test, uint32_t value, size_t yes, size_t no) {
    CHECK(yes < 256 && no < 256);
    lines_.push_back({static_cast<uint16_t>(BPF_JMP | BPF_K | test), static_cast<uint8_t>(yes),
                      static_cast<uint8_t>(no), value});
  }

  std::vector<sock_filter> lines_;
};

// What becomes of a call with the right number: those of three calls depend on their arguments.
Program body_of(long number) {
  Program body;
  if (number == SYS_mmap) {  // shared or executable maps of files
    body.load(argument(3));
    body.skip_if_any_bit(MAP_ANONYMOUS, 4);
    body.skip_if_any_bit(MAP_SHARED, 2);
    body.load(argument(2));
    body.skip_unless_any_bit(PROT_EXEC, 1);
    body.stop(StopReason::kInTable);
    body.pass();
  } else if (number == SYS_fcntl) {
    body.load(argument(1));
    body.skip_if_equal(F_DUPFD, 3);
    body.skip_if_equal(F_DUPFD_CLOEXEC, 2);
    body.skip_if_equal(F_SETFL, 1);
    body.pass();
    body.stop(StopReason::kInTable);
  } else if (number == SYS_ioctl) {
    body.load(argument(1));
    body.skip_if_equal(static_cast<uint32_t>(FICLONE), 2);
    body.skip_if_equal(static_cast<uint32_t>(FICLONERANGE), 1);
    body.pass();
    body.stop(StopReason::kInTable);
  } else {
    body.stop(StopReason::kInTable);
  }
  return body;
}

// The same for a process that may have a gate: from its one instruction, a call passes.
Program gated_body() {
  Program body;
  body.load(offsetof(seccomp_data, instruction_pointer));
  body.skip_unless_equal(static_cast<uint32_t>(kGatePassed), 3);
  body.load(offsetof(seccomp_data, instruction_pointer) + 4);
  body.skip_unless_equal(static_cast<uint32_t>(kGatePassed >> 32U), 1);
  body.pass();
  body.stop(StopReason::kInTable);
  return body;
}

Program naming_body() {
  Program body;
  body.load(argument(0));
  body.skip_unless_equal(PR_SET_NAME, 1);
  body.stop(StopReason::kNamed);
  body.pass();
  return body;
}

}  // namespace

const char* refused_name(long number) {
  for (const auto& call : kRefusedCalls) {
    if (call.number == number) return call.name;
  }
  return nullptr;
}

std::vector<sock_filter> make_filter(bool gate) {
  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.skip_if_equal(AUDIT_ARCH_X86_64, 1);
  program.stop(StopReason::k32Bit);
  program.load(offsetof(seccomp_data, nr));
  program.skip_unless_at_least(kX32Bit, 3);
  program.skip_unless_equal(static_cast<uint32_t>(-1), 1);  // no call at all
  program.pass();
  program.stop(StopReason::kX32);
  for (const CallRow& row : all_calls()) {
    const Program body = gate && may_pass(row.number) ? gated_body() : body_of(row.number);
    program.skip_unless_equal(static_cast<uint32_t>(row.number), body.size());
    program.append(body);
  }
  for (const auto& call : kRefusedCalls) {
    program.skip_unless_equal(static_cast<uint32_t>(call.number), 1);
    program.stop(StopReason::kRefused);
  }
  if (gate) {
    const Program body = naming_body();
    program.skip_unless_equal(SYS_prctl, body.size());
    program.append(body);
  }
  program.pass();
  return program.take();
}

}  // namespace clew::inject
