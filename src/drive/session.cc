#include "drive/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "base/files.h"
#include "base/text.h"
#include "drive/kit.h"

namespace clew::drive {

namespace {

using Within = SourcePart::Within;

// These explore bounds as a whole.
constexpr const char* kExhaustive[] = {"stateful", "stateless"};
// Whatever is none of all these is a strategy. These run paths.
constexpr const char* kBaselines[] = {"dfs", "random"};

bool is_one_of(std::span<const char* const> names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}
constexpr uint32_t kMostFaultsHunted = 6;
constexpr uint64_t kMostSourceBytes = 256 << 20;  // a program may be large

}  // namespace

std::vector<ProgramFile> fingerprints(const std::vector<std::string>& sources) {
  std::vector<ProgramFile> files;
  for (const std::string& source : sources) {
    const Result<std::string> text = read_file(source, kMostSourceBytes);
    files.push_back({source, fingerprint(text.ok() ? *text : "")});
  }
  return files;
}

bool have_changed(const Scenario& scenario, const std::vector<std::string>& sources) {
  return !std::ranges::equal(fingerprints(sources), scenario.source.files, std::ranges::equal_to(),
                             &ProgramFile::fingerprint, &ProgramFile::fingerprint);
}

const Explored* Report::largest() const {
  const Explored* found = nullptr;
  for (const Explored& one : explored) {
    if (one.complete) found = &one;
  }
  return found;
}

size_t Report::looked_at() const {
  size_t sum = 0;
  for (const Explored& one : explored) sum += one.states + one.paths;
  return sum;
}

Session::Session(Wanted wanted, check::Notes notes, const check::Budget& budget)
    : wanted_(std::move(wanted)), notes_(std::move(notes)), budget_(budget) {
  report_.sources = wanted_.sources;
  report_.engine = wanted_.engine;
}

// Those with promises, or those in C++.
std::vector<std::string> Session::files(bool promises) const {
  std::vector<std::string> result;
  for (const std::string& source : wanted_.sources) {
    if (source.ends_with(".ded") == promises) result.push_back(source);
  }
  return result;
}

// The program that the sources become, or are.
Result<std::string> Session::make_program(const Stop& stop) {
  const std::vector<std::string> sources = files(false);
  if (sources.empty()) {
    return Error{fmt::format("{} has promises, but whose?", wanted_.sources.front()),
                 "name the C++ sources of the nodes, too"};
  }
  if (sources.size() == 1 && is_program(sources.front())) {
    return std::filesystem::absolute(sources.front()).string();
  }
  const Result<Kit> kit = find_kit();
  if (!kit.ok()) return kit.error();
  return build(*kit, sources, notes_, stop);
}

Status Session::validate() const {
  const Described& program = report_.program;
  const std::string name = wanted_.sources.front();
  if (program.properties.empty()) {
    return Error{fmt::format("{} promises nothing, so nothing can be violated", name),
                 "say what must hold in describe(), as with cluster.always(\"name\", ...)"};
  }
  return Nothing{};
}

// So many faults in all, of every kind that makes sense.
Within Session::within(uint32_t requests, uint32_t faults) const {
  const Within& most = report_.program.most;
  const auto limit = [&](const std::optional<uint32_t>& fixed, uint32_t sensible) {
    return fixed ? *fixed : std::min(faults, sensible);
  };
  Within result{.requests = requests,
                .crashes = limit(wanted_.crashes, most.crashes),
                .restarts = 0,
                .losses = limit(wanted_.losses, most.losses),
                .duplicates = limit(wanted_.duplicates, most.duplicates),
                .early_timers = limit(wanted_.early_timers, most.early_timers),
                .faults = faults};
  // Whoever has crashed may come back: that is no fault.
  result.restarts = wanted_.restarts.value_or(std::min(result.crashes, most.restarts));
  return result;
}

bool Session::is_last(const Within& within) const {
  if (const auto enough = enough_.find(within.requests);
      enough != enough_.end() && enough->second <= within.faults) {
    return true;
  }
  const Within larger = this->within(within.requests, std::min(within.faults + 1, kMostOften));
  const uint32_t all = within.crashes + within.losses + within.duplicates + within.early_timers;
  const bool same =
      std::tie(larger.crashes, larger.losses, larger.duplicates, larger.early_timers) ==
      std::tie(within.crashes, within.losses, within.duplicates, within.early_timers);
  return same && within.faults >= all;
}

// Few faults first.
std::vector<Within> Session::bounds(uint32_t level) const {
  const uint32_t most = wanted_.requests.value_or(std::min(report_.program.clients, kMostOften));
  if (is_fixed()) {
    return level == 0 ? std::vector{within(most, *wanted_.faults)} : std::vector<Within>{};
  }
  const uint32_t fewest = wanted_.requests ? most : std::min<uint32_t>(most, 1);
  std::vector<Within> result;
  for (uint32_t faults = 0; faults <= level && faults < kMostOften; ++faults) {
    const uint32_t more = level - faults;
    if (fewest + more > most) continue;
    const Within here = within(fewest + more, faults);
    if (faults == 0 || !is_last(within(fewest + more, faults - 1))) result.push_back(here);
  }
  return result;
}

Result<Report> Session::explore() {
  if (const Status status = start(); !status.ok()) return status.error();
  if (hunts()) return hunt();
  if (!checkpoint_) return sweep();
  try {
    Result<Report> report = sweep();
    if (!report.ok()) return report;
    if (const Status kept = keep(); !kept.ok()) return kept.error();
    return report;
  } catch (const Stopped&) {
    const Status kept = keep();
    if (!kept.ok()) return kept.error();
    throw;
  }
}

// What was explored as a whole; the program keeps the rest.
Status Session::keep() {
  Status kept = checkpoint_->flush();
  const bool ended = report_.why_ended.empty() || report_.by_effort;
  if (kept.ok() && !ended) {
    notes_.tell("what was done is kept in {}: the same command goes on from there\n",
                checkpoint_->path());
  }
  return kept;
}

// What was found must be seen again by another process.
Result<Report> Session::confirmed() {
  const Status status = tell(*report_.counterexample, true);
  if (!status.ok()) return status.error();
  const explore::Tale& tale = report_.counterexample->tale;
  if (tale.broken == report_.counterexample->scenario.source.property) return report_;
  return Error{fmt::format("the violation of \"{}\" is not seen when its schedule is run again",
                           report_.counterexample->scenario.source.property),
               "a node is not deterministic: look for what is no Field but changes"};
}

bool Session::is_strategy() const {
  return !is_one_of(kExhaustive, wanted_.engine) && !is_one_of(kBaselines, wanted_.engine);
}

// What does not know when it has seen all of some bounds must not stay within them. What
// was done within many bounds is not kept (hunt).
bool Session::hunts() const {
  if (is_one_of(kBaselines, wanted_.engine)) return !is_fixed();
  return is_strategy();
}

// Bounds are not explored one after the other, each as a whole: a strategy gets some paths within
// each of the smaller ones, then as many again with another seed, or more, until there is nothing
// left or no effort.
Result<Report> Session::hunt() {
  if (checkpoint_) {
    if (is_strategy()) {
      return Error{fmt::format("what --engine {} has done cannot be kept", wanted_.engine),
                   "leave --resume out, or choose another engine"};
    }
    return Error{
        fmt::format("what --engine {} has done within many bounds cannot be kept", wanted_.engine),
        "say which bounds with --faults, or leave --resume out"};
  }
  for (;; ++round_) {
    bool done = true;
    for (uint32_t level = 0; level < levels(); ++level) {
      for (const Within& within : bounds(level)) {
        if (is_done(within)) continue;
        done = false;
        const Result<bool> ended = explore_within(within);
        if (ended.ok() && !*ended) continue;
        ahead_.reset();
        if (!ended.ok()) return ended.error();
        return report_.counterexample ? confirmed() : report_;
      }
    }
    if (done) return report_;
  }
}

uint32_t Session::levels() const {
  return std::max(report_.program.clients, uint32_t{1}) + kMostFaultsHunted;
}

bool Session::is_done(const Within& within) const {
  return std::ranges::find(done_, within) != done_.end();
}

Session::Turn Session::turn_after(const Within& within) const {
  std::vector<Within> open;
  for (uint32_t level = 0; level < levels(); ++level) {
    for (const Within& one : bounds(level)) {
      if (!is_done(one)) open.push_back(one);
    }
  }
  const auto at = std::ranges::find(open, within);
  CHECK(at != open.end(), "bounds that are done are explored");
  if (at + 1 == open.end()) return {round_ + 1, open.front()};
  return {round_, *(at + 1)};
}

Result<Report> Session::sweep() {
  for (uint32_t level = 0;; ++level) {
    const std::vector<Within> all = bounds(level);
    if (all.empty()) break;
    for (const Within& within : all) {
      const Result<bool> ended = explore_within(within);
      if (!ended.ok()) return ended.error();
      if (!*ended) continue;
      return report_.counterexample ? confirmed() : report_;
    }
  }
  report_.everything = !report_.explored.empty() && report_.explored.back().complete &&
                       is_last(report_.explored.back().within) &&
                       report_.explored.back().within.requests >= report_.program.clients;
  return report_;
}

Result<Report> Session::replay(const Scenario& scenario) {
  if (const Status status = start(); !status.ok()) return status.error();
  Counterexample again;
  again.scenario = scenario;
  if (const Status status = tell(again, true); !status.ok()) return status.error();
  report_.counterexample = std::move(again);
  return report_;
}

Result<nlohmann::json> Session::judge(const std::vector<std::string>& recordings) {
  if (const Status status = start(false); !status.ok()) return status.error();
  nlohmann::json asked = question("judge", {});
  asked["recordings"] = nlohmann::json::array();
  for (const std::string& path : recordings) {
    asked["recordings"].push_back(std::filesystem::absolute(path).string());
  }
  asked["memory"] = wanted_.program.memory;
  return program_->ask(asked, {}, [this] { return budget_.used_up(); });
}

}  // namespace clew::drive
