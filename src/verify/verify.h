// The independent checker of certificates: `clew verify`.
//
//   Claim claim{&program, {.nodes = {"a", "b"}, .eot = 6, .eff = 4, .crashes = 1}};
//   Verification result = verify(claim, {variables, clauses}, clauses_text, proof_text);
//   if (result.refusal) ...   // why; otherwise no admissible fault set violates the program
//
// It shares no code with the engine, the search or the solver. From the program as written it works
// out what every fact means in terms of faults (ground.h). Then it asks two questions: is each
// clause of the certificate true of every run within the bounds, or, if it states the goal, of
// every run that violates the program (justify.h); and do the clauses contradict each other
// (proof.h)? If so, there is no such run.
//
// Before that, it refuses what claims nothing: a program without a promise, nodes of which the
// program knows nothing, a promise that applies in no run (applies.h).
//
// Names in a certificate say what its variables stand for. A wrong name can only make clauses fail
// to follow: whatever a variable stands for, clauses that follow and contradict each other refute
// the violation.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "verify/applies.h"
#include "verify/claim.h"
#include "verify/refusal.h"

namespace clew::verify {

// How large the certificate says that clauses.txt is.
struct Announced {
  size_t variables = 0;
  size_t clauses = 0;
};

struct Verification {
  std::optional<Refusal> refusal;
  Applies applies{};  // when the promise does
  // Of what was checked so far.
  size_t facts = 0;      // possible ones
  size_t variables = 0;  // of the certificate
  size_t clauses = 0;    // of the certificate
  size_t lemmas = 0;     // of the proof
};

Verification verify(const Claim& claim, const Announced& announced, std::string_view clauses,
                    std::string_view proof);

}  // namespace clew::verify
