// The examples at the top of the headers, as code (tools/check_examples.py compares them).
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/syscall.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "inject/disk_calls.h"
#include "inject/objects.h"
#include "inject/random_names.h"
#include "inject/socket_address.h"
#include "inject/surface/dwarf.h"
#include "inject/surface/memory.h"
#include "inject/surface/modules.h"
#include "inject/surface/process_files.h"
#include "inject/surface/stack_memory.h"
#include "tests/inject/stopped.h"

namespace clew::inject {
namespace {

const char* const kProgram = CLEW_STACKED "_dwarf5";

// A program that has stopped in fsync, which its Log::write has called.
class SurfaceExamples : public testing::Test {
 protected:
  SurfaceExamples() : child_({kProgram, "merge"}), call_(child_.next(SYS_fsync).value()) {}

  // Where in the program: main.
  uint64_t main_address() {
    const Mapping first = program();
    ElfFile file(Descriptor(::open(kProgram, O_RDONLY)));
    for (uint64_t at = 0; at < first.end + 0x10000 - first.begin; ++at) {
      if (file.function_at(at) == "main+0x0") return at;
    }
    return 0;
  }
  Mapping program() const {
    for (const Mapping& one : read_maps(call_.process)) {
      if (one.path == std::filesystem::canonical(kProgram)) return one;
    }
    return {};
  }

