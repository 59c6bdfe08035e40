#include "inject/surface/gate_sites.h"

#include <sys/syscall.h>

#include <array>
#include <cstring>
#include <optional>

namespace clew::inject {
namespace {

using std::string_view_literals::operator""sv;

// `syscall; cmp $-4096, %rax`: what the comparison sets, nobody has set before.
constexpr std::string_view kCall = "\x0f\x05\x48\x3d\x00\xf0\xff\xff"sv;
constexpr size_t kMovBytes = 5;

// `mov $call, %eax` right before.
std::optional<GateSite> after_mov(std::string_view code, size_t call_at) {
  if (call_at < kMovBytes + 1) return std::nullopt;
  const size_t at = call_at - kMovBytes;
  const auto prefix = static_cast<unsigned char>(code[at - 1]);
  uint32_t call = 0;
  std::memcpy(&call, code.data() + at + 1, sizeof call);
  const bool other_register = prefix >= 0x40 && prefix <= 0x4f;
  if (code[at] != '\xb8' || other_register || !may_pass(call)) return std::nullopt;
  return GateSite{.at = at, .size = kMovBytes, .call_at = call_at, .call = call};
}

// The same, and then arguments from the stack: the first of these is replaced, the others follow.
std::optional<GateSite> after_loads(std::string_view code, size_t call_at) {
  constexpr std::array<std::string_view, 2> kLoads = {
      "\x48\x8b\x54\x24\x10\x48\x8b\x74\x24\x08"sv,  // mov 16(%rsp), %rdx; mov 8(%rsp), %rsi
      "\x48\x8b\x74\x24\x10\x8b\x7c\x24\x08"sv,      // mov 16(%rsp), %rsi; mov 8(%rsp), %edi
  };
  for (const std::string_view loads : kLoads) {
    const size_t before = kMovBytes + loads.size();
    if (call_at < before + 1) continue;
    if (code.substr(call_at - loads.size(), loads.size()) != loads) continue;
    std::optional<GateSite> site = after_mov(code, call_at - loads.size());
    if (!site) continue;
    site->at = call_at - loads.size();
    site->call_at = call_at;
    site->replaced = std::string(loads);
    return site;
  }
  return std::nullopt;
}

size_t nops_at(std::string_view code) {
  constexpr std::array<std::string_view, 4> kNops = {
      "\x66\x2e\x0f\x1f\x84\x00\x00\x00\x00\x00"sv,
      "\x0f\x1f\x84\x00\x00\x00\x00\x00"sv,
      "\x0f\x1f\x80\x00\x00\x00\x00"sv,
      "\x0f\x1f\x44\x00\x00"sv,
  };
  for (const std::string_view nop : kNops) {
    if (code.starts_with(nop)) return nop.size();
  }
  return 0;
}

// `xor %eax, %eax` right before, for read: too short for a jump, so that one lies in the bytes
// behind the `ret` that comes next. `.` of a pattern is any byte.
std::optional<GateSite> after_xor(std::string_view code, size_t call_at) {
  constexpr std::array<std::string_view, 2> kUpToRet = {
      "\x77.\xc3"sv,
      "\x77.\x44\x89\xc7\x48\x89\x44\x24\x08\xe8....\x48\x8b\x44\x24\x08\x48\x83\xc4\x28\xc3"sv,
  };
  if (call_at < 2 || code.substr(call_at - 2, 2) != "\x31\xc0"sv) return std::nullopt;
  const size_t begin = call_at + kCall.size();
  for (const std::string_view pattern : kUpToRet) {
    const std::string_view there = code.substr(begin, pattern.size());
    if (there.size() < pattern.size()) continue;
    bool same = true;
    for (size_t i = 0; i < pattern.size(); ++i) same &= pattern[i] == '.' || pattern[i] == there[i];
    const size_t pad = begin + pattern.size();
    if (!same || nops_at(code.substr(pad)) == 0) continue;
    return GateSite{.at = call_at - 2, .size = 2, .pad = pad, .call_at = call_at, .call = SYS_read};
  }
  return std::nullopt;
}

}  // namespace

bool may_pass(long call) {
  switch (call) {
    case SYS_read:
    case SYS_write:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sendto:
    case SYS_recvfrom:
      return true;
    default:
      return false;
  }
}

std::vector<GateSite> gate_sites(std::string_view code) {
  std::vector<GateSite> sites;
  for (size_t at = code.find(kCall); at != std::string_view::npos; at = code.find(kCall, at + 1)) {
    std::optional<GateSite> site = after_mov(code, at);
    if (!site) site = after_loads(code, at);
    if (!site) site = after_xor(code, at);
    if (site) sites.push_back(*std::move(site));
  }
  return sites;
}

}  // namespace clew::inject
