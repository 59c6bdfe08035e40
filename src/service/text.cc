#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/columns.h"
#include "report/why.h"
#include "report/wrap.h"
#include "service/story.h"
#include "service/tell.h"

namespace clew::service {

namespace {

constexpr size_t kMostMoments = 40;   // of one cause
constexpr size_t kMostShown = 5;      // causes that are told whole
constexpr size_t kMostUnstable = 20;  // points

std::string names_of(const std::vector<std::string>& promises) {
  std::string text;
  for (const std::string& one : promises) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", one);
  }
  return text;
}

std::string failures_of(size_t count) { return count_noun(count, "failure"); }

std::string row(std::string_view name, const std::string& value) {
  constexpr std::string_view kUnder = "                ";
  return report::wrap(value, fmt::format("  {:<14}", name), kUnder);
}

std::string points_line(const Report& report) {
  const auto stable = static_cast<size_t>(
      std::ranges::count_if(report.points, [](const PointSeen& one) { return one.stable(); }));
  const auto late = static_cast<size_t>(std::ranges::count(report.points, 0U, &PointSeen::runs));
  std::string text = fmt::format("{}, {} stable", count_noun(report.points.size(), "failure point"),
                                 with_thousands(stable));
  if (late > 0) text += fmt::format(", {} only after a failure", with_thousands(late));
  return text + "; " + count_noun(report.ids, "failure id");
}

std::string runs_line(const Report& report) {
  std::string text = fmt::format("{}, {} without failures", with_thousands(report.runs),
                                 with_thousands(report.failure_free));
  if (report.hung > 0) {
    text += fmt::format("; {} did not end by itself", count_noun(report.hung, "combination"));
  }
  return text;
}

std::string lineage_line(const Report& report) {
  return fmt::format("{} by what the good outcome rests on{}",
                     count_noun(report.lineage_tried, "combination"),
                     report.nothing_left ? "; nothing is left to cut, which proves nothing" : "");
}

std::string covered_text(const Report& report) {
  std::string text = row("points", points_line(report));
  for (const Count& one : report.counts) text += row(failures_of(one.failures), counted(one));
  for (const Report::Promise& one : report.promises) {
    text += report::wrap(promise_of(one), fmt::format("  \"{}\": ", one.name), "    ");
  }
  text += row("runs", runs_line(report));
  if (report.lineage_tried > 0) text += row("lineage", lineage_line(report));
  return text;
}

std::string moments_text(const Group& group) {
  const std::vector<Moment> all = story(*group.observed, group.plan);
  size_t width = 0;
  for (const Moment& one : all) width = std::max(width, count_code_points(one.who));
  width = std::min<size_t>(width, 16);
  std::string text;
  for (const Moment& one : in_short(all, kMostMoments)) {
    const char* const mark = one.kind == Moment::Kind::kFailure ? "x" : " ";
    const std::string head = fmt::format("  {} {}  {}  ", pad_left(std::to_string(one.at), 5), mark,
                                         pad_right(cut(one.who, width), width));
    text += report::wrap(one.what, head, std::string(count_code_points(head), ' '));
  }
  return text;
}

std::string why_text(const Group& group) {
  std::string text;
  for (const check::Broken& broken : group.broken) {
    report::Answer answer;
    answer.why.push_back(broken.pre);
    answer.why_not.push_back(broken.post);
    text += fmt::format("\nwhy \"{}\" is violated:\n{}", broken.promise, report::to_text(answer));
  }
  return text;
}

std::string group_body(const Group& group, bool whole) {
  std::string text;
  for (const std::string& cause : causes(group)) text += report::wrap(cause, "  ", "      ");
  if (group.like) {
    text += fmt::format("  like cause {}: the same is violated, by failures at the same {}\n",
                        *group.like + 1, group.plan.size() == 1 ? "node" : "nodes");
  }
  if (!group.minimal) text += "  (whether less is enough was not tried)\n";
  if (group.violations > 1) {
    text +=
        fmt::format("  part of {} that violate it\n", count_noun(group.violations, "combination"));
  }
  if (whole) {
    if (group.observed) text += "\nwhat happened:\n" + moments_text(group);
    text += why_text(group);
  }
  if (!group.saved.empty()) {
    text += fmt::format("\nsaved as {0}: clew replay {0} runs it again\n", group.saved);
  }
  return text;
}

std::string group_text(const Report& report, size_t index) {
  const Group& group = report.groups[index];
  return fmt::format("cause {} of {}: {}\n{}", index + 1, report.groups.size(), often(group),
                     group_body(group, index < kMostShown));
}

std::string warnings_text(const Report& report) {
  std::string text;
  for (const std::string& one : caveats(report)) text += report::wrap(one, "note: ", "      ");
  for (const inject::Warning& one : report.warnings) {
    text += report::wrap(one.what, "warning: ", "         ");
    if (!one.remedy.empty()) text += report::wrap(one.remedy, "  help: ", "        ");
  }
  return text;
}

std::string point_text(const PointSeen& seen) {
  const inject::Point& point = seen.point;
  const std::string about = point.call + ' ' + objects_of(point.object, point.object2);
  const std::string who = point.thread == point.node || point.thread.empty()
                              ? point.node
                              : fmt::format("{} ({})", point.node, printable(point.thread));
  std::string text = report::wrap(fmt::format("{}  {}: {}", seen.id, who, about), "", "          ");
  std::string told = seen.fewest == seen.most
                         ? count_noun(seen.most, "time")
                         : fmt::format("{} to {} times", seen.fewest, seen.most);
  if (seen.runs == 0) told = "only after a failure";
  const std::string fails =
      seen.ids > 0 ? count_noun(seen.ids, "failure id") : "nothing may fail here";
  text += report::wrap(fmt::format("at {}; {}; {}", printable(point.place()), told, fails),
                       "          ", "          ");
  return text;
}

}  // namespace

