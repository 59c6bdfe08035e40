#include "tests/service/fake_target.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/text.h"

namespace clew::service {

namespace {

using inject::Call;
using inject::Change;
using inject::Failure;
using inject::Observed;
using inject::Plan;
using inject::Point;

void collect_points(const std::vector<FakeStep>& steps, std::map<std::string, Point>& points) {
  for (const FakeStep& step : steps) {
    points[step.point] = fake_point(step.point, step.node, step.io);
    collect_points(step.error_path, points);
    collect_points(step.recovery, points);
  }
}

// One run.
class Execution {
 public:
  Execution(const FakeTarget& fake, const Plan& plan, uint64_t seed)
      : fake_(fake), plan_(plan), random_(seed), points_(points_of(fake)) {
    for (const auto& [name, point] : points_) nodes_.insert(point.node);
    seen_.nodes.assign(nodes_.begin(), nodes_.end());
  }

  Observed run() {
    add(Change{Change::Kind::kStarted, "n"});
    walk(fake_.steps);
    add(Change{Change::Kind::kStarted, "check"});
    // What the check makes the node do cannot fail.
    add_call(fake_.steps.front(), 1, false);
    for (const FakeTarget::Bug& bug : fake_.bugs) {
      const auto struck = [&](const std::string& text) { return struck_.contains(in_ids(text)); };
      const bool all = std::ranges::all_of(bug.failures, struck);
      if (all && !random_.chance(bug.fickle)) tell("violated", bug.promise);
    }
    for (const uint32_t promise : fake_.vacuous) tell("vacuous", promise);
    seen_.ending = seen_.reached.empty() ? fake_.ending : Observed::Ending::kDone;
    if (strikes(fake_.hangs_at)) seen_.ending = Observed::Ending::kHung;
    if (strikes(fake_.cannot_run)) seen_.ending = Observed::Ending::kFailed;
    if (seen_.ending == Observed::Ending::kFailed) seen_.trouble = "no room";
    if (seen_.ending == Observed::Ending::kCannotStart) seen_.trouble = "n: no such file";
    return std::move(seen_);
  }

 private:
  std::string in_ids(const std::string& text) const { return to_string(fake_failure(text)); }
  bool strikes(const std::string& text) const {
    return !text.empty() && struck_.contains(in_ids(text));
  }
  void add(inject::Happening one) { seen_.happenings.push_back(std::move(one)); }
  void tell(const char* what, uint32_t promise) {
    add(inject::Told{"n", fmt::format("{}({})", what, promise)});
  }

  uint32_t life_of(const std::string& node) const {
    const auto at = restarts_.find(node);
    return at == restarts_.end() ? 1 : at->second + 1;
  }

  void add_call(const FakeStep& step, uint32_t occurrence, bool injected) {
    const Point& point = points_.at(step.point);
    auto at = std::ranges::find(seen_.points, point);
    if (at == seen_.points.end()) at = seen_.points.insert(at, point);
    Call call;
    call.node =
        static_cast<uint32_t>(std::ranges::distance(nodes_.begin(), nodes_.find(step.node)));
    call.point = static_cast<uint32_t>(at - seen_.points.begin());
    call.life = life_of(step.node);
    call.occurrence = occurrence;
    call.object = point.object;
    call.injected = injected;
    call.finished = true;
    add(call);
  }

  // False: nothing follows.
  bool walk(const std::vector<FakeStep>& steps) {
    return std::ranges::all_of(steps, [&](const FakeStep& step) { return take(step); });
  }

  bool take(const FakeStep& step) {
    if (random_.chance(step.fickle)) return true;
    const uint32_t life = life_of(step.node);
    const uint32_t occurrence = ++reached_[{step.point, life}];
    const std::string id = points_.at(step.point).id();
    const auto failure = std::ranges::find_if(plan_, [&](const Failure& one) {
      return one.point == id && one.life == life && one.occurrence == occurrence;
    });
    if (failure == plan_.end()) {
      add_call(step, occurrence, false);
      if (!step.tells.empty()) add(inject::Told{step.node, step.tells});
      return true;
    }
    seen_.reached.push_back(static_cast<uint32_t>(failure - plan_.begin()));
    struck_.insert(to_string(*failure));
    // Some failures strike before the call is there, some after.
    const inject::Struck struck{seen_.reached.back()};
    const bool before = failure->effect == inject::Effect::kError;
    if (before) add(struck);
    add_call(step, occurrence, true);
    if (!before) add(struck);
    return failure->ends_node() ? recover(step, *failure) : fail(step);
  }

