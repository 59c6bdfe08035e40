// What all parts of a host's loop share. One thread has it.
#pragma once

#include <vector>

#include "base/random.h"
#include "host/config.h"
#include "host/counters.h"
#include "host/handshake.h"
#include "host/lines.h"
#include "host/poller.h"
#include "host/timers.h"

namespace clew::host {

struct Loop {
  static constexpr size_t kScratch = 256 << 10;

  Loop(int descriptor, Limits all_limits, std::chrono::milliseconds longest, Credentials own,
       uint64_t seed)
      : limits(all_limits),
        patience(longest),
        credentials(std::move(own)),
        lines(descriptor, credentials.names.name(credentials.self)),
        random(seed),
        scratch(kScratch) {}

  Limits limits;
  // With half a frame, or with a greeting that does not go on, a connection may be so old.
  std::chrono::milliseconds patience;
  Credentials credentials;
  Poller poller{};
  Counters counters{};
  Lines lines;
  Random random;                         // nobody's behaviour depends on it but that of the loop
  std::vector<char> scratch;             // what is read goes here first
  Clock::time_point now = Clock::now();  // of this turn

  std::string name(Id id) const { return credentials.names.name(id); }
};

}  // namespace clew::host
