#include "check/checker.h"

#include <utility>

#include "base/check.h"
#include "lineage/outcome_supports.h"
#include "search/campaign.h"
#include "simulate/system.h"

namespace clew::check {

namespace {

// "auto" enumerates what cannot be grounded if there are at most so many single faults.
constexpr size_t kFewFaults = 16;

// What is known already: that there is nothing to propose, or no time to find out.
class Settled : public search::Adversary {
 public:
  Settled(search::Proposal::Kind kind, size_t clauses) : kind_(kind), clauses_(clauses) {}

  search::Proposal propose() override { return {kind_}; }
  search::Proposal propose_smaller(const Choice&, search::Smaller) override { return {kind_}; }
  void observe(const Run& run) override {
    const bool nothing = kind_ == search::Proposal::Kind::kNothing;
    CHECK(!nothing || run.outcome().kind != Outcome::Kind::kViolated, "{} violates",
          to_string(run.scenario.faults));
  }
  void exclude(const Choice&) override {}
  size_t clauses() const override { return clauses_; }

 private:
  search::Proposal::Kind kind_;
  size_t clauses_;
};

// The Program with the Supports that its Firings amount to.
class SupportedSystem : public System {
 public:
  SupportedSystem(System& system, const dedalus::Program& program)
      : system_(system), program_(program) {}

  const Specs& specs() const override { return system_.specs(); }
  Result<Run> run(const Scenario& scenario, Detail detail) override {
    Result<Run> run = system_.run(scenario, detail);
    if (run.ok() && detail == Detail::kLineage) {
      run->supports = lineage::outcome_supports(lineage::Graph(*run, &program_));
    }
    return run;
  }

 private:
  System& system_;
  const dedalus::Program& program_;
};

}  // namespace

// What one thread at a time works with. It is kept for the checks that come.
struct Checker::Worker {
  Worker(std::shared_ptr<const dedalus::LoweredProgram> program,
         std::shared_ptr<const RuleTable> rules, const Stop& stop)
      : system(std::move(program), std::move(rules), stop) {}

  simulate::ProgramSystem system;
  std::unique_ptr<ground::GrowingCheck> growing{};  // made when it is first asked
};

Checker::Checker(std::shared_ptr<const dedalus::LoweredProgram> program,
                 const CheckSettings& settings, Progress& progress, Stop stop,
                 std::shared_ptr<const RuleTable> rules)
    : program_(std::move(program)),
      settings_(settings),
      progress_(progress),
      stop_(std::move(stop)),
      rules_(std::move(rules)) {}

Checker::~Checker() = default;

// An adversary and what it reads; none if the program could not be ground.
struct Checker::Chosen {
  std::string name;
  std::unique_ptr<ground::Grounder> grounder;
  std::unique_ptr<search::LatticeAdversary> adversary;
  std::unique_ptr<search::Adversary*> watched;  // the same, once it is made
  std::string why_not;
  bool observes = false;  // all that the adversary knows comes from Runs
};

void Checker::choose_adversary(const FaultModel& model, const Stop& stop, Chosen& chosen) const {
  if (chosen.name == "auto" || chosen.name == "symbolic" || chosen.name == "lineage") {
    progress_.stage(model, "grounding");
    chosen.grounder =
        std::make_unique<ground::Grounder>(program_, model, ground::GrounderOptions{.stop = stop});
    const Status ground = chosen.grounder->run();
    if (!ground.ok()) {
      chosen.why_not = ground.error().message;
      if (stop()) return;
      const bool exact = settings_.negation == search::Negation::kExact;
      if (chosen.name == "lineage" && exact && rules_ != nullptr) {
        return observe(model, stop, chosen);
      }
      if (chosen.name != "auto") return;
      chosen.grounder.reset();
      chosen.name = all_faults(model).size() <= kFewFaults ? "exhaustive" : "random";
    } else if (chosen.name == "auto") {
      chosen.name = "symbolic";
    }
  }
  if (chosen.name == "exhaustive") {
    chosen.adversary = search::make_exhaustive(model, stop);
  } else if (chosen.name == "random") {
    chosen.adversary = search::make_random(model, settings_.seed, stop);
  } else if (chosen.name == "symbolic") {
    chosen.adversary = search::make_symbolic(chosen.grounder->rules(), stop);
  } else if (settings_.negation == search::Negation::kExact) {
    chosen.adversary = search::make_lineage(
        {chosen.grounder->rules(),
         [grounder = chosen.grounder.get()](const Run& run) { return grounder->kinds_shown(run); }},
        stop);
  } else {
    chosen.adversary = search::make_published(chosen.grounder->rules(), settings_.negation, stop);
  }
  chosen.adversary->limit(settings_.max_faults);
}

void Checker::observe(const FaultModel& model, const Stop& stop, Chosen& chosen) const {
  chosen.observes = true;
  chosen.adversary = search::make_observed_lineage(model, stop);
  chosen.adversary->limit(settings_.max_faults);
}

Checker::Chosen Checker::choose(const FaultModel& model) const {
  Chosen chosen{settings_.adversary, nullptr, nullptr, std::make_unique<search::Adversary*>(), ""};
  const Stop stop = [this, &model, watched = chosen.watched.get()] {
    if (*watched != nullptr) progress_.settle(model, (*watched)->settled());
    return stop_();
  };
  choose_adversary(model, stop, chosen);
  *chosen.watched = chosen.adversary.get();
  return chosen;
}

void Checker::expect_sweep(ground::GrowingCheck::Range range) {
  const std::string& adversary = settings_.adversary;
  const bool symbolic = adversary == "auto" || adversary == "symbolic";
  // With fewer faults there may be nothing where something violates the Spec with more.
  const bool all_faults = !settings_.max_faults;
  if (symbolic && all_faults && ground::GrowingGrounder::can_ground(*program_)) {
    range_ = std::move(range);
  }
}

// While most ticks are without omissions, a grounding that leaves them all open is much larger than
// one for these bounds.
bool Checker::grows(const FaultModel& model) const {
  return range_ && !too_large_ && 2 * model.eff >= model.eot;
}

std::unique_ptr<Checker::Worker> Checker::take_worker() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return std::make_unique<Worker>(program_, rules_, stop_);
  std::unique_ptr<Worker> worker = std::move(idle_.back());
  idle_.pop_back();
  return worker;
}

