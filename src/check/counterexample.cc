#include "check/counterexample.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <future>
#include <map>
#include <set>
#include <system_error>

#include "base/check.h"
#include "base/files.h"
#include "base/text.h"
#include "base/watched.h"
#include "check/memory.h"
#include "check/replayer.h"
#include "check/scenario_file.h"
#include "dedalus/symmetry.h"
#include "twin/confirm.h"
#include "twin/naive_simulator.h"

namespace clew::check {

namespace {

// Writing a file takes a while.
constexpr size_t kMostUnconfirmed = 20;

// Whether the twin comes to the same end; false if there is no time to find out.
bool confirm(const ProgramInput& input, const Scenario& scenario, const Stop& stop) {
  const auto twin = [&] {
    twin::NaiveOptions options = twin::kOnlyTheOutcome;
    options.stop = stop;
    return twin::confirm(twin::naive_run(input.program, scenario, options), scenario);
  };
  return unless_stopped(twin) == twin::Confirmation::kConfirmed;
}

// Faults with numbers for nodes, so that renaming them is quick.
using Numbered = std::vector<std::array<size_t, 4>>;

Numbered numbered(const FaultSet& faults, const std::vector<NodeName>& nodes) {
  const auto number = [&](const NodeName& node) {
    return static_cast<size_t>(std::ranges::lower_bound(nodes, node) - nodes.begin());
  };
  Numbered result;
  for (const Omission& omission : faults.of<Omission>()) {
    result.push_back(
        {0, static_cast<size_t>(omission.tick), number(omission.from), number(omission.to)});
  }
  for (const Crash& crash : faults.of<Crash>()) {
    result.push_back({1, static_cast<size_t>(crash.tick), number(crash.node), number(crash.node)});
  }
  return result;
}

Numbered renamed(Numbered faults, const dedalus::NodeSymmetry::Permutation& permutation) {
  for (auto& [kind, tick, from, to] : faults) {
    from = permutation[from];
    to = permutation[to];
  }
  std::ranges::sort(faults);
  return faults;
}

// Whether the adversary may do the same to the nodes under their new names.
bool keeps(const Limits& limits, const std::vector<NodeName>& nodes,
           const dedalus::NodeSymmetry::Permutation& permutation) {
  const auto image = [&](const NodeName& node) {
    const auto at = std::ranges::lower_bound(nodes, node);
    return nodes[permutation[static_cast<size_t>(at - nodes.begin())]];
  };
  Limits renamed;
  for (const NodeName& node : limits.reliable_nodes) renamed.reliable_nodes.insert(image(node));
  for (const NodeName& node : limits.no_crash) renamed.no_crash.insert(image(node));
  for (const Link& link : limits.reliable_links) {
    renamed.reliable_links.insert({image(link.from), image(link.to)});
  }
  return renamed == limits;
}

// Counterexamples that are the same up to renaming nodes share a group. Nothing if there is no time
// to find out.
std::optional<std::vector<size_t>> groups_of(const ProgramInput& input, const Verdict& verdict,
                                             const Stop& stop) {
  std::vector<size_t> result(verdict.counterexamples.size(), 0);
  if (result.size() < 2) return result;
  return unless_stopped([&] {
    const Watched watched(stop);
    const std::vector<NodeName>& nodes = verdict.model.nodes;
    const dedalus::NodeSymmetry symmetry(input.program, nodes);
    std::map<Numbered, size_t> groups;
    for (size_t i = 0; i < result.size(); ++i) {
      const Numbered faults = numbered(verdict.counterexamples[i].faults, nodes);
      std::optional<Numbered> first;
      for (const auto& permutation : symmetry.permutations()) {
        look(10 + 10 * faults.size());
        if (!keeps(verdict.model.limits, nodes, permutation)) continue;
        Numbered image = renamed(faults, permutation);
        if (!first || image < *first) first = std::move(image);
      }
      result[i] = groups.try_emplace(std::move(*first), groups.size()).first->second;
    }
    return result;
  });
}

std::vector<size_t> all_apart(size_t count) {
  std::vector<size_t> groups;
  for (size_t i = 0; i < count; ++i) groups.push_back(i);
  return groups;
}

std::string numbered_path(const std::string& path, size_t index) {
  if (index == 0 || is_stream(path)) return path;
  const std::filesystem::path file(path);
  const std::string name =
      fmt::format("{}.{}{}", file.stem().string(), index + 1, file.extension().string());
  return (file.parent_path() / name).string();
}

class Presenter {
 public:
  Presenter(const ProgramInput& input, std::shared_ptr<const dedalus::LoweredProgram> program,
            const Stop& stop)
      : input_(input), stop_(stop), replayer_(input, std::move(program), stop) {}

