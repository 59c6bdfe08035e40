// The certificate that a folder holds, and whether it proves what it claims; see certificate.h for
// how it got there.
//
//   Result<CertificateFolder> folder = open_certificate(path);
//   auto input = read_program(folder->inputs, notes);
//   Result<verify::Verification> seen = verify_certificate(*folder, *input);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "check/program_input.h"
#include "verify/certificate.h"
#include "verify/verify.h"

namespace clew::check {

inline constexpr const char* kCertificateFile = "certificate.json";
inline constexpr const char* kClausesFile = "clauses.txt";
inline constexpr const char* kProofFile = "proof.drat";

struct CertificateFolder {
  std::string path;
  std::string text;  // of certificate.json
  verify::Certificate certificate;
  std::vector<std::string> inputs;  // of its program: paths that can be opened
  // It is no certificate, or one of a program that has changed since.
  std::optional<verify::Refusal> refusal{};
};

// Fails if a file cannot be read.
Result<CertificateFolder> open_certificate(const std::string& path);

// The folders that hold certificates: this one, if it does, and those inside of it that do, by
// name. If there is none, this one, which then cannot be opened.
std::vector<std::string> find_certificates(const std::string& path);

// Requires that it was not refused yet, and the program that its inputs make up. Fails if another
// certificate has taken its place since it was opened.
Result<verify::Verification> verify_certificate(const CertificateFolder& folder,
                                                const ProgramInput& input);

}  // namespace clew::check
