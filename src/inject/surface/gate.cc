#include "inject/surface/gate.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "inject/surface/memory.h"
#include "inject/surface/module_file.h"
#include "inject/surface/remote_calls.h"

namespace clew::inject {
namespace {

constexpr size_t kMostCodeBytes = 64U << 20U;
constexpr uint64_t kGatePage = 4096;
constexpr uint64_t kStubBytes = 64;
constexpr uint64_t kNear = 1U << 30U;
constexpr uint64_t kBelowStack = 1024;  // where a process has nothing
constexpr size_t kJumpBytes = 5;
constexpr uint64_t kCallBytes = 2;

// How many filters the calls of a process go through; another one than ours would see our calls.
int filters_of(const std::string& process) {
  std::ifstream file(fmt::format("/proc/{}/status", process));
  for (std::string word; file >> word;) {
    int count = 0;
    if (word == "Seccomp_filters:" && file >> count) return count;
  }
  return -1;
}

bool get_registers(pid_t thread, user_regs_struct& registers) {
  return ptrace(PTRACE_GETREGS, thread, nullptr, &registers) == 0;
}

bool put_registers(pid_t thread, const user_regs_struct& registers) {
  return ptrace(PTRACE_SETREGS, thread, nullptr, &registers) == 0;
}

uint64_t load_shared(uint64_t& shared) {
  return std::atomic_ref<uint64_t>(shared).load(std::memory_order_acquire);
}

void store_shared(uint64_t& shared, uint64_t value) {
  std::atomic_ref<uint64_t>(shared).store(value);
}
void store_shared(uint32_t& shared, uint32_t value) {
  std::atomic_ref<uint32_t>(shared).store(value);
}

// Room for so many bytes that no module and no stack is next to; 0: there is none.
uint64_t room_near(const std::vector<Mapping>& maps, const Mapping& code, uint64_t bytes) {
  constexpr uint64_t kApart = 1U << 20U;
  uint64_t end = code.begin;
  for (size_t i = maps.size(); i-- > 0;) {
    if (maps[i].begin > code.begin) continue;
    end = std::min(end, maps[i].begin);
    const uint64_t below = i == 0 ? kGatePage * 16 : maps[i - 1].end;
    if (end < below + 2 * kApart + bytes) continue;
    const uint64_t at = end - kApart - bytes;
    return code.end - at < kNear ? at : 0;
  }
  return 0;
}

// It calls for itself, before there is a library to wait for.
bool is_loader(const std::string& path) { return module_name(path).starts_with("ld-"); }

// Which of two entries is to be given up first.
bool is_older(const GateEntry& one, const GateEntry& other) {
  return one.valid != other.valid ? one.valid == 0 : one.number < other.number;
}

bool was_interrupted(int64_t result) {
  return result == -512 || result == -513 || result == -514 || result == -516;
}

// Whether the bytes are there that the place was recognized by.
bool is_as_found(pid_t thread, const GateSite& site, uint64_t base) {
  constexpr size_t kMostPad = 16;
  const size_t begin = site.at == 0 ? 0 : site.at - 1;
  const size_t end = std::max(site.call_at, site.pad) + kMostPad;
  std::string bytes(end - begin, '\0');
  bytes.resize(read_some(thread, base + begin, bytes));
  GateSite expected = site;
  expected.at -= begin;
  expected.call_at -= begin;
  if (site.pad != 0) expected.pad -= begin;
  const std::vector<GateSite> found = gate_sites(bytes);
  return std::ranges::find(found, expected) != found.end();
}

}  // namespace

Gate::Gate(uint32_t last_root)
    : last_root_(last_root),
      file_(static_cast<int>(::syscall(SYS_memfd_create, "clew-gate", MFD_CLOEXEC))),
      used_(kGateMostLanes) {
  if (!file_.valid() || ::ftruncate(file_.number(), kGateSharedBytes) != 0) return;
  void* const at =
      ::mmap(nullptr, kGateSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  if (at == MAP_FAILED) return;
  memory_ = static_cast<char*>(at);
  used_[0] = true;
}

Gate::~Gate() {
  if (memory_ != nullptr) ::munmap(memory_, kGateSharedBytes);
}

GateLane& Gate::lane(size_t number) const {
  return *reinterpret_cast<GateLane*>(memory_ + (gate_lane_at(number) - kGateSharedAt));
}

const std::vector<GateSite>& Gate::sites_of(pid_t process, const Mapping& code) {
  const std::string key =
      fmt::format("{}:{}:{}:{}", code.path, code.inode, code.offset, code.end - code.begin);
  const auto [known, is_new] = known_.try_emplace(key);
  const uint64_t size = code.end - code.begin;
  if (!is_new || !code.path.starts_with('/') || size > kMostCodeBytes) return known->second;
  std::string bytes(size, '\0');
  bytes.resize(read_some(process, code.begin, bytes));
  known->second = gate_sites(bytes);
  return known->second;
}

bool Gate::map(RemoteCalls& remote, pid_t thread, uint64_t sp, uint64_t stubs,
               uint64_t bytes) const {
  const std::string path = fmt::format("/proc/{}/fd/{}", ::getpid(), file_.number());
  const uint64_t path_at = sp - kBelowStack;
  if (!Tracer::write_memory(thread, path_at, path.c_str(), path.size() + 1)) return false;
  const auto file = remote.call(
      SYS_openat, {static_cast<uint64_t>(AT_FDCWD), path_at, O_RDWR | O_CLOEXEC, 0, 0, 0});
  if (!file || *file < 0) return false;
  const auto wanted = static_cast<uint64_t>(*file);
  constexpr uint64_t kExact = MAP_FIXED_NOREPLACE;
  const auto is_at = [&](uint64_t at, uint64_t size, uint64_t rights, uint64_t flags, uint64_t fd) {
    const auto got = remote.call(SYS_mmap, {at, size, rights, flags, fd, 0});
    return got && static_cast<uint64_t>(*got) == at;
  };
  constexpr uint64_t kOwn = MAP_PRIVATE | MAP_ANONYMOUS | kExact;
  constexpr uint64_t kRun = PROT_READ | PROT_EXEC;
  const bool mapped =
      is_at(kGateSharedAt, kGateSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | kExact, wanted) &&
      is_at(kGateCodeAt, kGatePage, kRun, kOwn, ~uint64_t{0}) &&
      is_at(stubs, bytes, kRun, kOwn, ~uint64_t{0});
  remote.call(SYS_close, {wanted, 0, 0, 0, 0, 0});
  const std::string_view code = gate_code();
  return mapped && Tracer::write_memory(thread, kGateCodeAt, code.data(), code.size());
}

bool Gate::patch(pid_t thread, Process& made) {
  for (size_t i = 0; i < made.sites.size(); ++i) {
    Site& site = made.sites[i];
    site.stub = made.stubs + i * kStubBytes;
    const GateStub stub = gate_stub(site.stub, site.replaced, static_cast<uint32_t>(i + 1),
                                    site.call, site.base + site.call_at);
    site.again = site.stub + stub.again;
    CHECK(stub.bytes.size() <= kStubBytes, "a stub of {} bytes", stub.bytes.size());
    if (!Tracer::write_memory(thread, site.stub, stub.bytes.data(), stub.bytes.size())) {
      return false;
    }
  }
  for (const Site& site : made.sites) {
    if (!is_as_found(thread, site, site.base)) continue;
    const uint64_t at = site.base + site.at;
    const uint64_t jump_at = site.size >= kJumpBytes ? at : site.base + site.pad;
    const std::string jump = gate_jump(jump_at, site.stub);
    if (!Tracer::write_memory(thread, jump_at, jump.data(), jump.size())) return false;
    if (jump_at == at) continue;
    const auto ahead = static_cast<int64_t>(jump_at) - static_cast<int64_t>(at + 2);
    const char hop[2] = {'\xeb', static_cast<char>(ahead)};
    if (!Tracer::write_memory(thread, at, hop, sizeof hop)) return false;
  }
  return true;
}

Gate::Opened Gate::open(pid_t process, pid_t thread, const user_regs_struct& registers) {
  const std::vector<Mapping> maps = read_maps(process);
  const Mapping* const code = find_mapping(maps, registers.rip);
  const int own_filters = filters_of("self");
  if (!code || !code->executable || is_loader(code->path) || registers.gs_base != 0 ||
      own_filters < 0 || filters_of(std::to_string(process)) != own_filters + 1) {
    return {};
  }
  const std::vector<GateSite>& found = sites_of(process, *code);
  const uint64_t bytes = (found.size() * kStubBytes + kGatePage - 1) / kGatePage * kGatePage;
  const uint64_t stubs = found.empty() ? 0 : room_near(maps, *code, bytes);
  if (stubs == 0) return {};
  RemoteCalls remote(process, thread, registers);
  const bool mapped = map(remote, thread, registers.rsp, stubs, bytes);
  remote.end();
  if (!mapped || remote.ended()) return {.again = true, .ended = remote.ended()};
  auto made = std::make_shared<Process>();
  made->stubs = stubs;
  made->stubs_end = stubs + bytes;
  for (const GateSite& site : found) {
    Site& one = made->sites.emplace_back();
    static_cast<GateSite&>(one) = site;
    one.base = code->begin;
  }
  processes_[process] = made;
  // In this order: whoever comes through a patched place needs a lane.
  if (join(thread, process)) patch(thread, *made);
  return {.again = true};
}

bool Gate::join(pid_t thread, pid_t process) {
  user_regs_struct registers{};
  if (!get_registers(thread, registers)) return false;
  const size_t number =
      static_cast<size_t>(std::ranges::find(used_, false) - used_.begin()) % used_.size();
  registers.gs_base = gate_lane_at(number);
  if (!put_registers(thread, registers)) return false;
  if (number == 0) return true;  // closed
  used_[number] = true;
  GateLane& mine = lane(number);
  mine.entries = gate_lane_at(number) + offsetof(GateLane, table);
  mine.slots = gate_lane_at(number) + offsetof(GateLane, ring);
  store_shared(mine.head, 0);
  store_shared(mine.tail, 0);
  store_shared(mine.open, kGateOpen);
  threads_[thread] = {.lane = number, .process = process};
  return true;
}

void Gate::began(pid_t process, pid_t thread, pid_t parent) {
  user_regs_struct registers{};
  if (memory_ == nullptr || !get_registers(thread, registers)) return;
  const uint64_t end = gate_lane_at(kGateMostLanes);
  if (registers.gs_base < kGateLanesAt || registers.gs_base >= end) return;
  if (process != parent) {
    if (const auto found = processes_.find(parent); found != processes_.end()) {
      processes_[process] = found->second;
    }
  }
  if (processes_.contains(process)) {
    join(thread, process);
  } else {
    registers.gs_base = gate_lane_at(0);
    put_registers(thread, registers);
  }
}

void Gate::close(Thread& thread) const {
  GateLane& mine = lane(thread.lane);
  store_shared(mine.open, 0);
  for (const auto& [number, entry] : thread.offers) mine.table[entry] = {};
  thread.offers.clear();
}

void Gate::ended(pid_t thread) {
  auto found = threads_.extract(thread);
  if (found.empty()) return;
  close(found.mapped());
  used_[found.mapped().lane] = false;
}

void Gate::forget(pid_t process) {
  processes_.erase(process);
  std::vector<pid_t> gone;
  for (const auto& [id, thread] : threads_) {
    if (thread.process == process) gone.push_back(id);
  }
  for (const pid_t id : gone) ended(id);
}

std::optional<uint64_t> Gate::offer(const StoppedCall& call, const SameStack& same,
                                    uint64_t number) {
  const auto found = threads_.find(call.thread);
  if (found == threads_.end() || found->second.ring.is_damaged ||
      same.words.size() >= kGateMostWords) {
    return std::nullopt;
  }
  const auto process = processes_.find(call.process);
  if (process == processes_.end() || found->second.process != call.process) return std::nullopt;
  const std::vector<Site>& sites = process->second->sites;
  const auto site = std::ranges::find_if(sites, [&](const Site& one) {
    return one.base + one.call_at + kCallBytes == call.pc && one.call == call.row->number;
  });
  if (site == sites.end()) return std::nullopt;
  Thread& thread = found->second;
  const auto site_number = static_cast<uint32_t>(site - sites.begin() + 1);
  const auto descriptor = static_cast<int32_t>(call.arguments[0]);
  GateLane& mine = lane(thread.lane);
  uint32_t place = gate_entry_of(call.sp, descriptor, site_number);
  for (uint32_t way = place; way < place - place % kGateWays + kGateWays; ++way) {
    if (is_older(mine.table[way], mine.table[place])) place = way;
  }
  uint64_t instead = 0;
  std::erase_if(thread.offers, [&](const auto& one) {
    if (one.second == place) instead = one.first;
    return one.second == place;
  });
  thread.offers[number] = place;
  GateEntry entry{.sp = call.sp, .bp = call.bp, .number = number, .site = site_number};
  entry.descriptor = descriptor;
  entry.valid = 1;
  entry.uses_bp = same.uses_bp ? 1 : 0;
  entry.no_address = call.row->number == SYS_sendto || call.row->number == SYS_recvfrom ? 1 : 0;
  entry.call = static_cast<uint32_t>(call.row->number);
  for (size_t i = 0; i < same.words.size(); ++i) {
    entry.words[i] = {same.words[i].address, same.words[i].value};
  }
  mine.table[place] = entry;
  return instead;
}

void Gate::withdraw(pid_t thread, uint64_t number) {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return;
  const auto place = found->second.offers.find(number);
  if (place != found->second.offers.end()) {
    store_shared(lane(found->second.lane).table[place->second].valid, 0U);
  }
}

void Gate::withdraw_all() {
  for (auto& [id, thread] : threads_) {
    for (const auto& [number, place] : thread.offers) {
      store_shared(lane(thread.lane).table[place].valid, 0U);
    }
  }
}

void Gate::drain(const std::function<void(const Passed&)>& tell) {
  std::vector<Passed> all;
  std::vector<RingNews> news;
  for (auto& [id, thread] : threads_) {
    if (thread.ring.is_damaged) continue;
    GateLane& mine = lane(thread.lane);
    const uint64_t before = thread.ring.tail;
    const std::map<uint64_t, size_t>& offers = thread.offers;
    news.clear();
    read_ring(
        mine, [&](uint64_t number) { return offers.contains(number); }, thread.ring, news);
    for (const RingNews& one : news) all.push_back({one, id});
    if (thread.ring.tail != before) store_shared(mine.tail, thread.ring.tail);
    if (thread.ring.is_damaged) close(thread);
  }
  std::ranges::stable_sort(all, {}, &Passed::sequence);
  for (const Passed& one : all) tell(one);
}

std::optional<StoppedCall> Gate::leave(uint32_t root, pid_t process, pid_t thread) {
  const auto found = processes_.find(process);
  user_regs_struct registers{};
  if (found == processes_.end() || !get_registers(thread, registers)) return std::nullopt;
  const Process& its = *found->second;
  const GatePlaces places = gate_places();
  const uint64_t pc = registers.rip;
  const bool in_code = pc >= kGateCodeAt && pc < places.end;
  const bool in_stub = pc >= its.stubs && pc < its.stubs_end;
  const auto lane_of = threads_.find(thread);
  GateLane* const mine = lane_of == threads_.end() ? nullptr : &lane(lane_of->second.lane);
  uint64_t again = 0;
  if (in_code) {
    const bool in_register = (pc >= places.enter && pc < places.stored) || pc >= places.refused;
    again = in_register || !mine ? registers.rcx : load_shared(mine->ask);
  }
  const auto site = std::ranges::find_if(its.sites, [&](const Site& one) {
    if (in_code) return one.again == again;
    if (in_stub) return pc >= one.stub && pc < one.stub + kStubBytes;
    return one.pad != 0 && pc == one.base + one.pad;
  });
  if (site == its.sites.end()) return std::nullopt;
  const bool is_made = in_code ? pc > kGateCodeAt && pc < places.enter
                               : in_stub && pc >= site->again + kGateDoneAfterAsk;
  const uint64_t call_at = site->base + site->call_at;
  registers.rip = is_made ? call_at + kCallBytes : site->base + site->at;
  std::optional<StoppedCall> interrupted;
  if (in_code && mine) {
    const bool is_begun = pc == kGateCodeAt || (pc >= places.published && pc < places.leave);
    GateSlot& slot = mine->ring[(load_shared(mine->head) - 1) % kGateSlots];
    const auto result = static_cast<int64_t>(registers.rax);
    if (is_made && pc == kGatePassed && was_interrupted(result)) {
      store_shared(slot.state, GateSlot::kLeft);
      interrupted = StoppedCall{.root = root,
                                .process = process,
                                .thread = thread,
                                .row = find_call(site->call),
                                .arguments = {registers.rdi, registers.rsi, registers.rdx,
                                              registers.r10, registers.r8, registers.r9},
                                .pc = registers.rip,
                                .sp = registers.rsp,
                                .bp = registers.rbp};
    } else if (is_made) {
      slot.result = result;
      store_shared(slot.state, GateSlot::kDone);
    } else if (is_begun) {
      store_shared(slot.state, GateSlot::kCancelled);
    }
  }
  put_registers(thread, registers);
  return interrupted;
}

}  // namespace clew::inject
