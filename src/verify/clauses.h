// Checks clauses.txt, line by line, and hands its clauses on to the proof.
//
//   v 1 omission "a" "b" 2         a variable and what it stands for
//   d 2 or 1 -1                    a variable that is defined by earlier ones
//   c -2 1 0 support ...           a clause, which must follow
//
// docs/formats/certificate.md describes all of them.
#pragma once

#include <string_view>
#include <vector>

#include "verify/ground.h"
#include "verify/justify.h"
#include "verify/lines.h"
#include "verify/proof.h"

namespace clew::verify {

class ClauseChecker {
 public:
  ClauseChecker(const Claim& claim, Grounding& grounding, Circuit& circuit, Proof& proof);

  // Throws a Refusal at the first line that is wrong.
  void check(std::string_view text);

  size_t variables() const { return meanings_.size() - 1; }
  size_t clauses() const { return clauses_; }

 private:
  // What a variable of the certificate stands for.
  struct Meaning {
    Lit lit = kFalse;
    bool is_fact = false;
    std::optional<FactId> fact;  // nothing: the fact is impossible
  };

  void variable(Lines& line);
  Meaning meaning(Lines& line);
  Meaning fact(Lines& line);
  Meaning part(Lines& line);
  void definition(Lines& line);
  void clause(Lines& line);
  void goal(Lines& line, std::vector<Lit> own);
  void loop(Lines& line, const std::vector<Lit>& clause, const std::vector<Lit>& meant);
  void check_member(Lines& line, Lit member, const std::vector<FactId>& members,
                    const std::vector<Lit>& meant);

  void expect_next_number(Lines& line);
  Lit most() const { return static_cast<Lit>(variables()); }
  Lit meant(Lit lit) const;
  std::vector<Lit> meant(const std::vector<Lit>& lits) const;

  const Claim& claim_;
  Grounding& grounding_;
  Circuit& circuit_;
  Proof& proof_;
  Justifier justifier_;
  std::vector<Meaning> meanings_;  // by variable; there is no variable 0
  size_t clauses_ = 0;
};

}  // namespace clew::verify
