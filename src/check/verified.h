// What `clew verify` has to say: what exactly is claimed, and whether that is accepted.
#pragma once

#include <optional>
#include <string>

#include "check/certificate_folder.h"

namespace clew::check {

// What became of a certificate. Nothing of what could not be read.
struct Verified {
  CertificateFolder folder;
  std::optional<ProgramInput> input{};
  verify::Verification seen{};  // with the refusal of the folder, if it was refused
};

// Ends in a newline.
std::string to_text(const Verified& verified);
// docs/formats/verify.md
std::string to_json(const Verified& verified);

}  // namespace clew::check
