#include "inject/surface/gate_ring.h"

#include <atomic>
#include <utility>

namespace clew::inject {
namespace {

using What = RingNews::What;

uint64_t load_word(uint64_t& shared) {
  return std::atomic_ref<uint64_t>(shared).load(std::memory_order_acquire);
}

// Only the last call can be under way.
bool is_possible(uint64_t state, bool is_last) {
  return state > 0 && state <= GateSlot::kLeft && (state != GateSlot::kBegun || is_last);
}

// Nothing: there is nothing new.
bool news_of(uint64_t state, bool was_told, What& what) {
  switch (state) {
    case GateSlot::kDone:
      what = was_told ? What::kEnded : What::kWhole;
      return true;
    case GateSlot::kCancelled:
      what = What::kCancelled;
      return was_told;
    default:  // it is under way, in the gate or out of it
      what = What::kBegan;
      return !was_told;
  }
}

}  // namespace

void read_ring(GateLane& lane, const std::function<bool(uint64_t number)>& is_offered,
               RingReader& reader, std::vector<RingNews>& news) {
  const uint64_t head = load_word(lane.head);
  while (reader.tail != head && !reader.is_damaged) {
    GateSlot& slot = lane.ring[reader.tail % kGateSlots];
    const uint64_t state = load_word(slot.state);
    RingNews one{.sequence = slot.sequence,
                 .number = slot.number,
                 .count = slot.count,
                 .offset = slot.offset,
                 .result = slot.result};
    if (head - reader.tail > kGateSlots || !is_offered(one.number) ||
        !is_possible(state, reader.tail + 1 == head)) {
      reader.is_damaged = true;
      one.what = What::kDamaged;
      news.push_back(one);
      return;
    }
    const bool was_told = std::exchange(reader.is_told, state == GateSlot::kBegun);
    if (news_of(state, was_told, one.what)) news.push_back(one);
    if (state == GateSlot::kBegun) return;
    ++reader.tail;
  }
}

}  // namespace clew::inject
