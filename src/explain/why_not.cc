#include "explain/why_not.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <tuple>

#include "base/check.h"
#include "base/watched.h"
#include "explain/words.h"
#include "lineage/fault_list.h"

namespace clew::explain {

using clew::to_string;

namespace {

using dedalus::Clause;
using dedalus::Term;
using lineage::PointId;
using lineage::WhyTeller;
using TimeKind = dedalus::TimeSuffix::Kind;
using Attempt = WhyNot::Attempt;
using Reason = Attempt::Reason;

constexpr int kDeepestDoubt = 12;
constexpr size_t kMostNodes = 60;
// Facts that are looked at for one answer, and how many a tick counts for beside those.
constexpr size_t kMostWorkInAll = 4'000'000;
constexpr size_t kWorkOfATick = 20;
constexpr size_t kMostLosses = 6;
constexpr int kLookAhead = 3;
constexpr size_t kMostLooks = 500;
constexpr size_t kMostFactsInTheWay = 10;

// `p(X, Y)@next :- p(X, Y), ...;`
bool is_persistence(const Clause& rule) {
  if (rule.head.time.kind != TimeKind::kNext) return false;
  return std::ranges::any_of(rule.body, [&](const dedalus::Literal& literal) {
    return literal.kind == dedalus::Literal::Kind::kPositive &&
           literal.atom.relation == rule.head.relation &&
           literal.atom.time.kind == TimeKind::kNone &&
           std::ranges::equal(literal.atom.args, rule.head.args, dedalus::same_term) &&
           std::ranges::all_of(rule.head.args,
                               [](const Term& arg) { return arg.kind == Term::Kind::kVariable; });
  });
}

bool has_aggregate(const Clause& rule) {
  return std::ranges::any_of(rule.head.args,
                             [](const Term& arg) { return arg.kind == Term::Kind::kAggregate; });
}

Reason reason_of(BodyMatch::Obstacle::Kind kind) {
  using Kind = BodyMatch::Obstacle::Kind;
  switch (kind) {
    case Kind::kPlace:
      return Reason::kPlace;
    case Kind::kTooEarly:
      return Reason::kTime;
    case Kind::kMissing:
      return Reason::kMissing;
    case Kind::kPresent:
      return Reason::kPresent;
    case Kind::kCondition:
      return Reason::kCondition;
    case Kind::kGaveUp:
      return Reason::kGaveUp;
  }
  CHECK(false, "obstacle {}", static_cast<int>(kind));
  return Reason::kMissing;
}

// For as long as it lives, half of the work is kept for later.
class HalfOf {
 public:
  explicit HalfOf(size_t& work) : work_(work), kept_(work / 2) { work_ -= kept_; }
  HalfOf(const HalfOf&) = delete;
  HalfOf& operator=(const HalfOf&) = delete;
  ~HalfOf() { work_ += kept_; }

 private:
  size_t& work_;
  size_t kept_;
};

// "tick 3", "ticks 1 to 4 and 7"; sorted, distinct.
std::string list_ranges(const std::vector<Tick>& ticks) {
  std::vector<std::string> words;
  for (size_t i = 0; i < ticks.size();) {
    size_t end = i + 1;
    while (end < ticks.size() && ticks[end] == ticks[end - 1] + 1) ++end;
    words.push_back(end - i == 1 ? std::to_string(ticks[i])
                                 : fmt::format("{} to {}", ticks[i], ticks[end - 1]));
    i = end;
  }
  return (ticks.size() == 1 ? "tick " : "ticks ") + list_words(words);
}

// How one rule fared at one tick.
struct Trial {
  size_t reached = 0;
  bool complete = false;  // the body was met
  Attempt attempt;
  BodyMatch::Obstacle obstacle;

  // The larger the further.
  std::tuple<bool, bool, size_t> key() const {
    return {complete, attempt.reason == Reason::kLost, reached};
  }
};

class Doubter {
 public:
  Doubter(const dedalus::Program& program, const SourceSet& sources, const Graph& graph)
      : program_(program),
        sources_(sources),
        graph_(graph),
        run_(graph.run()),
        faults_(run_.scenario) {
    CHECK(run_.rules != nullptr, "a run without firings");
    CHECK(run_.rules->size() == program.rules.size(), "the run of another program");
  }

