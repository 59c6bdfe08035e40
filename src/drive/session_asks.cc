// What a session asks its program, and what it makes of the answers.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "drive/pace.h"
#include "drive/session.h"

namespace clew::drive {

namespace {

using nlohmann::json;
using Within = SourcePart::Within;

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

constexpr size_t kFirstShare = 1'000;  // paths

// 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ..., from number 1 on: whoever is lucky soon or
// never tries often, and sometimes for long (Luby, Sinclair, Zuckerman: Optimal speedup of Las
// Vegas algorithms).
size_t luby(size_t number) {
  size_t half = 1;
  while (2 * half <= number) half *= 2;
  return number == 2 * half - 1 ? half : luby(number - half + 1);
}

// How many paths a strategy gets within each bounds. To one that does not draw, another seed would
// mean the same paths again.
size_t share_of(const std::string& engine, uint32_t round) {
  const bool draws = engine == "novelty" || engine == "random" || engine.ends_with("-dpor");
  if (draws) return kFirstShare * luby(round + 1);
  size_t share = kFirstShare;
  for (uint32_t i = 0; i < round && share < SIZE_MAX / 10; ++i) share *= 10;
  return share;
}

}  // namespace

Status Session::start(bool must_promise) {
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
  return must_promise ? validate() : Nothing{};
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

// Each round begins with other paths.
void Session::ask_as_a_strategy(json& asked, uint32_t round) const {
  static constexpr const char* kOrders[] = {"chain", "fifo", "round-robin"};
  asked["parts"] = wanted_.parts;
  asked["with_faults"] = wanted_.with_faults;
  asked["order"] = wanted_.order.empty() ? kOrders[round % 3] : wanted_.order;
}

// About these bounds, once so many states or paths were looked at.
json Session::to_explore(const Within& within, uint32_t round, size_t looked_at) const {
  json asked = question("explore", within);
  asked["symmetry"] = wanted_.symmetry;
  asked["threads"] = wanted_.threads;
  asked["engine"] = wanted_.engine;
  asked["first"] = wanted_.first + (hunts() ? round : 0);
  const size_t left = wanted_.most_states - std::min(wanted_.most_states, looked_at);
  asked["most"] = hunts() ? std::min(left, share_of(wanted_.engine, round)) : left;
  if (!wanted_.analysis.empty()) asked["analysis"] = json::parse(wanted_.analysis);
  if (is_strategy()) ask_as_a_strategy(asked, round);
  return asked;
}

// A hunt asks for many things one after the other, each of which takes one processor: so the next
// one is asked, too.
Result<json> Session::ask(const json& asked, const Within& within, const Program::Told& progress) {
  const Stop stop = [this] { return budget_.used_up(); };
  if (!hunts() || wanted_.threads == 1) return program_->ask(asked, progress, stop);
  std::unique_ptr<Ahead> now = std::exchange(ahead_, nullptr);
  if (now == nullptr || now->question() != asked) {
    now = std::make_unique<Ahead>(*program_, asked, stop);
  }
  const Turn turn = turn_after(within);
  const size_t looked_at = report_.looked_at() + asked.at("most").get<size_t>();
  if (looked_at < wanted_.most_states) {
    json next = to_explore(turn.within, turn.round, looked_at);
    ahead_ = std::make_unique<Ahead>(*program_, std::move(next), stop);
  }
  return now->answer(progress);
}

// What the program has to say of these bounds, now or before.
Result<json> Session::ask_within(const Within& within) {
  json asked = to_explore(within, round_, report_.looked_at());
  if (checkpoint_) {
    const Result<const json*> known = checkpoint_->answer(report_.explored.size(), asked["limits"]);
    if (!known.ok()) return known.error();
    if (*known != nullptr) return **known;
    asked["checkpoint"] = checkpoint_->for_program();
  }
  Pace pace(std::min(wanted_.most_states, report_.looked_at()), wanted_.most_states, budget_);
  const auto progress = [&](const json& told) {
    if (checkpoint_ && told.contains("saved")) checkpoint_->written();
    if (told.contains("unsaved")) notes_.tell("note: {}\n", told["unsaved"].get<std::string>());
    if (!notes_.shows_progress || !told.contains("moves")) return;
    const bool resumed = checkpoint_ && checkpoint_->goes_on();
    notes_.tell("\r\x1b[K{}", pace.line(within, told, resumed ? checkpoint_->seconds() : 0));
  };
  Result<json> answer = ask(asked, within, progress);
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
  if (answer->contains("footprints")) report_.observed.add(answer->at("footprints"));
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
    done_.push_back(within);
    return false;
  }
  const std::string by = answer->at("ended_by");
  const std::string too_long = "paths are longer than they may be";
  if (by == "rules" || (hunts() && by == "length")) {
    done_.push_back(within);
    report_.why_ended =
        by == "length"
            ? too_long
            : fmt::format("{} has nothing else to try by its own rules, which may miss runs,",
                          wanted_.engine);
    return false;
  }
  if (hunts() && by == "effort" && report_.looked_at() < wanted_.most_states) return false;
  report_.by_effort = by == "effort";
  report_.why_ended = by == "effort"   ? fmt::format("the effort of {} was used up",
                                                     count_noun(wanted_.most_states, unit()))
                      : by == "stop"   ? budget_.why()
                      : by == "length" ? too_long
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

}  // namespace clew::drive
