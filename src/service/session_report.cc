// How a campaign is told: before it begins, and once it has ended.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/files.h"
#include "base/text.h"
#include "service/session.h"

namespace clew::service {

namespace {

constexpr uint64_t kMostFileBytes = uint64_t{256} << 20;

// Of what cannot be read: its name alone.
std::string fingerprint_of(const std::string& path) {
  const Result<std::string> text = read_file(path, kMostFileBytes);
  return text.ok() ? fingerprint(*text) : "";
}

// The file that a command runs, if it is one by its name.
void bind_program(const inject::Target& target, const inject::CommandSpec& command, Bound& bound) {
  if (command.words.empty()) return;
  const std::string& folder = command.folder.empty() ? target.folder : command.folder;
  for (const std::string& word : command.words) {
    const std::string path = word.starts_with('/') ? word : folder + "/" + word;
    const std::string print = fingerprint_of(path);
    if (!print.empty()) bound[path] = print;
  }
}

std::vector<std::string> words_of(const inject::Kinds& kinds) {
  std::vector<std::string> words;
  const auto add = [&](bool wanted, const char* word) {
    if (wanted) words.emplace_back(word);
  };
  add(kinds.crash, "crash"), add(kinds.error, "error"), add(kinds.lasting, "lasting");
  add(kinds.short_io, "short"), add(kinds.torn, "torn"), add(kinds.corrupt, "corrupt");
  add(kinds.reset, "reset"), add(kinds.timeout, "timeout"), add(kinds.cut, "cut");
  add(kinds.drop, "drop"), add(kinds.power, "power");
  for (const int error : kinds.errors) words.push_back(inject::error_name(error));
  words.push_back(fmt::format("{} errors", kinds.most_errors));
  if (kinds.power) words.push_back(fmt::format("{} states", kinds.most_states));
  return words;
}

}  // namespace

std::vector<ProgramFile> fingerprints(const inject::Target& target) {
  std::vector<ProgramFile> files = {{target.path, fingerprint_of(target.path)}};
  for (const std::string& path : target.spec) files.push_back({path, fingerprint_of(path)});
  return files;
}

bool have_changed(const Scenario& scenario, const inject::Target& target) {
  const auto print = [](const ProgramFile& file) { return file.fingerprint; };
  return !std::ranges::equal(scenario.target.files, fingerprints(target), {}, print, print);
}

Bound bound_to(const Wanted& wanted) {
  const inject::Target& target = wanted.target;
  Bound bound;
  for (const ProgramFile& file : fingerprints(target)) bound[file.path] = file.fingerprint;
  for (const inject::NodeSpec& node : target.nodes) bind_program(target, node.command, bound);
  if (target.workload) bind_program(target, *target.workload, bound);
  if (target.check) bind_program(target, *target.check, bound);
  bound["--failures"] = fmt::format("{}", target.most_failures);
  bound["--occurrences"] = fmt::format("{}", target.occurrences);
  bound["--kinds"] = fmt::format("{}", fmt::join(words_of(target.kinds), ","));
  bound["--replays"] = fmt::format("{}", wanted.replays);
  bound["--failure-free"] = fmt::format("{}", wanted.failure_free);
  bound["--lineage"] = wanted.lineage ? "on" : "off";
  bound["--first"] = wanted.first ? "on" : "off";
  bound["--effort"] = wanted.effort == SIZE_MAX ? "all" : fmt::format("{}", wanted.effort);
  return bound;
}

void Session::begin_report() {
  const inject::Target& target = wanted_.target;
  report_.target = target.path;
  for (const inject::NodeSpec& node : target.nodes) report_.nodes.push_back(node.name);
  for (const std::string& name : judging_.promises()) report_.promises.push_back({name});
  report_.most_failures = target.most_failures;
  report_.occurrences = target.occurrences;
  report_.failure_free = wanted_.failure_free;
}

void Session::note_looks(const Trial& trial) {
  for (const Look& look : trial.looks) {
    report_.warnings.insert(report_.warnings.end(), look.warnings.begin(), look.warnings.end());
    if (look.outcomes.empty()) continue;
    for (size_t i = 0; i < look.outcomes.size(); ++i) {
      const bool applied = look.outcomes[i] != Outcome::Kind::kVacuous;
      report_.promises[i].applied += applied;
      report_.promises[i].tested += applied && look.struck && !trial.wish.plan.empty();
      report_.promises[i].violated += look.outcomes[i] == Outcome::Kind::kViolated;
    }
  }
  std::ranges::sort(report_.warnings);
  const auto last = std::unique(report_.warnings.begin(), report_.warnings.end());
  report_.warnings.erase(last, report_.warnings.end());
}

void Session::describe_points() {
  using Id = std::tuple<uint32_t, inject::Effect, int, bool>;
  std::set<Id> ids;
  for (uint32_t i = 0; i < known_.points().size(); ++i) {
    report_.points.push_back({.point = known_.points()[i], .id = known_.id(i)});
  }
  for (uint32_t i = 0; i < known_.failures().size(); ++i) {
    const inject::Failure& failure = known_.failures()[i];
    const uint32_t point = known_.sites()[known_.site_of(i)].point;
    if (!ids.emplace(point, failure.effect, failure.error, failure.lasting).second) continue;
    ++report_.points[point].ids;
  }
  report_.ids = ids.size();
  for (const Look& look : failure_free_) {
    for (const auto& [point, calls] : look.calls) {
      PointSeen& seen = report_.points[point];
      seen.fewest = seen.runs == 0 ? calls : std::min(seen.fewest, calls);
      seen.most = std::max(seen.most, calls);
      ++seen.runs;
    }
  }
  for (PointSeen& seen : report_.points) {
    if (seen.runs < failure_free_.size()) seen.fewest = 0;
  }
}

void Session::count_combinations() {
  using State = Search::State;
  for (size_t failures = 1; failures <= wanted_.target.most_failures; ++failures) {
    report_.counts.push_back({.failures = failures});
    report_.counts.back().covered = coverage_.count(search_, failures);
  }
  for (uint32_t i = 1; i < search_.size(); ++i) {
    const Search::Item& item = search_.item(i);
    Count& count = report_.counts[item.combination.size() - 1];
    count.tried += item.state == State::kTried;
    count.violating += item.violates;
    count.failed += failed_.contains(i);
    count.not_reached += item.state == State::kNotReached && !failed_.contains(i);
    const bool left = item.state == State::kWaiting || item.state == State::kUnderWay;
    count.left += left;
    count.unlikely += left && item.later;
  }
}

Result<Report> Session::finish() {
  progress_.clear();
  describe_points();
  count_combinations();
  tell_groups();
  if (const Status saved = save_groups(); !saved.ok()) return saved.error();
  report_.runs = crew_->runs();
  report_.seconds = history_ ? history_->seconds() : budget_.seconds_used();
  report_.interrupted = check::Budget::interrupted();
  const auto applied = [](const Report::Promise& promise) { return promise.applied > 0; };
  const auto tested = [](const Report::Promise& promise) { return promise.tested > 0; };
  if (!report_.groups.empty()) {
    report_.kind = Report::Kind::kViolated;
  } else if (!report_.why_ended.empty()) {
    report_.kind = Report::Kind::kBudget;
  } else if (std::ranges::none_of(report_.promises, applied)) {
    report_.kind = Report::Kind::kVacuous;
  } else if (tried_ == 0) {
    report_.kind = Report::Kind::kNoPoint;
  } else if (std::ranges::none_of(report_.promises, tested)) {
    report_.kind = Report::Kind::kVacuous;
  }
  return std::move(report_);
}

Result<Report> Session::replay(const Scenario& scenario) {
  begin_report();
  if (const Status opened = open_history(); !opened.ok()) return opened.error();
  Wish wish{.plan = {}, .times = wanted_.replays};
  for (const std::string& text : scenario.target.failures) {
    const Result<inject::Failure> failure = inject::parse_failure(text);
    if (!failure.ok()) return failure.error();
    wish.plan.push_back(*failure);
  }
  std::ranges::sort(wish.plan);
  const auto promise = std::ranges::find(judging_.promises(), scenario.target.promise);
  if (promise == judging_.promises().end()) {
    return Error{fmt::format("no promise is called {}", scenario.target.promise),
                 "replay it with the rules that it was saved with"};
  }
  const auto number = static_cast<size_t>(promise - judging_.promises().begin());
  wish.keep = static_cast<uint32_t>(number);
  return replay_wish(wish, number);
}

// A group, whether it violates or not.
Result<Report> Session::replay_wish(const Wish& wish, size_t promise) {
  Result<Trial> trial = crew_->now(wish);
  if (!trial.ok()) return trial.error();
  note_looks(*trial);
  Group group{.plan = wish.plan, .promises = {judging_.promises()[promise]}};
  for (const inject::Failure& failure : wish.plan) {
    const inject::Point* const point = known_.find_point(failure.point);
    group.points.push_back(point == nullptr ? inject::Point{} : *point);
  }
  for (const Look& look : trial->looks) {
    group.replays += look.struck;
    group.violated += look.violates(promise);
  }
  grouped_.push_back({{}, {}, {promise}, ""});
  report_.groups.push_back(std::move(group));
  if (trial->kept) {
    if (const Status told = tell_group(0, *std::move(trial->kept)); !told.ok()) return told.error();
  }
  report_.groups[0].scenario = scenario_of(report_.groups[0]);
  report_.runs = crew_->runs();
  report_.seconds = budget_.seconds_used();
  report_.interrupted = check::Budget::interrupted();
  if (report_.groups[0].violated > 0) {
    report_.kind = Report::Kind::kViolated;
  } else {
    report_.kind = report_.groups[0].replays > 0 ? Report::Kind::kNothing : Report::Kind::kNoPoint;
  }
  return std::move(report_);
}

}  // namespace clew::service