  WhyNot answer(const Pattern& pattern, Tick tick, int depth) {
    WhyNot result{pattern, tick, tick};
    if (tick > run_.scenario.program.eot) {
      result.how = WhyNot::How::kBeyondEnd;
      return result;
    }
    result.since = first_tick_without(pattern, tick);
    if (is_told(pattern, tick)) {
      result.how = WhyNot::How::kSeen;
      return result;
    }
    if (depth == kDeepestDoubt || nodes_ == kMostNodes) {
      result.how = WhyNot::How::kCut;
      return result;
    }
    ++nodes_;
    told_.push_back({to_string(pattern), result.since, tick});
    add_given_elsewhere(result);
    for (const Clause& rule : program_.rules) {
      if (rule.head.relation == pattern.relation) try_rule(rule, result, depth);
    }
    return result;
  }

 private:
  struct Told {
    std::string pattern;
    Tick since;
    Tick tick;
  };

  bool is_told(const Pattern& pattern, Tick tick) const {
    const std::string name = to_string(pattern);
    return std::ranges::any_of(told_, [&](const Told& told) {
      return told.pattern == name && told.since <= tick && tick <= told.tick;
    });
  }

  bool holds(const Pattern& pattern, Tick tick) const {
    return !find_facts(pattern, run_.facts[static_cast<size_t>(tick - 1)]).empty();
  }

  Tick first_tick_without(const Pattern& pattern, Tick tick) const {
    const bool stays = std::ranges::any_of(program_.rules, [&](const Clause& rule) {
      return rule.head.relation == pattern.relation && is_persistence(rule);
    });
    while (stays && tick > 1 && !holds(pattern, tick - 1)) {
      look();
      --tick;
    }
    return tick;
  }

  // Of a spec: what only the Run that is judged could have.
  void add_not_in_run(WhyNot& result) const {
    std::vector<Tick> ticks;
    for (Tick tick = 1; tick <= run_.scenario.program.eot; ++tick) {
      if (holds(result.pattern, tick)) ticks.push_back(tick);
    }
    result.attempts.push_back(
        given("", ticks.empty() ? "the run has no such fact"
                                : fmt::format("the run has it at {} only", list_ranges(ticks))));
  }

  void add_given_elsewhere(WhyNot& result) const {
    const dedalus::RelationInfo* relation = program_.find(result.pattern.relation);
    if (relation != nullptr && relation->given) return add_not_in_run(result);
    if (result.pattern.relation == dedalus::kCrash) {
      result.attempts.push_back(given("", why_no_crash(result.pattern, result.tick)));
      return;
    }
    std::vector<Tick> ticks;
    const Clause* first = nullptr;
    for (const Clause& clause : program_.facts) {
      look();
      Fact fact{clause.head.relation, {}};
      for (const Term& arg : clause.head.args) fact.values.push_back(*value_of(arg, {}));
      if (!matches(result.pattern, fact)) continue;
      const int64_t tick = clause.head.time.tick;
      if (tick < 1 || tick > INT32_MAX) continue;
      if (std::ranges::find(ticks, tick) == ticks.end()) ticks.push_back(static_cast<Tick>(tick));
      if (first == nullptr) first = &clause;
    }
    std::ranges::sort(ticks);
    // What is given at a tick at which it does not hold was taken away by a crash.
    std::vector<Tick> taken;
    for (const Tick tick : ticks) {
      if (tick >= result.since && tick <= result.tick) taken.push_back(tick);
    }
    if (first == nullptr) return;
    const std::string where = sources_.where_line(first->span);
    result.attempts.push_back(
        taken.empty()
            ? given(where, fmt::format("it is given at {} only", list_ticks(ticks)))
            : given(where, fmt::format("it is given at {}, but its node has stopped by then",
                                       list_ticks(taken))));
  }

  // crash(Observer, Node, Time) holds at every tick, at every observer that has not stopped.
  std::string why_no_crash(const Pattern& pattern, Tick tick) const {
    const std::vector<std::optional<Datum>>& columns = pattern.columns;
    std::vector<Tick> ticks;
    for (uint32_t fault = 0; fault < faults_.size(); ++fault) {
      const Crash* crash = faults_.crash(fault);
      const bool such = crash != nullptr && (!columns[1] || *columns[1] == Datum(crash->node));
      if (such) ticks.push_back(crash->tick);
    }
    if (ticks.empty()) return "no such node crashes in this run";
    std::ranges::sort(ticks);
    ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
    const bool then = !columns[2] || std::ranges::any_of(ticks, [&](Tick at) {
      return *columns[2] == Datum(int64_t{at});
    });
    if (!then) return fmt::format("the crash is at {}", list_ticks(ticks));
    if (!columns[0]) return fmt::format("all nodes have stopped by tick {}", tick);
    const auto* observer = std::get_if<std::string>(&*columns[0]);
    if (observer != nullptr && has_stopped(run_.scenario, *observer, tick)) {
      return fmt::format("{} has stopped by tick {}", *observer, tick);
    }
    return fmt::format("{} is not a node", to_string(*columns[0]));
  }

