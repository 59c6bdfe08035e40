#include "verify/verify.h"

#include <algorithm>

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

// What a claim has to be about to say anything. More nodes than the program mentions are none of
// its business, unless they stand in for those that it does mention.
void refuse_empty(const Claim& claim) {
  for (const dedalus::PromiseInfo& promise : claim.program->promises) {
    if (promise.defines_pre) continue;
    throw Refusal{"", 0,
                  fmt::format("the claim is empty: the program promises nothing, for lack of `{}`",
                              promise.pre)};
  }
  const std::vector<NodeName>& nodes = claim.model.nodes;
  if (std::ranges::includes(nodes, dedalus::mentioned_nodes(*claim.program))) return;
  const auto stranger = std::ranges::find_if(
      nodes, [&](const NodeName& node) { return !dedalus::mentions(*claim.program, node); });
  if (stranger == nodes.end()) return;
  throw Refusal{"", 0, fmt::format("the program never mentions the node \"{}\"", *stranger)};
}

void run(const Claim& claim, const Announced& announced, std::string_view clauses,
         std::string_view proof_text, Verification& result) {
  refuse_empty(claim);
  Circuit circuit;
  Grounding grounding(claim, circuit);
  result.facts = grounding.facts();
  result.applies = when_applies(grounding, circuit);
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
