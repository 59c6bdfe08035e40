#include "report/check_report.h"

#include <gtest/gtest.h>

#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

FaultModel bounds() { return {{"a", "b"}, 3, 2, 1, CrashModel::kSilent}; }

CheckReport report_of(Verdict::Kind kind) {
  CheckReport report;
  report.verdict.kind = kind;
  report.verdict.model = bounds();
  report.verdict.effort.executions = 7;
  report.adversary = "symbolic";
  report.seconds = 0.5;
  report.verdict.effort.search_seconds = 0.25;
  return report;
}

Counterexample counterexample(RunBuilder run, size_t group, const std::string& path) {
  run.outcome(Outcome::Kind::kViolated,
              {{{"pre", {"a", "data"}}, false}, {{"pre", {"b", "data"}}, true}});
  return {run.run(), path, group};
}

CheckReport broken() {
  CheckReport report = report_of(Verdict::Kind::kBroken);
  report.counterexamples = {counterexample(
      RunBuilder("a b", 3).drop("a", "b", 1).send("a", "b", 1, "log"), 0, "lost.json")};
  report.verdict.counterexamples = {{report.counterexamples[0].run.scenario.faults, {}}};
  report.verdict.effort.executions_found = 4;
  return report;
}

CheckReport broken_in_many_ways() {
  CheckReport report = report_of(Verdict::Kind::kBroken);
  report.verdict.all_found = true;
  report.counterexamples = {counterexample(RunBuilder("a b", 3).drop("a", "b", 1), 0, ""),
                            counterexample(RunBuilder("a b", 3).crash("a", 2), 1, ""),
                            counterexample(RunBuilder("a b", 3).drop("b", "a", 1), 0, "")};
  return report;
}

CheckReport without_faults() {
  CheckReport report = report_of(Verdict::Kind::kBroken);
  report.counterexamples = {counterexample(RunBuilder("a b", 3), 0, "")};
  return report;
}

CheckReport with(CheckReport report, const std::function<void(CheckReport&)>& change) {
  change(report);
  return report;
}

struct ReportCase {
  CheckReport report;
  std::string text;
};

TEST(CheckReport, Texts) {
  const ReportCase table[] = {
      {broken(), R"(
broken within EOT 3, EFF 2, 1 crash
minimal counterexample of 1 fault:
  tick 1: what a sends to b is lost

tick  a              b
   1  o              o
      |--- log ---x  |   lost: omitted
   2  o              o
   3  o              o
key:  --x lost

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
replay it with: clew replay lost.json
)"},
      {broken_in_many_ways(), R"(
broken within EOT 3, EFF 2, 1 crash
all 3 minimal counterexamples, 2 up to renaming nodes

[1] drop a>b@1
  tick 1: what a sends to b is lost

tick  a              b
   1  o              o
   2  o              o
   3  o              o

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
  alike: drop b>a@1

[2] crash a@2
  tick 2: a crashes

tick  a              b
   1  o              o
   2  X crashed      o
   3  :              o
key:  : crashed, so unheard by the others

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
)"},
      {with(broken_in_many_ways(),
            [](CheckReport& report) {
              report.counterexamples.pop_back();
              report.verdict.all_found = false;
              report.verdict.minimal = false;
              for (Counterexample& one : report.counterexamples) one.scenario = "saved.json";
            }),
       R"(
broken within EOT 3, EFF 2, 1 crash
at least 2 counterexamples, 2 up to renaming nodes

[1] drop a>b@1
  tick 1: what a sends to b is lost

tick  a              b
   1  o              o
   2  o              o
   3  o              o

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
replay it with: clew replay saved.json

[2] crash a@2
  tick 2: a crashes

tick  a              b
   1  o              o
   2  X crashed      o
   3  :              o
key:  : crashed, so unheard by the others

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
replay it with: clew replay saved.json
)"},
      {without_faults(), R"(
broken within EOT 3, EFF 2, 1 crash, even without faults
  no fault is needed: the run without faults violates the spec

tick  a              b
   1  o              o
   2  o              o
   3  o              o

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
)"},
      {with(broken(),
            [](CheckReport& report) {
              report.verdict.model.eventually = 2;
              report.counterexamples[0].gone_at = 5;
            }),
       R"(
broken within EOT 3, EFF 2, 1 crash, eventually 2, but the violation is gone at EOT 5
  the protocol may only need more time: try --eventually 4
minimal counterexample of 1 fault:
  tick 1: what a sends to b is lost

tick  a              b
   1  o              o
      |--- log ---x  |   lost: omitted
   2  o              o
   3  o              o
key:  --x lost

violated at tick 3, the last; gone at tick 5 if the run lasts longer:
  pre("a", "data") holds, but is not in post
replay it with: clew replay lost.json
)"},
      {with(without_faults(),
            [](CheckReport& report) {
              report.swept = true;
              report.violated_until = 15;
              report.verdict.model = {{"a", "b"}, 3, 0, 0, CrashModel::kSilent};
            }),
       R"(
broken even without faults: from EOT 3 to EOT 15, the last looked at
  no fault is needed: the run without faults violates the spec

tick  a              b
   1  o              o
   2  o              o
   3  o              o

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
)"},
      {with(report_of(Verdict::Kind::kRobust),
            [](CheckReport& report) {
              report.effort = Work{1234, 56789};
              report.swept = true;
            }),
       R"(
robust within EOT 3, EFF 2, 1 crash: no admissible faults violate the spec
  the default effort ends here, after 1,234 ticks and 56,789 clauses;
  --deep or --budget 2m looks further
)"},
      {with(broken(),
            [](CheckReport& report) {
              report.verdict.minimal = false;
              report.verdict.model.crash_model = CrashModel::kStop;
              report.swept = true;
              report.max_faults = 3;
              report.counterexamples[0].scenario = "";
            }),
       R"(
broken within EOT 3, EFF 2, 1 crash, crash model stop, at most 3 faults (the smallest bounds that break it)
a counterexample of 1 fault:
  tick 1: what a sends to b is lost

tick  a              b
   1  o              o
      |--- log ---x  |   lost: omitted
   2  o              o
   3  o              o
key:  --x lost

violated at tick 3, the last:
  pre("a", "data") holds, but is not in post
)"},
      {report_of(Verdict::Kind::kRobust), R"(
robust within EOT 3, EFF 2, 1 crash: no admissible faults violate the spec
)"},
      {with(report_of(Verdict::Kind::kRobust),
            [](CheckReport& report) {
              report.verdict.vacuous = true;
              report.cut_short = true;
              report.certificate = "proof";
              report.max_faults = 1;
            }),
       R"(
robust within EOT 3, EFF 2, 1 crash, at most 1 fault: no admissible faults violate the spec
  these are the largest bounds that there was time for
check the certificate with: clew verify proof
)"},
      {with(report_of(Verdict::Kind::kUnknown),
            [](CheckReport& report) { report.verdict.why_unknown = "the budget was used up"; }),
       R"(
unknown within EOT 3, EFF 2, 1 crash: the budget was used up
)"},
  };
  for (const ReportCase& one : table) EXPECT_EQ('\n' + to_text(one.report), one.text);
}

