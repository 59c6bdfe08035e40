#include "cli/exports.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <vector>

#include "base/files.h"
#include "cli/output_folder.h"
#include "report/dot.h"
#include "report/itf.h"
#include "report/junit.h"
#include "report/molly.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/sarif.h"
#include "report/shiviz.h"
#include "report/svg.h"

namespace clew::cli {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostGoals = 150;     // of a lineage diagram
constexpr size_t kMostDotGoals = 500;  // Graphviz takes long for more

// The run without faults and the counterexamples, one at a time: runs can be large.
class Shown {
 public:
  explicit Shown(const report::Record& record) : record_(record), good_(record.replay({})) {}

  using Visit = std::function<Status(const std::string& name, const Run& good, const Run* bad)>;

  Status each(const Visit& visit) const {
    Status done = visit("run_0", good_, nullptr);
    const auto& found = record_.check.counterexamples;
    for (size_t i = 0; i < found.size() && done.ok(); ++i) {
      const Run bad = record_.replay(found[i].run.scenario.faults);
      done = visit(fmt::format("counterexample_{}", i + 1), good_, &bad);
    }
    return done;
  }

 private:
  const report::Record& record_;
  Run good_;
};

Status fill(OutputFolder& folder, const Shown& shown, const Shown::Visit& visit) {
  Status done = folder.begin();
  if (done.ok()) done = shown.each(visit);
  return done.ok() ? folder.finish() : done;
}

const Run& subject(const Run& good, const Run* bad) { return bad == nullptr ? good : *bad; }

Status write_itf(const std::string& path, const Shown& shown) {
  OutputFolder folder(path, {"run_*.itf.json", "counterexample_*.itf.json"});
  return fill(folder, shown, [&](const std::string& name, const Run& good, const Run* bad) {
    const Run& run = subject(good, bad);
    return folder.write(name + ".itf.json",
                        report::itf(run, "clew check: " + to_string(run.scenario.faults)));
  });
}

Status write_shiviz(const std::string& path, const Shown& shown) {
  OutputFolder folder(path, {"run_*.shiviz.log", "counterexample_*.shiviz.log"});
  return fill(folder, shown, [&](const std::string& name, const Run& good, const Run* bad) {
    return folder.write(name + ".shiviz.log", report::shiviz(subject(good, bad)));
  });
}

std::vector<std::string> diagram_names(const std::string& extension) {
  std::vector<std::string> names;
  for (const char* run : {"run_*_", "counterexample_*_"}) {
    for (const char* what : {"spacetime", "lineage"}) names.push_back(run + (what + extension));
  }
  return names;
}

Status write_dot(const std::string& path, const Shown& shown) {
  OutputFolder folder(path, diagram_names(".dot"));
  return fill(folder, shown, [&](const std::string& name, const Run& good, const Run* bad) {
    Status done = folder.write(name + "_spacetime.dot", report::space_time_dot(subject(good, bad)));
    if (!done.ok()) return done;
    const report::Provenance lineage = report::lineage_of(good, bad, kMostDotGoals);
    return folder.write(name + "_lineage.dot", report::provenance_dot(lineage));
  });
}

std::string lineage_title(const Run* bad) {
  if (bad == nullptr) return "Why the promises are kept without faults";
  for (const Outcome::Goal& goal : bad->outcome.goals) {
    if (!goal.post) return fmt::format("Why {} is not in post", to_string(goal.pre));
  }
  return "Lineage";
}

Status write_svg(const std::string& path, const Shown& shown) {
  OutputFolder folder(path, diagram_names(".svg"));
  return fill(folder, shown, [&](const std::string& name, const Run& good, const Run* bad) {
    Status done = folder.write(name + "_spacetime.svg", report::space_time_svg(subject(good, bad)));
    if (!done.ok()) return done;
    const report::Provenance lineage = report::lineage_of(good, bad, kMostGoals);
    return folder.write(name + "_lineage.svg", report::lineage_svg(lineage, lineage_title(bad)));
  });
}

Status write_molly_run(OutputFolder& folder, const report::Record& record, const FaultSet& faults,
                       size_t number) {
  const Run run = record.replay(faults);
  const auto named = [&](const char* what) { return fmt::format("run_{}_{}", number, what); };
  const std::vector<report::FactAt> pre = report::at_the_end(run, "pre");
  std::vector<report::FactAt> roots = report::at_the_end(run, "post");
  Status done =
      folder.append("runs.json", (number == 0 ? "[\n" : ",\n") +
                                     report::molly_run(run, record.check.verdict.model, number));
  if (done.ok()) done = folder.write(named("spacetime.dot"), report::space_time_dot(run));
  if (done.ok()) {
    done = folder.write(named("pre_provenance.json"),
                        report::molly_provenance(report::provenance_of(run, pre)));
  }
  if (done.ok()) {
    done = folder.write(named("post_provenance.json"),
                        report::molly_provenance(report::provenance_of(run, roots)));
  }
  if (!done.ok()) return done;
  roots.insert(roots.end(), pre.begin(), pre.end());
  return folder.write(named("provenance.dot"),
                      report::provenance_dot(report::provenance_of(run, roots)));
}

Status write_molly(const std::string& path, const report::Record& record) {
  OutputFolder folder(path,
                      {"run_*_spacetime.dot", "run_*_provenance.dot", "run_*_pre_provenance.json",
                       "run_*_post_provenance.json"},
                      "runs.json");
  Status done = folder.begin();
  size_t number = 0;
  // Readers rely on the first run being the one without faults.
  const bool has_good = !record.runs.empty() && record.runs.front().faults.empty();
  if (done.ok() && !has_good) done = write_molly_run(folder, record, {}, number++);
  for (const report::Record::Execution& execution : record.runs) {
    if (done.ok()) done = write_molly_run(folder, record, execution.faults, number++);
  }
  if (done.ok()) done = folder.append("runs.json", "\n]\n");
  return done.ok() ? folder.finish() : done;
}

bool same_folder(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return false;
  std::error_code error;
  const fs::path one = fs::weakly_canonical(a, error);
  const fs::path other = fs::weakly_canonical(b, error);
  return !error && (one / "").lexically_normal() == (other / "").lexically_normal();
}

}  // namespace