const char* verdict_of(const Report& report) {
  switch (report.kind) {
    case Report::Kind::kViolated:
      return "violated";
    case Report::Kind::kNothing:
      return "nothing found";
    case Report::Kind::kBudget:
      return "unknown";
    case Report::Kind::kVacuous:
    case Report::Kind::kNoPoint:
      return "vacuous";
  }
  return "";
}

std::string headline_of(const Report& report) {
  const std::string most = fmt::format("at most {} in a run", failures_of(report.most_failures));
  if (report.kind == Report::Kind::kViolated) {
    std::vector<std::string> promises;
    for (const Report::Promise& one : report.promises) {
      if (one.violated > 0) promises.push_back(one.name);
    }
    return fmt::format("{} by {}", names_of(promises), count_noun(report.groups.size(), "cause"));
  }
  if (const std::optional<Error> why = nothing_said(report)) return why->message;
  const std::string tried = count_noun(report.tried(), "combination");
  if (report.kind == Report::Kind::kNothing) {
    return fmt::format("no promise is violated in {}, {}", tried, most);
  }
  return fmt::format("nothing is violated in {}, {}, and {}", tried, most,
                     report.why_ended.empty() ? "not all was tried" : report.why_ended);
}

std::string counted(const Count& count) {
  std::string text = fmt::format("{} tried", with_thousands(count.tried));
  const auto add = [&](size_t number, const char* what) {
    if (number > 0) text += fmt::format(", {} {}", with_thousands(number), what);
  };
  add(count.violating, count.violating == 1 ? "violates" : "violate");
  add(count.covered, "covered without a run");
  add(count.not_reached, "not reached");
  add(count.failed, "could not be run");
  add(count.left, "left");
  if (count.unlikely > 0) {
    text += fmt::format(" ({} of these unlikely to matter)", with_thousands(count.unlikely));
  }
  return text;
}

std::string promise_of(const Report::Promise& promise) {
  if (promise.applied == 0) return "never applied";
  const std::string applied = fmt::format("applied to {}", count_noun(promise.applied, "run"));
  if (promise.tested == 0) return applied + ", in none of which a failure struck";
  return promise.violated == 0
             ? applied + ", held in all"
             : fmt::format("{}, violated in {}", applied, with_thousands(promise.violated));
}

std::string often(const Group& group) {
  const std::string names = names_of(group.promises);
  if (group.replays == 0) return names + " violated, not run again";
  return fmt::format("{} violated in {} of {} runs", names, group.violated, group.replays);
}

std::vector<std::string> causes(const Group& group) {
  std::vector<std::string> result;
  for (size_t i = 0; i < group.plan.size(); ++i) {
    const inject::Point& point = group.points[i];
    std::string about = objects_of(point.object, point.object2);
    if (!about.empty()) about = fmt::format(" ({})", about);
    result.push_back(fmt::format("{}: {}{}, at {} [{}]", point.node,
                                 inject::describe(group.plan[i], point), about,
                                 printable(point.place()), to_string(group.plan[i])));
  }
  if (result.empty()) result.emplace_back("no failure is needed");
  return result;
}

