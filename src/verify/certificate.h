// certificate.json: what is claimed, about which program.
//
// docs/formats/certificate.md describes the three files of a certificate.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "domain/scenario.h"
#include "verify/claim.h"
#include "verify/verify.h"

namespace clew::verify {

struct Certificate {
  std::vector<ProgramFile> program;  // the input files, then what they include
  size_t inputs = 0;                 // how many of `program` are input files
  std::string promise = "spec";      // which of the program's it is about
  FaultModel model;                  // valid
  Announced announced;
};

inline constexpr size_t kMostCertificateBytes = 16 << 20;
inline constexpr size_t kMostClauseBytes = size_t{1} << 30;

// Strict: an unknown, missing or repeated key, a wrong type or a number out of range is an Error
// that says where.
Result<Certificate> certificate_from_json(std::string_view text);

}  // namespace clew::verify
