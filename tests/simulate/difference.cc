#include "tests/simulate/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace clew::simulate {

using twin::NaiveRun;

namespace {

std::string to_text(const Message& message) {
  return fmt::format("{}>{}@{} {} {}", message.from, message.to, message.sent_at,
                     to_string(message.fact), to_string(message.fate));
}

std::string to_text(const Fact& fact) { return to_string(fact); }
std::string to_text(const std::string& text) { return text; }
std::string to_text(const Outcome::Goal& goal) {
  return fmt::format("{} {} post", to_string(goal.pre), goal.post ? "with" : "without");
}

std::string to_text(const twin::NaiveFiring& firing) {
  std::string text =
      fmt::format("{}@{} by {} from", to_string(firing.head), firing.head_tick, firing.rule);
  for (const auto& [tick, fact] : firing.ground.used) {
    text += fmt::format(" {}@{}", to_string(fact), tick);
  }
  for (const auto& [tick, pattern] : firing.ground.absent) {
    text += fmt::format(" notin {}@{}", pattern, tick);
  }
  return text;
}

template <class Items>
std::vector<std::string> sorted_texts(const Items& items) {
  std::vector<std::string> texts;
  texts.reserve(items.size());
  for (const auto& item : items) texts.push_back(to_text(item));
  std::ranges::sort(texts);
  return texts;
}

// The first item that only one of the two has, each taken in sorted order; repetitions count.
template <class Engine, class Twin>
std::string first_difference(const char* what, const Engine& engine, const Twin& twin) {
  const std::vector<std::string> left = sorted_texts(engine);
  const std::vector<std::string> right = sorted_texts(twin);
  const auto [l, r] = std::ranges::mismatch(left, right);
  if (l == left.end() && r == right.end()) return "";
  if (r == right.end() || (l != left.end() && *l < *r)) {
    return fmt::format("{}: only the engine has {}", what, *l);
  }
  return fmt::format("{}: only the twin has {}", what, *r);
}

// In what order a firing used its facts is of no interest here.
std::multiset<twin::NaiveFiring> comparable(const Run& run) {
  std::multiset<twin::NaiveFiring> result;
  for (const Firing& firing : run.firings) {
    twin::NaiveFiring same{run.rule(firing).text, firing.head_tick, firing.head, {}};
    for (const Firing::Use& use : firing.used) same.ground.used.insert({use.tick, use.fact});
    for (const Firing::Absence& absence : firing.absences) {
      same.ground.absent.insert({absence.tick, to_string(absence.pattern)});
    }
    result.insert(same);
  }
  return result;
}

}  // namespace

std::string compare_runs(const Run& engine, const NaiveRun& twin) {
  if (engine.facts.size() != twin.facts.size()) return "the numbers of ticks differ";
  for (size_t i = 0; i < twin.facts.size(); ++i) {
    const std::string what = fmt::format("facts of tick {}", i + 1);
    std::string found = first_difference(what.c_str(), engine.facts[i], twin.facts[i]);
    if (!found.empty()) return found;
    if (!std::ranges::is_sorted(engine.facts[i])) return what + ": not sorted";
  }
  std::string found = first_difference("messages", engine.messages, twin.messages);
  if (!found.empty()) return found;
  if (!std::ranges::is_sorted(engine.messages, {}, &Message::sent_at)) {
    return "messages are not in the order sent";
  }
  found = first_difference("stray destinations", engine.stray, twin.stray);
  if (!found.empty()) return found;
  if (engine.outcomes.size() != twin.outcomes.size()) return "the numbers of promises differ";
  for (size_t i = 0; i < twin.outcomes.size(); ++i) {
    const Outcome& one = engine.outcomes[i];
    const Outcome& other = twin.outcomes[i];
    if (one.spec != other.spec) return fmt::format("promises: {} and {}", one.spec, other.spec);
    found = first_difference("goals", one.goals, other.goals);
    if (!found.empty()) return found;
    if (one.kind == other.kind) continue;
    return fmt::format("{}: {} and {}", one.spec, to_string(one.kind), to_string(other.kind));
  }
  return "";
}

std::string compare_firings(const Run& engine, const NaiveRun& twin) {
  return first_difference("firings", comparable(engine), twin.firings);
}

std::string compare_errors(const std::optional<RuntimeError>& engine, const NaiveRun& twin,
                           const SourceSet& sources) {
  if (!engine && !twin.failed_at) return "";
  if (!engine) {
    const twin::Failure& failure = *twin.failures.begin();
    return fmt::format("only the twin fails, at tick {}: {} in `{}`", *twin.failed_at, failure.code,
                       sources.text(failure.span));
  }
  const std::string code = to_diagnostic(*engine).code;
  const std::string shown =
      fmt::format("at tick {}: {} in `{}`", engine->tick, code, sources.text(engine->span));
  if (!twin.failed_at) return "only the engine fails, " + shown;
  if (*twin.failed_at != engine->tick) {
    return fmt::format("the twin fails at tick {}, the engine {}", *twin.failed_at, shown);
  }
  if (twin.failures.contains({code, engine->span})) return "";
  return "the engine fails where the twin does not, " + shown;
}

}  // namespace clew::simulate
