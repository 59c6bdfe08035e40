// A Run: one execution, as people and programs read it.
//
//   for (const Fact& fact : run.facts[t - 1]) ...          // what was true at tick t
//   for (const Message& message : run.messages) ...        // what was sent, and what became of it
//   run.outcome().kind == Outcome::Kind::kVacuous          // nothing was promised
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "domain/pattern.h"
#include "domain/rule.h"
#include "domain/scenario.h"

namespace clew {

// One send. `fact` is what arrives at `to` at tick sent_at + 1, if it does. An aggregate that
// several nodes contribute to is one Message from each of them: what arrives, or, from a sender
// whose part is lost, the aggregate of that part alone. When several fates apply, the first listed
// counts, kDelivered being the last resort.
struct Message {
  enum class Fate {
    kDelivered,
    kAfterEnd,         // sent at the last tick: the run ends before it could arrive
    kOmitted,          // an Omission lost it
    kSenderCrashed,    // its sender had crashed (silent: towards others)
    kReceiverStopped,  // its receiver had crashed under the stop model
  };

  NodeName from;
  NodeName to;
  Tick sent_at = 1;
  Fact fact;
  Fate fate = Fate::kDelivered;

  bool lost() const { return fate != Fate::kDelivered && fate != Fate::kAfterEnd; }
};

const char* to_string(Message::Fate fate);  // "delivered", "omitted", "sender-crashed", ...

// The smallest entry of a Trace.
struct Event {
  enum class Kind { kSend, kDeliver, kCrash };

  Kind kind = Kind::kSend;
  NodeName node;         // where it happens
  Tick tick = 1;         // when
  uint32_t message = 0;  // of kSend and kDeliver: which one of Run::messages

  friend bool operator==(const Event&, const Event&) = default;
};

using EventId = uint32_t;          // the index in a Trace
using Trace = std::vector<Event>;  // in order
// Events that together suffice for the outcome of the Run.
using Support = std::vector<EventId>;

// One application of one Rule.
struct Firing {
  RuleId rule = 0;  // Run::rule tells which
  Fact head;
  Tick head_tick = 1;
  struct Use {
    Fact fact;
    Tick tick = 1;
  };
  std::vector<Use> used;
  // There was no such fact.
  struct Absence {
    Pattern pattern;
    Tick tick = 1;

    friend bool operator==(const Absence&, const Absence&) = default;
    friend auto operator<=>(const Absence&, const Absence&) = default;
  };
  std::vector<Absence> absences;
};

// What one Run says of one Spec.
struct Outcome {
  enum class Kind { kHolds, kViolated, kVacuous };

  std::string spec;  // its name
  Kind kind = Kind::kVacuous;
  // Something that was promised. Of a Spec that is judged at every tick, the first at which the
  // promise was broken, or else the first at which it applied.
  struct Goal {
    Fact pre;
    bool post = false;  // it was kept: there is a tuple of `Outcome::post` with the same columns
    Tick tick = 1;
  };
  std::vector<Goal> goals{};  // sorted by `pre`
  bool defines_pre = false;   // somebody says when the Spec applies at all
  std::string pre = "pre";    // the relation that tells what is promised
  std::string post = "post";  // and the one that tells what is kept
  bool every_tick = false;    // judged at every tick, not at the last alone
  // What keeps the promise.
  Fact kept(const Goal& goal) const { return {post, goal.pre.values}; }
};

const char* to_string(Outcome::Kind kind);  // "holds", "violated", "vacuous"

// The first that is violated, else the first that holds. Requires one.
const Outcome& worst_of(const std::vector<Outcome>& outcomes);

struct Run {
  Scenario scenario;
  std::vector<std::vector<Fact>> facts;    // by tick - 1; sorted
  std::vector<Message> messages;           // in the order sent
  Trace trace;                             // what happened, tick by tick
  std::vector<std::string> stray;          // destinations of messages that are not nodes, sorted
  std::vector<Firing> firings;             // only if asked for
  std::shared_ptr<const RuleTable> rules;  // that the firings refer to; null without firings
  std::vector<Support> supports;           // only if asked for, and if the System can tell
  std::vector<Outcome> outcomes;           // one for each Spec, once it has been judged

  // The worst of them. Requires a judged Run.
  const Outcome& outcome() const;
  const Rule& rule(const Firing& firing) const;
};

}  // namespace clew
