#include "report/firings.h"

#include <fmt/format.h>

#include <vector>

#include "base/text.h"
#include "base/watched.h"

namespace clew::report {

namespace {

std::string firing_text(const Run& run, const Firing& firing) {
  look(1 + firing.used.size() + firing.absences.size());
  std::string text = fmt::format("{}@{}\n  by {}", to_string(firing.head), firing.head_tick,
                                 run.rule(firing).text);
  const std::string where = run.rule(firing).where();
  text += where.empty() ? "\n" : fmt::format("  ({})\n", where);
  std::vector<std::string> used;
  used.reserve(firing.used.size());
  for (const Firing::Use& use : firing.used) {
    used.push_back(fmt::format("{}@{}", to_string(use.fact), use.tick));
  }
  if (!used.empty()) text += flow(used, "  from ", "       ") + "\n";
  std::vector<std::string> absent;
  absent.reserve(firing.absences.size());
  for (const Firing::Absence& absence : firing.absences) {
    absent.push_back(fmt::format("{}@{}", to_string(absence.pattern), absence.tick));
  }
  if (!absent.empty()) text += flow(absent, "  without ", "          ") + "\n";
  return text;
}

}  // namespace

std::string firings(const Run& run) {
  std::string text;
  for (const Firing& firing : run.firings) text += firing_text(run, firing);
  return text;
}

}  // namespace clew::report
