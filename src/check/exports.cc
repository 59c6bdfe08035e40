#include "check/exports.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "base/files.h"
#include "base/text.h"
#include "base/watched.h"
#include "check/memory.h"
#include "check/molly_export.h"
#include "check/output_folder.h"
#include "report/dot.h"
#include "report/itf.h"
#include "report/junit.h"
#include "report/page.h"
#include "report/provenance.h"
#include "report/sarif.h"
#include "report/shiviz.h"
#include "report/svg.h"

namespace clew::check {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMostGoals = 150;     // of a lineage diagram
constexpr size_t kMostDotGoals = 500;  // Graphviz takes long for more

// The run without faults and the counterexamples, one at a time: runs can be large.
class Shown {
 public:
  Shown(const report::Record& record, const Stop& stop, const Notes& notes)
      : record_(record), stop_(stop), notes_(notes), good_(record.replay({})) {}

  using Visit = std::function<Status(const std::string& name, const Run& good, const Run* bad)>;

  // As many as there is time for.
  Status each(const std::string& folder, const Visit& visit) const {
    Status done = visit("run_0", good_, nullptr);
    const auto& found = record_.check.counterexamples;
    for (size_t i = 0; i < found.size() && done.ok(); ++i) {
      const auto written = unless_stopped([&] {
        if (stop_()) throw Stopped();
        const Run bad = record_.replay(found[i].run.scenario.faults);
        return visit(fmt::format("counterexample_{}", i + 1), good_, &bad);
      });
      if (!written) {
        tell_stopped(folder, i, found.size());
        break;
      }
      done = *written;
    }
    return done;
  }

 private:
  void tell_stopped(const std::string& folder, size_t written, size_t total) const {
    notes_.tell("note: there was no more time, so {} has only {} of {}\n", folder, written,
                count_noun(total, "counterexample"));
  }

