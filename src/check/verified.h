// What `clew verify` has to say: what exactly is claimed, and whether that is accepted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/certificate_folder.h"

namespace clew::check {

// What became of a certificate. Nothing of what could not be read.
struct Verified {
  CertificateFolder folder;
  std::optional<ProgramInput> input{};
  verify::Verification seen{};  // with the refusal of the folder, if it was refused
};

// Of each certificate of a folder; at least one. All end in a newline, and name the promises of the
// programs that no accepted certificate covers.
std::string to_text(const std::vector<Verified>& all);
// docs/formats/verify.md
std::string to_json(const std::vector<Verified>& all);

}  // namespace clew::check
