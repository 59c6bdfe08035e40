// The Rules of a program, as the Firings of its Runs refer to them.
//
//   const Rule& rule = run.rule(firing);
//   rule.text      // log(P, D)@async :- bcast(N, D), node(N, P);
//   rule.where()   // protocols/simple.ded:11
//
// Whoever reads a Run learns here what it needs to know of a rule: nobody parses the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "domain/fact.h"

namespace clew {

struct Rule {
  enum class Kind { kDeductive, kNext, kAsync };

  // At which node it fires.
  struct Location {
    enum class Kind {
      kAny,      // at every node, or, if an integer stands there, at none
      kNode,     // at the one called `name`
      kFact,     // where the fact of relation `name` is that it reads first
      kAbsence,  // where it looks for the fact of relation `name` whose absence it needs first
    };
    Kind kind = Kind::kAny;
    std::string name{};
  };

  std::string text{};  // as written, on one line
  std::string path{};  // of the file that it stands in; empty for built-in steps
  uint32_t line = 0;
  uint32_t last_line = 0;  // that of its `;`
  Kind kind = Kind::kDeductive;
  Location location{};
  std::vector<bool>
      aggregate{};  // by column of the head: calculated from all that the body matches

  bool aggregates() const;
  bool is_later() const { return kind != Kind::kDeductive; }  // its heads hold one tick later
  std::string where() const;                                  // "file:line"; may be empty
};

const char* to_string(Rule::Kind kind);  // "deductive", "next", "async"

// Made once for a program, and shared by its Runs. A RuleId is an index into it.
using RuleId = uint32_t;
using RuleTable = std::vector<Rule>;

}  // namespace clew
