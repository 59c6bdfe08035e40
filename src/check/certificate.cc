#include "check/certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/files.h"
#include "base/text.h"
#include "formula/formula.h"
#include "report/model_json.h"

namespace clew::check {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

// docs/formats/certificate.md, clauses.txt
class ClauseWriter : public formula::Formula::Recorder {
 public:
  explicit ClauseWriter(const ground::Grounder& grounder) : grounder_(grounder) {}

  void stands_for(int variable, formula::Atom atom) override {
    ++variables_;
    text_ += fmt::format("v {} {}\n", variable, meaning(atom));
  }
  void all_of(int variable, std::span<const int> literals) override {
    define(variable, "and", literals);
  }
  void any_of(int variable, std::span<const int> literals) override {
    define(variable, "or", literals);
  }
  void clause(std::span<const int> clause, const std::string& reason,
              formula::Atom about) override {
    ++clauses_;
    text_ += "c ";
    for (int literal : clause) text_ += fmt::format("{} ", literal);
    bool named = about != 0 && grounder_.rules().is_named(about);
    text_ += fmt::format("0 {}{}\n", reason, named ? " " + grounder_.print(about) : "");
  }

  const std::string& text() const { return text_; }
  size_t variables() const { return variables_; }
  size_t clauses() const { return clauses_; }

 private:
  void define(int variable, const char* how, std::span<const int> literals) {
    ++variables_;
    text_ += fmt::format("d {} {}", variable, how);
    for (int literal : literals) text_ += fmt::format(" {}", literal);
    text_ += "\n";
  }

  std::string meaning(formula::Atom atom) const {
    const formula::Rules& rules = grounder_.rules();
    if (rules.is_fault(atom)) {
      const Fault& fault = rules.fault_of(atom);
      if (const auto* omission = std::get_if<Omission>(&fault)) {
        return fmt::format("omission {} {} {}", clew::quoted(omission->from),
                           clew::quoted(omission->to), omission->tick);
      }
      const Crash& crash = std::get<Crash>(fault);
      return fmt::format("crash {} {}", clew::quoted(crash.node), crash.tick);
    }
    const ground::Grounder::Name& name = grounder_.name(atom);
    if (auto rule = grounder_.contributes_to(name)) {
      return fmt::format("part {} {} {}", name.tick, *rule, grounder_.tuple_text(name));
    }
    return fmt::format("fact {} {}{}", name.tick, grounder_.relation_name(name),
                       grounder_.tuple_text(name));
  }

  const ground::Grounder& grounder_;
  std::string text_;
  size_t variables_ = 0;
  size_t clauses_ = 0;
};

std::string describe(const ground::Grounder& grounder, const ProgramInput& input,
                     const ClauseWriter& writer, const fs::path& folder) {
  const FaultModel& model = grounder.model();
  ordered_json program = ordered_json::array();
  for (const ProgramFile& file : input.files) {
    std::string path = fs::absolute(file.path).lexically_proximate(fs::absolute(folder)).string();
    program.push_back({{"path", path}, {"fingerprint", file.fingerprint}});
  }
  ordered_json certificate = {
      {"format", "clew-certificate/1"}, {"program", program},
      {"inputs", input.inputs},         {"promise", input.program.promises.front().name},
      {"nodes", model.nodes},           {"crash_model", to_string(model.crash_model)}};
  if (!model.limits.empty()) certificate["limits"] = report::json_limits(model.limits);
  certificate["bounds"] = report::json_bounds(model);
  certificate["variables"] = writer.variables();
  certificate["clauses"] = writer.clauses();
  return certificate.dump(2) + "\n";
}

// False if the budget was used up before the proof was complete.
bool prove(const ground::Grounder& grounder, ClauseWriter& writer, const std::string& proof,
           const std::function<bool()>& stop) {
  formula::Formula formula(grounder.rules(), {.stop = stop, .recorder = &writer, .proof = proof});
  formula.learn_all();
  while (true) {
    switch (formula.solve({})) {
      case formula::Formula::Answer::kNone:
        return true;
      case formula::Formula::Answer::kStopped:
        return false;
      case formula::Formula::Answer::kFaults:
        break;
    }
    FaultSet faults = formula.faults();
    bool refuted = formula.refute_loops(formula::evaluate(grounder.rules(), faults));
    CHECK(refuted, "{} is a counterexample", to_string(faults));
  }
}

// A file that is of no use to anybody once the work has ended, in whatever way.
class Removed {
 public:
  explicit Removed(std::string path) : path_(std::move(path)) {}
  ~Removed() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  Removed(const Removed&) = delete;
  Removed& operator=(const Removed&) = delete;

 private:
  std::string path_;
};

}  // namespace

Status write_certificate(const ground::Grounder& grounder, const ProgramInput& input,
                         const std::string& folder, const std::function<bool()>& stop) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return Error{fmt::format("{}: the folder cannot be made: {}", folder, error.message()), ""};
  }
  fs::path path(folder);
  std::string unfinished = (path / "proof.drat.unfinished").string();
  Status writable = write_file_atomically(unfinished, "");
  if (!writable.ok()) return writable;
  const Removed removed(unfinished);
  ClauseWriter writer(grounder);
  if (!prove(grounder, writer, unfinished, stop)) {
    return Error{"the budget was used up before the certificate was complete",
                 "give it more time with --budget"};
  }
  const std::string description = describe(grounder, input, writer, path);
  Status written = write_file_atomically((path / "clauses.txt").string(), writer.text());
  if (!written.ok()) return written;
  fs::rename(unfinished, path / "proof.drat", error);
  if (error) return Error{fmt::format("{}: {}", folder, error.message()), "is the disk full?"};
  return write_file_atomically((path / "certificate.json").string(), description);
}

}  // namespace clew::check
