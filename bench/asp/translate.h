// A Program under bounds as an answer set program for clingo: the rival that the symbolic adversary
// is measured against, and an independent second opinion on its verdicts.
//
//   Options options{.nodes = mentioned_nodes(program), .eot = 4, .eff = 2, .crashes = 1};
//   std::optional<std::string> text = translate(program, options, diagnostics);
//
//   log(B, P)@async :- bcast(A, P), node(A, B);       becomes
//
//   log(B,P,T+1) :- bcast(A,P,T), node(A,B,T), is_node(A), is_node(B), not lost(A,B,T), T < 4.
//
// Faults are choices, `lost` and `dead` follow from them, and a constraint demands a tuple of `pre`
// without its `post` at the last tick: SATISFIABLE is a counterexample, UNSATISFIABLE is robust.
//
// To give the rival its best, what cannot influence pre and post is left out and assertions are
// stated for the last tick only. With `unroll` there is a rule for every tick instead of T: the
// text is longer, but the grounder sees that the program is stratified and drops what is certain or
// impossible. Values keep their order: clingo, too, puts integers before strings and compares
// strings by their bytes.
//
// What clingo cannot say is an error with a place: joining strings, integers beyond 32 bits, and
// whatever may end a run with an error (division by anything but a constant, calculating with what
// may be a string). Results of calculations beyond 32 bits go unnoticed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "dedalus/program.h"
#include "domain/fault.h"

namespace clew::asp {

struct Options {
  std::vector<NodeName> nodes;  // sorted, distinct, not empty
  Tick eot = 1;
  Tick eff = 0;
  int crashes = 0;
  CrashModel model = CrashModel::kSilent;
  bool unroll = false;  // a rule for every tick
  // Instead of the goal: every fault set is a model, which shows every fact of every tick.
  bool all_facts = false;
};

// Nothing if the program cannot be translated; the diagnostics then say why.
std::optional<std::string> translate(const dedalus::Program& program, const Options& options,
                                     Diagnostics& diagnostics);

// Adds an error for everything in the program that clingo cannot say.
void check_expressible(const dedalus::Program& program, Diagnostics& diagnostics);

}  // namespace clew::asp
