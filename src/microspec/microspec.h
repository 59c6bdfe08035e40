// A MicroSpec: rules and promises over the facts of Runs, whoever made these.
//
//   const dedalus::GivenRelations given = {{"acked", 1}, {"log", 2}};   // what the Runs tell
//   const std::vector<std::string> paths = {"durable.ded"};
//   std::optional<MicroSpec> spec = load_microspec(paths, given, sources, diagnostics);
//   Judge judge(*spec);                                        // plans the rules, once
//   const Status judged = judge.judge(run, Detail::kVerdict);  // any number of Runs
//   run.outcome().kind;                                        // the worst of all promises
//
// durable.ded is written in the language of programs (docs/language.md), less what makes no sense
// of a Run that has happened:
//
//   seen(W)@next :- acked(W);                       // rules may carry facts from tick to tick
//   seen(W)@next :- seen(W);
//   always durable: seen(W) implies log(_, W);
//
// A Run comes from a simulated program, from C++ nodes whose states are facts of each step, or from
// processes whose calls are: all that counts is Run::facts. What a promise means is in one place,
// domain/spec.h: here rules derive what it reads, as src/simulate does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "dedalus/lowered_program.h"
#include "dedalus/program.h"
#include "domain/spec.h"
#include "domain/system.h"
#include "microspec/evaluation.h"

namespace clew::microspec {

// Never changes, and may be used by any thread.
class MicroSpec {
 public:
  // Of a spec (dedalus::check_spec).
  MicroSpec(dedalus::Program program, const SourceSet& sources);

  const dedalus::Program& program() const { return *program_; }
  const dedalus::LoweredProgram& lowered() const { return *lowered_; }
  // One of each promise.
  const Specs& specs() const { return specs_; }
  const std::shared_ptr<const RuleTable>& rules() const { return rules_; }

 private:
  std::shared_ptr<const dedalus::Program> program_;
  std::shared_ptr<const dedalus::LoweredProgram> lowered_;
  Specs specs_;
  std::shared_ptr<const RuleTable> rules_;
};

// Nothing if there were errors; the diagnostics then say which.
std::optional<MicroSpec> load_microspec(const std::vector<std::string>& paths,
                                        const dedalus::GivenRelations& given, SourceSet& sources,
                                        Diagnostics& diagnostics);

class Judge {
 public:
  // `stop` ends whatever is going on with Stopped.
  explicit Judge(MicroSpec spec, Stop stop = {});

  // Adds to the Run what the rules derive from its facts, so that the Specs can judge it: for
  // kVerdict what these read, for kTrace everything, for kLineage Firings as well, of rules that
  // come before those which the Run knew. Requires that the facts of each tick are sorted and
  // distinct, and that scenario.program.eot is the last tick. An Error if the Run has facts that
  // the rules cannot take, or if a rule fails: then the Run is as it was.
  Status derive(Run& run, Detail detail);
  // The same, and leaves an Outcome of each promise in it.
  Status judge(Run& run, Detail detail);

  // Why the last Run could not be judged, if a rule failed, with its place.
  const std::optional<RuntimeError>& error() const { return error_; }

 private:
  void add_firings(Run& run);

  MicroSpec spec_;
  Stop stop_;
  Evaluation for_verdict_;
  std::unique_ptr<Evaluation> full_{};  // made when it is first needed
  std::optional<RuntimeError> error_{};
};

}  // namespace clew::microspec
