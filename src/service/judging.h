// What an observed run says of the promises. Who searches knows nothing else of rules, and tests
// have judges of their own.
//
//   Result<clew::Run> run = judging.judge(plan, observed, Detail::kVerdict);
//   run->outcomes[0].kind;                       // of judging.promises()[0]
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "base/stop.h"
#include "check/judged.h"
#include "domain/system.h"
#include "inject/observed.h"
#include "inject/target.h"
#include "microspec/microspec.h"

namespace clew::service {

class Judging {
 public:
  virtual ~Judging() = default;

  virtual const std::vector<std::string>& promises() const = 0;
  // A Run with an Outcome of each promise, in their order. An Error if a rule fails, or if a fact
  // does not fit: a mistake of the user's, which ends the campaign. Throws Stopped.
  virtual Result<Run> judge(const inject::Plan& plan, const inject::Observed& seen,
                            Detail detail) = 0;
  // Why each promise is violated that is. Requires a Run with Firings.
  virtual std::vector<check::Broken> explain(const Run& run) = 0;
  // The rules that derive what promises read; null: nobody knows them.
  virtual const dedalus::Program* program() const { return nullptr; }
};

class RuleJudging : public Judging {
 public:
  // All outlive this. `names`: the promises that count, at least one.
  RuleJudging(const inject::Target& target, const microspec::MicroSpec& spec,
              const SourceSet& sources, std::vector<std::string> names, Stop stop = {});

  const std::vector<std::string>& promises() const override { return names_; }
  Result<Run> judge(const inject::Plan& plan, const inject::Observed& seen, Detail detail) override;
  std::vector<check::Broken> explain(const Run& run) override;
  const dedalus::Program* program() const override { return &spec_.program(); }

 private:
  const inject::Target& target_;
  const microspec::MicroSpec& spec_;
  const SourceSet& sources_;
  std::vector<std::string> names_;
  microspec::Judge judge_;
};

}  // namespace clew::service
