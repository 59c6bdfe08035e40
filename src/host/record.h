// A recording: every step of a hosted node, as it happened, in a file.
//
//   Result<std::unique_ptr<Recorder>> recorder = record_to("a.record", names, self, *node);
//   ...                                                  // the host tells it each step
//   const Result<Recording> recording = read_recording(bytes);
//   recording->lives[0].turns[0].steps[0].sent
//
// The steps of a turn are written at once, before anything leaves that they have sent, and not
// synced. So what a process that was killed had done is there, but for steps of its last turn, of
// which nobody has seen anything. A process that starts again goes on in the same file.
//
// docs/formats/recording.md has the bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/recorder.h"

namespace clew::host {

struct RecordedEnvelope {
  Id node;                   // whom it is to, or from
  uint64_t incarnation = 0;  // of the sender
  uint64_t number = 0;
  std::vector<std::string> messages;
  CLEW_FIELDS(RecordedEnvelope, node, incarnation, number, messages)
};

// A request, or the answer to one.
struct RecordedRequest {
  node::RequestId request;
  std::string bytes;
  CLEW_FIELDS(RecordedRequest, request, bytes)
};

struct RecordedTimer {
  std::string name;
  std::optional<int64_t> after;  // milliseconds; nothing: it was cancelled
  CLEW_FIELDS(RecordedTimer, name, after)
};

struct RecordedField {
  std::string field;
  std::string bytes;
  CLEW_FIELDS(RecordedField, field, bytes)
};

// A field that the step has written.
struct RecordedUpdate {
  uint32_t field = 0;
  uint32_t checksum = 0;             // CRC-32C of its bytes
  std::optional<std::string> bytes;  // if they are few
  CLEW_FIELDS(RecordedUpdate, field, checksum, bytes)
};

struct RecordedStep {
  uint8_t kind = 0;  // Input::Kind
  // Of a start what was recovered, of an envelope, of a request, of a timer.
  std::vector<RecordedField> recovered;
  std::optional<RecordedEnvelope> envelope;
  std::optional<RecordedRequest> request;
  std::string timer;

  std::vector<uint64_t> random;
  std::vector<RecordedEnvelope> sent;
  std::vector<RecordedRequest> answered;
  std::vector<RecordedTimer> timers;
  bool synced = false;  // env.sync() was called
  std::vector<RecordedUpdate> updates;
  uint32_t digest = 0;                 // of all fields after it: CRC-32C of their checksums
  std::optional<std::string> failure;  // the handler threw; what comes before is then empty
  CLEW_FIELDS(RecordedStep, kind, recovered, envelope, request, timer, random, sent, answered,
              timers, synced, updates, digest, failure)
};

struct RecordedTurn {
  uint64_t incarnation = 0;
  uint64_t first = 0;  // number of its first step in that incarnation
  int64_t time = 0;    // nanoseconds of the machine's monotonic clock, when it was written
  std::vector<RecordedStep> steps;
  CLEW_FIELDS(RecordedTurn, incarnation, first, time, steps)
};

// What one process did.
struct RecordedLife {
  uint32_t version = 0;
  std::vector<std::string> names;  // of the cluster
  Id self;
  std::vector<std::string> fields;  // in order
  std::vector<RecordedTurn> turns;
  CLEW_FIELDS(RecordedLife, version, names, self, fields, turns)
};
inline constexpr uint32_t kRecordingVersion = 1;

struct Recording {
  std::vector<RecordedLife> lives;  // in order
  bool cut = false;                 // its last turn is not whole
};

// Goes on where the file ends; what is not whole there is cut off. An Error: it is something else,
// or of another node. Without a clock, that of the machine.
Result<std::unique_ptr<Recorder>> record_to(const std::string& path, const node::Names& names,
                                            Id self, const node::AnyNode& node,
                                            std::function<int64_t()> clock = {});

bool is_recording(std::string_view bytes);
// An Error names the place.
Result<Recording> read_recording(std::string_view bytes);

// The checksums of all fields in order, as `digest` sums them up.
uint32_t digest_of(const std::vector<uint32_t>& checksums);
std::string value_of(const node::AnyField& field);  // bytes

}  // namespace clew::host