  bool fail(const FakeStep& step) {
    const bool goes_on = walk(step.error_path);
    return goes_on && !step.gives_up;
  }

  bool recover(const FakeStep& step, const Failure& failure) {
    if (failure.is_power()) {
      std::vector<std::string> others = fake_.states;
      std::erase(others, failure.keeps);
      seen_.crash_states.push_back(std::move(others));
    }
    add(Change{failure.is_power() ? Change::Kind::kPowerCut : Change::Kind::kCrashed, step.node});
    if (fake_.restarts) {
      ++restarts_[step.node];
      add(Change{Change::Kind::kRestarted, step.node});
    }
    const bool goes_on = walk(step.recovery);
    return goes_on && !step.stays_down;
  }

  const FakeTarget& fake_;
  const Plan& plan_;
  Random random_;
  std::map<std::string, Point> points_;
  std::set<std::string> nodes_;
  std::map<std::string, uint32_t> restarts_;                      // by node
  std::map<std::pair<std::string, uint32_t>, uint32_t> reached_;  // by point and life
  std::set<std::string> struck_;
  Observed seen_;
};

std::vector<FakeStep> random_steps(Random& random, uint32_t points, size_t most, int depth,
                                   bool fickle) {
  std::vector<FakeStep> steps;
  for (size_t n = random.uniform_below(most) + 1; n > 0; --n) {
    FakeStep& step = steps.emplace_back();
    step.point = std::string(1, static_cast<char>('a' + random.uniform_below(points)));
    step.gives_up = random.chance(0.3);
    step.stays_down = random.chance(0.3);
    if (fickle) step.fickle = random.chance(0.2) ? 0.3 : 0;
    if (depth == 0) continue;
    if (random.chance(0.5)) {
      step.error_path = random_steps(random, points, 2, depth - 1, fickle);
    }
    if (random.chance(0.5)) step.recovery = random_steps(random, points, 2, depth - 1, fickle);
  }
  return steps;
}

}  // namespace

std::map<std::string, Point> points_of(const FakeTarget& fake) {
  std::map<std::string, Point> points;
  collect_points(fake.steps, points);
  return points;
}

Point fake_point(const std::string& name, const std::string& node, inject::Io io) {
  Point point{.node = node, .thread = node, .call = "pwrite64", .io = io};
  if (io == inject::Io::kRead) point.call = "pread64";
  if (io == inject::Io::kSync) point.call = "fsync";
  point.object = {inject::Object::Kind::kFile, name};
  point.stack = {name + " (fake.cc:1)"};
  return point;
}

Failure fake_failure(const std::string& text) {
  const size_t at = text.find('@');
  const size_t number = text.find_first_of("~#");
  const std::string name =
      text.substr(at + 1, number == std::string::npos ? number : number - at - 1);
  std::string printed = text.substr(0, at + 1) + fake_point(name).id();
  if (number != std::string::npos) printed += text.substr(number);
  Result<Failure> failure = inject::parse_failure(printed);
  CHECK(failure.ok(), "{}: {}", text, failure.error().message);
  return *failure;
}

Plan fake_plan(const std::vector<std::string>& texts) {
  Plan plan;
  for (const std::string& text : texts) plan.push_back(fake_failure(text));
  std::ranges::sort(plan);
  return plan;
}

std::string in_names(const Plan& plan, const FakeTarget& fake) {
  std::vector<std::string> texts;
  for (const Failure& failure : plan) {
    std::string text = to_string(failure);
    for (const auto& [name, point] : points_of(fake)) {
      if (point.id() == failure.point) text.replace(text.find('@') + 1, 8, name);
    }
    texts.push_back(std::move(text));
  }
  std::ranges::sort(texts);
  return fmt::format("{}", fmt::join(texts, ", "));
}

inject::Target target_of(const FakeTarget& fake, uint32_t most_failures) {
  inject::Target target;
  target.path = "fake.toml";
  target.nodes = {{.name = "n", .command = {}}, {.name = "m", .command = {}}};
  target.most_failures = most_failures;
  target.occurrences = 2;
  target.kinds.errors = {EIO};
  target.kinds.power = !fake.states.empty();
  return target;
}

Observed FakeTarget::run(const Plan& plan, uint64_t seed) const {
  return Execution(*this, plan, seed).run();
}

void FakeRunner::start(uint64_t ticket, const Plan& plan) {
  CHECK(running_.size() < jobs_, "{} runs at a time", jobs_ + 1);
  running_.emplace_back(ticket, plan);
  started.push_back(plan);
}

inject::Finished FakeRunner::next() {
  CHECK(!running_.empty(), "nothing is running");
  if (stops_after && *stops_after == 0) throw Stopped();
  if (stops_after) --*stops_after;
  const auto at = running_.begin() + static_cast<long>(random_.uniform_below(running_.size()));
  const auto [ticket, plan] = *at;
  running_.erase(at);
  const std::string text = to_string(plan);
  const uint64_t seed = std::stoull(fingerprint(text), nullptr, 16) + ++times_[text];
  return {ticket, fake_.run(plan, seed)};
}

FakeJudging::FakeJudging(size_t promises) {
  for (size_t i = 0; i < promises; ++i) names_.push_back(fmt::format("p{}", i));
}

Result<Run> FakeJudging::judge(const Plan&, const Observed& seen, Detail) {
  if (!error.empty()) return Error{error, "mend the rule"};
  Run run;
  run.facts.emplace_back();
  const auto tells = [&](const char* what, size_t promise) {
    const std::string fact = fmt::format("{}({})", what, promise);
    return std::ranges::any_of(seen.happenings, [&](const inject::Happening& one) {
      const auto* told = std::get_if<inject::Told>(&one);
      return told != nullptr && told->fact == fact;
    });
  };
  for (size_t i = 0; i < names_.size(); ++i) {
    Outcome outcome{.spec = names_[i], .kind = Outcome::Kind::kHolds};
    if (tells("vacuous", i)) outcome.kind = Outcome::Kind::kVacuous;
    if (tells("violated", i)) outcome.kind = Outcome::Kind::kViolated;
    run.outcomes.push_back(std::move(outcome));
  }
  return run;
}

std::vector<check::Broken> FakeJudging::explain(const Run&) { return {}; }

std::set<Plan> all_that_strike(const FakeTarget& fake, const std::vector<Failure>& failures,
                               size_t most) {
  std::set<Plan> plans;
  std::vector<std::pair<Plan, size_t>> open = {{{}, 0}};
  while (!open.empty()) {
    const auto [plan, from] = open.back();
    open.pop_back();
    const Observed seen = fake.run(plan, 1);
    if (seen.reached.size() == plan.size()) plans.insert(plan);
    if (plan.size() == most) continue;
    for (size_t i = from; i < failures.size(); ++i) {
      Plan larger = plan;
      larger.push_back(failures[i]);
      std::ranges::sort(larger);
      open.emplace_back(std::move(larger), i + 1);
    }
  }
  return plans;
}

std::vector<Failure> all_failures(const FakeTarget& fake, const inject::Target& target,
                                  size_t most) {
  std::set<Failure> failures;
  const uint32_t lives = fake.restarts ? static_cast<uint32_t>(most) : 1;
  for (const auto& [name, point] : points_of(fake)) {
    for (uint32_t occurrence = 1; occurrence <= target.occurrences; ++occurrence) {
      for (const Failure& one : inject::failures_at(point, occurrence, target.kinds)) {
        for (Failure later = one; later.life <= lives; ++later.life) failures.insert(later);
      }
    }
  }
  // Those that nothing can reach would only take time.
  std::vector<Failure> all(failures.begin(), failures.end());
  std::set<Failure> strike;
  for (const Plan& plan : all_that_strike(fake, all, std::min<size_t>(most, 2))) {
    strike.insert(plan.begin(), plan.end());
  }
  if (most > 2) return all;
  return {strike.begin(), strike.end()};
}

FakeTarget random_target(Random& random, uint32_t points, bool fickle) {
  FakeTarget fake;
  fake.restarts = random.chance(0.5);
  fake.steps = random_steps(random, points, 4, 2, fickle);
  return fake;
}

}  // namespace clew::service
