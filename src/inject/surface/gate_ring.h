// The ring of a lane, as the tracer reads it: bytes that another process may have overwritten.
//
// Each slot is read once, and nothing of it is believed that was not offered. Of a ring that no
// code of ours can have written, the last news is that it is damaged, and it is not read any more.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "inject/surface/gate_code.h"

namespace clew::inject {

struct RingReader {
  uint64_t tail = 0;     // so many slots have been read to their end
  bool is_told = false;  // that the next one has begun
  bool is_damaged = false;
};

struct RingNews {
  enum class What { kWhole, kBegan, kEnded, kCancelled, kDamaged };
  What what = What::kWhole;
  uint64_t sequence = 0;
  uint64_t number = 0;  // as it was offered
  uint64_t count = 0, offset = 0;
  int64_t result = 0;  // of kWhole, kEnded
};

void read_ring(GateLane& lane, const std::function<bool(uint64_t number)>& is_offered,
               RingReader& reader, std::vector<RingNews>& news);

}  // namespace clew::inject
