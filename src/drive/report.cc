#include "drive/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "drive/diagram.h"
#include "drive/page.h"
#include "report/wrap.h"

namespace clew::drive {

using explore::Tale;
using explore::Told;

std::string kinds_of(const SourcePart::Within& within) {
  std::vector<std::string> kinds;
  const auto add = [&](uint32_t often, const char* name) {
    if (often == 0) return;
    const bool counted = often < within.faults;
    kinds.push_back(counted ? fmt::format("at most {} {}", often, name) : name);
  };
  add(within.crashes, "crashes");
  add(within.losses, "losses");
  add(within.duplicates, "duplicates");
  add(within.early_timers, "early timers");
  std::string text = kinds.empty() ? "of no kind" : fmt::format("{}", fmt::join(kinds, ", "));
  if (within.crashes > 0) text += within.restarts > 0 ? "; with restarts" : "; without restarts";
  return text;
}

std::string bounds_of(const SourcePart::Within& within) {
  std::string text =
      within.requests == 0 ? "no request" : count_noun(within.requests, "request") + " at a time";
  text += within.faults == 0 ? " and no fault" : " and " + count_noun(within.faults, "fault");
  return text;
}

std::string steps_of(const Counterexample& found) {
  const size_t length = found.tale.moves.size();
  std::string steps = count_noun(found.found_with, "step");
  if (found.found_with != length) steps += fmt::format(", shortened to {}", length);
  return steps;
}

namespace {

// On a line of its own.
std::string kinds_line(const SourcePart::Within& within) {
  return within.faults == 0 ? "" : fmt::format("  faults: {}\n", kinds_of(within));
}

std::string counterexample_head(const Report& report) {
  const Counterexample& found = *report.counterexample;
  const SourcePart::Within& within = found.scenario.source.within;
  std::string text = fmt::format("  found within {}, {}\n", bounds_of(within), steps_of(found));
  if (report.engine != "stateful") {
    text += fmt::format("  after {}\n", count_noun(report.looked_at(), "path"));
  }
  return text + kinds_line(within);
}

// What goes on for ever, and what waits meanwhile.
std::string loop_text(const Tale& tale) {
  if (!tale.no_loop.empty()) return fmt::format("no loop any more: {}\n", tale.no_loop);
  if (!tale.loop) return "";
  std::string text = fmt::format("{} again and again, and \"{}\" holds in none of their states\n",
                                 steps_of_loop(tale), *tale.broken);
  for (const std::string& timer : tale.never_fire) {
    text += fmt::format(
        "  timer {} is set all the while: a timer fires early, or where nothing else can happen\n",
        timer);
  }
  return text;
}

// What a step has changed in a node; all of it where nothing is known of what was before.
std::string changed_fields(const std::string& before, const std::string& after) {
  if (before.empty()) return after;
  const std::vector<std::string> old = fields_of(before);
  std::vector<std::string> changed = fields_of(after);
  std::erase_if(changed, [&](const auto& one) { return std::ranges::find(old, one) != old.end(); });
  return fmt::format("{}", fmt::join(changed, ", "));
}

std::string move_text(size_t number, const Told& told) {
  std::string text = fmt::format("{:>6}  {}\n", number, told.move);
  for (const Told::Sent& sent : told.sent) {
    text += fmt::format("          sends {} {}\n", sent.to, sent.message);
  }
  for (const Told::Sent& answer : told.answered) {
    text += fmt::format("          answers {} {}\n", answer.to, answer.message);
  }
  return text;
}

std::string step_by_step(const Tale& tale) {
  std::string text = "step by step:\n";
  std::map<std::string, std::string> states;  // by node; none of one that is down
  for (size_t i = 0; i < tale.nodes.size(); ++i) {
    if (tale.start[i].empty()) continue;
    states[tale.nodes[i]] = tale.start[i];
    text += fmt::format("{:>6}  {}: {}\n", i == 0 ? "start" : "", tale.nodes[i], tale.start[i]);
  }
  for (size_t i = 0; i < tale.moves.size(); ++i) {
    const Told& told = tale.moves[i];
    if (tale.loop == i + 1) text += "  again and again:\n";
    text += move_text(i + 1, told);
    if (told.kind == "crash") states.erase(told.node);
    if (told.state.empty() || told.kind == "crash") continue;
    const std::string changed = changed_fields(states[told.node], told.state);
    if (!changed.empty()) text += fmt::format("          {}: {}\n", told.node, changed);
    states[told.node] = told.state;
  }
  return text;
}

std::string what_mattered(const Counterexample& found) {
  if (found.cures.empty()) return "";
  std::string text = fmt::format("what mattered: it {} well\n", found.tale.loop ? "goes" : "ends");
  constexpr size_t kMostShown = 6;
  const std::vector<Told>& moves = found.tale.moves;
  for (size_t i = 0; i < std::min(found.cures.size(), kMostShown); ++i) {
    const Cured& cure = found.cures[i];
    if (cure.instead == cure.move) {
      text += fmt::format("  without step {} ({})\n", cure.move + 1, moves[cure.move].move);
    } else {
      text += fmt::format("  with step {} ({})\n    before step {} ({})\n", cure.instead + 1,
                          moves[cure.instead].move, cure.move + 1, moves[cure.move].move);
    }
  }
  if (found.cures.size() > kMostShown) {
    text += fmt::format("  and in {} more ways\n", found.cures.size() - kMostShown);
  }
  return text;
}

std::string counterexample_text(const Counterexample& found) {
  const Tale& tale = found.tale;
  std::string text = told_text(tale);
  if (!tale.broken) text += tale.ended ? "nothing is left to happen\n" : "";
  for (const std::string& missing : tale.left_out) {
    text += fmt::format("not possible any more, so left out: {}\n", missing);
  }
  const std::string mattered = what_mattered(found);
  if (!mattered.empty()) text += '\n' + mattered;
  if (found.passing) {
    const size_t same = found.cures.front().move;
    text += fmt::format("\nthe nearest run that {} well{}:\n{}", tale.loop ? "goes" : "ends",
                        same == 0 ? "" : fmt::format(", the same up to step {}", same),
                        diagram(*found.passing));
  }
  if (!found.saved.empty()) {
    text += fmt::format("\nsaved as {0}: clew replay {0} runs it again\n", found.saved);
  }
  return text;
}

// What lets it go on, if that helps.
const char* remedy_for_end(const Report& report) {
  if (report.by_effort) return "; --deep goes on";
  if (report.why_ended.find("memory") != std::string::npos) return "; --memory gives it more";
  return report.why_ended.find("budget") != std::string::npos ? "; --budget gives it more time"
                                                              : "";
}

// Of a replay.
std::string missing_steps(const Counterexample& found) {
  if (found.tale.left_out.empty()) return "";
  return fmt::format(",\n  of which {} of {} were not possible any more",
                     found.tale.left_out.size(),
                     count_noun(found.scenario.schedule.choices.size(), "step"));
}

// What was looked at, and how often.
std::string coverage_text(const Report& report) {
  std::string text;
  for (const Described::Property& property : report.program.properties) {
    text += fmt::format("  \"{}\": held in {}\n", property.name, held_in(report, property));
  }
  return text;
}

std::string caveats_text(const Report& report) {
  std::string text;
  for (const std::string& one : caveats(report)) text += report::wrap(one, "note: ", "      ");
  return text;
}

std::string unknown_text(const Report& report) {
  const bool stateful = report.engine == "stateful";
  const std::string seen = count_noun(report.looked_at(), stateful ? "state" : "path");
  std::string text =
      report::wrap(fmt::format("{} before anything was explored as a whole ({} seen){}",
                               report.why_ended, seen, remedy_for_end(report)),
                   "unknown: ", "  ");
  if (!stateful || !report.by_effort) return text;
  return text + "  --engine novelty hunts for what breaks it, rather than look at everything\n";
}

}  // namespace

std::optional<Error> vacuous(const Report& report) {
  const Explored* largest = report.largest();
  if (report.counterexample || largest == nullptr) return std::nullopt;
  const Explored& first = report.explored.front();
  if (largest->moves == 0 || (first.within.faults == 0 && first.complete && first.moves == 0)) {
    return Error{"nothing happens: no client asks, no timer is set, no message is sent",
                 "let describe() add a client, or a node's start() do something"};
  }
  for (const auto& [name, states] : largest->applied) {
    if (states > 0) continue;
    return Error{fmt::format("the promise {} applies in no state, so nothing was promised", name),
                 "look at what it says before `implies`, or after `never`"};
  }
  for (const Described::Property& property : report.program.properties) {
    if (property.kind != "finally" || largest->ends > 0) continue;
    return Error{
        fmt::format("\"{}\" was never judged: no run comes to an end", property.name),
        "use cluster.eventually(), which is also about runs without an end, or let the nodes come "
        "to rest (a timer that is set again for ever never does)"};
  }
  return std::nullopt;
}

std::string held_in(const Report& report, const Described::Property& property) {
  const Explored& largest = *report.largest();
  if (const auto found = largest.awaited.find(property.name); found != largest.awaited.end()) {
    return fmt::format("{}, and awaited in {}, never for ever",
                       count_noun(found->second.held, "state"),
                       count_noun(found->second.awaited, "state"));
  }
  if (property.kind == "finally") return count_noun(largest.ends, "end");
  if (property.kind == "step") return count_noun(largest.moves, "step");
  return report.engine == "stateful" ? count_noun(largest.states, "state")
                                     : count_noun(largest.paths, "path");
}

std::string exhausted_of(const Report& report, const Explored& one) {
  if (report.engine == "stateful") {
    return fmt::format("{}, {}, {} at most", count_noun(one.states, "state"),
                       count_noun(one.moves, "move"), count_noun(one.depth, "step"));
  }
  const char* which = report.engine == "dfs"       ? "all there are"
                      : report.engine == "novelty" ? "each until a state that was seen"
                                                   : "one of each class";
  return fmt::format("{}, {}; {} to {}", count_noun(one.paths, "path"), which,
                     count_noun(one.moves, "move"), count_noun(one.ends, "end"));
}

std::string end_of(const Report& report) {
  if (report.everything) {
    return "there are no larger bounds: describe() and the flags allow no more";
  }
  return report.why_ended.empty() ? "" : report.why_ended + remedy_for_end(report);
}

std::vector<std::string> caveats(const Report& report) {
  std::vector<std::string> all;
  if (!report.not_alike.empty()) {
    all.push_back(
        fmt::format("nodes that are said to be alike are not ({}): each was looked at by itself",
                    report.not_alike));
  }
  const bool eventually = std::ranges::any_of(
      report.program.properties, [](const auto& one) { return one.kind == "eventually"; });
  if (eventually && report.program.symmetric) {
    all.emplace_back(
        "nodes that are alike were looked at one by one, since who waits for what matters to what "
        "must hold again and again");
  }
  if (eventually && !report.program.declares_state) {
    all.emplace_back(
        "a node does not declare its state, so it never comes back to one: what goes on for ever "
        "takes ever new states, and is not found as a loop");
  }
  if (!report.program.declares_state) {
    all.emplace_back(
        "a node does not declare its state, so states are told apart by what has happened to the "
        "node: more are counted than there are, and none is left out");
  }
  return all;
}

std::string told_text(const Tale& tale) {
  return diagram(tale) + loop_text(tale) + '\n' + step_by_step(tale);
}

std::string to_text(const Report& report) {
  if (report.counterexample) {
    const Counterexample& found = *report.counterexample;
    const std::string& property = found.scenario.source.property;
    std::string head = found.tale.broken
                           ? fmt::format("broken: \"{}\"\n", *found.tale.broken)
                           : fmt::format("holds: \"{}\" is not violated by this schedule{}\n",
                                         property, missing_steps(found));
    if (!report.explored.empty()) head += counterexample_head(report);
    return head + '\n' + counterexample_text(found) + caveats_text(report);
  }
  const Explored* largest = report.largest();
  if (largest == nullptr) return unknown_text(report);
  if (const std::optional<Error> why = vacuous(report)) {
    return fmt::format("vacuous: {}\n  exhausted: {}\n", why->message,
                       exhausted_of(report, *largest));
  }
  std::string text = fmt::format("robust: nothing is violated within {}\n{}",
                                 bounds_of(largest->within), kinds_line(largest->within));
  text += fmt::format("  exhausted: {}\n", exhausted_of(report, *largest));
  text += coverage_text(report);
  if (const std::string end = end_of(report); !end.empty()) text += fmt::format("  {}\n", end);
  return text + caveats_text(report);
}

}  // namespace clew::drive
