// A checked Dedalus program: what every later stage may rely on.
//
//   SourceSet sources;
//   Diagnostics diagnostics;
//   const std::string path = "protocols/broadcast/simple_deliv.ded";
//   std::optional<Program> program = load_program({path}, sources, diagnostics);
//   std::cerr << diagnostics.render(sources);   // errors and warnings, all in one go
//   if (program) ...
//
// The stages are load (read, parse, follow includes) and the array of passes in check.cc.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "dedalus/ast.h"

namespace clew::dedalus {

// What a column may hold, as far as facts and rules tell.
struct ColumnType {
  bool integer = false;
  bool string = false;
};

using RelationIndex = uint32_t;

struct RelationInfo {
  std::string name;
  uint32_t arity = 0;
  std::vector<ColumnType> columns;
  Span first_use;
  bool derived = false;  // a fact or the head of a rule; `crash` counts as derived
  bool read = false;     // in some body
  // A view: no inductive or asynchronous rule and no @N read depends on it, so that it never
  // influences a later tick. Assertions (pre, post and what they are built from) are views.
  bool view = false;
  // Its facts are at no node, whatever their first column holds: what promises are made of.
  bool placeless = false;
  bool given = false;  // of a spec: the Run that is judged has its facts; counts as derived
};

// A rule's location L: where it fires.
struct Location {
  // kVariable: at the value of the variable `text`; kConstant: at the node named `text`; kAny: at
  // every node; kNowhere: an integer stands there, which is never a node.
  enum class Kind { kVariable, kConstant, kAny, kNowhere };
  Kind kind = Kind::kAny;
  std::string text;
  Span span;
};

// What the program promises: every tuple of `pre`, at the last tick or at every tick, is one of
// `post` as well.
struct PromiseInfo {
  std::string name;
  std::string pre;
  std::string post;
  bool every_tick = false;
  bool defines_pre = false;  // there are facts or rules for `pre`
  Span span{};  // where it is stated; of `pre` and `post` that are written as such: none
};

// Invariants of a Program, which lower() checks, all but (5), which the engine does:
// (1) facts are kFact clauses whose arguments are constants, after folding, with time kAt;
// (2) rules are kRule clauses whose heads carry no @N; body atoms carry kNone or kAt (a @next or
//     @async in a body has been warned about and removed);
// (3) every use of a relation has the arity in `relations`;
// (4) every variable of a head, a condition or an expression occurs as a plain argument of a
//     positive literal or is the location variable;
// (5) the program is stratified within a tick;
// (6) relation 0 is `crash`, arity 3;
// (7) there is a promise, and each has a name of its own;
// (8) placeless relations are derived by placeless rules alone, which derive nothing else.
struct Program {
  std::vector<Clause> facts;
  std::vector<Clause> rules;
  std::vector<Limit> limits;            // in the order of the text
  std::vector<RelationInfo> relations;  // in order of first use, after `crash`
  std::unordered_map<std::string, RelationIndex> relation_index;
  std::vector<PromiseInfo> promises;  // in the order stated

  const RelationInfo* find(const std::string& name) const;
};

inline constexpr const char* kCrash = "crash";
inline constexpr const char* kPre = "pre";
inline constexpr const char* kPost = "post";
inline constexpr const char* kSpec = "spec";  // the promise that `pre` and `post` make

// The same program with only this one of its promises. Requires that there is one of this name.
Program with_promise(const Program& program, const std::string& name);

// Ends the process if an invariant does not hold, except for (5).
void check_well_formed(const Program& program);

// The location of a rule: the first column of its first body atom as written, be it negated or not.
// A rule that is placeless, whose body has no atom, or whose first atom has no column, is located
// anywhere.
Location location_of(const Clause& rule);

// Reads `paths` and what they include, parses and checks them. Nothing if there were errors; the
// diagnostics then say which. An unreadable input file is a diagnostic too.
std::optional<Program> load_program(const std::vector<std::string>& paths, SourceSet& sources,
                                    Diagnostics& diagnostics);

// The checks alone, for clauses that are already parsed. If `diagnostics` holds errors of the
// parser, clauses may be missing; then nothing is said that more clauses could refute.
std::optional<Program> check_program(std::vector<File> files, Diagnostics& diagnostics);

// A spec is a set of clauses about Runs that somebody else makes: rules and promises over the facts
// that a Run gives, tick by tick. All its rules are placeless, so that first columns need not be
// nodes; they may carry facts on with @next, but nothing is sent and no adversary is limited. What
// the Run gives, no clause derives. Columns of what is given may hold anything.
using GivenRelations = std::map<std::string, uint32_t>;  // the number of columns, by name

// As load_program and check_program do. Of a given relation that no clause reads, nothing is kept.
std::optional<Program> load_spec(const std::vector<std::string>& paths, const GivenRelations& given,
                                 SourceSet& sources, Diagnostics& diagnostics);
std::optional<Program> check_spec(std::vector<File> files, const GivenRelations& given,
                                  Diagnostics& diagnostics);

// The nodes that a program mentions, sorted and distinct: strings in the first column of facts,
// constant locations of rules, and constant destinations of @async heads.
std::vector<std::string> mentioned_nodes(const Program& program);

// Whether this string stands anywhere in the program.
bool mentions(const Program& program, const std::string& text);

// What depends on the nodes of a run. Warnings: rules located at a constant that is not a node, and
// @async heads whose constant destination is not one. Errors: limits on nodes that are neither
// nodes of the run nor mentioned otherwise.
void check_nodes(const Program& program, const std::vector<std::string>& nodes,
                 Diagnostics& diagnostics);

}  // namespace clew::dedalus
