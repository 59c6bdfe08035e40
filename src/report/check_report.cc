#include "report/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/text.h"
#include "base/watched.h"
#include "report/explanation.h"
#include "report/json_text.h"
#include "report/judgement.h"
#include "report/model_json.h"
#include "report/space_time.h"
#include "report/story.h"

namespace clew::report {

namespace {

using nlohmann::ordered_json;

std::string bounds(const CheckReport& report) {
  const FaultModel& model = report.verdict.model;
  std::string text = describe_bounds(model);
  if (report.max_faults) text += ", at most " + count_noun(*report.max_faults, "fault");
  return text;
}

// The tick by which all violations are gone if the run lasts so long.
std::optional<Tick> all_gone_at(const CheckReport& report) {
  std::optional<Tick> latest;
  for (const Counterexample& one : report.counterexamples) {
    if (!one.gone_at) return std::nullopt;
    latest = std::max(latest.value_or(0), *one.gone_at);
  }
  return latest;
}

Tick last_tick_of(const FaultSet& faults) {
  Tick last = 0;
  for (const Fault& fault : faults) last = std::max(last, tick_of(fault));
  return last;
}

// What to try if all violations go away.
std::string tell_time(const CheckReport& report) {
  const std::optional<Tick> gone = all_gone_at(report);
  if (!gone) return "";
  Tick needed = 0;  // after the last fault; none without faults
  for (const Counterexample& one : report.counterexamples) {
    const Tick last = last_tick_of(one.run.scenario.faults);
    if (last > 0) needed = std::max(needed, *one.gone_at - last);
  }
  std::vector<std::string> flags;
  const bool fixed = report.verdict.model.eventually == 0 || needed == 0;
  if (fixed) flags.push_back(fmt::format("--eot {}", *gone));
  if (needed > 0) flags.push_back(fmt::format("--eventually {}", needed));
  return fmt::format("  the protocol may only need more time: try {}\n", fmt::join(flags, ", or "));
}

std::string tell_violation(const Counterexample& counterexample) {
  const Run& run = counterexample.run;
  const Outcome& outcome = run.outcome();
  std::string text;
  for (const Outcome::Goal& goal : outcome.goals) {
    if (goal.post) continue;
    const std::string when = outcome.every_tick ? fmt::format("at tick {} ", goal.tick) : "";
    text +=
        fmt::format("  {}{} holds, but is not in {}\n", when, to_string(goal.pre), outcome.post);
  }
  if (outcome.every_tick) return "violated:\n" + text;
  const std::string gone =
      counterexample.gone_at
          ? fmt::format("; gone at tick {} if the run lasts longer", *counterexample.gone_at)
          : "";
  return fmt::format("violated at tick {}, the last{}:\n{}", run.scenario.program.eot, gone, text);
}

// The diagram of a long run ends some ticks after the last fault; nothing new happens then, as a
// rule.
std::string diagram(const Run& run) {
  constexpr Tick kAlwaysShown = 30;
  constexpr Tick kAfterFaults = 10;
  const Tick end = std::max(kAlwaysShown, last_tick_of(run.scenario.faults) + kAfterFaults);
  if (run.scenario.program.eot <= end + 1) return space_time(run);
  Run beginning;
  beginning.scenario = run.scenario;
  beginning.scenario.program.eot = end;
  for (const Message& message : run.messages) {
    if (message.sent_at < end) beginning.messages.push_back(message);
  }
  return fmt::format("{}Not shown: ticks {} to {}; clew replay shows them.\n",
                     space_time(beginning), end + 1, run.scenario.program.eot);
}

// The diagram, or why there is none.
std::string draw(const Run& run) {
  const std::optional<std::string> drawn = unless_stopped([&] { return diagram(run); });
  return drawn ? "\n" + *drawn + "\n" : "  not drawn: there was no time or memory left for it\n";
}

std::string tell(const Counterexample& counterexample) {
  const Run& run = counterexample.run;
  std::string text;
  const std::vector<std::string> faults = list_faults(run);
  for (const std::string& sentence : faults) text += fmt::format("  {}\n", sentence);
  if (faults.empty()) text += "  no fault is needed: the run without faults violates the spec\n";
  text += draw(run) + tell_violation(counterexample) + to_text(counterexample.explanation);
  if (!counterexample.scenario.empty()) {
    text += fmt::format("replay it with: clew replay {}\n", counterexample.scenario);
  }
  return text;
}

bool needs_no_fault(const CheckReport& report) {
  return report.counterexamples.size() == 1 &&
         report.counterexamples.front().run.scenario.faults.empty();
}

std::string tell_broken(const CheckReport& report) {
  std::string text = headline(report) + "\n" + tell_time(report);
  const std::vector<Counterexample>& all = report.counterexamples;
  if (needs_no_fault(report)) return text + tell(all[0]);
  if (all.size() == 1) {
    const char* kind = report.verdict.minimal ? "minimal" : "a";
    text += fmt::format("{} counterexample of {}{}:\n", kind,
                        count_noun(all[0].run.scenario.faults.size(), "fault"),
                        report.verdict.all_found ? ", the only one" : "");
    return text + tell(all[0]);
  }
  std::map<size_t, std::vector<const Counterexample*>> groups;
  for (const Counterexample& one : all) groups[one.group].push_back(&one);
  const char* noun = report.verdict.minimal ? "minimal counterexample" : "counterexample";
  text += fmt::format("{}{}, {} up to renaming nodes\n",
                      report.verdict.all_found ? "all " : "at least ", count_noun(all.size(), noun),
                      groups.size());
  for (const auto& [group, members] : groups) {
    text += fmt::format("\n[{}] {}\n{}", group + 1, to_string(members[0]->run.scenario.faults),
                        tell(*members[0]));
    for (size_t i = 1; i < members.size(); ++i) {
      text += fmt::format("  alike: {}\n", to_string(members[i]->run.scenario.faults));
    }
  }
  return text;
}

// What was promised, and how often.
std::string tell_coverage(const CheckReport& report) {
  if (!report.coverage) return "";
  const Coverage& coverage = *report.coverage;
  std::string text =
      fmt::format("  promised: {} of {} without faults, {}{} in any run\n",
                  count_noun(coverage.without_faults, "tuple"), report.pre,
                  coverage.counted_all ? "" : "at least ", with_thousands(coverage.in_any_run));
  if (coverage.without_faults == 0) {
    text += "  without faults nothing is promised: a larger --eot may give the protocol time\n";
  }
  if (!coverage.known) text += "  whether every rule of it ever applies is not known\n";
  for (const std::string& where : coverage.never) {
    text += fmt::format("  vacuous, as you allow: {} ({}) never applies\n", report.pre, where);
  }
  return text;
}

std::string tell_vacuous(const CheckReport& report) {
  std::string text = headline(report) + "\n";
  for (const std::string& where : report.coverage->never) {
    text += fmt::format("  {} applies in no admissible run ({})\n", report.pre, where);
  }
  return text +
         fmt::format(
             "  what never applies cannot break: give it time with a larger --eot, mend the\n"
             "  rule, or say that you know, with --allow-vacuous {}\n",
             report.promise);
}

std::string tell_robust(const CheckReport& report) {
  std::string text = headline(report) + "\n";
  text += tell_coverage(report);
  if (report.interrupted) {
    text += "  interrupted: larger bounds were not checked\n";
  } else if (report.cut_short) {
    text += "  these are the largest bounds that there was time for\n";
  }
  if (report.effort) {
    text += fmt::format(
        "  the default effort ends here, after {} ticks and {} clauses;\n"
        "  --deep or --budget 2m looks further\n",
        with_thousands(report.effort->ticks), with_thousands(report.effort->clauses));
  }
  if (!report.certificate.empty()) {
    text += fmt::format("check the certificate with: clew verify {}\n", report.certificate);
  }
  return text;
}

ordered_json json_counterexample(const Counterexample& one) {
  ordered_json violated = ordered_json::array();
  for (const Outcome::Goal& goal : one.run.outcome().goals) {
    if (!goal.post) violated.push_back(to_string(goal.pre));
  }
  ordered_json result = {{"faults", json_faults(one.run.scenario.faults)},
                         {"size", one.run.scenario.faults.size()},
                         {"story", list_faults(one.run)},
                         {"violated", violated},
                         {"group", one.group + 1}};
  if (one.gone_at) result["gone_at"] = *one.gone_at;
  if (!one.explanation.summary.empty()) {
    result["explanation"] = json_value(to_json(one.explanation));
  }
  if (!one.scenario.empty()) result["scenario"] = one.scenario;
  return result;
}

ordered_json json_coverage(const Coverage& coverage) {
  return {{"without_faults", coverage.without_faults},
          {"in_any_run", coverage.in_any_run},
          {"counted_all", coverage.counted_all},
          {"never", coverage.never}};
}

std::string headline_broken(const CheckReport& report, const std::string& name) {
  if (needs_no_fault(report) && report.violated_until) {
    return fmt::format("{}broken even without faults: from EOT {} to EOT {}, the last looked at",
                       name, report.verdict.model.eot, *report.violated_until);
  }
  const std::optional<Tick> gone = all_gone_at(report);
  const bool one = report.counterexamples.size() == 1;
  return fmt::format("{}broken within {}{}{}{}", name, bounds(report),
                     needs_no_fault(report) ? ", even without faults" : "",
                     report.swept ? " (the smallest bounds that break it)" : "",
                     gone ? fmt::format(", but {} gone at EOT {}",
                                        one ? "the violation is" : "the violations are", *gone)
                          : "");
}

ordered_json json_report(const CheckReport& report) {
  const Verdict& verdict = report.verdict;
  ordered_json result = {{"clew", "check"},
                         {"version", 1},
                         {"promise", report.promise},
                         {"verdict", to_string(verdict.kind)},
                         {"bounds", json_bounds(verdict.model)},
                         {"crash_model", to_string(verdict.model.crash_model)},
                         {"nodes", verdict.model.nodes},
                         {"combinations", combinations(verdict.model)},
                         {"adversary", report.adversary},
                         {"executions", verdict.effort.executions},
                         {"executions_until_found", verdict.effort.executions_found},
                         {"clauses", verdict.effort.clauses},
                         {"seconds", report.seconds},
                         {"search_seconds", verdict.effort.search_seconds},
                         {"vacuous", verdict.vacuous}};
  if (report.coverage) result["promised"] = json_coverage(*report.coverage);
  if (!verdict.model.limits.empty()) result["limits"] = json_limits(verdict.model.limits);
  if (report.max_faults) result["max_faults"] = *report.max_faults;
  if (report.effort) {
    result["effort"] = {{"ticks", report.effort->ticks}, {"clauses", report.effort->clauses}};
  }
  if (report.violated_until) result["violated_until"] = *report.violated_until;
  if (!verdict.why_unknown.empty()) result["why_unknown"] = verdict.why_unknown;
  ordered_json found = ordered_json::array();
  for (const Counterexample& one : report.counterexamples) {
    found.push_back(json_counterexample(one));
  }
  result["counterexamples"] = std::move(found);
  result["all_found"] = verdict.all_found;
  result["minimal"] = verdict.minimal;
  if (report.swept) {
    result["sweep"] = ordered_json::array();
    for (const Verdict& step : report.steps) {
      ordered_json row = json_bounds(step.model);
      row["verdict"] = to_string(step.kind);
      row["executions"] = step.effort.executions;
      result["sweep"].push_back(std::move(row));
    }
  }
  if (report.campaigns) {
    result["campaigns"] = {{"count", report.campaigns->count},
                           {"found", report.campaigns->found},
                           {"mean_executions", report.campaigns->mean_executions},
                           {"mean_seconds", report.campaigns->mean_seconds}};
  }
  if (!report.certificate.empty()) result["certificate"] = report.certificate;
  return result;
}

}  // namespace

std::string headline(const CheckReport& report) {
  const std::string name = report.among_others ? report.promise + ": " : "";
  const char* what = report.promise == "spec" ? "spec" : "promise";
  switch (report.verdict.kind) {
    case Verdict::Kind::kBroken:
      return headline_broken(report, name);
    case Verdict::Kind::kRobust:
      return fmt::format("{}robust within {}: no admissible faults violate the {}", name,
                         bounds(report), what);
    case Verdict::Kind::kVacuous:
      return fmt::format("{}vacuous within {}: the {} is never put to the test", name,
                         bounds(report), what);
    default:
      return fmt::format("{}unknown within {}: {}", name, bounds(report),
                         report.verdict.why_unknown);
  }
}

std::string to_text(const CheckReport& report) {
  switch (report.verdict.kind) {
    case Verdict::Kind::kBroken:
      return tell_broken(report);
    case Verdict::Kind::kRobust:
      return tell_robust(report);
    case Verdict::Kind::kVacuous:
      return tell_vacuous(report);
    default:
      return headline(report) + "\n";
  }
}

Verdict::Kind worst_of(std::span<const CheckReport* const> reports) {
  CHECK(!reports.empty(), "nothing was promised");
  const auto kinds = [](const CheckReport* one) { return badness(one->verdict.kind); };
  return (*std::ranges::max_element(reports, {}, kinds))->verdict.kind;
}

std::string to_text(std::span<const CheckReport* const> reports) {
  std::string text;
  for (const CheckReport* report : reports) {
    if (!text.empty()) text += "\n";
    text += to_text(*report);
  }
  if (reports.size() < 2) return text;
  text += "\npromises:";
  for (const CheckReport* report : reports) {
    text += fmt::format("{} {} {}", report == reports.front() ? "" : ",", report->promise,
                        to_string(report->verdict.kind));
  }
  return text + "\n";
}

std::string to_json(std::span<const CheckReport* const> reports) {
  if (reports.size() == 1) return to_json(*reports.front());
  ordered_json result = {
      {"clew", "check"}, {"version", 1}, {"verdict", to_string(worst_of(reports))}};
  for (const CheckReport* report : reports) result["promises"].push_back(json_report(*report));
  return json_text(result, 2) + "\n";
}

std::string to_json(const CheckReport& report) { return json_text(json_report(report), 2) + "\n"; }

}  // namespace clew::report