bool Outputs::any() const {
  for (const std::string* one : {&report, &junit, &sarif, &itf, &shiviz, &molly, &dot, &svg}) {
    if (!one->empty()) return true;
  }
  return false;
}

Status validate(const Outputs& outputs) {
  if (!same_folder(outputs.molly, outputs.dot)) return Nothing{};
  return Error{fmt::format("--molly and --dot both want to fill {}", outputs.dot),
               "give them folders of their own: some files would have the same names"};
}

Status write_outputs(const Outputs& outputs, const report::Record& record) {
  Status first = Nothing{};
  const auto run = [&](const std::string& path, const std::function<Status()>& write) {
    if (path.empty()) return;
    Status done = write();
    if (first.ok() && !done.ok()) first = done;
  };
  run(outputs.report,
      [&] { return write_file_atomically(outputs.report, report::page(record, {})); });
  run(outputs.junit, [&] { return write_file_atomically(outputs.junit, report::junit(record)); });
  run(outputs.sarif, [&] {
    return write_file_atomically(outputs.sarif, report::sarif(record, fs::current_path().string()));
  });
  if (!outputs.itf.empty() || !outputs.shiviz.empty() || !outputs.dot.empty() ||
      !outputs.svg.empty()) {
    const Shown shown(record);
    run(outputs.itf, [&] { return write_itf(outputs.itf, shown); });
    run(outputs.shiviz, [&] { return write_shiviz(outputs.shiviz, shown); });
    run(outputs.dot, [&] { return write_dot(outputs.dot, shown); });
    run(outputs.svg, [&] { return write_svg(outputs.svg, shown); });
  }
  run(outputs.molly, [&] { return write_molly(outputs.molly, record); });
  return first;
}

}  // namespace clew::cli
