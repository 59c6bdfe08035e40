// Arrows: the messages of a Run, grouped as a diagram draws them.
//
// One Arrow stands for all that one node sent to another at one tick with one fate. Messages of a
// node to itself, and those sent at the last tick, are counted but not drawn.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "domain/run.h"

namespace clew::report {

struct Arrow {
  size_t from = 0;  // indices into scenario.nodes
  size_t to = 0;
  Tick tick = 1;
  Message::Fate fate = Message::Fate::kDelivered;
  std::vector<const Message*> messages;  // in the order sent; point into the Run
  std::vector<std::string> relations;    // their names, each once, in the same order

  bool lost() const { return fate != Message::Fate::kDelivered; }
};

struct Arrows {
  std::vector<Arrow> all;  // by tick, sender, receiver, fate
  size_t to_self = 0;
  size_t after_end = 0;
};

// The Arrows live no longer than the run.
Arrows arrows_of(const Run& run);

// The relation names in at most `width` columns: `ack, log`, or `ack +1` if that is too long; at
// worst the first name is cut.
std::string label(const Arrow& arrow, size_t width);

// The narrowest label that cuts no name.
size_t least_label_width(const Arrow& arrow);

// Why an arrow is lost, in words: `omitted`, `sender crashed`, `receiver stopped`; empty if it is
// not.
std::string reason(const Arrow& arrow);

}  // namespace clew::report
