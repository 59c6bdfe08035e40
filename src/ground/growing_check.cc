#include "ground/growing_check.h"

#include "base/check.h"

namespace clew::ground {

GrowingCheck::GrowingCheck(const std::shared_ptr<const dedalus::LoweredProgram>& program,
                           Range range, const GrounderOptions& options)
    : grounder_(program, std::move(range),
                {.most_rows = options.most_rows,
                 .most_firings = options.most_firings,
                 .most_atoms = options.most_atoms,
                 .stop = [this] { return must_stop(); }}),
      formula_(grounder_.rules(), {.stop = [this] { return must_stop(); }, .asks = true}) {
  formula_.learn_all();
}

GrowingCheck::Answer GrowingCheck::ask(const FaultModel& model, const Stop& stop) {
  CHECK(stop_ == nullptr, "one question at a time");
  stop_ = &stop;
  asked_ = false;
  const std::optional<Answer> found = unless_stopped([&] { return answer(model); });
  stop_ = nullptr;
  return found.value_or(Answer::kStopped);
}

GrowingCheck::Answer GrowingCheck::answer(const FaultModel& model) {
  const Result<formula::Question> question = grounder_.ask(model);
  if (!question.ok()) return must_stop() ? Answer::kStopped : Answer::kCannot;
  formula_.ask(*question);
  asked_ = true;
  return solve(question->goal);
}

GrowingCheck::Answer GrowingCheck::solve(formula::Literal goal) {
  switch (formula::decide(formula_, grounder_.rules(), goal, *stop_)) {
    case formula::Formula::Answer::kNone:
      return Answer::kNothing;
    case formula::Formula::Answer::kStopped:
      return Answer::kStopped;
    case formula::Formula::Answer::kFaults:
      return Answer::kSomething;
  }
  CHECK(false, "no such answer");
  return Answer::kStopped;
}

}  // namespace clew::ground
