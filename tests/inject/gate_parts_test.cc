// Where a gate is put, and how its rings are read: by hand, and from damaged bytes.
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <memory>

#include "tests/fuzz/damaged_corpus.h"
#include "tests/fuzz/gate_property.h"

namespace clew::inject {
namespace {

using std::string_literals::operator""s;
using What = RingNews::What;

const std::string kCall = "\x0f\x05\x48\x3d\x00\xf0\xff\xff"s;

std::string mov(char call) { return "\xb8"s + call + "\0\0\0"s; }

TEST(GateSites, AreBehindTheNumberOfTheCall) {
  const std::string code = "\x90" + mov(SYS_pwrite64) + kCall + "\xc3" + mov(SYS_fdatasync) + kCall;
  const std::vector<GateSite> sites = gate_sites(code);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[0].at, 1U);
  EXPECT_EQ(sites[0].size, 5U);
  EXPECT_EQ(sites[0].call_at, 6U);
  EXPECT_EQ(sites[0].call, SYS_pwrite64);
  EXPECT_EQ(sites[1].call, SYS_fdatasync);
}

TEST(GateSites, OtherCodeStaysAsItIs) {
  EXPECT_TRUE(gate_sites("\x90" + mov(SYS_close) + kCall).empty());  // may not pass
  EXPECT_TRUE(gate_sites("\x41" + mov(SYS_write) + kCall).empty());  // of another register
  EXPECT_TRUE(gate_sites(mov(SYS_write) + kCall).empty());           // who knows what of
  EXPECT_TRUE(gate_sites("\x90" + mov(SYS_write) + "\x90" + kCall).empty());
  EXPECT_TRUE(gate_sites("\x90" + mov(SYS_write) + "\x0f\x05\xc3").empty());  // RCX may be used
  EXPECT_TRUE(gate_sites("\x31\xc0" + kCall + "\x77\x10\x5b\xc3\x0f\x1f\x44\0\0"s).empty());
  EXPECT_TRUE(gate_sites("\x31\xc0" + kCall + "\x77\x10\xc3\x90\x90").empty());  // no room
}

TEST(GateSites, OfReadAreAHopAway) {
  const std::string code = "\x31\xc0" + kCall + "\x77\x10\xc3" + "\x0f\x1f\x44\0\0"s;
  const std::vector<GateSite> sites = gate_sites(code);
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_EQ(sites[0].at, 0U);
  EXPECT_EQ(sites[0].size, 2U);
  EXPECT_EQ(sites[0].pad, 13U);
  EXPECT_EQ(sites[0].call, SYS_read);
}

TEST(GateSites, SurviveDamage) {
  const DamagedCorpus corpus("tests/fuzz/corpus/gate", 1 << 20,
                             "\xb8|\x0f\x05|\x48\x3d|\xc3|\x31\xc0");
  size_t found = 0;
  for (const std::string& code : corpus.texts()) found += check_gate_sites_property(code);
  EXPECT_EQ(found, 6U);
  corpus.damage(7, 3000, [](const std::string& code) { check_gate_sites_property(code); });
}

struct Ring {
  std::unique_ptr<GateLane> lane = std::make_unique<GateLane>();
  RingReader reader;

  void add(uint64_t state, uint64_t number, int64_t result = 0) {
    lane->ring[lane->head % kGateSlots] = {.state = state, .number = number, .result = result};
    ++lane->head;
  }
  // "whole 1 = 5; began 2"
  std::string read() {
    std::vector<RingNews> news;
    read_ring(
        *lane, [](uint64_t number) { return number < 10; }, reader, news);
    constexpr const char* kNames[] = {"whole", "began", "ended", "cancelled", "damaged"};
    std::string text;
    for (const RingNews& one : news) {
      text += fmt::format("{}{} {} = {}", text.empty() ? "" : "; ",
                          kNames[static_cast<size_t>(one.what)], one.number, one.result);
    }
    return text;
  }
};

TEST(GateRing, TellsEachCallOnce) {
  Ring ring;
  ring.add(GateSlot::kDone, 1, 5);
  ring.add(GateSlot::kCancelled, 2);
  ring.add(GateSlot::kBegun, 3);
  EXPECT_EQ(ring.read(), "whole 1 = 5; began 3 = 0");
  EXPECT_EQ(ring.read(), "");
  ring.lane->ring[2].state = GateSlot::kDone;
  ring.lane->ring[2].result = -4;
  EXPECT_EQ(ring.read(), "ended 3 = -4");
  ring.add(GateSlot::kBegun, 4);
  EXPECT_EQ(ring.read(), "began 4 = 0");
  ring.lane->ring[3].state = GateSlot::kCancelled;
  EXPECT_EQ(ring.read(), "cancelled 4 = 0");
  ring.add(GateSlot::kLeft, 5);  // the tracer goes on with it
  EXPECT_EQ(ring.read(), "began 5 = 0");
  EXPECT_EQ(ring.read(), "");
}

TEST(GateRing, GoesRound) {
  Ring ring;
  for (int64_t i = 0; i < 3 * static_cast<int64_t>(kGateSlots); ++i) {
    ring.add(GateSlot::kDone, 1, i);
    ASSERT_EQ(ring.read(), fmt::format("whole 1 = {}", i));
  }
}

TEST(GateRing, BelievesNothingThatWasNotOffered) {
  Ring unknown;
  unknown.add(GateSlot::kDone, 10);
  EXPECT_EQ(unknown.read(), "damaged 10 = 0");
  EXPECT_EQ(unknown.read(), "");
  Ring early;
  early.add(GateSlot::kBegun, 1);
  early.add(GateSlot::kDone, 1);
  EXPECT_EQ(early.read(), "damaged 1 = 0");
  Ring full;
  full.lane->head = kGateSlots + 1;
  EXPECT_EQ(full.read(), "damaged 0 = 0");
}

TEST(GateRing, SurvivesDamage) {
  const DamagedCorpus corpus("tests/fuzz/corpus/gate", 1 << 20, "\x01|\x02|\xff\xff|\x04");
  size_t read = 0;
  for (const std::string& bytes : corpus.texts()) check_gate_ring_property(bytes);
  corpus.damage(9, 3000,
                [&](const std::string& bytes) { read += check_gate_ring_property(bytes); });
  EXPECT_GT(read, 1000U);
}

}  // namespace
}  // namespace clew::inject
