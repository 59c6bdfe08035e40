// Two runs, with firings, of
//
//   1 bcast("a", "data")@1;  node("a", "b")@1;  want("data")@3;
//   2 log(P, D)@async :- bcast(N, D), node(N, P);
//   3 log(P, D)@next :- log(P, D);
//   4 missing(D) :- want(D), notin log("b", D);
//   5 pre(D) :- want(D);
//   6 post(D) :- want(D), notin missing(D);
//
// In the good one nothing is lost; in the bad one the message is.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/record.h"
#include "tests/report/run_builder.h"

namespace clew::report {

inline const char* const kRule2 = "log(P, D)@async :- bcast(N, D), node(N, P);";
inline const char* const kRule3 = "log(P, D)@next :- log(P, D);";
inline const char* const kRule4 = "missing(D) :- want(D), notin log(\"b\", D);";
inline const char* const kRule5 = "pre(D) :- want(D);";
inline const char* const kRule6 = "post(D) :- want(D), notin missing(D);";

inline Run example_run(bool lost, const std::string& file = "p.ded") {
  const Fact bcast{"bcast", {"a", "data"}};
  const Fact node{"node", {"a", "b"}};
  const Fact want{"want", {"data"}};
  const Fact log{"log", {"b", "data"}};
  const Fact missing{"missing", {"data"}};
  const Fact pre{"pre", {"data"}};
  const Fact post{"post", {"data"}};
  RunBuilder run("a b", 3);
  if (lost) run.drop("a", "b", 1);
  run.send("a", "b", 1, "log", {"data"});
  run.fact(bcast, 1, 1).fact(node, 1, 1).fact(want, 3, 3).fact(pre, 3, 3);
  if (lost) {
    run.fact(missing, 3, 3).outcome(Outcome::Kind::kViolated, {{pre, false}});
  } else {
    run.fact(log, 2, 3).fact(post, 3, 3).outcome(Outcome::Kind::kHolds, {{pre, true}});
  }
  Run result = run;
  result.scenario.program.files = {{"p.ded", ""}};
  result.scenario.program.inputs = 1;
  fire(result, kRule5, file + ":5", pre, 3, {{want, 3}});
  if (lost) {
    fire(result, kRule4, file + ":4", missing, 3, {{want, 3}}, {{to_pattern(log), 3}});
  } else {
    fire(result, kRule2, file + ":2", log, 2, {{bcast, 1}, {node, 1}});
    fire(result, kRule3, file + ":3", log, 3, {{log, 2}});
    fire(result, kRule6, file + ":6", post, 3, {{want, 3}}, {{to_pattern(missing), 3}});
  }
  return result;
}

// What clew check would keep of it.
inline Record example_record(Verdict::Kind kind) {
  Record record;
  record.check.verdict.kind = kind;
  record.check.verdict.model = {{"a", "b"}, 3, 2, 0, CrashModel::kSilent};
  record.check.verdict.effort.executions = 2;
  record.check.adversary = "symbolic";
  record.check.seconds = 0.25;
  record.replay = [](const FaultSet& faults) { return example_run(!faults.empty()); };
  record.runs.push_back({{}, Outcome::Kind::kHolds});
  record.program.push_back({"p.ded", ""});
  if (kind == Verdict::Kind::kUnknown) record.check.verdict.why_unknown = "the budget was used up";
  if (kind == Verdict::Kind::kBroken) {
    Run bad = example_run(true);
    record.runs.push_back({bad.scenario.faults, Outcome::Kind::kViolated, 0});
    record.check.verdict.counterexamples = {{bad.scenario.faults, {}}};
    record.check.counterexamples.push_back({std::move(bad), "lost.json"});
  }
  return record;
}

}  // namespace clew::report
