#include "check/molly_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "check/output_folder.h"
#include "lineage/graph.h"
#include "report/dot.h"
#include "report/molly.h"
#include "report/provenance.h"

namespace clew::check {

namespace {

using Execution = report::Record::Execution;

struct MollyChoice {
  std::vector<Execution> runs;
  size_t total = 0;  // that there are to choose from
};

std::vector<Execution> all_known(const report::Record& record) {
  std::vector<Execution> all;
  // Readers rely on the first run being the one without faults.
  const bool has_good = !record.runs.empty() && record.runs.front().faults.empty();
  if (!has_good) all.emplace_back();
  all.insert(all.end(), record.runs.begin(), record.runs.end());
  for (size_t i = 0; i < record.check.counterexamples.size(); ++i) {
    const auto is_it = [i](const Execution& one) { return one.counterexample == i; };
    if (std::ranges::any_of(record.runs, is_it)) continue;
    all.push_back(
        {record.check.counterexamples[i].run.scenario.faults, Outcome::Kind::kViolated, i});
  }
  return all;
}

MollyChoice choose(const report::Record& record) {
  std::vector<Execution> all = all_known(record);
  MollyChoice choice;
  choice.total = all.size() + record.runs_left_out;
  const size_t counterexamples = record.check.counterexamples.size();
  size_t others = counterexamples < kMostMollyRuns ? kMostMollyRuns - counterexamples : 1;
  for (Execution& one : all) {
    if (!one.counterexample && others == 0) continue;
    if (!one.counterexample) --others;
    choice.runs.push_back(std::move(one));
  }
  return choice;
}

// What was promised, or what of it was kept, when the promise was judged.
std::vector<report::FactAt> promised(const Outcome& outcome, bool kept) {
  std::vector<report::FactAt> facts;
  for (const Outcome::Goal& goal : outcome.goals) {
    if (!kept) facts.push_back({goal.pre, goal.tick});
    if (kept && goal.post) facts.push_back({outcome.kept(goal), goal.tick});
  }
  return facts;
}

OutputFolder molly_folder(const std::string& path) {
  return {path,
          {"run_*_spacetime.dot", "run_*_provenance.dot", "run_*_pre_provenance.json",
           "run_*_post_provenance.json"},
          "runs.json"};
}

// What one run adds to the folder: all of it is made before any is written.
struct MollyRun {
  std::string entry;                         // of runs.json
  std::map<std::string, std::string> files;  // by how their names end
};

MollyRun make_molly_run(const report::Record& record, const FaultSet& faults, size_t number) {
  const Run run = record.replay(faults);
  const lineage::Graph graph(run);
  const Outcome& outcome = run.outcome();
  const bool ends = !outcome.every_tick;  // then `post` may hold more than was promised
  const std::vector<report::FactAt> pre =
      ends ? report::at_the_end(run, outcome.pre) : promised(outcome, false);
  std::vector<report::FactAt> roots =
      ends ? report::at_the_end(run, outcome.post) : promised(outcome, true);
  MollyRun made;
  made.entry = report::molly_run(run, record.check.verdict.model, number);
  made.files["spacetime.dot"] = report::space_time_dot(run);
  made.files["pre_provenance.json"] = report::molly_provenance(report::provenance_of(graph, pre));
  made.files["post_provenance.json"] =
      report::molly_provenance(report::provenance_of(graph, roots));
  roots.insert(roots.end(), pre.begin(), pre.end());
  made.files["provenance.dot"] = report::provenance_dot(report::provenance_of(graph, roots));
  return made;
}

Status write_molly_run(OutputFolder& folder, const MollyRun& made, size_t number) {
  Status done = folder.append("runs.json", (number == 0 ? "[\n" : ",\n") + made.entry);
  for (const auto& [name, text] : made.files) {
    if (done.ok()) done = folder.write(fmt::format("run_{}_{}", number, name), text);
  }
  return done;
}

void tell_left_out(const std::string& path, size_t written, size_t total, bool stopped,
                   const Notes& notes) {
  if (written == total) return;
  const std::string share =
      fmt::format("{} of {}", with_thousands(written), count_noun(total, "run"));
  if (stopped) {
    notes.tell("note: there was no more time, so {} has only {}\n", path, share);
  } else {
    notes.tell("note: {} has {}: the first ones and all counterexamples\n", path, share);
  }
}

}  // namespace

Status write_molly(const std::string& path, const report::Record& record, Progress& progress,
                   const Stop& stop, const Notes& notes) {
  OutputFolder folder = molly_folder(path);
  const MollyChoice choice = choose(record);
  Status done = folder.begin();
  size_t number = 0;
  bool stopped = false;
  for (const Execution& one : choice.runs) {
    if (!done.ok() || stopped) break;
    progress.stage(record.check.verdict.model,
                   fmt::format("writing run {} of {}", number + 1, choice.runs.size()));
    const auto made = unless_stopped([&] { return make_molly_run(record, one.faults, number); });
    if (!made && number == 0) throw Stopped();
    if (made) done = write_molly_run(folder, *made, number++);
    stopped = !made || stop();
  }
  progress.clear();
  if (done.ok()) done = folder.append("runs.json", "\n]\n");
  if (done.ok()) done = folder.finish();
  if (done.ok()) tell_left_out(path, number, choice.total, stopped, notes);
  return done;
}

Status clear_molly(const std::string& path) {
  OutputFolder folder = molly_folder(path);
  const Status done = folder.begin();
  return done.ok() ? folder.finish() : done;
}

}  // namespace clew::check
