// One step of a hosted node: what came in, what it did.
//
//   Input input{.kind = Input::Kind::kTimer, .timer = "election"};
//   Outcome outcome;
//   stepper.take(input, outcome);       // outcome.sent, outcome.answered, ...
//
// The words are those of docs/language.md, "The asynchronous meaning". A node is started once in
// each life of its process: the incarnation counts these, from 1. Steps are numbered from 0 in each
// incarnation, and step 0 is the start.
//
// (1) An Input refers to bytes of whoever made it, and is good while the step is taken. (2) Of an
// Outcome, `sent` has at most one envelope for each node, by number of the node.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "node/env.h"
#include "node/id.h"

namespace clew::host {

using node::Id;

// What a durable field holds: what node::encode makes of its value.
struct Kept {
  std::string field;  // its name
  std::string bytes;

  friend bool operator==(const Kept&, const Kept&) = default;
};

struct Input {
  enum class Kind : uint8_t { kStart, kEnvelope, kRequest, kTimer };

  Kind kind = Kind::kStart;
  std::vector<Kept> recovered{};  // of a start: what the disk has of the node's fields
  // Of an envelope: who sent it, in which incarnation, its how-manieth envelope to this node in
  // that incarnation, from 1.
  Id from{};
  uint64_t incarnation = 0;
  uint64_t number = 0;
  std::vector<std::string_view> messages{};
  node::RequestId request{};  // of a request
  std::string_view bytes{};
  std::string_view timer{};  // its name
};

struct Outcome {
  struct Envelope {
    Id to;
    uint64_t number = 0;  // the how-manieth to this node, from 1
    std::vector<std::string> messages{};
  };
  struct Answer {
    node::RequestId request;
    std::string bytes;
  };
  struct TimerChange {
    std::string name;
    std::optional<std::chrono::milliseconds> after{};  // nothing: it was cancelled
  };

  std::vector<Envelope> sent{};  // to itself, too
  std::vector<Answer> answered{};
  std::vector<TimerChange> timers{};  // in the order of the calls
  std::vector<uint64_t> random{};     // what env.random() gave
  bool synced = false;                // env.sync() was called
};

}  // namespace clew::host