  // Nothing if there is no time to run it again, or to have it confirmed.
  std::optional<report::Counterexample> present(const Scenario& scenario, size_t group) {
    if (stop_()) return std::nullopt;
    // The twin takes as long as the explanation, and needs nothing of it.
    std::future<bool> confirmed = begin_to_confirm(scenario);
    auto run = unless_stopped([&] { return replayer_.run_without_firings(scenario); });
    report::Counterexample one;
    if (run) {
      CHECK(*run && (*run)->outcome().kind == Outcome::Kind::kViolated, "{}",
            to_string(scenario.faults));
      one.run = std::move(**run);
      one.group = group;
      if (explained_.insert(group).second) one.explanation = replayer_.explain(one.run);
      // There may be many of them, and whoever shows the facts runs it again.
      one.run.facts = {};
    }
    const bool sure = confirmed.get() || confirm_alone(scenario);
    if (!run || !sure) return std::nullopt;
    return one;
  }

 private:
  std::future<bool> begin_to_confirm(const Scenario& scenario) {
    const auto work = [this, &scenario] { return confirm(input_, scenario, stop_); };
    try {
      return std::async(std::launch::async, work);
    } catch (const std::system_error&) {  // there is no room for a thread
      return std::async(std::launch::deferred, work);
    }
  }

  // Side by side with the explanation, there may not have been enough memory for both.
  bool confirm_alone(const Scenario& scenario) {
    release_memory();
    return !stop_() && confirm(input_, scenario, stop_);
  }

  const ProgramInput& input_;
  Stop stop_;
  Replayer replayer_;
  std::set<size_t> explained_;  // groups
};

// What only one simulator has seen is not called a counterexample.
void tell_what_is_missing(const std::string& path, bool grouped, const Notes& notes,
                          report::CheckReport& report) {
  Verdict& verdict = report.verdict;
  const size_t confirmed = report.counterexamples.size();
  const size_t open = verdict.counterexamples.size() - confirmed;
  if (open > 0) verdict.all_found = false;
  if (confirmed == 0) {
    verdict.kind = Verdict::Kind::kUnknown;
    verdict.why_unknown = fmt::format(
        "a counterexample was found, but there was no time or memory left to confirm it; clew "
        "replay {} shows it",
        path);
  } else if (open > 0) {
    notes.tell("note: there was no time to confirm {} more; {} saved beside {}\n",
               count_noun(open, "counterexample"),
               open <= kMostUnconfirmed ? "all are" : fmt::format("{} are", kMostUnconfirmed),
               path);
  }
  if (!grouped) notes.tell("note: there was no time to see which of them are alike\n");
}

}  // namespace

Scenario to_scenario(const ProgramInput& input, const FaultModel& model, const FaultSet& faults) {
  Scenario scenario = scenario_of(model);
  scenario.program.files = input.files;
  scenario.program.inputs = input.inputs;
  scenario.faults = faults;
  return scenario;
}

Status show_counterexamples(const ProgramInput& input,
                            std::shared_ptr<const dedalus::LoweredProgram> program,
                            const std::string& path, const Stop& stop, const Notes& notes,
                            report::CheckReport& report) {
  Status result = Nothing{};
  Verdict& verdict = report.verdict;
  const size_t count = verdict.counterexamples.size();
  const std::optional<std::vector<size_t>> known = groups_of(input, verdict, stop);
  const std::vector<size_t> groups = known ? *known : all_apart(count);
  Presenter presenter(input, std::move(program), stop);
  size_t unconfirmed = 0;
  for (size_t i = 0; i < count && unconfirmed < kMostUnconfirmed; ++i) {
    const Scenario scenario = to_scenario(input, verdict.model, verdict.counterexamples[i].faults);
    std::optional<report::Counterexample> one = presenter.present(scenario, groups[i]);
    const std::string file = numbered_path(path, i);
    const Status saved = save_scenario(scenario, file);
    if (!saved.ok()) result = saved;
    if (!one) {
      ++unconfirmed;
      continue;
    }
    if (saved.ok()) one->scenario = file;
    report.counterexamples.push_back(std::move(*one));
  }
  tell_what_is_missing(path, known.has_value(), notes, report);
  return result;
}

}  // namespace clew::check
