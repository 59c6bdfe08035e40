#include "drive/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/text.h"
#include "drive/kit.h"
#include "drive/pace.h"

namespace clew::drive {

namespace {

using nlohmann::json;
using Within = SourcePart::Within;

constexpr uint64_t kMostSourceBytes = 256 << 20;  // a program may be large

json limits_json(const Within& within) {
  return {{"crashes", within.crashes},
          {"restarts", within.restarts},
          {"losses", within.losses},
          {"duplicates", within.duplicates},
          {"early_timers", within.early_timers},
          {"total", within.faults},
          {"requests", within.requests}};
}

Described described(const json& told) {
  Described result;
  told.at("nodes").get_to(result.nodes);
  for (const json& one : told.at("properties")) {
    result.properties.push_back({one.at("name"), one.at("kind")});
  }
  told.at("clients").get_to(result.clients);
  told.at("declares_state").get_to(result.declares_state);
  told.at("symmetric").get_to(result.symmetric);
  told.at("seed").get_to(result.seed);
  const json& most = told.at("most");
  result.most = {.requests = result.clients,
                 .crashes = most.at("crashes"),
                 .restarts = most.at("restarts"),
                 .losses = most.at("losses"),
                 .duplicates = most.at("duplicates"),
                 .early_timers = most.at("early_timers")};
  return result;
}

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

Status Session::start() {
  const Stop stop = [this] { return budget_.used_up(); };
  const Result<std::string> path = make_program(stop);
  if (!path.ok()) return path.error();
  program_.emplace(*path, wanted_.program);
  if (!wanted_.resume.empty()) {
    if (const Status opened = open_checkpoint(*path); !opened.ok()) return opened.error();
  }
  const Result<json> told =
      program_->ask({{"do", "describe"}, {"promises", files(true)}}, {}, stop);
  if (!told.ok()) return told.error();
  report_.program = described(*told);
  if (const auto warnings = told->at("warnings").get<std::string>(); !warnings.empty()) {
    notes_.tell("{}", warnings);
  }
  return validate();
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

json Session::question(const char* what, const Within& within) const {
  return {{"do", what},
          {"promises", files(true)},
          {"limits", limits_json(within)},
          {"seed", wanted_.seed.value_or(report_.program.seed)}};
}

// All that what is found depends on, by the name that the user knows.
Status Session::open_checkpoint(const std::string& program) {
  json made_of = {{"--engine", wanted_.engine},
                  {"--seed", wanted_.first},
                  {"--handler-seconds", wanted_.program.handler_seconds},
                  {"--no-symmetry", !wanted_.symmetry},
                  {"program", fingerprints({program}).front().fingerprint}};
  const std::pair<const char*, std::optional<uint32_t>> limits[] = {
      {"--requests", wanted_.requests},  {"--faults", wanted_.faults},
      {"--crashes", wanted_.crashes},    {"--restarts", wanted_.restarts},
      {"--losses", wanted_.losses},      {"--duplicates", wanted_.duplicates},
      {"--early", wanted_.early_timers},
  };
  for (const auto& [name, fixed] : limits) made_of[name] = fixed ? json(*fixed) : json();
  for (const ProgramFile& file : fingerprints(wanted_.sources)) {
    made_of[file.path] = file.fingerprint;
  }
  Result<Checkpoint> opened = Checkpoint::open(wanted_.resume, std::move(made_of));
  if (!opened.ok()) return opened.error();
  checkpoint_.emplace(std::move(*opened));
  return Nothing{};
}

// What the program has to say of these bounds, now or before.
Result<json> Session::ask_within(const Within& within) {
  json asked = question("explore", within);
  if (checkpoint_) {
    const Result<const json*> known = checkpoint_->answer(report_.explored.size(), asked["limits"]);
    if (!known.ok()) return known.error();
    if (*known != nullptr) return **known;
    asked["checkpoint"] = checkpoint_->for_program();
  }
  asked["symmetry"] = wanted_.symmetry;
  asked["threads"] = wanted_.threads;
  asked["engine"] = wanted_.engine;
  asked["first"] = wanted_.first;
  asked["most"] = wanted_.most_states - std::min(wanted_.most_states, report_.looked_at());
  Pace pace(wanted_.most_states - asked["most"].get<size_t>(), wanted_.most_states, budget_);
  const auto progress = [&](const json& told) {
    if (checkpoint_ && told.contains("saved")) checkpoint_->written();
    if (told.contains("unsaved")) notes_.tell("note: {}\n", told["unsaved"].get<std::string>());
    if (!notes_.shows_progress || !told.contains("moves")) return;
    const bool resumed = checkpoint_ && checkpoint_->goes_on();
    notes_.tell("\r\x1b[K{}", pace.line(within, told, resumed ? checkpoint_->seconds() : 0));
  };
  const Result<json> answer = program_->ask(asked, progress, [this] { return budget_.used_up(); });
  if (notes_.shows_progress) notes_.tell("\r\x1b[K");
  if (!answer.ok()) return answer.error();
  // What was interrupted while it was made shorter is made shorter again.
  const bool whole =
      answer->value("complete", false) ||
      (answer->contains("violation") && !budget_.used_up() && !answer->value("unfinished", false));
  if (checkpoint_ && whole) checkpoint_->record(asked["limits"], *answer);
  return answer;
}

// True once something is violated, or there is no time or effort for more.
Result<bool> Session::explore_within(const Within& within) {
  const Result<json> answer = ask_within(within);
  if (!answer.ok()) return answer.error();
  if (answer->contains(Program::kOutOfMemory)) {
    report_.why_ended = "the memory was used up";
    return true;
  }
  report_.explored.push_back({.within = within,
                              .states = answer->at("states"),
                              .paths = answer->at("paths"),
                              .moves = answer->at("moves"),
                              .ends = answer->at("ends"),
                              .depth = answer->at("depth"),
                              .handlers = answer->at("handlers"),
                              .applied = answer->at("applied"),
                              .complete = answer->at("complete")});
  for (const auto& [property, one] : answer->at("awaited").items()) {
    report_.explored.back().awaited[property] = {one.at("held"), one.at("awaited")};
  }
  report_.not_alike = answer->value("not_alike", "");
  if (answer->contains("violation")) {
    const json& violation = answer->at("violation");
    Counterexample found;
    found.scenario.source = {.files = fingerprints(wanted_.sources),
                             .property = violation.at("property"),
                             .within = within,
                             .loop = violation.value("loop", 0U)};
    found.scenario.nodes = report_.program.nodes;
    std::ranges::sort(found.scenario.nodes);
    found.scenario.seed = wanted_.seed.value_or(report_.program.seed);
    violation.at("schedule").get_to(found.scenario.schedule.choices);
    found.found_with = violation.at("found_with");
    report_.counterexample = std::move(found);
    return true;
  }
  if (report_.explored.back().complete) {
    const bool limited = within.faults == 0 || answer->at("spent_all").get<bool>();
    if (!limited) enough_[within.requests] = within.faults;
    return false;
  }
  const std::string by = answer->at("ended_by");
  report_.by_effort = by == "effort";
  report_.why_ended = by == "effort"   ? fmt::format("the effort of {} was used up",
                                                     count_noun(wanted_.most_states, unit()))
                      : by == "stop"   ? budget_.why()
                      : by == "length" ? std::string("paths are longer than they may be")
                                       : "the memory was used up";
  return true;
}

// A process of its own confirms it.
Status Session::tell(Counterexample& counterexample, bool cures) {
  json asked = question("tell", counterexample.scenario.source.within);
  asked["seed"] = counterexample.scenario.seed;
  asked["schedule"] = counterexample.scenario.schedule.choices;
  asked["go_on"] = false;
  asked["cures"] = cures;
  if (const uint32_t loop = counterexample.scenario.source.loop; loop > 0) asked["loop"] = loop;
  const check::Budget rest = budget_.rest();
  const Result<json> answer = program_->ask(asked, {}, [&] { return rest.used_up(); });
  if (!answer.ok()) return answer.error();
  if (answer->contains(Program::kOutOfMemory)) return Error{"the memory was used up", ""};
  answer->at("tale").get_to(counterexample.tale);
  if (!answer->contains("cures")) return Nothing{};
  for (const json& one : answer->at("cures")) {
    counterexample.cures.push_back({one.at("move"), one.at("instead")});
  }
  if (answer->contains("passing")) {
    counterexample.passing = answer->at("passing").get<explore::Tale>();
  }
  return Nothing{};
}

Result<Report> Session::explore() {
  if (const Status status = start(); !status.ok()) return status.error();
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
  const Status kept = checkpoint_->flush();
  const bool ended = report_.why_ended.empty() || report_.by_effort;
  if (kept.ok() && !ended) {
    notes_.tell("what was done is kept in {}: the same command goes on from there\n",
                checkpoint_->path());
  }
  return kept;
}

Result<Report> Session::sweep() {
  for (uint32_t level = 0;; ++level) {
    const std::vector<Within> all = bounds(level);
    if (all.empty()) break;
    for (const Within& within : all) {
      const Result<bool> ended = explore_within(within);
      if (!ended.ok()) return ended.error();
      if (!*ended) continue;
      if (!report_.counterexample) return report_;
      const Status status = tell(*report_.counterexample, true);
      if (!status.ok()) return status.error();
      const explore::Tale& tale = report_.counterexample->tale;
      if (tale.broken == report_.counterexample->scenario.source.property) return report_;
      return Error{fmt::format("the violation of \"{}\" is not seen when its schedule is run again",
                               report_.counterexample->scenario.source.property),
                   "a node is not deterministic: look for what is no Field but changes"};
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

}  // namespace clew::drive
