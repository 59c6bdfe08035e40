// What becomes of a violation: its cause, its group, its replays.
#include <fmt/format.h>

#include <algorithm>

#include "check/scenario_file.h"
#include "service/session.h"

namespace clew::service {

Result<Cause> Session::find_cause(const Combination& combination, size_t promise) {
  const auto known = [&](const Combination& part) -> std::optional<bool> {
    const auto at = verdicts_.find(part);
    if (at == verdicts_.end()) return std::nullopt;
    return at->second[promise];
  };
  const auto run = [&](const Combination& part) -> Result<std::optional<bool>> {
    try {
      const Result<Trial> trial = crew_->now({.plan = known_.plan(part)});
      if (!trial.ok()) return trial.error();
      note_looks(*trial);
      std::vector<bool>& verdict = verdicts_[part];
      for (size_t i = 0; i < judging_.promises().size(); ++i) {
        verdict.push_back(trial->violates(i));
      }
      return std::optional(trial->violates(promise));
    } catch (const Stopped&) {
      return std::optional<bool>();
    }
  };
  return minimal_cause(combination, {known, run});
}

Group* Session::find_group(const Combination& combination, size_t promise) {
  for (size_t i = 0; i < grouped_.size(); ++i) {
    const bool about_it =
        std::ranges::find(grouped_[i].promises, promise) != grouped_[i].promises.end();
    if (about_it && includes(combination, grouped_[i].combination)) return &report_.groups[i];
  }
  return nullptr;
}

Status Session::keep_violation(const Combination& combination, const Trial& trial) {
  std::set<size_t> groups;  // that this belongs to
  std::set<size_t> fresh;
  for (size_t promise = 0; promise < judging_.promises().size(); ++promise) {
    if (!trial.violates(promise)) continue;
    if (const Group* const group = find_group(combination, promise)) {
      groups.insert(static_cast<size_t>(group - report_.groups.data()));
      continue;
    }
    const Result<Cause> cause = find_cause(combination, promise);
    if (!cause.ok()) return cause.error();
    const size_t index = group_of(*cause, promise, trial);
    groups.insert(index);
    if (report_.groups[index].violations == 0) fresh.insert(index);
  }
  for (const size_t index : groups) {
    Group& group = report_.groups[index];
    ++group.violations;
    const bool shows =
        grouped_[index].combination != combination && group.alike.size() < Group::kMostAlike;
    if (shows) group.alike.push_back(known_.plan(combination));
  }
  for (const size_t index : fresh) {
    if (report_.groups[index].like) continue;
    if (Status replayed = replay_group(index); !replayed.ok()) return replayed;
  }
  return Nothing{};
}

Status Session::replay_rest() {
  for (size_t i = 0; i < report_.groups.size(); ++i) {
    if (report_.groups[i].replays > 0) continue;
    if (Status replayed = replay_group(i); !replayed.ok()) return replayed;
  }
  return Nothing{};
}

// Where something fails, and what is violated then.
std::string Session::sign_of(const Combination& combination, const Trial& trial) const {
  std::set<std::string> nodes;
  for (const uint32_t failure : combination) nodes.insert(known_.point_of(failure).node);
  const auto look = std::ranges::find_if(trial.looks, &Look::violates_any);
  return fmt::format("{} {}", fmt::join(nodes, " "), look == trial.looks.end() ? "" : look->broken);
}

size_t Session::group_of(const Cause& cause, size_t promise, const Trial& trial) {
  CauseKey key = cause_key(known_, cause.combination);
  for (size_t i = 0; i < grouped_.size(); ++i) {
    std::vector<size_t>& promises = grouped_[i].promises;
    const bool about_it = std::ranges::find(promises, promise) != promises.end();
    if (grouped_[i].key != key) continue;
    if (about_it) return i;
    if (grouped_[i].combination != cause.combination) continue;
    promises.push_back(promise);
    report_.groups[i].promises.push_back(judging_.promises()[promise]);
    return i;
  }
  const std::string sign = sign_of(cause.combination, trial);
  const auto like = std::ranges::find(grouped_, sign, &Grouped::sign);
  Group& group = report_.groups.emplace_back();
  if (like != grouped_.end()) group.like = static_cast<size_t>(like - grouped_.begin());
  grouped_.push_back({cause.combination, std::move(key), {promise}, sign});
  group.plan = known_.plan(cause.combination);
  for (const inject::Failure& failure : group.plan) {
    group.points.push_back(*known_.find_point(failure.point));
  }
  group.promises = {judging_.promises()[promise]};
  group.minimal = cause.minimal;
  group.violations = 0;
  return report_.groups.size() - 1;
}

Status Session::replay_group(size_t index) {
  const std::vector<size_t> promises = grouped_[index].promises;
  Result<Trial> trial = crew_->now({.plan = report_.groups[index].plan,
                                    .times = wanted_.replays,
                                    .keep = static_cast<uint32_t>(promises.front())});
  if (!trial.ok()) return trial.error();
  note_looks(*trial);
  Group& group = report_.groups[index];
  for (const Look& look : trial->looks) {
    ++group.replays;
    if (std::ranges::any_of(promises, [&](size_t promise) { return look.violates(promise); })) {
      ++group.violated;
    }
  }
  return trial->kept ? tell_group(index, *std::move(trial->kept)) : Status(Nothing{});
}

Status Session::tell_group(size_t index, inject::Observed observed) {
  Group& group = report_.groups[index];
  Result<Run> run = judging_.judge(group.plan, observed, Detail::kLineage);
  if (!run.ok()) return run.error();
  group.broken = judging_.explain(*run);
  group.run = *std::move(run);
  group.observed = std::move(observed);
  return Nothing{};
}

// A history tells that runs violated, not what happened in them.
void Session::tell_groups() {
  try {
    for (size_t i = 0; i < report_.groups.size(); ++i) {
      const Group& group = report_.groups[i];
      if (group.observed || group.violated == 0) continue;
      const auto promise = static_cast<uint32_t>(grouped_[i].promises.front());
      std::optional<inject::Observed> seen = crew_->show(group.plan, promise, wanted_.replays);
      if (seen && !tell_group(i, *std::move(seen)).ok()) return;
    }
  } catch (const Stopped&) {
    // What was found stands without its runs.
  }
}

namespace {

// `found.json`, `found.2.json`, ...
std::string numbered(const std::string& path, size_t number) {
  if (number == 1) return path;
  const size_t slash = path.rfind('/');
  const size_t dot = path.rfind('.');
  const bool has_ending =
      dot != std::string::npos && dot > (slash == std::string::npos ? 0 : slash + 1);
  const std::string stem = has_ending ? path.substr(0, dot) : path;
  return fmt::format("{}.{}{}", stem, number, has_ending ? path.substr(dot) : "");
}

}  // namespace

Scenario Session::scenario_of(const Group& group) const {
  Scenario scenario;
  scenario.target.files = fingerprints(wanted_.target);
  scenario.target.promise = group.promises.front();
  for (const inject::Failure& failure : group.plan) {
    scenario.target.failures.push_back(to_string(failure));
  }
  for (const inject::NodeSpec& node : wanted_.target.nodes) scenario.nodes.push_back(node.name);
  if (scenario.nodes.empty()) scenario.nodes = {"workload"};
  std::ranges::sort(scenario.nodes);
  return scenario;
}

Status Session::save_groups() {
  for (size_t i = 0; i < report_.groups.size(); ++i) {
    Group& group = report_.groups[i];
    group.scenario = scenario_of(group);
    if (wanted_.save.empty()) continue;
    const std::string path = numbered(wanted_.save, i + 1);
    if (Status saved = check::save_scenario(group.scenario, path); !saved.ok()) return saved;
    group.saved = path;
  }
  return Nothing{};
}

}  // namespace clew::service
