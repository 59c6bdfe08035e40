#include "systems/raft/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

#include "explore/runner.h"

namespace clew::raft {

namespace {

constexpr const char* kUsage =
    "raft_walk [--seeds FROM..TO] [--moves N] [--seconds N] [--servers N] [--commands N] "
    "[--transfers N] [--slow-disk] [--pre-vote] [--snapshots N] [--ticks N] [--timeouts N] "
    "[--mistake vote|log] "
    "[--without PROPERTY]... [--replay FILE] [--whole]";

std::optional<uint64_t> number(const std::string& text) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || text.size() > 18) return std::nullopt;
  return std::stoull(text);
}

// Whether the text is one.
template <class T>
std::function<bool(const std::string&)> set_number(T& out) {
  return [&out](const std::string& text) {
    const std::optional<uint64_t> value = number(text);
    if (!value || *value > std::numeric_limits<T>::max()) return false;
    out = static_cast<T>(*value);
    return true;
  };
}

bool set_seeds(const std::string& text, Plan& plan) {
  const size_t dots = text.find("..");
  if (dots == std::string::npos) return false;
  const std::optional<uint64_t> from = number(text.substr(0, dots));
  const std::optional<uint64_t> to = number(text.substr(dots + 2));
  if (!from || !to) return false;
  plan.from = *from, plan.to = *to;
  return true;
}

bool set_mistake(const std::string& text, Plan& plan) {
  if (text == "vote") plan.options.mistake = Mistake::kVoteNotSynced;
  if (text == "log") plan.options.mistake = Mistake::kLogNotSynced;
  return plan.options.mistake != Mistake::kNone;
}

// `leader-completeness`
bool leave_out(std::string property, Plan& plan) {
  std::ranges::replace(property, '-', ' ');
  return plan.without.insert(std::move(property)).second;
}

Error mistaken(const std::string& what) {
  return {what, fmt::format("these are the flags: {}", kUsage)};
}

}  // namespace

Result<Plan> plan_of(const std::vector<std::string>& flags) {
  Plan plan;
  const std::map<std::string, bool*> switches = {{"--slow-disk", &plan.options.slow_disk},
                                                 {"--pre-vote", &plan.options.pre_vote},
                                                 {"--whole", &plan.whole}};
  using Text = const std::string&;
  const std::map<std::string, std::function<bool(Text)>> values = {
      {"--seeds", [&](Text text) { return set_seeds(text, plan); }},
      {"--moves", set_number(plan.moves)},
      {"--seconds", set_number(plan.seconds)},
      {"--servers", set_number(plan.servers)},
      {"--commands", set_number(plan.commands)},
      {"--transfers", set_number(plan.transfers)},
      {"--snapshots", set_number(plan.options.snapshot_after)},
      {"--ticks", set_number(plan.options.ticks)},
      {"--timeouts", set_number(plan.options.timeouts)},
      {"--mistake", [&](Text text) { return set_mistake(text, plan); }},
      {"--without", [&](Text text) { return leave_out(text, plan); }},
      {"--replay", [&](Text text) { return plan.replay = text, true; }}};
  for (size_t i = 0; i < flags.size(); ++i) {
    if (const auto found = switches.find(flags[i]); found != switches.end()) {
      *found->second = true;
      continue;
    }
    const auto found = values.find(flags[i]);
    if (found == values.end()) return mistaken("there is no flag " + flags[i]);
    if (i + 1 == flags.size()) return mistaken(flags[i] + " wants a value");
    if (!found->second(flags[++i])) return mistaken(flags[i - 1] + " cannot be " + flags[i]);
  }
  if (plan.servers < 1 || plan.servers > 9) return mistaken("there are 1 to 9 servers");
  return plan;
}

// A client for each command, so that nobody waits for the answer of a server that crashed.
Cluster cluster_of(const Plan& plan) {
  std::vector<std::string> names;
  for (size_t i = 0; i < plan.servers; ++i) names.emplace_back(1, static_cast<char>('a' + i));
  Cluster cluster = cluster_of(names, plan.options, plan.without);
  for (size_t i = 0; i < plan.commands; ++i) {
    const Request request = Propose{"x" + std::to_string(i + 1)};
    cluster.client({cluster.ask(names[i % names.size()], request)});
  }
  for (size_t i = 0; i < plan.transfers; ++i) {
    const Request request = Transfer{cluster.id(names[(i + 1) % names.size()])};
    cluster.client({cluster.ask(names[i % names.size()], request)});
  }
  cluster.limits.crashes = explore::kUnlimited;
  cluster.limits.restarts = explore::kUnlimited;
  cluster.limits.losses = explore::kUnlimited;
  cluster.limits.duplicates = explore::kUnlimited;
  cluster.limits.early_timers = explore::kUnlimited;
  return cluster;
}

Result<Scenario> scenario_of(std::string_view text) {
  constexpr std::string_view kFlags = "# raft_walk ";
  constexpr std::string_view kViolated = "# violated: ";
  Scenario scenario;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kFlags)) {
      std::istringstream words(line.substr(kFlags.size()));
      const Result<Plan> plan = plan_of({std::istream_iterator<std::string>(words), {}});
      if (!plan.ok()) return plan.error();
      scenario.plan = *plan;
    }
    if (line.starts_with(kViolated)) scenario.violation = line.substr(kViolated.size());
    if (!line.empty() && line.front() != '#') scenario.moves.push_back(line);
  }
  return scenario;
}

}  // namespace clew::raft
