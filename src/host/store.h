// Where a host keeps what is durable. The Log on disk is one; tests have others.
//
//   for (const Kept& kept : store.recovered()) ...     // what was there when it was opened
//   store.append(stepper.changed());                   // kept in memory so far
//   store.append({{"clew.host", bytes}});
//   const Status on_disk = store.flush();              // both, or after a crash neither
//
// (1) What was flushed is there after any crash. (2) All that is appended between two flushes is
// there after a crash, or nothing of it: a host handles envelopes that a node sends to itself in
// the turn in which they are sent, and relies on that. (3) After a flush that failed the store
// takes nothing more: what the disk has is not known, and the host ends.
#pragma once

#include <vector>

#include "base/result.h"
#include "host/step.h"

namespace clew::host {

class Store {
 public:
  virtual ~Store() = default;
  // Each field that was ever appended, with the latest of its bytes. Empty: nothing was, which is a
  // first start.
  virtual const std::vector<Kept>& recovered() const = 0;
  virtual void append(const std::vector<Kept>& changes) = 0;
  // One write and one sync for all that was appended; nothing if nothing was. An Error says what
  // failed where, and what to do.
  virtual Status flush() = 0;
  // Once in each turn, when what it has sent has left: a little of what need not be done at once.
  virtual Status tend() { return Nothing{}; }
};

}  // namespace clew::host