  static Attempt given(std::string where, std::string text) {
    Attempt attempt;
    attempt.where = std::move(where);
    attempt.reason = Reason::kTime;
    attempt.text = std::move(text);
    return attempt;
  }

  void try_rule(const Clause& rule, WhyNot& result, int depth) {
    const bool later = rule.head.time.kind != TimeKind::kNone;
    Tick first = result.since;
    const Tick last = is_persistence(rule) ? result.since : result.tick;
    if (later && last == 1 && is_persistence(rule)) return;
    if (later && last == 1) {
      add_too_early(rule, result);
      return;
    }
    if (later) first = std::max<Tick>(first, 2);
    std::optional<Trials> trials =
        try_ticks(rule, result.pattern, later ? first - 1 : first, later ? last - 1 : last);
    if (!trials) return;
    if (!trials->best.empty()) {
      Trial& told = most_promising(trials->best);
      if (trials->losses.size() > 1) told.attempt.text = join_losses(trials->losses);
      finish(told, depth);
      result.attempts.push_back(std::move(told.attempt));
      if (!told.complete) add_stopped(rule, result.pattern, later ? last - 1 : last, result);
    }
    if (!trials->untried.empty()) add_untried(rule, trials->untried, result);
  }

  struct Trials {
    std::vector<Trial> best;          // those that got furthest, the latest first
    std::vector<std::string> losses;  // in the order of time
    std::vector<Tick> untried;        // ticks, too: where there was too much to try
  };

  // Nothing if the rule cannot derive such a fact at all.
  std::optional<Trials> try_ticks(const Clause& rule, const Pattern& pattern, Tick first,
                                  Tick last) {
    Trials trials;
    const HalfOf half(work_left_);
    BodyMatch match(rule, run_);
    for (Tick tick = last; tick >= first; --tick) {
      std::optional<Trial> trial = try_at(rule, match, pattern, tick);
      if (!trial) return std::nullopt;
      if (!trial->complete && trial->attempt.reason == Reason::kGaveUp) {
        trials.untried.push_back(tick);
        continue;
      }
      if (trial->attempt.reason == Reason::kLost) trials.losses.push_back(trial->attempt.text);
      const auto order = trials.best.empty() ? std::strong_ordering::greater
                                             : trial->key() <=> trials.best[0].key();
      if (order > 0) trials.best.clear();
      if (order >= 0) trials.best.push_back(std::move(*trial));
    }
    std::ranges::reverse(trials.losses);
    std::ranges::reverse(trials.untried);
    return trials;
  }

  void add_untried(const Clause& rule, const std::vector<Tick>& ticks, WhyNot& result) const {
    Attempt attempt = attempt_of(rule, ticks.back());
    attempt.reason = Reason::kGaveUp;
    attempt.text =
        fmt::format("there are too many combinations of facts to try at {}", list_ranges(ticks));
    result.attempts.push_back(std::move(attempt));
  }

  // Where the rule might have fired, had the node not stopped.
  void add_stopped(const Clause& rule, const Pattern& pattern, Tick last, WhyNot& result) const {
    const dedalus::Location location = dedalus::location_of(rule);
    const bool anywhere = location.kind == dedalus::Location::Kind::kVariable &&
                          !is_bound(rule, pattern, location.text);
    if (!anywhere) return;
    for (const uint32_t fault : faults_.stops(last)) {
      const Crash& crash = *faults_.crash(fault);
      Attempt attempt = attempt_of(rule, crash.tick);
      attempt.reason = Reason::kPlace;
      attempt.text = fmt::format("{} has stopped by tick {}", crash.node, crash.tick);
      result.attempts.push_back(std::move(attempt));
    }
  }

  static bool is_bound(const Clause& rule, const Pattern& pattern, const std::string& variable) {
    for (size_t i = 0; i < pattern.columns.size(); ++i) {
      const Term& arg = rule.head.args[i];
      const bool same = arg.kind == Term::Kind::kVariable && arg.text == variable;
      if (same && pattern.columns[i]) return true;
    }
    return false;
  }