  const report::Record& record_;
  const Stop& stop_;
  const Notes& notes_;
  Run good_;
};

Status fill(OutputFolder& folder, const Shown& shown, const Shown::Visit& visit) {
  Status done = folder.begin();
  if (done.ok()) done = shown.each(folder.path(), visit);
  return done.ok() ? folder.finish() : done;
}

const Run& subject(const Run& good, const Run* bad) { return bad == nullptr ? good : *bad; }

const std::vector<std::string> kItfNames = {"run_*.itf.json", "counterexample_*.itf.json"};
const std::vector<std::string> kShivizNames = {"run_*.shiviz.log", "counterexample_*.shiviz.log"};

Status write_itf(const std::string& path, const Shown& shown) {
  OutputFolder folder(path, kItfNames);
  return fill(folder, shown, [&](const std::string& name, const Run& good, const Run* bad) {
    const Run& run = subject(good, bad);
    return folder.write(name + ".itf.json",
                        report::itf(run, "clew check: " + to_string(run.scenario.faults)));
  });
}

Status write_shiviz(const std::string& path, const Shown& shown) {
  OutputFolder folder(path, kShivizNames);
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

std::string lineage_title(const Run* bad) {
  if (bad == nullptr) return "Why the promises are kept without faults";
  for (const Outcome::Goal& goal : bad->outcome().goals) {
    if (!goal.post) {
      return fmt::format("Why {} is not in {}", to_string(goal.pre), bad->outcome().post);
    }
  }
  return "Lineage";
}

// How the two diagrams of a run are drawn; `title` is that of its lineage.
struct Drawing {
  std::string extension;
  size_t most_goals;
  std::function<std::string(const Run& run)> space_time;
  std::function<std::string(const report::Provenance& lineage, const std::string& title)> lineage;
};

Status write_diagrams(const std::string& path, const Shown& shown, const Drawing& drawing) {
  OutputFolder folder(path, diagram_names(drawing.extension));
  return fill(folder, shown, [&](const std::string& name, const Run& good, const Run* bad) {
    // Both are drawn before either is written.
    const std::string space_time = drawing.space_time(subject(good, bad));
    const std::string lineage =
        drawing.lineage(report::lineage_of(good, bad, drawing.most_goals), lineage_title(bad));
    const Status done = folder.write(name + "_spacetime" + drawing.extension, space_time);
    return done.ok() ? folder.write(name + "_lineage" + drawing.extension, lineage) : done;
  });
}

Status write_dot(const std::string& path, const Shown& shown) {
  const auto lineage = [](const report::Provenance& one, const std::string&) {
    return report::provenance_dot(one);
  };
  return write_diagrams(path, shown, {".dot", kMostDotGoals, report::space_time_dot, lineage});
}

Status write_svg(const std::string& path, const Shown& shown) {
  return write_diagrams(path, shown,
                        {".svg", kMostGoals, report::space_time_svg, report::lineage_svg});
}

Status clear(const std::string& path, const std::vector<std::string>& names) {
  OutputFolder folder(path, names);
  const Status done = folder.begin();
  return done.ok() ? folder.finish() : done;
}

// Empty if it is no more: then no path is below it.
std::string current_folder() {
  std::error_code error;
  return fs::current_path(error).string();
}

void keep_error(const Status& done, std::vector<Error>& errors) {
  if (!done.ok()) errors.push_back(done.error());
}

// What there is no time or memory for is left out, which a note says.
Status write_in_time(const std::string& path, const Stop& stop, const Notes& notes,
                     const std::function<Status()>& write) {
  release_memory();  // one may do with less than the one before
  const Watched watched(stop);
  const std::optional<Status> done = unless_stopped(write);
  if (done) return *done;
  notes.tell("note: there was no time or memory left to write {}\n", path);
  return Nothing{};
}

}  // namespace

bool Outputs::any() const { return any_of_runs() || !junit.empty() || !sarif.empty(); }

bool Outputs::any_of_runs() const {
  for (const std::string* one : {&report, &itf, &shiviz, &molly, &dot, &svg}) {
    if (!one->empty()) return true;
  }
  return false;
}

Outputs outputs_of(const Outputs& outputs, const std::string& promise) {
  Outputs own = outputs;
  own.report.clear();
  for (std::string* path : {&own.itf, &own.shiviz, &own.molly, &own.dot, &own.svg}) {
    if (!path->empty()) *path = (fs::path(*path) / promise).string();
  }
  return own;
}

std::vector<Error> clear_runs(const Outputs& outputs) {
  std::vector<Error> errors;
  const auto clear_if = [&](const std::string& path, const std::vector<std::string>& names) {
    if (!path.empty()) keep_error(clear(path, names), errors);
  };
  clear_if(outputs.itf, kItfNames);
  clear_if(outputs.shiviz, kShivizNames);
  clear_if(outputs.dot, diagram_names(".dot"));
  clear_if(outputs.svg, diagram_names(".svg"));
  if (!outputs.molly.empty()) keep_error(clear_molly(outputs.molly), errors);
  return errors;
}

Status write_page(const std::string& path, std::span<const report::Record> records,
                  const Stop& stop, const Notes& notes) {
  return write_in_time(path, stop, notes, [&] {
    return write_file_atomically(path, report::page(records, {.hurry = stop}));
  });
}

std::vector<Error> write_verdicts(const Outputs& outputs, std::span<const report::Record> records) {
  std::vector<Error> errors;
  if (!outputs.junit.empty()) {
    keep_error(write_file_atomically(outputs.junit, report::junit(records)), errors);
  }
  if (!outputs.sarif.empty()) {
    const std::string text = report::sarif(records, current_folder());
    keep_error(write_file_atomically(outputs.sarif, text), errors);
  }
  return errors;
}

std::vector<Error> write_runs(const Outputs& outputs, const report::Record& record,
                              Progress& progress, const Stop& stop, const Notes& notes) {
  std::vector<Error> errors;
  const auto run = [&](const std::string& path, const std::function<Status()>& write) {
    if (!path.empty()) keep_error(write_in_time(path, stop, notes, write), errors);
  };
  if (!outputs.report.empty()) {
    keep_error(write_page(outputs.report, {&record, 1}, stop, notes), errors);
  }
  std::optional<Shown> shown;
  const auto draw = [&](const std::string& path,
                        Status (*write)(const std::string&, const Shown&)) {
    run(path, [&] {
      if (!shown) shown.emplace(record, stop, notes);
      return write(path, *shown);
    });
  };
  draw(outputs.itf, write_itf);
  draw(outputs.shiviz, write_shiviz);
  draw(outputs.dot, write_dot);
  draw(outputs.svg, write_svg);
  run(outputs.molly, [&] { return write_molly(outputs.molly, record, progress, stop, notes); });
  return errors;
}

}  // namespace clew::check
