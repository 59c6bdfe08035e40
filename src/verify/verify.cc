#include "verify/verify.h"

#include "verify/clauses.h"
#include "verify/ground.h"

namespace clew::verify {

namespace {

void compare(const char* what, size_t announced, size_t found) {
  if (announced == found) return;
  throw Refusal{
      kClausesFile, 0,
      fmt::format("certificate.json announces {} {}, but here are {}", announced, what, found)};
}

void run(const Claim& claim, const Announced& announced, std::string_view clauses,
         std::string_view proof_text, Verification& result) {
  Circuit circuit;
  Grounding grounding(claim, circuit);
  result.facts = grounding.facts();
  Proof proof;
  ClauseChecker checker(claim, grounding, circuit, proof);
  checker.check(clauses);
  result.variables = checker.variables();
  result.clauses = checker.clauses();
  compare("variables", announced.variables, result.variables);
  compare("clauses", announced.clauses, result.clauses);
  proof.check(proof_text);
  result.lemmas = proof.lemmas();
}

}  // namespace

Verification verify(const Claim& claim, const Announced& announced, std::string_view clauses,
                    std::string_view proof) {
  Verification result;
  try {
    run(claim, announced, clauses, proof, result);
  } catch (Refusal& refusal) {
    result.refusal = std::move(refusal);
  }
  return result;
}

}  // namespace clew::verify