  // Of several ticks at which a rule got equally far, the one at which what it lacked was nearest.
  Trial& most_promising(std::vector<Trial>& trials) {
    Trial* chosen = &trials[0];
    if (trials[0].complete) return trials.back();
    int most = -1;
    looks_left_ = kMostLooks;
    const HalfOf half(work_left_);
    for (Trial& trial : trials) {
      const bool missing = trial.attempt.reason == Reason::kMissing && trial.obstacle.exact;
      if (!missing) continue;
      const int promise = look_at(trial.obstacle.pattern, trial.obstacle.tick, kLookAhead);
      if (promise > most) chosen = &trial;
      most = std::max(most, promise);
    }
    return *chosen;
  }

  // How near the fact came to being derived: the more the nearer.
  int look_at(const Pattern& pattern, Tick tick, int depth) {
    constexpr int kComplete = 1000;
    int most = 0;
    for (const Clause& rule : program_.rules) {
      if (rule.head.relation != pattern.relation || is_persistence(rule)) continue;
      const Tick applied = rule.head.time.kind == TimeKind::kNone ? tick : tick - 1;
      if (applied < 1 || looks_left_ == 0) continue;
      --looks_left_;
      BodyMatch match(rule, run_);
      const std::optional<Trial> trial = try_at(rule, match, pattern, applied);
      if (!trial) continue;
      int promise =
          trial->complete ? kComplete : static_cast<int>(std::min<size_t>(trial->reached, 9));
      const bool missing = trial->attempt.reason == Reason::kMissing && trial->obstacle.exact;
      if (!trial->complete && missing && depth > 0) {
        promise += look_at(trial->obstacle.pattern, trial->obstacle.tick, depth - 1) / 2;
      }
      most = std::max(most, promise);
    }
    return most;
  }

  static std::string join_losses(std::vector<std::string> losses) {
    if (losses.size() <= kMostLosses) return fmt::format("{}", fmt::join(losses, "; "));
    const size_t more = losses.size() - kMostLosses;
    losses.resize(kMostLosses);
    return fmt::format("{}; and {} more like this", fmt::join(losses, "; "), more);
  }

  void add_too_early(const Clause& rule, WhyNot& result) const {
    Attempt attempt = attempt_of(rule, 1);
    attempt.reason = Reason::kTime;
    attempt.text = "there is no tick before the first";
    result.attempts.push_back(std::move(attempt));
  }

  Attempt attempt_of(const Clause& rule, Tick tick) const {
    Attempt attempt;
    attempt.rule = &(*run_.rules)[static_cast<size_t>(&rule - program_.rules.data())];
    attempt.where = attempt.rule->where();
    attempt.tick = tick;
    return attempt;
  }

  std::optional<Trial> try_at(const Clause& rule, BodyMatch& match, const Pattern& pattern,
                              Tick tick) {
    work_left_ -= std::min(work_left_, kWorkOfATick);
    std::optional<BodyMatch::Result> result =
        match.furthest(pattern, tick, std::min(work_left_, BodyMatch::kMostWork));
    work_left_ -= match.work_done();
    if (!result) return std::nullopt;
    Trial trial;
    trial.attempt = attempt_of(rule, tick);
    trial.reached = result->reached;
    trial.complete = !result->matches.empty();
    if (!trial.complete) {
      trial.attempt.met = result->met;
      trial.attempt.reason = reason_of(result->obstacle.kind);
      trial.attempt.text = result->obstacle.text;
      trial.obstacle = std::move(result->obstacle);
      return trial;
    }
    judge(rule, pattern, *result, trial.attempt);
    return trial;
  }

  // The body was met, and the fact is not there all the same.
  void judge(const Clause& rule, const Pattern& pattern, const BodyMatch::Result& result,
             Attempt& attempt) const {
    std::vector<std::string> texts;
    for (const BodyMatch::Match& match : result.matches) {
      std::string text;
      const Reason reason = after_body(rule, pattern, match, attempt.tick, text);
      if (texts.empty()) attempt.met = match.met;
      if (texts.empty()) attempt.reason = reason;
      if (reason != attempt.reason) continue;
      if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
    }
    attempt.text = join_losses(texts);
  }

