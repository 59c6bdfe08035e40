#include "check/certificate_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/files.h"
#include "base/temporary.h"
#include "base/text.h"
#include "dedalus/parse.h"

namespace clew::check {

namespace {

namespace fs = std::filesystem;

std::string inside(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).string();
}

// Files may be unreadable (an Error) or not what they were (a Refusal).
Result<std::optional<verify::Refusal>> compare_files(const std::vector<ProgramFile>& files) {
  for (const ProgramFile& file : files) {
    const Result<std::string> text = read_file(file.path, dedalus::kMostFileBytes);
    if (!text.ok()) return text.error();
    if (fingerprint(*text) == file.fingerprint) continue;
    return std::optional(
        verify::Refusal{kCertificateFile, 0,
                        fmt::format("{} has changed since the certificate was made", file.path)});
  }
  return std::optional<verify::Refusal>();
}

struct Argument {
  std::string clauses;
  std::string proof;
};

// Of one and the same certificate, though a check may be about to write another one.
Result<Argument> read_argument(const CertificateFolder& folder) {
  const Result<Descriptor> lock = lock_folder(folder.path, Access::kRead);
  if (!lock.ok()) return lock.error();
  const Result<std::string> now =
      read_file(inside(folder.path, kCertificateFile), verify::kMostCertificateBytes);
  if (!now.ok()) return now.error();
  if (*now != folder.text) {
    return Error{fmt::format("{} has been replaced just now", folder.path), "verify it again"};
  }
  Result<std::string> clauses =
      read_file(inside(folder.path, kClausesFile), verify::kMostClauseBytes);
  if (!clauses.ok()) return clauses.error();
  Result<std::string> proof = read_file(inside(folder.path, kProofFile), verify::kMostClauseBytes);
  if (!proof.ok()) return proof.error();
  return Argument{std::move(*clauses), std::move(*proof)};
}

}  // namespace

Result<CertificateFolder> open_certificate(const std::string& path) {
  const Result<std::string> text =
      read_file(inside(path, kCertificateFile), verify::kMostCertificateBytes);
  if (!text.ok()) return text.error();
  CertificateFolder folder{.path = path, .text = *text, .certificate = {}, .inputs = {}};
  Result<verify::Certificate> certificate = verify::certificate_from_json(*text);
  if (!certificate.ok()) {
    folder.refusal = verify::Refusal{kCertificateFile, 0, certificate.error().message};
    return folder;
  }
  folder.certificate = std::move(*certificate);
  std::vector<ProgramFile> files = folder.certificate.program;
  for (ProgramFile& file : files) {
    file.path = fs::path(inside(path, file.path)).lexically_normal().string();
  }
  const Result<std::optional<verify::Refusal>> changed = compare_files(files);
  if (!changed.ok()) return changed.error();
  folder.refusal = *changed;
  files.resize(folder.certificate.inputs);
  std::ranges::transform(files, std::back_inserter(folder.inputs), &ProgramFile::path);
  return folder;
}

std::vector<std::string> find_certificates(const std::string& path) {
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    // What is hidden is being written by somebody (base/temporary.h).
    if (at->path().filename().string().starts_with('.')) continue;
    if (fs::exists(at->path() / kCertificateFile, unknown)) found.push_back(at->path().string());
  }
  std::ranges::sort(found);
  if (found.empty() || fs::exists(inside(path, kCertificateFile), error)) {
    found.insert(found.begin(), path);
  }
  return found;
}

Result<verify::Verification> verify_certificate(const CertificateFolder& folder,
                                                const ProgramInput& input) {
  CHECK(!folder.refusal, "{}", folder.path);
  const verify::Certificate& certificate = folder.certificate;
  if (certificate.inputs != input.inputs || !same_files(certificate.program, input)) {
    verify::Verification refused;
    refused.refusal =
        verify::Refusal{kCertificateFile, 0, "the program consists of other files by now"};
    return refused;
  }
  const Result<Argument> argument = read_argument(folder);
  if (!argument.ok()) return argument.error();
  const std::vector<dedalus::PromiseInfo>& promises = input.program.promises;
  const std::string& name = certificate.promise;
  if (std::ranges::find(promises, name, &dedalus::PromiseInfo::name) == promises.end()) {
    verify::Verification refused;
    refused.refusal = verify::Refusal{kCertificateFile, 0,
                                      fmt::format("the program makes no promise \"{}\"", name)};
    return refused;
  }
  const dedalus::Program program = dedalus::with_promise(input.program, name);
  const verify::Claim claim{&program, certificate.model};
  return verify::verify(claim, certificate.announced, argument->clauses, argument->proof);
}

}  // namespace clew::check