// Everything that is only sometimes there.
CheckReport with_all_extras() {
  return with(report_of(Verdict::Kind::kUnknown), [](CheckReport& report) {
    report.verdict.why_unknown = "the budget was used up";
    report.verdict.effort.clauses = 12;
    report.max_faults = 2;
    report.swept = true;
    Verdict step;
    step.kind = Verdict::Kind::kRobust;
    step.model = bounds();
    step.effort.executions = 3;
    report.steps = {step};
    report.campaigns = CampaignStats{25, 20, 8.5, 0.25};
    report.certificate = "proof";
  });
}

TEST(CheckReport, Json) {
  const ReportCase table[] = {
      {broken(), R"json(
{
  "clew": "check",
  "version": 1,
  "promise": "spec",
  "verdict": "broken",
  "bounds": {
    "eot": 3,
    "eff": 2,
    "crashes": 1
  },
  "crash_model": "silent",
  "nodes": [
    "a",
    "b"
  ],
  "combinations": "8.80e+01",
  "adversary": "symbolic",
  "executions": 7,
  "executions_until_found": 4,
  "clauses": 0,
  "seconds": 0.5,
  "search_seconds": 0.25,
  "vacuous": false,
  "counterexamples": [
    {
      "faults": {
        "omissions": [
          {
            "from": "a",
            "to": "b",
            "tick": 1
          }
        ],
        "crashes": []
      },
      "size": 1,
      "story": [
        "tick 1: what a sends to b is lost"
      ],
      "violated": [
        "pre(\"a\", \"data\")"
      ],
      "group": 1,
      "scenario": "lost.json"
    }
  ],
  "all_found": false,
  "minimal": true
}
)json"},
      {with_all_extras(), R"json(
{
  "clew": "check",
  "version": 1,
  "promise": "spec",
  "verdict": "unknown",
  "bounds": {
    "eot": 3,
    "eff": 2,
    "crashes": 1
  },
  "crash_model": "silent",
  "nodes": [
    "a",
    "b"
  ],
  "combinations": "8.80e+01",
  "adversary": "symbolic",
  "executions": 7,
  "executions_until_found": 0,
  "clauses": 12,
  "seconds": 0.5,
  "search_seconds": 0.25,
  "vacuous": false,
  "max_faults": 2,
  "why_unknown": "the budget was used up",
  "counterexamples": [],
  "all_found": false,
  "minimal": true,
  "sweep": [
    {
      "eot": 3,
      "eff": 2,
      "crashes": 1,
      "verdict": "robust",
      "executions": 3
    }
  ],
  "campaigns": {
    "count": 25,
    "found": 20,
    "mean_executions": 8.5,
    "mean_seconds": 0.25
  },
  "certificate": "proof"
}
)json"},
  };
  for (const ReportCase& one : table) EXPECT_EQ('\n' + to_json(one.report), one.text);
}

}  // namespace
}  // namespace clew::report