  Reason after_body(const Clause& rule, const Pattern& pattern, const BodyMatch::Match& match,
                    Tick tick, std::string& text) const {
    const Fact head = head_of(rule, match.binding);
    const bool async = rule.head.time.kind == TimeKind::kAsync;
    const Tick arrives = rule.head.time.kind == TimeKind::kNone ? tick : tick + 1;
    const bool aggregate_first =
        !rule.head.args.empty() && rule.head.args[0].kind == Term::Kind::kAggregate;
    if (!head.values.empty() && !aggregate_first) {
      const auto* to = std::get_if<std::string>(&head.values[0]);
      const bool node = to != nullptr && std::ranges::binary_search(run_.scenario.nodes, *to);
      if (async && !node) {
        text = fmt::format("it is sent to {}, which is not a node", to_string(head.values[0]));
        return Reason::kPlace;
      }
      text = other_value(rule, pattern, head, arrives);
      if (!text.empty()) return Reason::kValue;
      if (async && is_lost(match.location.value_or(*to), *to, tick, text)) return Reason::kLost;
      if (node && has_stopped(run_.scenario, *to, arrives)) {
        text = fmt::format("{} has stopped by tick {}", *to, arrives);
        return Reason::kPlace;
      }
    }
    text = other_value(rule, pattern, head, arrives);
    if (!text.empty()) return Reason::kValue;
    text = "the value cannot be told";
    return Reason::kGaveUp;
  }

  static Fact head_of(const Clause& rule, const Binding& binding) {
    Fact head{rule.head.relation, {}};
    for (const Term& arg : rule.head.args) {
      head.values.push_back(value_of(arg, binding).value_or(Datum(int64_t{0})));
    }
    return head;
  }

  bool is_lost(const NodeName& from, const NodeName& to, Tick tick, std::string& text) const {
    const std::vector<uint32_t> faults = faults_.on(from, to, tick);
    if (faults.empty()) return false;
    text = fmt::format("the message from {} at tick {} is lost ({})", from, tick,
                       faults_.text(faults.front()));
    return true;
  }

  // What the rule derives instead, if it calculates or aggregates.
  std::string other_value(const Clause& rule, const Pattern& pattern, const Fact& head,
                          Tick tick) const {
    if (!has_aggregate(rule)) {
      if (matches(pattern, head)) return "";
      return fmt::format("it {} {} instead", graph_.holds(head, tick) ? "is" : "would be",
                         to_string(head));
    }
    Pattern group = pattern;
    for (size_t i = 0; i < group.columns.size(); ++i) {
      const bool folded = rule.head.args[i].kind == Term::Kind::kAggregate;
      group.columns[i] = folded ? std::nullopt : std::optional(head.values[i]);
    }
    const auto found = find_facts(group, run_.facts[static_cast<size_t>(tick - 1)]);
    return found.empty() ? "" : fmt::format("it is {} instead", to_string(*found[0]));
  }

  void finish(Trial& trial, int depth) {
    Attempt& attempt = trial.attempt;
    if (trial.complete) return;
    if (attempt.reason == Reason::kMissing && trial.obstacle.exact) {
      attempt.missing.push_back(answer(trial.obstacle.pattern, trial.obstacle.tick, depth + 1));
    }
    if (attempt.reason == Reason::kPresent) {
      const PointId point = graph_.find(trial.obstacle.present, trial.obstacle.tick);
      attempt.present.push_back(WhyTeller(graph_, kMostFactsInTheWay).tell(point));
    }
  }

  const dedalus::Program& program_;
  const SourceSet& sources_;
  const Graph& graph_;
  const Run& run_;
  lineage::FaultList faults_;
  std::vector<Told> told_;
  size_t nodes_ = 0;
  size_t looks_left_ = 0;
  size_t work_left_ = kMostWorkInAll;
};

}  // namespace

const char* to_string(WhyNot::How how) {
  switch (how) {
    case WhyNot::How::kTried:
      return "tried";
    case WhyNot::How::kBeyondEnd:
      return "beyond-end";
    case WhyNot::How::kSeen:
      return "see-above";
    case WhyNot::How::kCut:
      return "cut";
  }
  CHECK(false, "how {}", static_cast<int>(how));
  return "";
}

const char* to_string(Reason reason) {
  switch (reason) {
    case Reason::kMissing:
      return "missing";
    case Reason::kPresent:
      return "present";
    case Reason::kCondition:
      return "condition";
    case Reason::kLost:
      return "lost";
    case Reason::kValue:
      return "value";
    case Reason::kPlace:
      return "place";
    case Reason::kTime:
      return "time";
    case Reason::kGaveUp:
      return "gave-up";
  }
  CHECK(false, "reason {}", static_cast<int>(reason));
  return "";
}

WhyNot why_not(const dedalus::Program& program, const SourceSet& sources, const Graph& graph,
               const Pattern& pattern, Tick tick) {
  return Doubter(program, sources, graph).answer(pattern, tick, 0);
}

}  // namespace clew::explain
