#include "service/judging.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "inject/facts.h"

namespace clew::service {

RuleJudging::RuleJudging(const inject::Target& target, const microspec::MicroSpec& spec,
                         const SourceSet& sources, std::vector<std::string> names, Stop stop)
    : target_(target),
      spec_(spec),
      sources_(sources),
      names_(std::move(names)),
      judge_(spec, std::move(stop)) {
  CHECK(!names_.empty(), "no promise is to be judged");
}

Result<Run> RuleJudging::judge(const inject::Plan& plan, const inject::Observed& seen,
                               Detail detail) {
  Result<Run> run = inject::to_run(target_, spec_, seen, plan);
  if (!run.ok()) return run;
  if (const Status judged = judge_.judge(*run, detail); !judged.ok()) return judged.error();
  std::vector<Outcome> outcomes;
  for (const std::string& name : names_) {
    const auto at = std::ranges::find(run->outcomes, name, &Outcome::spec);
    CHECK(at != run->outcomes.end(), "no promise is called {}", name);
    outcomes.push_back(std::move(*at));
  }
  run->outcomes = std::move(outcomes);
  return run;
}

std::vector<check::Broken> RuleJudging::explain(const Run& run) {
  return check::explain_broken(spec_, sources_, run);
}

}  // namespace clew::service