  Stopped child_;
  StoppedCall call_;
};

template <class... Things>
void use(const Things&...) {}

// example: src/inject/surface/bytes.h
std::optional<uint64_t> sum(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint32_t length = reader.u32();
  const uint64_t code = reader.uleb();
  if (reader.failed()) return std::nullopt;
  return length + code;
}

TEST(Bytes, AreReadWithinTheirBounds) {
  EXPECT_EQ(sum(std::string_view("\x01\0\0\0\x82\x01", 6)), 131U);
  EXPECT_FALSE(sum("\x01").has_value());
  EXPECT_FALSE(sum("abcd\x80").has_value());
  ByteReader reader(std::string_view("\x7f\x80\x7f\0ab\0c", 8));
  EXPECT_EQ(reader.sleb(), -1);
  EXPECT_EQ(reader.sleb(), -128);
  EXPECT_EQ(reader.u8(), 0);
  EXPECT_EQ(reader.zero_ended(), "ab");
  EXPECT_EQ(reader.zero_ended(), "");
  EXPECT_TRUE(reader.failed());
}

// example: src/inject/surface/elf_file.h
TEST_F(SurfaceExamples, AFile) {
  const char* const path = kProgram;
  ElfFile file(Descriptor(::open(path, O_RDONLY)));
  const std::string lines = file.section(".debug_line");
  EXPECT_FALSE(lines.empty());
  EXPECT_EQ(file.build_id().size(), 40U);
  const uint64_t address = main_address() + 2;
  EXPECT_EQ(file.function_at(address), "main+0x2");
}

// example: src/inject/surface/dwarf.h
TEST_F(SurfaceExamples, DebugInformation) {
  const ElfFile file(Descriptor(::open(kProgram, O_RDONLY)));
  const uint64_t address = main_address();
  Dwarf dwarf(file);
  const std::vector<std::string> names = dwarf.names_at(address);
  EXPECT_EQ(names, (std::vector<std::string>{"main (stacked.cc:65)"}));
  EXPECT_TRUE(dwarf.names_at(~uint64_t{0}).empty());
}

// example: src/inject/surface/dwarf_lines.h
TEST_F(SurfaceExamples, Lines) {
  const DwarfSections sections(ElfFile(Descriptor(::open(kProgram, O_RDONLY))));
  Budget budget;
  DwarfUnits units(sections, budget);
  const DwarfUnit& unit = units.all().front();
  const uint64_t address = main_address();
  const DwarfLines lines(sections, units, unit, budget);
  const DwarfLines::Row* row = lines.at(address);
  ASSERT_NE(row, nullptr);
  use(lines.file(row->file), row->line);
  EXPECT_EQ(lines.file(row->file), "stacked.cc");
  EXPECT_EQ(lines.file(100'000), "");
}

// example: src/inject/surface/maps.h
TEST_F(SurfaceExamples, Maps) {
  const pid_t process = child_.process();
  const uint64_t pc = call_.pc;
  const std::vector<Mapping> all = read_maps(process);
  const Mapping* one = find_mapping(all, pc);
  if (one) use(one->path, one->offset + (pc - one->begin));
  ASSERT_NE(one, nullptr);
  EXPECT_TRUE(one->executable);
  EXPECT_NE(one->path.find("libc.so"), std::string::npos);
  EXPECT_EQ(find_mapping(all, 0), nullptr);
}

// example: src/inject/surface/image.h
TEST_F(SurfaceExamples, AnImage) {
  const uint64_t base = program().begin;
  const CfiReader::Read read = [&](uint64_t at, std::span<char> to) {
    return read_some(call_.thread, at, to);
  };
  const uint64_t pc = base + main_address();
  const std::optional<Image> image = read_image(base, read);
  ASSERT_TRUE(image);
  EXPECT_EQ(image->build_id, ElfFile(Descriptor(::open(kProgram, O_RDONLY))).build_id());
  EXPECT_NE(image->unwind_header, 0U);
  EXPECT_EQ(image->address_in_file(pc), main_address());
}

// example: src/inject/surface/cfi.h
TEST_F(SurfaceExamples, ARule) {
  const uint64_t base = program().begin;
  const CfiReader::Read read = [&](uint64_t at, std::span<char> to) {
    return read_some(call_.thread, at, to);
  };
  const uint64_t header = read_image(base, read)->unwind_header;
  const uint64_t pc = base + main_address();
  const CfiReader cfi(header, read);
  const FrameRule rule = cfi.rule_at(pc);
  EXPECT_EQ(rule.kind, FrameRule::Kind::kRule);
  // At the first instruction of a function only the return address is on the stack.
  EXPECT_EQ(rule.cfa, (FrameRule::Where{FrameRule::Where::Base::kSp, false, 8}));
  EXPECT_EQ(rule.return_address, (FrameRule::Where{FrameRule::Where::Base::kCfa, true, -8}));
  EXPECT_EQ(cfi.rule_at(0).kind, FrameRule::Kind::kFramePointer);
}

// example: src/inject/surface/memory.h
TEST_F(SurfaceExamples, Memory) {
  const pid_t thread = call_.thread;
  const uint64_t address = call_.sp;
  const uint64_t sp = call_.sp;
  std::vector<char> bytes(1 << 20);
  uint64_t word = 0;
  if (read_exactly(thread, address, &word, sizeof word)) use(word);
  const size_t size = read_some(thread, sp, bytes);
  EXPECT_GT(size, sizeof word);
  EXPECT_LT(size, bytes.size()) << "the stack ends before";
  EXPECT_EQ(read_some(thread, 8, bytes), 0U);
  EXPECT_FALSE(read_string(thread, 8).has_value());
}

// example: src/inject/surface/stack_memory.h
TEST_F(SurfaceExamples, StackMemoryReads) {
  const pid_t thread = call_.thread;
  const uint64_t sp = call_.sp;
  StackMemory memory;
  memory.begin(thread, sp);
  const std::optional<uint64_t> word = memory.word(sp + 8);
  uint64_t expected = 0;
  ASSERT_TRUE(read_exactly(thread, sp + 8, &expected, sizeof expected));
  EXPECT_EQ(word, expected);
  EXPECT_FALSE(memory.word(0).has_value());
}

// example: src/inject/surface/module_file.h
TEST_F(SurfaceExamples, NamesOfAModule) {
  const char* const path = kProgram;
  const std::string build_id = "00";
  ModuleFile file("redis-server", Descriptor(::open(path, O_RDONLY)), build_id);
  const uint64_t address = main_address();
  // The file is of another build.
  EXPECT_TRUE(file.names_at(address).front().starts_with("redis-server+0x"));
  EXPECT_EQ(file.rule_at(address).kind, FrameRule::Kind::kFramePointer);
}

// example: src/inject/surface/modules.h
TEST_F(SurfaceExamples, PlacesOfAProcess) {
  StackCache cache;
  const pid_t process = child_.process();
  const uint64_t pc = call_.pc - 1;
  Modules modules(cache);
  Modules::Walk places = modules.walk(process);
  const StackPlace* place = places.at(pc);
  ASSERT_NE(place, nullptr);
  EXPECT_EQ(place->names.size(), 1U);
  EXPECT_EQ(places.at(call_.sp), nullptr) << "the stack is no code";
  modules.forget(process);
}

// example: src/inject/surface/stacks.h
TEST_F(SurfaceExamples, AStack) {
  StackCache cache;
  const StoppedCall& call = call_;
  Stacks stacks(cache);
  const Stacks::Walked walked = stacks.walk(call);
  EXPECT_GE(walked.frames.size(), 5U);
}

// example: src/inject/surface/process_files.h
TEST_F(SurfaceExamples, FilesOfAProcess) {
  const pid_t thread = call_.thread;
  EXPECT_EQ(link_of(thread, 3000), "");
  link_of(thread, 3);
  const Located at = locate(thread, AT_FDCWD, "log", true);
  EXPECT_EQ(at.path, (std::filesystem::current_path() / "log").string());
  EXPECT_FALSE(at.status.has_value());
}

// example: src/inject/names.h
TEST(NamesExamples, ForTheTarget) {
  Result<Names> names = Names::make({{"job-[a-z]+", "job-*"}}, {"/srv/app/state"});
  EXPECT_EQ(names->path("/srv/app/state/log.x7Qf2Z"), "log.*");
  EXPECT_EQ(names->path("/proc/4711/stat"), "/proc/*/stat");
  EXPECT_EQ(names->address("127.0.0.1", 41234), "127.0.0.1:*");
  EXPECT_EQ(names->thread("worker-17", false), "worker-*");
}

// example: src/inject/random_names.h
TEST(NamesExamples, WithoutWhatIsRandom) {
  const std::set<pid_t> processes = {4711};
  EXPECT_EQ(without_random("log.x7Qf2Z", processes), "log.*");
  EXPECT_EQ(without_random("temp-4711.rdb", processes), "temp-*.rdb");
  EXPECT_EQ(without_random("000000010000000A", processes), "000000010000000A");
}

// example: src/inject/objects.h
TEST_F(SurfaceExamples, WhatACallIsAbout) {
  const Names names = *Names::make({}, {});
  const StoppedCall& call = call_;
  Peers peers;
  peers.add("127.0.0.1", 7000, "master", true);
  Objects objects(names, peers);
  Objects::Both about = objects.of(call, "client");
  EXPECT_EQ(about.first.name, "unknown");  // fsync(-1)
}

// example: src/inject/disk_calls.h
TEST(DiskCallsExample, AWrite) {
  const std::string folder = testing::TempDir() + "/disk-calls";
  std::filesystem::create_directories(folder + "/base/0");
  std::filesystem::create_directories(folder + "/state");
  const std::string state = std::filesystem::canonical(folder + "/state").string();
  Disk disk({state}, folder + "/base");
  Stopped child([&] { ::creat((state + "/log").c_str(), 0644); });
  const StoppedCall call = child.next(SYS_creat).value();
  DiskCall done = disk_call_before(call);
  const int64_t result = child.result();
  disk_call_after(call, result, 1 << 20, done);
  disk.note(done);
  EXPECT_EQ(disk.unsynced(), 1U);
  std::filesystem::remove_all(folder);
}

// example: src/inject/socket_address.h
TEST(SocketAddressExample, OfIpv6) {
  sockaddr_in6 inet{};
  inet.sin6_family = AF_INET6;
  inet.sin6_port = 0x5000;  // 80, in the order of the network
  inet.sin6_addr = {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1}}};
  const std::string_view bytes(reinterpret_cast<const char*>(&inet), sizeof inet);
  const std::optional<SocketAddress> address = read_address(bytes);
  EXPECT_EQ(address->host, "127.0.0.1");
  EXPECT_EQ(address->port, 80);
  EXPECT_FALSE(read_address(bytes.substr(0, 20)).has_value());
}

}  // namespace
}  // namespace clew::inject
