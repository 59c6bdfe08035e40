// What becomes of a Message: the one place that says when it arrives and what can take it away.
//
//   each_peril(model, world, from, to, sent_at, [&](Message::Fate fate, auto answer) { ... });
//
// `world` answers in its own terms, truth values for one run, literals for all runs, lists of
// Faults for an explanation:
//
//   world.omitted(from, to, tick)    an Omission takes away what is sent on this link at this tick
//   world.crashed(node, tick)        the node has crashed by this tick, and has not come back
//
// The twin and the verifier say the same in words of their own: that is their worth.
#pragma once

#include "domain/fault_model.h"
#include "domain/run.h"

namespace clew {

constexpr Tick arrival_of(Tick sent_at) { return sent_at + 1; }

// Everything that can keep a message from arriving, in the order in which it counts.
template <class World, class Node, class Told>
void each_peril(CrashModel model, World&& world, const Node& from, const Node& to, Tick sent_at,
                Told told) {
  if (from != to) {
    told(Message::Fate::kOmitted, world.omitted(from, to, sent_at));
    told(Message::Fate::kSenderCrashed, world.crashed(from, sent_at));
  }
  if (model == CrashModel::kStop) {
    told(Message::Fate::kReceiverStopped, world.crashed(to, arrival_of(sent_at)));
  }
}

// In one run that ends at tick `eot`.
template <class World, class Node>
Message::Fate fate_of(CrashModel model, World&& world, const Node& from, const Node& to,
                      Tick sent_at, Tick eot) {
  Message::Fate fate = Message::Fate::kDelivered;
  if (sent_at == eot) return Message::Fate::kAfterEnd;
  each_peril(model, world, from, to, sent_at, [&](Message::Fate peril, bool strikes) {
    if (strikes && fate == Message::Fate::kDelivered) fate = peril;
  });
  return fate;
}

// The admissible Faults each of which would have kept the Event from happening. (Today only what
// is delivered can be prevented without preventing something that it needs.)
FaultSet faults_against(const Event& event, const Run& run, const FaultModel& model);

// The Events of a Run whose Messages and Faults are known.
Trace trace_of(const Run& run);

}  // namespace clew
