// A checked Program as rules for the Datalog engine: one frame is one tick, with all nodes
// together.
//
//   log(B, P)@async :- bcast(A, P), node(A, B);       becomes
//
//   log@async(A, B, P) :- bcast(A, P), node(A, B), @node(A);    what A sends to B at this tick
//   log(B, P)@next :- log@async(A, B, P);                       applied by whoever delivers
//   messages
//
// Names with an `@` are the lowering's own. Per tick the simulator fills
//   @node(L)         the nodes at which rules fire
//   crash(O, N, T)   as the language says
//   @link(A, B)      the pairs whose messages arrive (only if some @async head aggregates)
//   @at.N()          at tick N only; @since.N() from tick N on (only if some body reads tick N)
//   @dead(N)         the nodes where nothing exists now, @dead_next(N) at the next tick (stop only)
//
// `p(X)@N` in a body reads p@N, which is p at tick N and is kept from then on. An aggregate becomes
// a rule for its bindings and a rule that folds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datalog/rule.h"
#include "dedalus/program.h"

namespace clew::dedalus {

// What a lowered rule does for the clause that it comes from.
struct Origin {
  enum class Role {
    kDerive,   // the rule itself
    kSend,     // an @async rule, into its outbox
    kDeliver,  // from an outbox to the relation at the next tick; no clause
    kBind,     // the bindings of an aggregate
    kHear,     // those bindings of an @async aggregate that arrive
    kFold,     // the aggregate
    kPass,     // the folded tuple on to its relation, where it needs a further check
    kRead,     // p@N from p; no clause
    kKeep,     // p@N from tick to tick; no clause
  };

  Role role = Role::kDerive;
  size_t clause = 0;  // of Program::rules; for rules without a clause it has no meaning
};

// What is sent: rows of `outbox` are the sender and then the columns of `target`.
struct Outbox {
  datalog::RelationId outbox = 0;
  datalog::RelationId target = 0;
  datalog::RuleId deliver = 0;
};

// An @async aggregate: rows of `bindings` are the sender and then the head's columns before
// folding; `result` holds what arrives.
struct AggregateSend {
  datalog::RelationId bindings = 0;
  datalog::RelationId result = 0;
  datalog::RelationId target = 0;
  std::vector<datalog::Fold> folds;
};

struct TickRead {
  int64_t tick = 0;
  datalog::RelationId at = 0;
  datalog::RelationId since = 0;
};

struct GivenFact {
  int64_t tick = 0;
  datalog::RelationId relation = 0;
  std::vector<datalog::Value> values;
};

struct Lowered {
  // Relation r of the Program is relation r here; the lowering's own ones come after them.
  datalog::RuleSet rules;
  std::vector<Origin> origins;   // by rule
  std::vector<Span> places;      // by Expression::place and Rule::place
  std::vector<GivenFact> facts;  // of the Program, by tick

  datalog::RelationId node = 0;
  datalog::RelationId link = 0;
  datalog::RelationId dead = 0;
  datalog::RelationId dead_next = 0;
  bool uses_link = false;

  std::vector<Outbox> outboxes;
  std::vector<AggregateSend> aggregate_sends;
  std::vector<TickRead> tick_reads;
  // By relation: the Program's relation and the tick that it shows, for p@N.
  struct Reading {
    RelationIndex relation = 0;
    int64_t tick = 0;
  };
  std::vector<std::optional<Reading>> readings;
};

// `stop`: the crash model in which nothing exists at a crashed node.
Lowered lower(const Program& program, bool stop, datalog::ValueTable& values);

// Lets views wait for the last tick: they influence no other one, and only there are they judged,
// unless something is promised for every tick.
void postpone_views(const Program& program, Lowered& lowered);

}  // namespace clew::dedalus
