#include "ground/growing.h"

#include <algorithm>

#include "base/check.h"

namespace clew::ground {

using datalog::Engine;
using formula::kTrue;
using formula::Literal;

namespace {

FaultModel open_model(const dedalus::LoweredProgram& program, const GrowingGrounder::Range& range) {
  return {.nodes = program.nodes(),
          .eot = kOpenEnd,
          .eff = kOpenEnd,
          .crashes = range.most_crashes,
          .crash_model = program.stop() ? CrashModel::kStop : CrashModel::kSilent,
          .limits = range.limits};
}

}  // namespace

bool GrowingGrounder::can_ground(const dedalus::LoweredProgram& program) {
  return !dedalus::reads_crash_early(program.for_verdict());
}

GrowingGrounder::GrowingGrounder(const std::shared_ptr<const dedalus::LoweredProgram>& program,
                                 Range range, GrounderOptions options)
    : range_(std::move(range)),
      grounder_(program, open_model(*program, range_), std::move(options)) {
  CHECK(can_ground(*program), "a rule reads crashes that are still to come");
  grounder_.start();
  grounder_.tick_ = 0;
}

Result<formula::Question> GrowingGrounder::ask(const FaultModel& model) {
  CHECK(model.eot >= range_.first_eot, "{}", describe_bounds(model));
  CHECK(model.crashes <= range_.most_crashes, "{}", describe_bounds(model));
  CHECK(model.nodes == grounder_.model_.nodes && model.crash_model == grounder_.model_.crash_model,
        "bounds of another program");
  CHECK(model.limits == range_.limits, "bounds with other limits");
  const Status grown = grow(model.eot);
  if (!grown.ok()) return grown.error();
  FaultAtoms& faults = grounder_.faults_;
  formula::Question question;
  question.goal = violations_[static_cast<size_t>(model.eot - range_.first_eot)];
  auto assume = [&](Literal literal) {
    if (literal != kTrue) question.assumed.push_back(literal);
  };
  for (Tick tick = std::max(model.end_of_losses(), 1); tick < model.eot; ++tick) {
    assume(!faults.some_omission(tick));
  }
  assume(!faults.more_crashes(static_cast<size_t>(model.crashes), model.eot - 1));
  const Tick felt = faults.stop() ? model.eot : model.eot - 1;
  for (Tick tick = std::max(model.last_fault(), 0) + 1; tick <= felt; ++tick) {
    assume(!faults.some_crash(tick));
  }
  return question;
}

Status GrowingGrounder::grow(Tick eot) {
  while (ticks_ < eot && state_.ok()) {
    const GrounderOptions& options = grounder_.options_;
    if (options.stop && options.stop()) return Error{"stopped", ""};
    state_ = grounder_.guarded([this] { return grow_by_one(); });
  }
  return ticks_ < eot ? state_ : Nothing{};
}

Status GrowingGrounder::grow_by_one() {
  if (ticks_ > 0) {
    Status next = grounder_.evaluate(Engine::Part::kNext);
    if (!next.ok()) return next;
    grounder_.move_on();
  }
  ++grounder_.tick_;
  grounder_.enter(grounder_.tick_);
  Status now = grounder_.evaluate(Engine::Part::kNow);
  if (!now.ok()) return now;
  grounder_.note_violations();
  if (grounder_.tick_ >= range_.first_eot) {
    Status last = grounder_.evaluate(Engine::Part::kLast);
    if (!last.ok()) return last;
    violations_.push_back(grounder_.violation());
  }
  CHECK(++ticks_ == grounder_.tick_);
  return Nothing{};
}

}  // namespace clew::ground
