// clew verify: an independent look at the certificate of a Robust verdict.
#include "verify/verify.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/files.h"
#include "base/text.h"
#include "check/program_input.h"
#include "cli/command.h"
#include "dedalus/parse.h"
#include "verify/certificate.h"

namespace clew::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kCertificate = "certificate.json";

int refuse(const std::string& folder, const verify::Refusal& refusal) {
  const std::string where = refusal.file.empty() ? "" : (fs::path(folder) / "").string();
  fmt::print("refused: {}{}\n", where, verify::to_string(refusal));
  return kViolated;
}

std::string resolve(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().string();
}

// Files may be unreadable (an Error) or not what they were (a Refusal).
Result<std::optional<verify::Refusal>> compare_files(const std::string& folder,
                                                     const verify::Certificate& certificate) {
  for (const ProgramFile& file : certificate.program) {
    const std::string path = resolve(folder, file.path);
    const Result<std::string> text = read_file(path, dedalus::kMostFileBytes);
    if (!text.ok()) return text.error();
    if (fingerprint(*text) == file.fingerprint) continue;
    return std::optional(verify::Refusal{
        kCertificate, 0, fmt::format("{} has changed since the certificate was made", path)});
  }
  return std::optional<verify::Refusal>();
}

// The program that the inputs make up must consist of the files that the certificate lists.
bool same_files(const verify::Certificate& certificate, const check::ProgramInput& input) {
  if (certificate.inputs != input.inputs) return false;
  if (certificate.program.size() != input.files.size()) return false;
  for (size_t i = 0; i < input.files.size(); ++i) {
    if (certificate.program[i].fingerprint != input.files[i].fingerprint) return false;
  }
  return true;
}

int report(const std::string& folder, const verify::Certificate& certificate,
           const verify::Verification& result) {
  if (result.refusal) return refuse(folder, *result.refusal);
  fmt::print("accepted: no faults within {} violate the program\n",
             describe_bounds(certificate.model));
  fmt::print("{} possible, {} of the certificate follow, {} of the proof\n",
             count_noun(result.facts, "fact"), count_noun(result.clauses, "clause"),
             count_noun(result.lemmas, "lemma"));
  return kOk;
}

int check(const std::string& folder, const verify::Certificate& certificate,
          const check::ProgramInput& input) {
  const Result<std::string> clauses =
      read_file((fs::path(folder) / "clauses.txt").string(), verify::kMostClauseBytes);
  if (!clauses.ok()) return fail(clauses.error());
  const Result<std::string> proof =
      read_file((fs::path(folder) / "proof.drat").string(), verify::kMostClauseBytes);
  if (!proof.ok()) return fail(proof.error());
  const verify::Claim claim{&input.program, certificate.model};
  return report(folder, certificate,
                verify::verify(claim, certificate.announced, *clauses, *proof));
}

int verify_folder(const std::string& folder) {
  const std::string path = (fs::path(folder) / kCertificate).string();
  const Result<std::string> text = read_file(path, verify::kMostCertificateBytes);
  if (!text.ok()) return fail(text.error());
  const Result<verify::Certificate> certificate = verify::certificate_from_json(*text);
  if (!certificate.ok()) return refuse(folder, {kCertificate, 0, certificate.error().message});
  const Result<std::optional<verify::Refusal>> files = compare_files(folder, *certificate);
  if (!files.ok()) return fail(files.error());
  if (*files) return refuse(folder, **files);
  std::vector<std::string> inputs;
  for (size_t i = 0; i < certificate->inputs; ++i) {
    inputs.push_back(resolve(folder, certificate->program[i].path));
  }
  const std::optional<check::ProgramInput> input = check::read_program(inputs);
  if (!input) return kInputError;
  if (!same_files(*certificate, *input)) {
    return refuse(folder, {kCertificate, 0, "the program consists of other files by now"});
  }
  return check(folder, *certificate, *input);
}

}  // namespace

void add_verify(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("verify", "Check a certificate, independently");
  auto folder = std::make_shared<std::string>();
  command->add_option("DIR", *folder, "a certificate, as clew check --certificate writes it")
      ->required()
      ->type_name("");
  command->footer("Exits with 0 if it is accepted, 10 if it is refused.");
  command->callback([folder, &exit_code] { exit_code = verify_folder(*folder); });
}

}  // namespace clew::cli