std::vector<std::string> caveats(const Report& report) {
  std::vector<std::string> all;
  size_t left = 0, not_reached = 0;
  for (const Count& one : report.counts) {
    left += one.left;
    not_reached += one.not_reached;
  }
  if (!report.why_ended.empty()) {
    all.push_back(fmt::format("{}: {} known and not tried; --resume goes on from what is kept",
                              report.why_ended, count_noun(left, "combination")));
  }
  if (not_reached > 0) {
    all.push_back(
        fmt::format("{} never struck, since a point was not reached again: it counts as not tried",
                    count_noun(not_reached, "combination")));
  }
  const size_t unstable =
      report.points.size() -
      static_cast<size_t>(std::ranges::count_if(
          report.points, [](const PointSeen& one) { return one.runs == 0 || one.stable(); }));
  if (unstable > 0) {
    all.push_back(
        fmt::format("{} differs between runs without failures; clew inject --points "
                    "lists points",
                    count_noun(unstable, "failure point")));
  }
  return all;
}

std::optional<Error> nothing_said(const Report& report) {
  if (report.kind == Report::Kind::kNoPoint) {
    if (report.points.empty()) {
      return Error{"the target made no call at which something may fail",
                   "look at what the nodes do, and at `only` and `never` of the target file"};
    }
    return Error{"no failure ever struck, so nothing was tried",
                 "clew inject --points lists points; look at `only`, `never` and `kinds` of the "
                 "target file"};
  }
  if (report.kind != Report::Kind::kVacuous) return std::nullopt;
  std::vector<std::string> never, untested;
  for (const Report::Promise& one : report.promises) {
    (one.applied == 0 ? never : untested).push_back(one.name);
  }
  if (!untested.empty()) {
    return Error{
        fmt::format("{} applied to no run in which a failure struck, so nothing was put to "
                    "the test",
                    names_of(untested)),
        "let points fail that come after what is promised: raise --occurrences, or look at "
        "`only` and `never` of the target file"};
  }
  return Error{fmt::format("{} applied to no run, so nothing was promised", names_of(never)),
               "look at what it says before `implies`, and whether the facts of the target file "
               "match what is printed"};
}

std::string to_text(const Report& report) {
  std::string text =
      report::wrap(fmt::format("{}: {}", verdict_of(report), headline_of(report)), "", "  ");
  text += covered_text(report);
  for (size_t i = 0; i < report.groups.size(); ++i) text += '\n' + group_text(report, i);
  if (const std::string warnings = warnings_text(report); !warnings.empty()) {
    text += '\n' + warnings;
  }
  return text;
}

std::string replay_text(const Report& report) {
  std::string text;
  if (const Group* group = report.groups.empty() ? nullptr : &report.groups.front();
      group != nullptr && report.kind != Report::Kind::kNoPoint) {
    const bool violated = report.kind == Report::Kind::kViolated;
    text = fmt::format("{}: {}\n", violated ? "violated" : "holds", often(*group));
    text += group_body(*group, true);
  } else {
    text = "not reached: the failures did not strike in any run, so this says nothing\n";
  }
  return text + warnings_text(report);
}

std::string points_text(const Report& report) {
  std::string text = points_line(report) + '\n';
  for (const PointSeen& one : report.points) text += point_text(one);
  std::vector<std::string> unstable;
  for (const PointSeen& one : report.points) {
    if (one.runs > 0 && !one.stable()) unstable.push_back(one.id);
  }
  if (!unstable.empty()) {
    const size_t more = unstable.size() > kMostUnstable ? unstable.size() - kMostUnstable : 0;
    unstable.resize(unstable.size() - more);
    text += report::wrap(
        fmt::format("{}{} not reached equally often in {} without failures: [[rename]] in the "
                    "target file makes names equal, and [[never]] leaves points out",
                    fmt::join(unstable, ", "), more > 0 ? fmt::format(" and {} more", more) : "",
                    count_noun(report.failure_free, "run")),
        "\nnot stable: ", "  ");
  }
  return text + warnings_text(report);
}

}  // namespace clew::service
