// Rules that compute what is possible and what is certain, when faults are left open.
//
// Every relation p gets a twin p! of what is certain. A rule becomes two:
//
//   log(B, P) :- sent(B, P), notin seen(B, P);       possible: no certain fact forbids it
//     log(B, P)  :- sent(B, P),  notin seen!(B, P);
//   and                                              certain: nothing possible forbids it
//     log!(B, P) :- sent!(B, P), notin seen(B, P);
//
// The result is stratified if the rules were. Aggregates derive, as possible, every fold of a set
// of possible rows that includes the certain ones, and as certain the fold of a group all of whose
// possible rows are certain. Only the firings of what is possible are kept.
#pragma once

#include "datalog/rule.h"

namespace clew::ground {

struct Possible {
  datalog::RuleSet rules;  // rule r and relation p of the original keep their numbers
  uint32_t relations = 0;  // of the original
  datalog::RelationId certain(datalog::RelationId relation) const { return relation + relations; }
};

Possible make_possible(const datalog::RuleSet& rules);

}  // namespace clew::ground
