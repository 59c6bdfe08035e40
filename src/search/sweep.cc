#include "search/sweep.h"

#include <algorithm>

#include "base/stop.h"
#include "search/recovery.h"

namespace clew::search {

namespace {

// The largest EFF that a sweep tries.
Tick most_eff(const FaultModel& model) {
  return model.eventually > 0 ? model.last_fault() + 1 : model.eot - 1;
}

class Sweep {
 public:
  Sweep(FaultModel model, const SweepWorld& world, const SweepOptions& options)
      : model_(std::move(model)), world_(world), options_(options) {}

  SweepResult run() {
    if (!unless_stopped([this] { return try_all(), true; })) stop();
    return std::move(result_);
  }

 private:
  void try_all() {
    if (!find_first_eot()) return;
    model_.eff = options_.eff.value_or(0);
    // Room for all that EFF admits.
    const Tick after = std::max(model_.eventually - 1, 0);
    if (model_.eff > 0) model_.eot = std::max(model_.eot, model_.eff + after);
    while (true) {
      const std::optional<Tick> longer = try_bounds();
      if (done_ || is_enough()) return;
      grow(longer);
      if (model_.eot > kMostTicksOfSweep) return;
    }
  }

  static constexpr Tick kMostTicksOfSweep = 1000;

  bool is_enough() {
    const bool robust = result_.verdict.kind == Verdict::Kind::kRobust;
    return result_.enough = robust && world_.enough && world_.enough();
  }

  void end(Verdict verdict) {
    done_ = true;
    result_.verdict = std::move(verdict);
  }

  bool find_first_eot() {
    result_.verdict.model = model_;
    if (options_.eot) {
      model_.eot = *options_.eot;
      return true;
    }
    std::optional<Outcome::Kind> outcome;
    const Tick most = options_.most_eot + model_.eventually;
    for (model_.eot = 1 + model_.eventually; model_.eot <= most; ++model_.eot) {
      outcome = world_.outcome({}, model_.eot);
      ++result_.executions;
      if (!outcome) {
        result_.verdict.kind = Verdict::Kind::kFailed;
        result_.verdict.model = model_;
        return false;
      }
      const bool trivial = *outcome != Outcome::Kind::kHolds || !world_.sends_messages(model_.eot);
      if (!trivial) return true;
    }
    model_.eot = most;
    model_.eff = 0;
    if (*outcome == Outcome::Kind::kViolated) {
      const std::optional<Tick> gone = recovers({});
      if (!gone) break_without_faults();
      model_.eot = gone.value_or(most);
      return gone.has_value();
    }
    // No messages are sent, or nothing is promised.
    if (*outcome != Outcome::Kind::kVacuous) return true;
    result_.verdict.model = model_;
    result_.verdict.model.crashes = 0;
    result_.verdict.vacuous = true;
    result_.verdict.why_unknown = "`pre` is empty in the run without faults";
    return false;
  }

  // The run without faults is violated at the present EOT, and for good: since when?
  void break_without_faults() {
    Verdict verdict;
    verdict.kind = Verdict::Kind::kBroken;
    verdict.counterexamples = {Choice{}};
    verdict.all_found = true;
    verdict.model = model_;
    verdict.model.eff = verdict.model.crashes = verdict.model.eventually = 0;
    result_.violated_until = model_.eot + kPatience;
    while (verdict.model.eot > 1) {
      ++result_.executions;
      if (world_.outcome({}, verdict.model.eot - 1) != Outcome::Kind::kViolated) break;
      --verdict.model.eot;
    }
    end(std::move(verdict));
  }

  // All numbers of crashes at the present EOT and EFF. If there is a violation that goes away, the
  // tick by which it does.
  std::optional<Tick> try_bounds() {
    // What holds for all crashes that are allowed holds for fewer.
    if (!try_crashes(options_.crashes)) return std::nullopt;
    if (last().kind == Verdict::Kind::kRobust) {
      result_.verdict = last();
      return std::nullopt;
    }
    Verdict broken = last();
    for (int crashes = 0; crashes < options_.crashes; ++crashes) {
      if (!try_crashes(crashes)) return std::nullopt;
      if (last().kind == Verdict::Kind::kRobust) continue;
      broken = last();
      break;
    }
    const FaultSet& faults = broken.counterexamples.front().faults;
    const bool may_pass = model_.eventually == 0 || faults.empty();
    if (may_pass && !options_.eot) {
      if (std::optional<Tick> gone = recovers(faults)) return gone;
    }
    if (faults.empty() && !options_.eot) return break_without_faults(), std::nullopt;
    return end(std::move(broken)), std::nullopt;
  }

  // False if that was the end of the sweep.
  bool try_crashes(int crashes) {
    model_.crashes = crashes;
    if (world_.stop()) return stop(), false;
    Verdict verdict = world_.check(model_);
    result_.executions += verdict.effort.executions;
    result_.steps.push_back(verdict);
    if (verdict.kind == Verdict::Kind::kUnknown) {
      is_enough();
      return stop(), false;
    }
    if (verdict.kind == Verdict::Kind::kFailed) return end(std::move(verdict)), false;
    return true;
  }

  const Verdict& last() const { return result_.steps.back(); }

  // The last bounds within which the protocol is robust are the answer, if there are any.
  void stop() {
    done_ = true;
    if (result_.verdict.kind == Verdict::Kind::kRobust) return;
    if (!result_.steps.empty()) result_.verdict = last();
    if (result_.verdict.kind == Verdict::Kind::kBroken) {
      // It would have recovered later; that much is not known within these bounds.
      result_.verdict.counterexamples.clear();
      result_.verdict.why_unknown.clear();
    }
    result_.verdict.kind = Verdict::Kind::kUnknown;
    if (result_.verdict.why_unknown.empty()) {
      result_.verdict.why_unknown = "the budget was used up";
    }
  }

  std::optional<Tick> recovers(const FaultSet& faults) {
    const Recovery recovery = recover(faults, model_.eot, world_.outcome, {});
    result_.executions += static_cast<size_t>(recovery.looked_until - model_.eot);
    return recovery.gone;
  }

  void grow(std::optional<Tick> longer) {
    if (longer) {
      model_.eot = *longer;
      return;
    }
    const bool fixed = options_.eot && (options_.eff || model_.eff >= most_eff(model_));
    if (fixed) {
      model_.eot = kMostTicksOfSweep + 1;
    } else if (options_.eff) {
      ++model_.eot;
    } else {
      model_ = next_bounds(model_);
    }
  }

  FaultModel model_;
  const SweepWorld& world_;
  SweepOptions options_;
  SweepResult result_;
  bool done_ = false;
};

}  // namespace

FaultModel next_bounds(const FaultModel& model) {
  FaultModel next = model;
  const Tick most = most_eff(model);
  if (model.eff >= most) {
    ++next.eot;
    ++next.eff;
  } else {
    // EFF 1 admits no more than EFF 0.
    next.eff = std::max(model.eff + 1, std::min(2, most));
  }
  return next;
}

SweepResult sweep(const FaultModel& start, const SweepWorld& world, const SweepOptions& options) {
  return Sweep(start, world, options).run();
}

}  // namespace clew::search
