#include "ground/growing_check.h"

#include "base/check.h"

namespace clew::ground {

GrowingCheck::GrowingCheck(const std::shared_ptr<const dedalus::LoweredProgram>& program,
                           Range range, const GrounderOptions& options)
    : grounder_(program, std::move(range),
                {.most_rows = options.most_rows,
                 .most_firings = options.most_firings,
                 .stop = [this] { return must_stop(); }}),
      formula_(grounder_.rules(), {.stop = [this] { return must_stop(); }, .asks = true}) {
  formula_.learn_all();
}

GrowingCheck::Answer GrowingCheck::ask(const FaultModel& model, const std::function<bool()>& stop) {
  CHECK(stop_ == nullptr, "one question at a time");
  stop_ = &stop;
  asked_ = false;
  Answer answer = Answer::kStopped;
  Result<formula::Question> question = grounder_.ask(model);
  if (question.ok()) {
    formula_.ask(*question);
    asked_ = true;
    answer = solve(question->goal);
  } else if (!must_stop()) {
    answer = Answer::kCannot;
  }
  stop_ = nullptr;
  return answer;
}

GrowingCheck::Answer GrowingCheck::solve(formula::Literal goal) {
  switch (formula::decide(formula_, grounder_.rules(), goal)) {
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
