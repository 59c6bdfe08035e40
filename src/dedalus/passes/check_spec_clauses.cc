// A spec is about Runs that have happened. Messages were sent by whoever ran, and faults are no
// longer up to an adversary; what the spec knows it knows of the system as a whole.
#include <fmt/format.h>

#include "dedalus/passes/passes.h"
#include "dedalus/passes/wording.h"

namespace clew::dedalus {
namespace {

void refuse_async(Atom& head, Diagnostics& diagnostics) {
  diagnostics.error(
      "async-in-spec", head.time.span,
      fmt::format("a spec judges what has happened, so it cannot send {}", name_of(head.relation)),
      "write `@next` for what holds one tick later, or leave the suffix out");
  head.time = {};
}

void refuse_limit(const Limit& limit, Diagnostics& diagnostics) {
  diagnostics.error(
      "limit-in-spec", limit.span,
      fmt::format("a spec judges what has happened, so `{}` limits nobody", name(limit.kind)),
      "leave it out, or put it into the program that clew check reads");
}

}  // namespace

void check_spec_clauses(Draft& draft) {
  if (draft.given == nullptr) return;
  for (const Limit& limit : draft.program.limits) refuse_limit(limit, draft.diagnostics);
  for (Clause& clause : draft.clauses) {
    if (clause.kind != Clause::Kind::kRule) continue;
    clause.placeless = true;
    if (clause.head.time.kind == TimeSuffix::Kind::kAsync) {
      refuse_async(clause.head, draft.diagnostics);
    }
  }
}

}  // namespace clew::dedalus
