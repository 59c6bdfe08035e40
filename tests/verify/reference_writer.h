// A certificate made the plain way, for tests: the whole circuit as definitions, and a proof that
// tries all faults.
//
//   std::optional<Written> written = write_certificate(program, model);
//   verify({&program, model}, written->announced, written->clauses, written->proof)
//
// What clew writes is much shorter; this one needs no solver.
#pragma once

#include <optional>
#include <string>

#include "verify/verify.h"

namespace clew::verify {

struct Written {
  Announced announced;
  std::string clauses;
  std::string proof;
};

// Nothing if some fault set violates the program, or if the attempt takes more than `most` steps.
// Throws a Refusal like the grounding.
std::optional<Written> write_certificate(const dedalus::Program& program, const FaultModel& model,
                                         size_t most = 20'000);

// "accepted", or why not.
std::string outcome(const dedalus::Program& program, const FaultModel& model,
                    const Written& written);

// Of the nodes a and b.
FaultModel model(Tick eot, Tick eff, int crashes, CrashModel crash_model = CrashModel::kSilent);

// Parses and checks; nothing if there are errors.
std::optional<dedalus::Program> parse_program(const std::string& text);

}  // namespace clew::verify
