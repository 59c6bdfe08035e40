#include "check/certificate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"
#include "base/stop.h"
#include "base/text.h"
#include "check/certificate_folder.h"
#include "check/output_folder.h"
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
    const bool named = about != 0 && grounder_.rules().is_named(about);
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

// False if it was stopped before the proof was complete.
bool prove(const ground::Grounder& grounder, ClauseWriter& writer, std::FILE& proof,
           const std::function<bool()>& stop) {
  formula::Formula formula(grounder.rules(), {.stop = stop, .recorder = &writer, .proof = &proof});
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
    const FaultSet faults = formula.faults();
    const bool refuted = formula.refute_loops(formula::evaluate(grounder.rules(), faults));
    CHECK(refuted, "{} is a counterexample", to_string(faults));
  }
}

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// All that was printed to it is in the file; if not, errno says why.
bool is_whole(File file) {
  const bool failed = std::ferror(file.get()) != 0;
  if (std::fclose(file.release()) != 0) return false;
  if (failed) errno = EIO;
  return !failed;
}

}  // namespace

Status write_certificate(const ground::Grounder& grounder, const ProgramInput& input,
                         const std::string& path, const std::function<bool()>& stop) {
  // Earlier versions of Clew have left unfinished ones.
  OutputFolder folder(path, {kClausesFile, kProofFile, "proof.drat.unfinished"}, kCertificateFile);
  if (Status begun = folder.begin(); !begun.ok()) return begun;
  File proof(std::fopen(folder.place_for(kProofFile).c_str(), "we"));
  if (!proof) return folder.cannot_write(kProofFile, errno);
  ClauseWriter writer(grounder);
  const bool proved = prove(grounder, writer, *proof, stop);
  if (!is_whole(std::move(proof))) return folder.cannot_write(kProofFile, errno);
  if (!proved) throw Stopped();
  Status written = folder.write(kClausesFile, writer.text());
  if (written.ok()) {
    written = folder.write(kCertificateFile, describe(grounder, input, writer, path));
  }
  return written.ok() ? folder.finish() : written;
}

}  // namespace clew::check
