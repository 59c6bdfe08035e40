// What must be true of whatever bytes are read as a recording.
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/crc32c.h"
#include "host/record.h"

namespace clew::host {

// A part with this payload, as it should be.
inline std::string fuzzed_part(std::string_view payload) {
  std::string part = "CLWr";
  for (const uint32_t number : {crc32c(payload), static_cast<uint32_t>(payload.size())}) {
    for (unsigned i = 0; i < 4; ++i) part.push_back(static_cast<char>(number >> (8 * i)));
  }
  return part += payload;
}

inline bool check_recording(std::string_view bytes) {
  const Result<Recording> recording = read_recording(bytes);
  if (!recording.ok()) {
    CHECK(!recording.error().message.empty());
    CHECK(!recording.error().remedy.empty());
    return false;
  }
  CHECK(is_recording(bytes));
  CHECK(!recording->lives.empty());
  for (const RecordedLife& life : recording->lives) {
    CHECK(life.self.number < life.names.size());
    uint64_t next = 0;
    for (const RecordedTurn& turn : life.turns) {
      CHECK(!turn.steps.empty());
      CHECK(turn.first == next);
      next += turn.steps.size();
    }
  }
  return true;
}

// The bytes as a file, and as the payload of a part after one that is fine.
inline bool check_recording_property(std::string_view bytes) {
  RecordedLife life;
  life.version = kRecordingVersion;
  life.names = {"a", "b"};
  life.fields = {"x"};
  using Part = std::variant<RecordedLife, RecordedTurn>;
  const std::string begin = fuzzed_part(node::encode(Part(life)));
  const bool fine = check_recording(bytes);
  CHECK(check_recording(begin));
  return check_recording(begin + fuzzed_part(bytes)) || fine;
}

}  // namespace clew::host
