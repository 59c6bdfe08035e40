// What `clew judge` has to say: a recorded Run, judged by the promises of a spec, and why those
// that are violated are.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "base/stop.h"
#include "explain/why_not.h"
#include "lineage/why.h"
#include "microspec/microspec.h"
#include "microspec/recorded.h"

namespace clew::check {

// The first goal of a promise that was not kept: why it is one, and why nothing keeps it.
struct Broken {
  std::string promise;
  Outcome::Goal goal;
  lineage::Why pre;
  explain::WhyNot post;
};

struct Judged {
  Run run;           // with an Outcome of each promise that was asked for
  size_t facts = 0;  // that were recorded
  std::vector<Broken> broken{};
};

// By the promises of these names, at least one. An Error if the facts do not fit the rules, or if a
// rule fails. Throws Stopped.
Result<Judged> judge_recorded(const microspec::MicroSpec& spec, const SourceSet& sources,
                              microspec::Recorded recorded, const std::vector<std::string>& names,
                              const Stop& stop = {});

// Of each promise that the Run, which has Firings, violates.
std::vector<Broken> explain_broken(const microspec::MicroSpec& spec, const SourceSet& sources,
                                   const Run& run);

// The promises that did not apply.
std::vector<std::string> vacuous_promises(const Judged& judged);

// Ends in a newline.
std::string to_text(const Judged& judged);
// docs/formats/judge.md
std::string to_json(const Judged& judged);

}  // namespace clew::check
