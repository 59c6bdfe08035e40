#include "service/look.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/text.h"

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

// Those that may be names.
std::vector<std::string> words_of(const Fact& fact) {
  std::vector<std::string> words;
  for (const Datum& value : fact.values) {
    if (const auto* text = std::get_if<std::string>(&value)) words.push_back(*text);
  }
  return words;
}

// What is violated, without numbers, which differ from run to run.
std::string sign_of(const std::vector<Outcome>& outcomes) {
  std::set<std::string> broken;
  for (const Outcome& outcome : outcomes) {
    for (const Outcome::Goal& goal : outcome.goals) {
      if (goal.post) continue;
      broken.insert(fmt::format("{} {} {}", outcome.spec, goal.pre.relation,
                                fmt::join(words_of(goal.pre), " ")));
    }
  }
  return broken.empty() ? "" : fingerprint(fmt::format("{}", fmt::join(broken, "\n")));
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
  if (!target.kinds.loader && point.is_loading()) return false;
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
  const Places places = find_sites(plan, seen, look);
  const bool wants_lineage = wants_supports_ || plan.size() < target_.most_failures;
  Result<Run> run = judging_.judge(plan, seen, wants_lineage ? Detail::kLineage : Detail::kVerdict);
  if (!run.ok()) return run.error();
  for (const Outcome& outcome : run->outcomes) look.outcomes.push_back(outcome.kind);
  look.broken = sign_of(run->outcomes);
  if (!plan.empty() && plan[look.last].is_power() && !seen.crash_states.empty()) {
    look.states = seen.crash_states.back();
  }
  if (wants_lineage) find_past(plan, seen, places, *run, look);
  return look;
}

Looker::Places Looker::find_sites(const inject::Plan& plan, const Observed& seen, Look& look) {
  std::vector<uint32_t> point_of;  // by the run's own numbers
  std::vector<bool> may;
  for (const Point& point : seen.points) {
    may.push_back(may_fail(target_, point));
    point_of.push_back(may.back() ? known_.point(point) : 0);
  }
  Places places{std::vector(seen.happenings.size(), Past::kNoSite), {}};
  std::set<uint32_t> met;
  std::map<uint32_t, uint32_t> calls;
  for (uint32_t i = 0; i < seen.happenings.size(); ++i) {
    const inject::Happening& one = seen.happenings[i];
    if (begins_check(one)) break;
    if (std::holds_alternative<inject::Struck>(one)) look.after = look.sites.size();
    const auto* call = std::get_if<Call>(&one);
    if (call == nullptr || !may[call->point]) continue;
    ++calls[point_of[call->point]];
    if (call->occurrence > target_.occurrences) continue;
    places.site_of[i] = known_.site({point_of[call->point], call->life, call->occurrence});
    const bool is_new = met.insert(places.site_of[i]).second;
    if (!is_new || is_planned(plan, places.site_of[i])) continue;
    look.sites.push_back(places.site_of[i]);
    places.first_at.push_back(i);
  }
  if (plan.empty()) look.calls.assign(calls.begin(), calls.end());
  return places;
}

bool Looker::is_planned(const inject::Plan& plan, uint32_t number) const {
  const Site site = known_.sites()[number];
  return std::ranges::any_of(plan, [&](const inject::Failure& failure) {
    return failure.occurrence == site.occurrence && failure.life == site.life &&
           failure.point == known_.id(site.point);
  });
}

void Looker::find_past(const inject::Plan& plan, const Observed& seen, const Places& places,
                       const Run& run, Look& look) {
  const auto sites = static_cast<uint32_t>(known_.sites().size());
  std::vector<Past::Strike> strikes;
  for (const inject::Failure& failure : plan) {
    const Point* const point = known_.find_point(failure.point);
    const auto number = static_cast<uint32_t>(sites + strikes.size());
    strikes.push_back({point == nullptr ? "" : point->node, number});
  }
  const Past past(seen, places.site_of, strikes);
  const Supports supports = find_supports(plan, seen, past, run);
  if (wants_supports_) look.supports = supports.sets;
  for (size_t i = look.after; i < look.sites.size(); ++i) {
    const uint32_t site = look.sites[i];
    const std::string& node = known_.points()[known_.sites()[site].point].node;
    const bool far = !plan.empty() && strikes[look.last].node != node &&
                     !past.before(places.first_at[i]).contains(strikes[look.last].number);
    if (far || (supports.known && !supports.all.contains(site))) look.unlikely.push_back(site);
  }
  std::ranges::sort(look.unlikely);
}

Supports Looker::find_supports(const inject::Plan& plan, const Observed& seen, const Past& past,
                               const Run& run) const {
  const auto sites = static_cast<uint32_t>(known_.sites().size());
  const auto past_of = [&](const Fact& fact, uint32_t happening) {
    const bool at_end = happening == Origins::kEnd;
    std::vector<uint32_t> before =
        at_end ? past.end(words_of(fact)).numbers() : past.before(happening).numbers();
    std::erase_if(before, [&](uint32_t site) { return site >= sites || is_planned(plan, site); });
    return before;
  };
  return supports_of(run, judging_.program(), Origins(target_, seen), past_of);
}

}  // namespace clew::service