void Checker::put_back(std::unique_ptr<Worker> worker) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
}

void Checker::forget() {
  const std::lock_guard lock(mutex_);
  idle_.clear();
}

void Checker::count(const Work& work) {
  const std::lock_guard lock(mutex_);
  work_ += work;
}

Work Checker::work() {
  const std::lock_guard lock(mutex_);
  return work_;
}

Verdict Checker::check(const FaultModel& model, const std::optional<Work>& most) {
  std::unique_ptr<Worker> worker = take_worker();
  std::optional<Verdict> settled;
  if (grows(model)) settled = settle(model, *worker, most);
  Verdict verdict = settled ? std::move(*settled) : search(model, *worker);
  const auto ticks = static_cast<uint64_t>(model.eot);
  count({.ticks = ticks * verdict.effort.executions, .clauses = 0});
  // A formula of its own, over ticks that were ground for it.
  if (!settled) count({.ticks = ticks, .clauses = verdict.effort.clauses});
  put_back(std::move(worker));
  return verdict;
}

std::optional<Verdict> Checker::settle(const FaultModel& model, Worker& worker,
                                       const std::optional<Work>& most) {
  using Answer = ground::GrowingCheck::Answer;
  using Kind = search::Proposal::Kind;
  if (worker.growing == nullptr) {
    worker.growing = std::make_unique<ground::GrowingCheck>(program_, *range_);
  }
  progress_.stage(model, "symbolic");
  const Work before = worker.growing->work();
  const auto done = [&] {
    const Work now = worker.growing->work();
    return Work{now.ticks - before.ticks, now.clauses - before.clauses};
  };
  const Answer answer = worker.growing->ask(model, [&] {
    progress_.settle(model, worker.growing->settled());
    return stop_() || (most && done().exceeds(*most));
  });
  count(done());
  if (answer == Answer::kCannot) {
    // Nor can what is larger.
    too_large_ = true;
    worker.growing.reset();
  }
  if (answer == Answer::kCannot || answer == Answer::kSomething) return std::nullopt;
  Settled settled(answer == Answer::kNothing ? Kind::kNothing : Kind::kStopped,
                  worker.growing->clauses());
  Verdict verdict = run_campaign(model, worker.system, settled);
  verdict.adversary = "symbolic";
  return verdict;
}

Verdict Checker::run_campaign(const FaultModel& model, System& system,
                              search::Adversary& adversary) const {
  search::CampaignOptions options{
      .all = settings_.all,
      .smallest = settings_.smallest,
      .progress = [this](const Verdict& so_far) { progress_.show(so_far); }};
  return search::Campaign(system, adversary, model, std::move(options)).run();
}

Verdict Checker::search(const FaultModel& model, Worker& worker) const {
  Chosen chosen{settings_.adversary, nullptr, nullptr, nullptr, ""};
  if (auto made = unless_stopped([&] { return choose(model); })) chosen = std::move(*made);
  Verdict verdict;
  if (chosen.adversary == nullptr) {
    verdict.model = model;
    verdict.why_unknown =
        stop_()
            ? "the budget was used up"
            : chosen.why_not + "; try --adversary exhaustive, which runs one fault set at a time";
  } else {
    progress_.stage(model, chosen.name);
    SupportedSystem supported(worker.system, program_->program());
    System& system = chosen.observes ? static_cast<System&>(supported) : worker.system;
    verdict = run_campaign(model, system, *chosen.adversary);
    // Why there was nothing better to do.
    if (chosen.observes && verdict.kind == Verdict::Kind::kUnknown && !stop_()) {
      verdict.why_unknown = fmt::format("{}, so {}", chosen.why_not, verdict.why_unknown);
    }
  }
  verdict.adversary = chosen.name;
  // That an inexact reading sees nothing smaller does not mean that there is nothing.
  const bool exact = chosen.name != "lineage" || settings_.negation == search::Negation::kExact;
  verdict.minimal &= exact;
  return verdict;
}

}  // namespace clew::check
