#include "service/look.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace clew::service {

namespace {

using inject::Call;
using inject::Change;
using inject::Filter;
using inject::Observed;
using inject::Point;

// `*` is any text, `?` any one character.
bool fits(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++, from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1, t = ++from;
    } else {
      return false;
    }
  }
  return pattern.substr(p).find_first_not_of('*') == std::string_view::npos;
}

bool fits_function(const std::string& pattern, const Point& point) {
  return std::ranges::any_of(point.stack, [&](const std::string& frame) {
    return fits(pattern, frame) || fits(pattern, frame.substr(0, frame.find(" (")));
  });
}

bool fits(const Filter& filter, const Point& point) {
  const auto given = [](const std::string& pattern, const auto& matches) {
    return pattern.empty() || matches(pattern);
  };
  const auto is = [](const std::string& text) {
    return [&text](const std::string& pattern) { return fits(pattern, text); };
  };
  return given(filter.node, is(point.node)) && given(filter.call, is(point.call)) &&
         given(filter.thread, is(point.thread)) && given(filter.object, is(point.object.name)) &&
         given(filter.function,
               [&](const std::string& pattern) { return fits_function(pattern, point); });
}

// From then on nothing fails any more.
bool begins_check(const inject::Happening& one) {
  const auto* change = std::get_if<Change>(&one);
  return change != nullptr && change->kind == Change::Kind::kStarted && change->who == "check";
}

}  // namespace

bool Look::violates(size_t promise) const {
  return promise < outcomes.size() && outcomes[promise] == Outcome::Kind::kViolated;
}

bool Look::violates_any() const {
  return std::ranges::find(outcomes, Outcome::Kind::kViolated) != outcomes.end();
}

bool may_fail(const inject::Target& target, const Point& point) {
  if (point.node == "check") return false;
  if (point.node == "workload" && !target.inject_workload) return false;
  const auto node = std::ranges::find(target.nodes, point.node, &inject::NodeSpec::name);
  if (node != target.nodes.end() && !node->inject) return false;
  const auto matches = [&](const Filter& filter) { return fits(filter, point); };
  if (!target.only.empty() && std::ranges::none_of(target.only, matches)) return false;
  return std::ranges::none_of(target.never, matches);
}

Result<Look> Looker::look(const inject::Plan& plan, const Observed& seen) {
  Look look;
  look.ending = seen.ending;
  look.trouble = seen.trouble;
  look.warnings = seen.warnings;
  const bool ran = seen.ending == Look::Ending::kDone || seen.ending == Look::Ending::kHung;
  const std::set<uint32_t> reached(seen.reached.begin(), seen.reached.end());
  look.struck = ran && reached.size() == plan.size();
  if (!look.struck) return look;
  if (!plan.empty()) look.last = seen.reached.back();
  find_sites(plan, seen, look);
  Result<Run> run = judging_.judge(seen, options_.supports ? Detail::kLineage : Detail::kVerdict);
  if (!run.ok()) return run.error();
  for (const Outcome& outcome : run->outcomes) look.outcomes.push_back(outcome.kind);
  if (!plan.empty() && plan[look.last].is_power() && !seen.crash_states.empty()) {
    look.states = seen.crash_states.back();
  }
  return look;
}

void Looker::find_sites(const inject::Plan& plan, const Observed& seen, Look& look) {
  std::vector<uint32_t> point_of;  // by the run's own numbers
  std::vector<bool> may;
  for (const Point& point : seen.points) {
    may.push_back(may_fail(target_, point));
    point_of.push_back(may.back() ? known_.point(point) : 0);
  }
  const auto planned = [&](const Call& call) {
    const std::string& id = known_.id(point_of[call.point]);
    return std::ranges::any_of(plan, [&](const inject::Failure& failure) {
      return failure.point == id && failure.occurrence == call.occurrence;
    });
  };
  std::set<uint32_t> met;
  std::map<uint32_t, uint32_t> calls;
  for (const inject::Happening& one : seen.happenings) {
    if (begins_check(one)) break;
    if (std::holds_alternative<inject::Struck>(one)) look.after = look.sites.size();
    const auto* call = std::get_if<Call>(&one);
    if (call == nullptr || !may[call->point]) continue;
    ++calls[point_of[call->point]];
    if (call->occurrence > target_.occurrences) continue;
    const uint32_t site = known_.site(point_of[call->point], call->occurrence);
    if (met.insert(site).second && !planned(*call)) look.sites.push_back(site);
  }
  if (plan.empty()) look.calls.assign(calls.begin(), calls.end());
}

}  // namespace clew::service
